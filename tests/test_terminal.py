"""Answers on a terminal: tables and words that fit it, and nothing that it cannot show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulehist import terminal
from rulehist.marked_words import fitted, wrapped
from rulehist.resources import data_folder
from rulehist.screen_tables import Cell, Column, table
from tests.test_pager import on_a_terminal

SCENARIO = str(data_folder() / "scenarios" / "stickered-creature-copied.yaml")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS = (
    ("versions",),
    ("doctor",),
    ("log", "707.2"),
    ("show", "707.2"),
    ("search", "stickers"),
    ("search", "--ever", "copy"),
    ("diff", "2021-07-23..2022-10-07"),
    ("semantics",),
    ("semantics", "--history"),
    ("eval", SCENARIO),
    ("compare", SCENARIO, "2021-07-23", "2022-10-07", "latest"),
    ("bisect", SCENARIO),
)


@pytest.mark.parametrize("columns", [50, 80])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_line_is_wider_than_the_terminal(tmp_path: Path, words: tuple[str, ...], columns: int) -> None:
    shown, code = on_a_terminal(tmp_path, *words, columns=columns, PAGER="cat")
    assert code in {0, 1}
    lines = [COLOUR.sub("", line) for line in shown.splitlines()]
    assert lines
    assert [line for line in lines if terminal.cells(line) > columns] == []


def test_versions_are_a_table_on_a_terminal_and_plain_lines_in_a_pipe(tmp_path: Path) -> None:
    shown, _ = on_a_terminal(tmp_path, "versions", PAGER="cat")
    assert re.search(r"^\u2500+\r?$", shown, re.MULTILINE)
    assert "\x1b[1m" in shown
    piped = subprocess.run([sys.executable, "-m", "rulehist", "versions"], capture_output=True, text=True, check=True)
    assert piped.stdout.startswith("effective   code  coverage rules  release\n")
    assert "\u2500" not in piped.stdout


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colour_is_left_out_where_it_is_not_wanted_or_not_there(tmp_path: Path, environment: dict[str, str]) -> None:
    for words in (("versions",), ("log", "707.2"), ("compare", SCENARIO, "2021-07-23", "latest")):
        shown, _ = on_a_terminal(tmp_path, *words, PAGER="cat", **environment)
        assert "\x1b" not in shown
    versions, _ = on_a_terminal(tmp_path, "versions", PAGER="cat", **environment)
    assert ("\u2500" in versions) == ("TERM" not in environment)


def test_the_width_that_the_reader_names_counts(tmp_path: Path) -> None:
    shown, _ = on_a_terminal(tmp_path, "show", "707.2", columns=80, PAGER="cat", COLUMNS="40")
    assert max(map(len, shown.splitlines())) <= 40


@pytest.mark.parametrize("named", ["\u00b2", "-5", "0", "x", "9" * 5000])
def test_a_width_that_is_none_does_not_count(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    without = terminal.columns()
    monkeypatch.setenv("COLUMNS", named)
    assert terminal.columns() == without


def test_what_is_shown_by_name_takes_the_columns_of_its_name() -> None:
    assert terminal.cells("\u202eab\u200b") == len("U+202Eab")


def test_a_comparison_of_many_versions_has_a_line_for_each_where_there_is_no_room_for_columns(tmp_path: Path) -> None:
    words = ("compare", SCENARIO, "2021-07-23", "2022-10-07", "latest")
    wide, _ = on_a_terminal(tmp_path, *words, columns=100, PAGER="cat", NO_COLOR="1")
    narrow, _ = on_a_terminal(tmp_path, *words, columns=45, PAGER="cat", NO_COLOR="1")
    assert re.search(r"clone\.power +refused +2 \*", wide)
    assert re.search(r"clone\.power +2021-07-23 +refused\s+2022-10-07 +2 \*", narrow), narrow


def test_nothing_of_a_table_is_loaded_for_a_pipe() -> None:
    script = (
        "import sys; from rulehist import cli\n"
        "try: cli.main(['versions'])\n"
        "except SystemExit: pass\n"
        "print('rulehist.screen_tables' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "False"


def test_a_wide_character_takes_two_columns_and_a_mark_none() -> None:
    assert [terminal.cells(text) for text in ("abc", "\u5b57\u5b57", "e\u0301", "\u2212\u201c\u2014")] == [3, 4, 1, 3]
    assert list(wrapped("\u5b57\u5b57 \u5b57\u5b57 ab", 9, "")) == ["\u5b57\u5b57 \u5b57\u5b57", "ab"]
    assert list(wrapped("e\u0301e\u0301 e\u0301e\u0301 ab", 8, "")) == ["e\u0301e\u0301 e\u0301e\u0301 ab"]


def test_what_is_too_long_goes_on_below_its_own_indent() -> None:
    assert fitted("  bear: name Runeclaw Bear\nshort", 16) == "  bear: name\n    Runeclaw\n    Bear\nshort"


def test_a_cell_shows_what_a_terminal_would_obey_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "columns", lambda: 40)
    shown = table([Column("what"), Column("n", right=True)], [["\x1b[31mred\u202e", Cell("7", "bold")]])
    assert "U+001B[31mredU+202E" in shown
    assert "\x1b" not in shown
