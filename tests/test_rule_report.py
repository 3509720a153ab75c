"""The page of a rule: its timeline, its texts at any time, where its words came from, what cites it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rulehist import cli
from rulehist.engine import load_scenario, parse_scenario
from rulehist.moved_answers import answers_moved_by
from rulehist.resources import data_folder
from rulehist.rule_opening import rule_opening
from rulehist.rule_page import TimelineEntry, chart, times
from rulehist.rule_report import rule_report
from rulehist.site.scenarios import answers_moved, scenario_histories
from rulehist.store import open_for_reading
from rulehist.when import parse_address
from tests.engine_rules import COPYING
from tests.small_texts import JUNE_2030, MARCH_2030, rules_text, stored


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    with stored(tmp_path_factory.mktemp("page"), MARCH_2030, JUNE_2030) as connection:
        yield connection


def page(connection: sqlite3.Connection, address: str) -> str:
    return rule_report(connection, *parse_address(address))


def test_the_page_tells_numbers_and_words_that_changed(texts: sqlite3.Connection) -> None:
    html = page(texts, "702.2")
    assert "renumbered and reworded, was 701.2" in html
    assert re.search(r"<ins>[^<]*stickers</ins>", html)


def test_the_page_begins_with_since_when_and_under_which_numbers(texts: sqlite3.Connection) -> None:
    assert (
        '<p class="lead">In the rules since March 1, 2030 or earlier. 701.2 at first, then 702.2 (from June 1, 2030).'
        " Reworded once.</p>"
    ) in page(texts, "702.2")
    assert "· Copying Objects · history of a rule" in page(texts, "702.2")


def test_the_page_of_a_rule_that_is_gone_says_so_first(texts: sqlite3.Connection) -> None:
    html = page(texts, "Token@2030-03-01")
    assert "In the rules from March 1, 2030 or earlier until June 1, 2030; it is gone since." in html


def test_the_opening_of_a_rule_that_came_back_tells_its_absence() -> None:
    told = [
        TimelineEntry("2012-01-01", "Seas", "1.1", "added", "It is.", (("insert", "It is."),)),
        TimelineEntry("2011-01-01", "Ponds", "1.1", "removed", "", (("delete", "It was."),)),
        TimelineEntry("2010-01-01", "Lakes", "1.1", "added", "It was.", (("insert", "It was."),)),
    ]
    assert rule_opening(told) == (
        "In the rules since January 1, 2010. It was not in them from January 1, 2011 until January 1, 2012."
    )


def test_of_many_numbers_the_opening_tells_the_first_and_the_last() -> None:
    told = [
        TimelineEntry(f"20{y}-01-01", "", f"702.{y}", "renumbered", "So.", (("equal", "So."),)) for y in range(10, 17)
    ]
    assert rule_opening(told[::-1]) == (
        "In the rules since January 1, 2010. 702.10 at first, it took another number 6 times and is 702.16 since"
        " January 1, 2016."
    )


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


def test_the_chart_has_a_table_of_its_figures(texts: sqlite3.Connection) -> None:
    html = page(texts, "702.2")
    [table] = re.findall(
        r"The same as a table</summary>\s*<table><thead><tr><th scope=\"col\">Version.*?</table>", html, re.DOTALL
    )
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in table.split("<tr>")[2:]]
    assert [row[1:] for row in rows] == [["702.2", "17", "3", "2"], ["701.2", "16", "16", "0"]]


def test_a_rule_whose_words_never_changed_has_no_chart() -> None:
    assert chart([OLD], "2020-01-01") is None


def test_a_rule_that_ended_says_until_when_it_had_its_last_text() -> None:
    assert [when for _, _, when in times([END, NEW, OLD])] == [
        "January 1, 2005 to January 1, 2010",
        "January 1, 2000 to January 1, 2005",
    ]


def test_a_text_that_brought_no_words_says_since_when_it_has_them() -> None:
    typeset = entry("2008-01-01", "typography", "One two three!", NEW.ops)
    moved = replace(entry("2009-01-01", "renumbered", "One two three!", NEW.ops), release="Lakes")
    assert [when for _, _, when in times([moved, typeset, NEW])] == [
        "since January 1, 2009 (Lakes), in these words since January 1, 2005",
        "January 1, 2008 to January 1, 2009, in these words since January 1, 2005",
        "January 1, 2005 to January 1, 2008",
    ]


STICKERED = """
scenario: A stickered creature is copied
objects:
  bear: {name: Bear, power: 2, toughness: 2, stickers: [flying]}
  clone: {name: Clone}
steps:
  - enters as a copy: {object: clone, of: bear}
expect: {clone.stickers: none}
"""
PLAIN = """
scenario: A plain creature is copied
objects: {bear: {name: Bear, power: 2, toughness: 2}, clone: {name: Clone}}
steps: [enters as a copy: {object: clone, of: bear}]
expect: {clone.power: 2}
"""


@pytest.fixture(scope="module")
def copying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """Two texts, of which the later says that stickers are not copied."""
    rules = {
        "March 1, 2030": COPYING.replace("status, counters, and stickers are", "status, and counters are"),
        "June 1, 2030": COPYING,
    }
    general = ["100.1. These rules apply to any game.", "100.2. Each player needs a deck of cards."]
    texts = [
        rules_text(
            day,
            {"100. General": general, "701. Copying Objects": ["701.1. Some objects are copied.", f"701.2. {rule}"]},
            {"Deck": "The cards a player starts with. See rule 100.2."},
        )
        for day, rule in rules.items()
    ]
    with stored(tmp_path_factory.mktemp("copying"), *texts) as connection:
        yield connection


def test_the_page_tells_whose_answer_the_rule_moved_and_how(copying: sqlite3.Connection) -> None:
    scenarios = [parse_scenario(text) for text in (PLAIN, STICKERED)]
    html = rule_report(copying, *parse_address("701.2"), scenarios=lambda: scenarios)
    [moved] = re.findall(r'<section id="moved">.*?</section>', html, re.DOTALL)
    assert re.search(r'June 1, 2030 <span>1</span>.*<a href="#v2">', moved, re.DOTALL)
    assert "A stickered creature is copied" in moved
    assert "<bdi>clone.stickers</bdi>: <bdi>no answer</bdi> → <bdi>none</bdi>" in moved
    assert "A plain creature" not in moved


def test_scenarios_are_not_even_read_for_a_rule_of_which_the_engine_asks_nothing(copying: sqlite3.Connection) -> None:
    html = rule_report(copying, *parse_address("701.1"), scenarios=lambda: pytest.fail("they were read"))
    assert 'id="moved"' not in html


@pytest.mark.archive
def test_a_rule_moved_the_answers_that_the_whole_histories_say(archive_database: Path) -> None:
    files = sorted((data_folder() / "scenarios").rglob("*.yaml"))[::6]
    with open_for_reading(archive_database) as connection:
        whole = answers_moved(scenario_histories(connection, None))
        for rule in ("503.2@2001-07-23", "418.5e@2001-07-23", "504.2@2001-07-23"):
            found = answers_moved_by(connection, rule, lambda: [load_scenario(file) for file in files])
            titles = {load_scenario(file).title for file in files}
            assert {(scenario.title, turn.answer.version) for scenario, turn in found} == {
                (history.title, turn.answer.version) for history, turn in whole[rule] if history.title in titles
            }


def test_a_folder_of_scenarios_goes_with_the_page_of_a_rule_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, nowhere = tmp_path / "page.html", tmp_path / "nowhere"
    for words, told in (
        (["2021-07-23..2022-10-07", "--no-scenarios"], "goes with the page of a rule"),
        (["707.2", "--scenarios", nowhere], f"{nowhere}: there is no such file or folder"),
        (["707.2", "--scenarios", tmp_path], f"{tmp_path}: has no scenarios"),
        (["707.2", "--scenarios", tmp_path, "--no-scenarios"], "give one of the two"),
    ):
        with pytest.raises(SystemExit) as stop:
            cli.main(["report", *map(str, words), "-o", str(page)])
        assert stop.value.code == 2
        assert told in capsys.readouterr().err
        assert not page.exists()


def test_the_command_writes_the_page_of_a_rule_and_the_report_of_a_range(
    command: Callable[..., str], tmp_path: Path
) -> None:
    rule, changes = tmp_path / "rule.html", tmp_path / "changes.html"
    shape = json.loads(command("report", "707.2", "-o", rule, "--json"))
    assert shape == {"file": str(rule), "query": "707.2"}
    assert "History of 707.2" in rule.read_text(encoding="utf-8")
    command("report", "2021-07-23..2022-10-07", "-o", changes)
    assert "History of" not in changes.read_text(encoding="utf-8")
