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


@pytest.mark.parametrize(
    "words",
    [
        ("show", "707.2@latest"), ("versions",), ("doctor",), ("search", "copying"), ("export", "latest"),
        ("ingest", "{source}"),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_a_damaged_store_is_called_damaged(database: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    source = tmp_path / "june.txt"
    source.write_text(JUNE_2030, encoding="utf-8")
    store = bytearray(database.read_bytes())
    store[200::7] = b"\xf4" * len(store[200::7])
    database.write_bytes(store)
    done = rulehist(*(word.format(source=source) for word in words), "--db", database)
    assert_one_sentence(done, str(database), "damaged", "ingest the texts anew")


def test_text_that_is_no_text_any_more_is_damage(database: Path) -> None:
    store = database.read_bytes()
    database.write_bytes(store.replace(b"becomes one", b"\xff\xfe\xfd blocked").replace(b"copiable", b"c\xffpiable"))
    assert_one_sentence(rulehist("show", "701.2@latest", "--db", database), "damaged")


def test_a_locked_store_is_to_be_waited_for(database: Path) -> None:
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        assert_one_sentence(rulehist("show", "701.2", "--db", database), "wait", "try again")
    finally:
        other.close()


@pytest.mark.parametrize(
    "words",
    [
        ("export", ""), ("search", "copy", "--as-of", ""), ("show", "701.2@"), ("log", "701.2@"), ("blame", "701.2@"),
        ("diff", "..2030-03-01"), ("diff", "2030-03-01.."), ("diff", "", "latest"), ("references", "", "--broken"),
        ("semantics", ""), ("site", "{out}", "--since", ""),
    ],
    ids=" ".join,
)  # fmt: skip
def test_an_empty_day_is_no_day(database: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    out = tmp_path / "out"
    assert_one_sentence(rulehist(*(word.format(out=out) for word in words), "--db", database))
    assert not out.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("search", "copy", "--ever", "--as-of", "latest"), ("search", "copy", "--first", "--as-of", "latest"),
        ("search", "copy", "--ever", "--first"), ("log", "701.2@latest", "--by-number"),
        ("blame", "701.2", "--json", "-o", "{out}"), ("blame", "701.2", "--json", "--html"),
        ("export", "latest", "--json", "-o", "{out}"), ("semantics", "2030-03-01", "--history"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_options_that_contradict_each_other_are_an_error(
    database: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    out = tmp_path / "out"
    assert_one_sentence(rulehist(*(word.format(out=out) for word in words), "--db", database))
    assert not out.exists()


def test_a_result_that_cannot_be_written_leaves_the_file_that_was_there(database: Path, tmp_path: Path) -> None:
    result = tmp_path / "result.txt"
    result.write_text("what was there", encoding="utf-8")
    result.chmod(0o640)
    command = f'ulimit -f 0; exec "{sys.executable}" -m rulehist export latest -o "{result}" --db "{database}"'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert_one_sentence(done, str(result), "cannot be written")
    assert result.read_text(encoding="utf-8") == "what was there"
    assert rulehist("export", "latest", "-o", result, "--db", database).returncode == 0
    assert "100.1a" in result.read_text(encoding="utf-8")
    assert stat.S_IMODE(result.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["march.txt", "result.txt", "rules.db"]


def test_a_result_goes_through_a_link_and_to_a_device(database: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    assert rulehist("export", "latest", "-o", link, "--db", database).returncode == 0
    assert link.is_symlink()
    assert "100.1a" in target.read_text(encoding="utf-8")
    done = rulehist("export", "latest", "-o", "/dev/stdout", "--db", database)
    assert done.returncode == 0
    assert "100.1a" in done.stdout


def test_a_pipe_is_not_read(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    os.mkfifo(folder / "pipe.txt")
    (folder / "june.txt").write_text(JUNE_2030, encoding="utf-8")
    assert_one_sentence(rulehist("ingest", folder / "pipe.txt", "--db", database), "only regular files")
    done = rulehist("ingest", folder, "--db", database)
    assert done.returncode == 0
    assert "stored   june.txt" in done.stdout
    assert re.search(r"skipped +.*pipe\.txt: is a pipe", done.stdout)


def test_a_store_whose_texts_have_no_date_says_so(tmp_path: Path) -> None:
    undated = MARCH_2030.replace("These rules are effective as of March 1, 2030.\n\n", "")
    (tmp_path / "undated.txt").write_text(undated, encoding="utf-8")
    rulehist("ingest", "--force", tmp_path / "undated.txt", "--db", tmp_path / "rules.db")
    asked = rulehist("show", "100.1@2030-03-01", "--db", tmp_path / "rules.db")
    assert_one_sentence(asked, "2030-03-01: no text in the store has a date; ask for latest")
    assert rulehist("show", "100.1@latest", "--db", tmp_path / "rules.db").returncode == 0


def test_what_is_compared_is_two_files_of_the_length_of_a_rules_text(tmp_path: Path) -> None:
    (tmp_path / "march.txt").write_text(MARCH_2030, encoding="utf-8")
    (tmp_path / "june.txt").write_text(JUNE_2030, encoding="utf-8")
    march, june = tmp_path / "march.txt", tmp_path / "june.txt"
    assert_one_sentence(rulehist("diff", march, "/dev/zero"), "/dev/zero: has more than 20,000,000 bytes")
    assert_one_sentence(rulehist("diff", march, tmp_path), "is a folder")
    assert_one_sentence(rulehist("diff", "t" * 5000), "no release has this code")
    assert_one_sentence(rulehist("diff", f"{march}..{tmp_path / 'july.txt'}"), "no release has this code")
    apart = rulehist("diff", march, june)
    assert apart.returncode == 1
    assert rulehist("diff", f"{march}..{june}").stdout == apart.stdout
    above = f"{tmp_path}/../{tmp_path.name}/march.txt..{june}"
    assert rulehist("diff", above).stdout == apart.stdout


def test_a_name_with_a_line_end_stands_in_one_line(database: Path, tmp_path: Path) -> None:
    source = tmp_path / "a\nb.txt"
    source.write_text(JUNE_2030, encoding="utf-8")
    done = rulehist("ingest", source, "--db", database)
    assert "stored   aU+000Ab.txt: 2030-06-01" in done.stdout
    source.write_text(CUT_OFF, encoding="utf-8")
    assert_one_sentence(rulehist("ingest", source, "--db", database), "aU+000Ab.txt")


@pytest.mark.parametrize("day", ["January 1, 0000", "0000-01-01", "May 32, 2031"])
def test_a_day_that_never_was_is_no_date(tmp_path: Path, day: str) -> None:
    source = tmp_path / "never.txt"
    source.write_text(MARCH_2030.replace("March 1, 2030", day), encoding="utf-8")
    done = rulehist("ingest", source, "--db", tmp_path / "new.db")
    assert_one_sentence(done, "effective")


def test_a_file_larger_than_any_rules_text_is_not_read(database: Path, tmp_path: Path) -> None:
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as stream:
        stream.truncate(50_000_000)
    assert_one_sentence(rulehist("ingest", huge, "--db", database), str(huge), "50,000,000 bytes")
    (tmp_path / "june.txt").write_text(JUNE_2030, encoding="utf-8")
    done = rulehist("ingest", tmp_path, "--db", tmp_path / "other.db")
    assert done.returncode == 0
    assert "stored   june.txt" in done.stdout
    assert "huge.txt: has 50,000,000 bytes" in done.stdout


def test_a_rule_longer_than_any_is_refused(database: Path, tmp_path: Path) -> None:
    source = tmp_path / "long.txt"
    source.write_text(JUNE_2030.replace("a melody while", "a melody " * 9000 + "while"), encoding="utf-8")
    assert_one_sentence(rulehist("ingest", source, "--db", database), "ran into it")
