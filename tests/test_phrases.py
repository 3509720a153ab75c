"""Words through time: what counts as having them, from when until when, when they came and went."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulehist.errors import QueryError
from rulehist.folding import fold
from rulehist.ingest import ingest_files
from rulehist.phrase_events import phrase_history
from rulehist.phrases import Phrase
from rulehist.store import open_for_reading
from rulehist.text_search import Found, search
from rulehist.when import When
from tests.small_texts import rules_text


def has(text: str, phrase: str) -> bool:
    return Phrase(phrase).is_in(fold(text))


def test_typography_and_punctuation_and_case_do_not_count() -> None:
    assert has("Status, counters, and stickers are not copied.", "counters and stickers")
    assert has("A “face-down” card isn’t shown", "Face down")
    assert has("it isn’t shown", "isn't shown")
    assert has("the Lim-Dûl card", "lim-dul")
    assert has("a\nhard-wrapped text", "a hard-wrapped text")


def test_words_are_whole_and_in_a_row() -> None:
    assert not has("creature types are", "creature type")
    assert not has("status and other counters", "status counters")


def test_symbols_and_signs_are_words_of_their_own() -> None:
    assert has("Pay {T} now", "{T}")
    assert not has("It doesn't tap", "{T}")
    assert has("a +1/+1 counter", "+1/+1 counter")
    assert not has("a 1/1 creature", "+1/+1")


def test_a_phrase_without_a_word_is_refused() -> None:
    with pytest.raises(QueryError, match="no word"):
        Phrase("—!")


def text_of(effective: str, rule: str, other: str) -> str:
    sections = {
        "100. General": [
            "100.1. These rules apply to any game with two or more players who sit at one table.",
            f"100.2. To play, each player needs a deck of cards and some small items. {rule}",
            f"100.3. {other} A third player waits until this game is over before the next one begins.",
        ],
        "701. Whistling": ["701.1. A player may whistle a melody while another player considers what to do."],
    }
    return rules_text(effective, sections, {"Deck": "The cards a player starts the game with."})


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    folder = tmp_path_factory.mktemp("phrases")
    for name, text in {
        "a": text_of("March 1, 2030", "Use beads.", ""),
        "b": text_of("June 1, 2030", "Players may “face-down” every card.", ""),
        "c": text_of("September 1, 2030", 'All players may "face down" every card they like.', ""),
        "d": text_of("December 1, 2030", "Use beads again.", "Face-down cards are fun."),
        "e": text_of("March 1, 2031", "Players may face-down a card.", "Face-down cards are fun."),
        "f": text_of("June 1, 2031", "Use beads.", ""),
    }.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    ingest_files(folder / "rules.db", sorted(folder.glob("*.txt")))
    connection = open_for_reading(folder / "rules.db")
    yield connection
    connection.close()


def times(found: list[Found]) -> list[tuple[str, str | None, str | None]]:
    return [(one.number, one.since, one.until) for one in found]


def test_edits_that_keep_the_words_do_not_cut_the_time_and_words_that_came_back_have_two(
    texts: sqlite3.Connection,
) -> None:
    assert times(search(texts, "face down", None)) == [
        ("100.2", "2030-06-01", "2030-12-01"),
        ("100.2", "2031-03-01", "2031-06-01"),
        ("100.3", "2030-12-01", "2031-06-01"),
    ]


def test_as_of_a_day_the_whole_time_around_it_is_told(texts: sqlite3.Connection) -> None:
    [found] = search(texts, "face down", When("2030-10-01", "2030-10-01"))
    assert (found.since, found.until) == ("2030-06-01", "2030-12-01")
    assert "All players" in found.text
    assert search(texts, "face down", When(None, "latest")) == []


def test_a_glossary_entry_has_the_words_of_its_term_too(texts: sqlite3.Connection) -> None:
    assert ("Deck", "2030-03-01", None) in times(search(texts, "deck", None))
    assert "Deck" not in [one.number for one in search(texts, "deck the cards", None)]


def test_a_phrase_enters_the_rules_and_leaves_them(texts: sqlite3.Connection) -> None:
    told = phrase_history(texts, "face-down")
    assert told.first is not None
    assert told.first.version is not None
    assert (told.first.version.effective, told.first.found.number) == ("2030-06-01", "100.2")
    assert "Players may “face-down” every card." in told.first.found.text
    assert told.last is not None
    assert told.last.version is not None
    assert told.last.version.effective == "2031-06-01"
    assert told.others_last == 1
    assert not told.from_the_first


def test_a_phrase_that_is_still_there_has_not_left(texts: sqlite3.Connection) -> None:
    told = phrase_history(texts, "whistle a melody")
    assert told.last is None
    assert told.still == 1
    assert told.from_the_first


def test_the_command_says_when_words_came_and_went(command: Callable[..., str], tmp_path: Path) -> None:
    shape = json.loads(command("search", "counters, and stickers", "--first", "--last", "--json"))
    assert shape["first"]["effective"] == "2022-10-07"
    assert shape["first"]["release"] == "Unfinity"
    assert shape["last"] is None
    assert json.loads(command("search", "no such words", "--first", "--json")) == {
        "words": "no such words",
        "first": None,
        "from_the_first_text": False,
        "still": 0,
    }


@pytest.mark.archive
def test_known_words_came_and_went_when_they_did(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    for words, came, left in (
        ("mana value", "2021-04-22", None),
        ("counters, and stickers", "2022-10-07", None),
        ("converted mana cost", "1999-04-23", "2021-04-22"),
        ("he or she", "1999-04-23", "2018-04-27"),
        ("poison counter", "2003-07-01", None),
    ):
        told = phrase_history(connection, words)
        days = [event.version.effective for event in (told.first, told.last) if event and event.version]
        assert days == [day for day in (came, left) if day]
    connection.close()
