"""Long answers on a terminal go through the reader's pager, as git's do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.small_texts import MARCH_2030

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
termios = pytest.importorskip("termios", reason="there are no pseudo-terminals here")


def on_a_terminal(home: Path, *words: str, columns: int = 80, **environment: str) -> tuple[str, int]:
    """What a terminal of some width shows of a command, and its exit code."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, columns))
    named = {"XDG_DATA_HOME": str(home), "TERM": "xterm", **environment}
    plain = {
        name: value for name, value in os.environ.items() if name not in {"RULEHIST_DB", "NO_COLOR", "PAGER", "COLUMNS"}
    }
    with subprocess.Popen(
        [sys.executable, "-m", "rulehist", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=plain | named,
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # Linux's way to say that the other end is closed
            pass
        code = process.wait()
    os.close(ours)
    return shown.decode(), code


def test_an_answer_goes_through_the_pager_that_was_named(tmp_path: Path) -> None:
    shown, code = on_a_terminal(tmp_path, "diff", "2021-07-23..2022-10-07", RULEHIST_PAGER="sed s/^/paged:/")
    assert code == 1
    assert all(line.startswith("paged:") for line in shown.splitlines())
    assert "\x1b[32;1m" in shown


def test_no_colour_is_shown_where_none_is_wanted(tmp_path: Path) -> None:
    shown, _ = on_a_terminal(tmp_path, "diff", "2021-07-23..2022-10-07", PAGER="cat", NO_COLOR="1")
    assert "\x1b" not in shown
    assert "{+counters, and stickers+}" in shown


def test_a_command_that_writes_a_file_asks_no_pager(tmp_path: Path) -> None:
    page = str(tmp_path / "page.html")
    shown, code = on_a_terminal(
        tmp_path, "report", "2021-07-23..2022-10-07", "-o", page, RULEHIST_PAGER="sed s/^/paged:/"
    )
    assert code == 0
    assert "paged:" not in shown


def test_a_pager_that_ends_early_is_no_error(tmp_path: Path) -> None:
    shown, code = on_a_terminal(tmp_path, "show", "707.2", RULEHIST_PAGER="true")
    assert (shown, code) == ("", 0)


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_pager_is_no_pager(tmp_path: Path, blank: str) -> None:
    shown, code = on_a_terminal(tmp_path, "show", "707.2", RULEHIST_PAGER=blank)
    assert code == 0
    assert shown.startswith("707.2 ")


def test_what_a_terminal_would_obey_is_shown_by_name_and_written_as_published(tmp_path: Path) -> None:
    source, db = tmp_path / "march.txt", tmp_path / "rules.db"
    source.write_text(MARCH_2030.replace("two players.", "two\x07 play\u202eers\x1b]0;title."), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "rulehist", "ingest", str(source), "--db", str(db)], check=True, timeout=60)
    for words in (
        ("export", "latest"),
        ("show", "100.1a"),
        ("blame", "100.1a", "--html"),
        ("show", "100.1a", "--json"),
    ):
        for pager in ("cat", "sed s/x/x/"):
            shown, _ = on_a_terminal(tmp_path, *words, "--db", str(db), RULEHIST_PAGER=pager)
            assert not {"\x07", "\u202e", "\x1b]"} & set(shown), words
            assert "U+202E" in shown, words
    written = subprocess.run(
        [sys.executable, "-m", "rulehist", "export", "latest", "--db", str(db)],
        capture_output=True, text=True, check=True, timeout=60,
    ).stdout  # fmt: skip
    assert "two\x07 play\u202eers\x1b]0;title." in written
