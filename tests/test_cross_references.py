"""References resolved to rules: what cites what, and which references are wrong."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulehist.cross_references import BrokenReference, Fault, NewestReferences, broken_references, references_of
from rulehist.ingest import ingest_files
from rulehist.store import open_for_reading
from rulehist.when import When, parse_address
from tests.small_texts import rules_text

GENERAL = [
    "100.1. These rules apply to any game with two or more players who sit at one table.",
    "100.1a A two-player game is a game that begins with only two players.",
    "100.1b A multiplayer game is a game that begins with more than two players.",
    "100.2. To play, each player needs a deck of cards. Tokens need no card; see rules 100.1a–b and 701.1.",
]
COPYING = "Some objects become or turn another object into a copy of a spell, permanent, or card."
GLOSSARY = {
    "Copy": 'An object that took on the values of another. See rule 701, "Copying Objects."',
    "Deck": "The collection of cards a player starts the game with. See rule 100.2.",
}

BEFORE = rules_text(
    "March 1, 2030",
    {
        "100. General": GENERAL,
        "701. Copying Objects": [f"701.1. {COPYING}", "701.2. Counters stay behind. Stickers go along."],
    },
    GLOSSARY | {"Astray": "What points to nothing. See rule 100.7."},
)
AFTER = rules_text(
    "June 1, 2030",
    {
        "100. General": GENERAL,
        "701. Whistling": ["701.1. A player may whistle a melody while another player considers what to do."],
        "702. Copying Objects": [f"702.1. {COPYING}", "702.2. Counters stay behind. Stickers go along."],
    },
    GLOSSARY,
)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    folder = tmp_path_factory.mktemp("references")
    for name, text in (("a", BEFORE), ("b", AFTER)):
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    ingest_files(folder / "rules.db", sorted(folder.glob("*.txt")))
    connection = open_for_reading(folder / "rules.db")
    yield connection
    connection.close()


def broken(connection: sqlite3.Connection, day: str) -> dict[tuple[str, str], BrokenReference]:
    found = broken_references(connection, When(day, day)).references
    return {(one.number, one.target): one for one in found}


def test_a_rule_cites_what_its_references_name(texts: sqlite3.Connection) -> None:
    cites = references_of(texts, *parse_address("100.2@2030-03-01")).cites
    assert [(c.printed, c.target, c.target_rule) for c in cites] == [
        ("100.1a–b", "100.1a", "100.1a@2030-03-01"),
        ("701.1", "701.1", "701.1@2030-03-01"),
    ]


def test_a_rule_is_cited_by_what_names_it_or_a_range_around_it(texts: sqlite3.Connection) -> None:
    def citing(address: str) -> list[str]:
        return [citation.number for citation in references_of(texts, *parse_address(address)).cited_by]

    assert citing("100.1b") == ["100.2"]
    assert citing("100.2") == ["Deck"]
    assert citing("701@2030-03-01") == ["Copy"]
    assert citing("702.2") == []


def test_all_references_read_at_once_are_those_asked_one_by_one(texts: sqlite3.Connection) -> None:
    every = NewestReferences(texts)
    for address in ("100.1a", "100.1b", "100.2", "701", "701.1", "702.2"):
        asked = references_of(texts, *parse_address(address))
        assert every.of(asked.rule, address) == asked


def test_a_reference_to_no_rule_is_broken(texts: sqlite3.Connection) -> None:
    assert broken(texts, "2030-03-01").keys() == {("Astray", "100.7")}
    assert broken(texts, "2030-03-01")["Astray", "100.7"].fault is Fault.NOTHING


def test_a_reference_that_did_not_follow_its_rule_is_broken_and_says_where_that_went(texts: sqlite3.Connection) -> None:
    found = broken(texts, "2030-06-01")
    assert found.keys() == {("100.2", "701.1"), ("Copy", "701")}
    astray = found["100.2", "701.1"]
    assert (astray.fault, astray.meant, astray.now) == (Fault.ELSEWHERE, "701.1@2030-03-01", "702.1")


def test_a_number_and_a_title_that_name_two_sections_are_at_odds_in_every_later_version_too(tmp_path: Path) -> None:
    later = AFTER.replace("June 1", "September 1").replace("Stickers go along", "Stickers go along always")
    for name, text in (("b", AFTER), ("c", later)):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", sorted(tmp_path.glob("*.txt")))
    connection = open_for_reading(tmp_path / "rules.db")
    for day in ("2030-06-01", "2030-09-01"):
        copying = broken(connection, day)["Copy", "701"]
        assert (copying.fault, copying.now) == (Fault.TITLE, "702")
    connection.close()


def test_a_reference_still_fits_where_the_rule_was_only_put_in_other_words_or_split(tmp_path: Path) -> None:
    after = AFTER.replace("June", "July").replace(
        "701.1. A player may whistle a melody while another player considers what to do.",
        "701.1. Some objects become a copy of a spell, permanent, or card.",
    )
    for name, text in (("a", BEFORE), ("b", after)):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", sorted(tmp_path.glob("*.txt")))
    connection = open_for_reading(tmp_path / "rules.db")
    assert ("100.2", "701.1") not in broken(connection, "2030-07-01")
    connection.close()


def test_an_excerpt_has_no_broken_references(command: Callable[..., str]) -> None:
    told = json.loads(command("references", "2015-06-01", "--broken", "--json"))
    assert told["broken"] == []
    assert told["version"]["effective"] == "2014-05-01"


def test_the_command_tells_what_a_rule_cites(command: Callable[..., str]) -> None:
    told = json.loads(command("references", "707.2@2015-06-01", "--json"))
    assert [(c["printed"], c["target"]) for c in told["cites"]] == [("613", "613"), ("706", "706")]
    assert "cites 2" in command("references", "707.2@2015-06-01")


@pytest.mark.archive
def test_references_that_were_really_broken_are_found(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    stale = broken(connection, "2024-03-08")
    assert {number for (number, target), one in stale.items() if target == "727" and one.now == "728"} == {
        "502.2", "702.145b", "Day", "Daybound",
    }  # fmt: skip
    assert ("Map", "110.10") in broken(connection, "2023-11-17")
    assert broken(connection, "2025-09-19")["607.2m", "614.12b"].now == "614.12c"
    # the renumbering of July 2009 took its references along
    assert {one.fault for one in broken(connection, "2009-07-11").values()} == {Fault.NOTHING}
    connection.close()
