"""The command line: exit codes, one sentence for an error, JSON for every command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from rulehist import cli
from rulehist.commands.program import app
from rulehist.resources import data_folder
from tests.small_texts import JUNE_2030, MARCH_2030


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RULEHIST_DB", raising=False)

    def call(*words: object) -> Outcome:
        monkeypatch.setattr("sys.argv", ["rulehist", *map(str, words)])
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call


def commands() -> dict[str, object]:
    """Every command, those of a group by both words: ``cite check``."""
    top = typer.main.get_command(app)
    found: dict[str, object] = {}
    for name in top.list_commands(None):  # type: ignore[attr-defined]
        command = top.get_command(None, name)  # type: ignore[attr-defined]
        below = getattr(command, "commands", None)
        found |= {f"{name} {word}": each for word, each in below.items()} if below else {name: command}
    return found


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_speaks_json_and_is_in_the_readme(name: str) -> None:
    options = [option for parameter in commands()[name].params for option in parameter.opts]  # type: ignore[attr-defined]
    assert "--json" in options
    readme = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
    assert f"rulehist {name}" in readme


def test_without_a_database_the_bundled_texts_answer_and_say_so(run) -> None:
    outcome = run("show", "707.2@AFR", "--json")
    assert outcome.code == 0
    assert "bundled" in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
    shown = json.loads(outcome.out)
    assert shown["in_force"]["from"] == "2021-07-23"
    assert shown["in_force"]["until"] == "2022-10-07"
    assert shown.keys() >= {"rule", "number", "kind", "text", "examples", "version", "in_force"}


def test_ingest_says_what_it_stored_and_what_it_knew(run, tmp_path: Path) -> None:
    db = tmp_path / "rules.db"
    assert "2 sources added" in run("ingest", data_folder() / "bundled", "--db", db).out
    again = run("ingest", data_folder() / "bundled", "--db", db)
    assert again.code == 0
    assert "nothing changed" in again.out


def test_a_diff_is_1_and_sameness_is_0(run, tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(MARCH_2030, encoding="utf-8")
    new.write_text(JUNE_2030, encoding="utf-8")
    assert run("diff", old, new).code == 1
    assert run("diff", old, old).code == 0


def test_of_two_files_the_one_that_is_not_there_is_named(run, tmp_path: Path) -> None:
    old = tmp_path / "old.txt"
    old.write_text(MARCH_2030, encoding="utf-8")
    outcome = run("diff", old, tmp_path / "new.txt")
    assert outcome.code == 2
    assert "new.txt: no such file; check the path" in outcome.err


def test_diff_json_has_its_shape(run) -> None:
    shape = json.loads(run("diff", "2021-07-23..2022-10-07", "--json").out)
    [change] = shape["changes"]
    assert change["kind"] == "reworded"
    assert change["part"] == "rule"
    assert change["old"]["number"] == change["new"]["number"] == "707.2"
    assert shape["news"] is None  # excerpts say nothing of the rest
    joined = "".join(words for op, words in change["ops"] if op != "delete")
    assert joined == change["new"]["text"]


def test_versions_json_is_oldest_first(run) -> None:
    listed = json.loads(run("versions", "--json").out)
    dates = [row["effective"] for row in listed]
    assert dates == [*sorted(day for day in dates if day), None]
    assert listed[0].keys() >= {
        "effective",
        "code",
        "release",
        "coverage",
        "rules",
        "source",
        "sha256",
        "warnings",
    }


def test_a_report_is_one_page_without_any_other_address(run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert run("report", "2021-07-23..2022-10-07", "-o", page).code == 0
    html = page.read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", html)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show", "707.2@1998-01-01"], "2010-02-01"),
        (["show", "999.9"], "999.9"),
        (["show", "707.2@XXQ"], "XXQ"),
        (["diff", "yesterday"], "OLD..NEW"),
        (["ingest", "/nonexistent/rules.txt"], "no such file"),
        (["show", "707.2", "--db", "/nonexistent/rules.db"], "no such database"),
        (["search", "!!"], "word"),
        (["shwo", "707.2"], "show"),
        (["show"], "NUMBER@WHEN"),
        (["show", "707.2", "--colour"], "--colour"),
    ],
)
def test_bad_input_gets_one_sentence_and_2(run, words: list[str], says: str) -> None:
    outcome = run(*words)
    assert outcome.code == 2
    assert says in outcome.err
    assert "Traceback" not in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\x01\x02\x03" * 50, b"just a poem\n", b"PK\x03\x04 broken zip"],
    ids=["empty", "binary", "no rules", "broken document"],
)
def test_a_source_that_is_none_leaves_no_database_behind(run, tmp_path: Path, content: bytes) -> None:
    source, db = tmp_path / "source.txt", tmp_path / "rules.db"
    source.write_bytes(content)
    outcome = run("ingest", source, "--db", db)
    assert outcome.code == 2
    assert "source.txt" in outcome.err
    assert not db.exists()


def test_a_fault_of_the_program_is_2_and_a_sentence_not_a_traceback(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("rulehist.history.show", broken)
    outcome = run("show", "707.2")
    assert outcome.code == 2
    assert "division by zero" in outcome.err
    assert "Traceback" not in outcome.err


def test_a_reader_who_stops_reading_is_no_difference_and_no_error() -> None:
    command = f"{sys.executable} -m rulehist diff 2010-02-01..latest --json | true"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"RULEHIST_DB": "", "XDG_DATA_HOME": "/nonexistent"},
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in {0, 1}  # 1: it had ended before the reader did


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no device that is always full")
def test_a_full_disk_behind_standard_output_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rulehist", "versions"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.endswith("make room, or send it elsewhere\n")


def test_a_closed_standard_output_is_no_fault() -> None:
    command = f"{sys.executable} -m rulehist versions >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "fault" in done.stderr) == (0, False)


def test_a_file_name_that_is_no_utf_8_is_taken(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"m\xe4rz.txt")
    try:
        file.write_text(MARCH_2030, encoding="utf-8")
    except OSError:
        pytest.skip("this file system has UTF-8 names only")
    words = [sys.executable, "-m", "rulehist", "ingest", str(file), "--db", str(tmp_path / "rules.db")]
    done = subprocess.run(words, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"m\\udce4rz.txt" in done.stdout


def test_a_pipe_is_no_database_and_stays(run, tmp_path: Path) -> None:
    source, pipe = tmp_path / "source.txt", tmp_path / "pipe"
    source.write_text(MARCH_2030, encoding="utf-8")
    os.mkfifo(pipe)
    done = run("ingest", source, "--db", pipe)
    assert (done.code, "is a device or a pipe" in done.err) == (2, True)
    assert pipe.is_fifo()


def test_export_gives_the_text_back(run, tmp_path: Path) -> None:
    source, db, out = tmp_path / "march.txt", tmp_path / "rules.db", tmp_path / "back.txt"
    source.write_text(MARCH_2030, encoding="utf-8")
    run("ingest", source, "--db", db)
    assert run("export", "latest", "-o", out, "--db", db).code == 0
    assert out.read_text(encoding="utf-8").split() == MARCH_2030.split()


def test_the_program_tells_its_version(run) -> None:
    outcome = run("--version")
    assert outcome.code == 0
    assert re.fullmatch(r"rulehist \d+\.\d+\.\d+\n", outcome.out)


@pytest.mark.parametrize("moment", ["latest", "2022-10-07", "UNF"])
def test_references_of_a_moment_points_to_the_broken_ones(run, moment: str) -> None:
    outcome = run("references", moment)
    assert outcome.code == 2
    assert f"rulehist references {moment} --broken" in outcome.err
