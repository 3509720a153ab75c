"""Bad input gets one clear sentence and exit code 2, and leaves the store as it was."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.small_texts import JUNE_2030, MARCH_2030, rules_text

CUT_OFF = MARCH_2030[: MARCH_2030.rindex("701. Copying Objects")]
"""Ends before the last section, glossary and credits that its contents promise."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    source, db = tmp_path / "march.txt", tmp_path / "rules.db"
    source.write_text(MARCH_2030, encoding="utf-8")
    done = rulehist("ingest", source, "--db", db)
    assert done.returncode == 0, done.stderr
    return db


def rulehist(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulehist", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "NO_COLOR": "1"},
    )


def assert_one_sentence(done: subprocess.CompletedProcess[str], *says: str) -> None:
    assert done.returncode == 2, done
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("rulehist: ")
    assert "Traceback" not in done.stderr
    assert not re.search(r"[.;,:] *[.;,:]", lines[0].replace("..", "")), "punctuation twice over"
    for words in says:
        assert words in lines[0]


SOURCES = {
    "an empty file": (b"", "empty"),
    "a file that is no rules text": (b"Roses are red.\nViolets are blue.\n", "no rules text"),
    "a binary file": (bytes(range(256)) * 16, "binary"),
    "bytes that no known encoding reads": (
        MARCH_2030.encode().replace(b"glass beads", b"gl\x81ss\x8f \xffbe\x9dds"),
        "line",
    ),
    "half a UTF-16 character": (b"\xff\xfe\x00", "UTF-16"),
    "a truncated rules text": (CUT_OFF.encode(), "701 (Copying Objects)"),
}


@pytest.mark.parametrize("what", SOURCES)
def test_a_source_that_cannot_be_taken_leaves_the_store_as_it_was(what: str, database: Path, tmp_path: Path) -> None:
    data, says = SOURCES[what]
    source = tmp_path / "source.txt"
    source.write_bytes(data)
    before = database.read_bytes()
    assert_one_sentence(rulehist("ingest", source, "--db", database), "source.txt", says)
    assert database.read_bytes() == before


def test_a_bad_source_among_good_ones_is_told_and_the_good_ones_are_taken(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "bad.txt").write_text(CUT_OFF.replace("March 1", "April 1"), encoding="utf-8")
    (folder / "june.txt").write_text(JUNE_2030, encoding="utf-8")
    done = rulehist("ingest", folder, "--db", database)
    assert done.returncode == 2
    assert "bad.txt" in done.stdout + done.stderr
    assert "2030-06-01" in rulehist("versions", "--db", database).stdout


def test_a_folder_without_readable_files_is_told(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    before = database.read_bytes()
    assert_one_sentence(rulehist("ingest", folder, "--db", database), "no files")
    (folder / "a.txt").write_bytes(b"x\0y")
    assert_one_sentence(rulehist("ingest", folder, "--db", database), "no file there could be read")
    assert database.read_bytes() == before


def test_a_file_that_may_not_be_read_is_told(database: Path, tmp_path: Path) -> None:
    source = tmp_path / "secret.txt"
    source.write_text(JUNE_2030, encoding="utf-8")
    source.chmod(0)
    if os.access(source, os.R_OK):
        pytest.skip("this user may read every file")
    assert_one_sentence(rulehist("ingest", source, "--db", database), "secret.txt")


def not_ours(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes(name TEXT)")
    connection.commit()
    connection.close()


def newer(path: Path) -> None:
    source = path.with_suffix(".txt")
    source.write_text(MARCH_2030, encoding="utf-8")
    assert rulehist("ingest", source, "--db", path).returncode == 0
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()


def cut_short(path: Path) -> None:
    newer(path)
    path.write_bytes(path.read_bytes()[:5000])


DATABASES = {
    "a database of another program": (not_ours, "another program"),
    "a database of a newer program": (newer, "newer"),
    "a text file": (lambda path: path.write_text("no database"), "no SQLite database"),
    "a folder": (lambda path: path.mkdir(), "folder"),
    "a database cut short": (cut_short, "database"),
}


@pytest.mark.parametrize("what", DATABASES)
def test_a_database_that_cannot_be_used_is_told_and_left_alone(what: str, tmp_path: Path) -> None:
    make, says = DATABASES[what]
    path, source = tmp_path / "rules.db", tmp_path / "june.txt"
    make(path)
    source.write_text(JUNE_2030, encoding="utf-8")
    before = path.read_bytes() if path.is_file() else None
    for words in (["show", "100.1"], ["diff", "2030-03-01..latest"], ["versions"], ["ingest", source]):
        assert_one_sentence(rulehist(*words, "--db", path), "rules.db", says)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_read_only_database_answers_and_refuses_to_be_written(database: Path, tmp_path: Path) -> None:
    source = tmp_path / "june.txt"
    source.write_text(JUNE_2030, encoding="utf-8")
    database.chmod(stat.S_IRUSR)
    before = database.read_bytes()
    assert_one_sentence(rulehist("ingest", source, "--db", database), "rules.db")
    assert rulehist("show", "100.1", "--db", database).returncode == 0
    assert database.read_bytes() == before


def test_an_answer_comes_from_a_folder_that_nobody_may_write(database: Path) -> None:
    database.parent.chmod(0o555)
    try:
        assert rulehist("show", "100.1", "--db", database).returncode == 0
    finally:
        database.parent.chmod(0o755)


SCENARIOS = {
    "a typo": ("objects:\n  bear: {nmae: Bear}\nsteps: []\n", ["line 2", "name"]),
    "an object that does not exist": (
        "objects:\n  bear: {name: Bear}\nsteps:\n  - enters as a copy: {object: bear, of: wolf}\n",
        ["wolf"],
    ),
    "an alias that holds itself": ("objects: &all\n  bear: *all\n", ["line"]),
    "no YAML": ("objects: [\n", ["line"]),
}


@pytest.mark.parametrize("what", SCENARIOS)
def test_a_scenario_with_a_fault_is_told_file_and_place(what: str, database: Path, tmp_path: Path) -> None:
    text, says = SCENARIOS[what]
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(text, encoding="utf-8")
    assert_one_sentence(rulehist("eval", scenario, "--db", database), "scenario.yaml", *says)


def test_markup_in_a_rules_text_is_shown_as_text(tmp_path: Path) -> None:
    evil = '<script>alert("x")</script><img src=x onerror=alert(1)> & "quotes" \u202etxt'
    texts = []
    for day, rule in (("March 1, 2031", "100.1. One player starts."), ("June 1, 2031", f"100.1. One player {evil}.")):
        texts.append(tmp_path / f"{day[:4]}.txt")
        texts[-1].write_text(rules_text(day, {"100. General": [rule]}, {"Deck": "Cards."}), encoding="utf-8")
    db, page = tmp_path / "rules.db", tmp_path / "page.html"
    assert rulehist("ingest", *texts, "--db", db).returncode == 0
    assert rulehist("report", "2031-03-01..latest", "-o", page, "--db", db).returncode == 0
    html = page.read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert "alert(" in html
