"""The page of a rule: its timeline, its texts at any time, where its words came from, what cites it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulehist.rule_page import TimelineEntry, chart, times
from rulehist.rule_report import rule_report
from rulehist.when import parse_address
from tests.small_texts import JUNE_2030, MARCH_2030, stored


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    with stored(tmp_path_factory.mktemp("page"), MARCH_2030, JUNE_2030) as connection:
        yield connection


def page(connection: sqlite3.Connection, address: str) -> str:
    return rule_report(connection, *parse_address(address))


def test_the_page_tells_numbers_and_words_that_changed(texts: sqlite3.Connection) -> None:
    html = page(texts, "702.2")
    assert "renumbered and reworded, was 701.2" in html
    assert re.search(r"<ins><b>added </b>[^<]*stickers</ins>", html)


def test_every_text_is_linked_without_a_script_with_its_time(texts: sqlite3.Connection) -> None:
    html = page(texts, "702.2")
    links = re.findall(r'<li><a href="#(t\d+)">([^<]+)</a>', html)
    assert links == [("t2", "since June 1, 2030"), ("t1", "March 1, 2030 to June 1, 2030")]
    for anchor, _ in links:
        assert f'id="{anchor}"' in html


def test_the_page_says_what_cites_the_rule_as_of_the_day(texts: sqlite3.Connection) -> None:
    html = page(texts, "100.2")
    assert "Cited by <span>1</span>" in html
    assert "<li>Deck <i>glossary</i></li>" in html


def test_the_page_of_a_section_tells_what_happened_to_its_rules(texts: sqlite3.Connection) -> None:
    html = page(texts, "702")
    assert "Renumbered: 702.1." in html
    assert "Where each word came from" not in html


def entry(day: str, kind: str, text: str, ops: tuple[tuple[str, str], ...]) -> TimelineEntry:
    return TimelineEntry(day, "", "1.1", kind, text, ops)  # type: ignore[arg-type]


OLD = entry("2000-01-01", "added", "One two.", (("insert", "One two."),))
NEW = entry("2005-01-01", "reworded", "One two three.", (("equal", "One two"), ("insert", " three"), ("equal", ".")))
END = entry("2010-01-01", "removed", "", (("delete", "One two three."),))


def test_the_chart_has_the_length_and_the_words_that_came_and_went() -> None:
    drawn = chart([OLD, NEW, END], "2020-01-01")
    assert drawn is not None
    assert (drawn.longest, drawn.most) == (3, 3)
    assert [(point.entry.came, point.entry.went) for point in drawn.points] == [(2, 0), (1, 0), (0, 3)]
    assert drawn.points[2].y > drawn.points[1].y


def test_a_rule_whose_words_never_changed_has_no_chart() -> None:
    assert chart([OLD], "2020-01-01") is None


def test_a_rule_that_ended_says_until_when_it_had_its_last_text() -> None:
    assert [when for _, _, when in times([END, NEW, OLD])] == [
        "January 1, 2005 to January 1, 2010",
        "January 1, 2000 to January 1, 2005",
    ]


def test_the_command_writes_the_page_of_a_rule_and_the_report_of_a_range(
    command: Callable[..., str], tmp_path: Path
) -> None:
    rule, changes = tmp_path / "rule.html", tmp_path / "changes.html"
    shape = json.loads(command("report", "707.2", "-o", rule, "--json"))
    assert shape == {"file": str(rule), "query": "707.2"}
    assert "History of 707.2" in rule.read_text(encoding="utf-8")
    command("report", "2021-07-23..2022-10-07", "-o", changes)
    assert "History of" not in changes.read_text(encoding="utf-8")
