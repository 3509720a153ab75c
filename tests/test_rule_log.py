"""The history of a rule, of a number, of a section: what became of it, release by release."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from rulehist.changes import ChangeKind
from rulehist.errors import QueryError
from rulehist.folding import fold
from rulehist.history import show
from rulehist.ingest import ingest_files
from rulehist.log_answers import log_json, log_text
from rulehist.resources import data_folder
from rulehist.rule_log import Log, log
from rulehist.store import open_for_reading
from rulehist.when import parse_address
from tests.small_texts import JUNE_2030, MARCH_2030, rules_text, stored

SEPTEMBER_2030 = rules_text(
    "September 1, 2030",
    {
        "100. General": [
            "100.1. These rules apply to any game with two or more players who sit at one table.",
            "100.1a A two-player game is a game that begins with only two players.",
            "100.2. To play, each player needs a deck of cards and some small items to represent tokens.\n"
            "Example: A player may use buttons for tokens.\n"
            "Example: A player may use glass beads for tokens.",
        ],
        "701. Whistling": ["701.1. A player may whistle a melody while another player considers what to do."],
        "702. Copying Objects": [
            "702.1. Some objects become or turn another object into a copy of a spell, permanent, or card.",
            "702.2. When copying an object, the copy acquires the copiable values. Status, counters, and stickers"
            " are not copied.",
        ],
    },
    {"Deck": "The collection of cards a player starts the game with. See rule 100.2."},
)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    with stored(tmp_path_factory.mktemp("log"), MARCH_2030, JUNE_2030, SEPTEMBER_2030) as connection:
        yield connection


def told(connection: sqlite3.Connection, address: str, *, by_number: bool = False) -> Log:
    return log(connection, *parse_address(address), by_number=by_number)


def steps(history: Log) -> list[tuple[str | None, str, str]]:
    return [(entry.version.effective, entry.number, entry.kind.value) for entry in history.entries]


def test_a_rule_that_moved_keeps_its_history(texts: sqlite3.Connection) -> None:
    assert steps(told(texts, "702.2")) == [
        ("2030-06-01", "702.2", "renumbered+reworded"),
        ("2030-03-01", "701.2", "added"),
    ]


def test_each_entry_has_the_words_that_changed_since_the_one_before(texts: sqlite3.Connection) -> None:
    newest, oldest = told(texts, "702.2").entries
    assert "".join(words for op, words in newest.ops if op != "delete") == newest.text
    assert "".join(words for op, words in newest.ops if op != "insert") == oldest.text
    assert oldest.ops == (("insert", oldest.text),)


def test_any_address_that_a_rule_ever_had_finds_its_whole_history(texts: sqlite3.Connection) -> None:
    assert steps(told(texts, "701.2@2030-03-15")) == steps(told(texts, "702.2"))


def test_the_history_of_a_number_says_where_another_rule_took_it_over(texts: sqlite3.Connection) -> None:
    newest, oldest = told(texts, "701.1", by_number=True).entries
    assert (newest.rule, newest.before, newest.now) == ("701.1@2030-06-01", "701.1@2030-03-01", "702.1")
    assert newest.kind is ChangeKind.ADDED
    assert oldest.rule == "701.1@2030-03-01"


def test_a_number_that_came_free_says_where_its_rule_went(texts: sqlite3.Connection) -> None:
    newest, _ = told(texts, "701.2", by_number=True).entries
    assert (newest.kind, newest.text, newest.now) == (ChangeKind.REMOVED, "", "702.2")


def test_the_end_of_an_entry_is_told(texts: sqlite3.Connection) -> None:
    history = told(texts, "Whistle@2030-06-01")
    assert steps(history) == [("2030-09-01", "Whistle", "removed"), ("2030-06-01", "Whistle", "added")]
    assert history.entries[0].ops == (("delete", "A melody."),)


def test_a_section_has_what_happened_to_its_rules(texts: sqlite3.Connection) -> None:
    newest, oldest = told(texts, "702").entries
    assert [(change.kind.value, change.number) for change in newest.below] == [
        ("renumbered", "702.1"),
        ("renumbered+reworded", "702.2"),
    ]
    assert [change.number for change in oldest.below] == ["701.1", "701.2"]


def test_a_chapter_that_a_rule_only_joined_or_left_is_still_told_about(texts: sqlite3.Connection) -> None:
    newest = told(texts, "7").entries[0]
    assert ("added", "701.1") in [(change.kind.value, change.number) for change in newest.below]


def test_an_example_is_found_by_its_place_and_followed_when_it_changes_place(texts: sqlite3.Connection) -> None:
    assert show(texts, *parse_address("100.2#2")).text == "A player may use glass beads for tokens."
    assert show(texts, *parse_address("100.2#2")).number == "100.2#2"
    assert steps(told(texts, "100.2#2")) == [("2030-03-01", "100.2#1", "added")]
    assert steps(told(texts, "100.2#1")) == [("2030-09-01", "100.2#1", "added")]


def test_an_example_moves_with_its_rule(tmp_path: Path) -> None:
    def text(day: str, section: int, words: str) -> str:
        rules = [f"{section}.1. A copy of an object has its copiable values.\nExample: {words}"]
        general = ["100.1. These rules apply to any game with two or more players who sit at one table."]
        return rules_text(day, {"100. General": general, f"{section}. Copying Objects": rules}, {"Zone": "A place."})

    clone = "Clone enters as a copy of Hill Giant, so that its power and toughness are 3 and 3."
    for name, made in {
        "a": text("March 1, 2030", 706, clone),
        "b": text("June 1, 2030", 707, clone),
        "c": text("September 1, 2030", 707, clone.replace("so that", "and")),
        "d": text("December 1, 2030", 708, clone.replace("so that", "whereby")),
    }.items():
        (tmp_path / f"{name}.txt").write_text(made, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", sorted(tmp_path.glob("*.txt")))
    connection = open_for_reading(tmp_path / "rules.db")
    history = log(connection, *parse_address("708.1#1"))
    assert steps(history) == [
        ("2030-12-01", "708.1#1", "renumbered+reworded"),
        ("2030-09-01", "707.1#1", "reworded"),
        ("2030-06-01", "707.1#1", "renumbered"),
        ("2030-03-01", "706.1#1", "added"),
    ]
    assert "707.1#1, was 706.1#1: renumbered\n" in log_text(history)
    connection.close()


def test_an_example_that_is_not_there_is_refused_with_how_many_there_are(texts: sqlite3.Connection) -> None:
    with pytest.raises(QueryError, match=r"100\.2 has 1 example on 2030-03-01"):
        told(texts, "100.2#2@2030-03-01")


def test_the_oldest_text_says_that_the_rule_may_be_older(texts: sqlite3.Connection) -> None:
    assert told(texts, "702.2").from_the_first
    assert not told(texts, "701.1").from_the_first
    assert "may be older" in log_text(told(texts, "702.2"))


def test_colours_are_only_for_a_terminal_and_keep_the_marks(texts: sqlite3.Connection) -> None:
    history = told(texts, "702.2")
    assert "\x1b" not in log_text(history)
    assert "\x1b[32;1m{+" in log_text(history, colour=True)


def test_a_number_that_nothing_ever_had_is_refused(texts: sqlite3.Connection) -> None:
    with pytest.raises(QueryError, match=r"999\.9: no rule"):
        told(texts, "999.9", by_number=True)


def test_releases_without_a_text_are_shown_in_their_place(tmp_path: Path) -> None:
    ingest_files(tmp_path / "rules.db", [data_folder() / "bundled"])
    connection = open_for_reading(tmp_path / "rules.db")
    history = told(connection, "707.2", by_number=True)
    connection.close()
    assert "2021-09-24" in {gap.effective for gap in history.gaps}
    lines = log_text(history).splitlines()
    assert "  707.2: first quoted" in lines
    gap = next(i for i, line in enumerate(lines) if "No text of 2021-09-24 MID" in line)
    assert lines.index("2022-10-07 (UNF, Unfinity)") < gap
    assert gap < next(i for i, line in enumerate(lines) if line.startswith("2021-07-23"))


def test_the_command_speaks_the_shape_that_others_rely_on(command: Callable[..., str]) -> None:
    shape = json.loads(command("log", "707.2", "--by-number", "--json"))
    assert shape.keys() >= {"rule", "query", "entries"}
    for entry in shape["entries"]:
        assert entry.keys() >= {"effective", "release", "number", "kind", "text", "ops", "rule"}
        assert entry["kind"] in set(ChangeKind)
    plain = json.loads(command("log", "707.2@AFR", "--json"))
    assert "rule" not in plain["entries"][0]
    assert plain["rule"]


# --- Against the published history of 707.2 ----------------------------------------------------------------

LISTED = re.compile(r"^(\w+ \d{1,2}, \d{4}) · ", re.MULTILINE)


def published_list() -> list[tuple[str, str]]:
    """The bundled history list of 707.2: ISO dates with texts, newest first; an empty date for the undated one."""
    from datetime import datetime

    text = (data_folder() / "bundled" / "copying-history-list.txt").read_text(encoding="utf-8")
    listed, day = [], ""
    for line in filter(None, map(str.strip, text.splitlines())):
        heading = LISTED.match(line)
        if heading:
            day = datetime.strptime(heading[1], "%B %d, %Y").date().isoformat()
        else:
            listed.append((day, line))
    return listed


def same_as_far_as_quoted(one: str, other: str) -> bool:
    """Whether two texts have the same words, where one may have been cut off."""
    shorter, longer = sorted((fold(one), fold(other)), key=len)
    return shorter == longer or (longer.startswith(shorter) and shorter[-1] not in ".)")


@pytest.mark.archive
def test_the_history_of_707_2_has_all_of_a_published_list_and_what_the_list_lacks(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    entries = told(connection, "707.2", by_number=True).entries
    listed = published_list()
    assert len(listed) == 13
    for day, text in listed:
        then = next(entry for entry in entries if not day or (entry.version.effective or "") <= day)
        assert same_as_far_as_quoted(then.text, text)
    days = {entry.version.effective for entry in entries}
    worded = [day for (day, text), (_, older) in pairwise(listed) if not same_as_far_as_quoted(text, older)]
    assert worded == ["", "2022-10-07", "2021-07-23"]
    assert set(worded[1:]) < days
    # what the list lacks: the undated text's date, where the number began, and the reference that followed in 2009
    assert entries[0].version.effective == "2024-07-30"
    assert [(e.version.effective, e.kind.value) for e in entries[-2:]] == [
        ("2009-10-01", "references"),
        ("2009-07-11", "added"),
    ]
    connection.close()


@pytest.mark.archive
def test_copying_and_face_down_rules_go_back_to_their_first_texts(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    copying, face_down = told(connection, "707.2"), told(connection, "708.2")
    assert list(dict.fromkeys(entry.number for entry in copying.entries)) == ["707.2", "706.2", "503.2"]
    assert list(dict.fromkeys(entry.number for entry in face_down.entries)) == ["708.2", "707.2", "504.2"]
    took_over = [entry for entry in told(connection, "707.2", by_number=True).entries if entry.before]
    assert [(e.version.effective, e.came_from, e.now) for e in took_over] == [("2021-07-23", "706.2", "708.2")]
    # deleted in June 2021, and missed by others
    assert steps(told(connection, "702.6d@2021-06-01"))[0] == ("2021-06-18", "702.6d", "removed")
    connection.close()
    assert log_json(copying)["entries"][0]["effective"] == "2024-07-30"
