"""Where each word of a rule came from: kept through renumbering, typography and moves."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulehist.rule_blame import Blame, blame
from rulehist.store import open_for_reading
from rulehist.when import parse_address
from rulehist.word_origins import Followed, first, follow
from tests.small_texts import JUNE_2030, MARCH_2030, rules_text, stored


def origins_of(*texts: str) -> list[tuple[str, int]]:
    """Runs of the last text with the index of the text in which each arrived."""
    followed = first(texts[0], 0)
    for index, text in enumerate(texts[1:], start=1):
        followed = follow(followed, text, index)
    return followed.runs()


def origin_of(word: str, followed: Followed[int]) -> int:
    return next(origin for each, origin in zip(followed.words, followed.origins, strict=True) if each.strip() == word)


def test_new_words_are_of_the_version_that_brought_them() -> None:
    assert origins_of("Status and counters are not copied.", "Status, counters, and stickers are not copied.") == [
        ("Status", 0),
        (",", 1),
        (" counters", 0),
        (",", 1),
        (" and", 0),
        (" stickers", 1),
        (" are not copied.", 0),
    ]


def test_typography_changes_no_origin() -> None:
    assert origins_of('A "face-down" card--it\'s hidden.', "A “face-down” card — it’s hidden.") == [
        ("A “face-down” card — it’s hidden.", 0)
    ]


def test_a_sentence_that_moved_within_a_rule_keeps_its_origin() -> None:
    before = "Draw a card. If you cannot, you lose the game. Then discard a card."
    after = "If you cannot, you lose the game. Draw a card. Then discard a card."
    assert origins_of(before, after) == [(after, 0)]


def test_a_clause_that_moved_keeps_its_origin_too() -> None:
    before = "The values (name, mana cost, color) are copied."
    after = "The values are copied from the text (that text being name, mana cost, power)."
    words = [words for words, origin in origins_of(before, after) if origin == 0]
    assert any("name, mana cost," in run for run in words)


def test_words_out_of_a_rule_that_was_merged_keep_their_origin() -> None:
    other = first("Tokens are owned by the player who created them.", 7)
    merged = follow(
        first("Tokens are no cards.", 0), "Tokens are no cards. Tokens are owned by the player.", 9, [other]
    )
    assert merged.runs() == [
        ("Tokens are no cards.", 0),
        (" Tokens are owned by the player", 7),
        (".", 9),
    ]


def test_function_words_within_new_words_are_new() -> None:
    followed = follow(first("Cast it from the graveyard", 0), "Exile every creature unless the opponents agree", 1)
    assert set(followed.origins) == {1}


WORDS = st.sampled_from(["spell", "permanent", "creature", "token", "player", "zone", "mana", "the", "a", "of"])
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(lambda some: " ".join(some) + "."), max_size=6)
TEXTS = SENTENCES.map(" ".join)


@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS)
def test_the_runs_joined_are_the_text(texts: list[str], other: str) -> None:
    followed = first(texts[0], 0)
    for index, text in enumerate(texts[1:], start=1):
        followed = follow(followed, text, index, [first(other, 99)])
    assert "".join(words for words, _ in followed.runs()) == texts[-1]


@given(st.lists(st.tuples(SENTENCES, st.lists(WORDS), st.lists(WORDS), SENTENCES), min_size=1, max_size=5))
def test_a_word_that_has_always_been_there_is_of_the_first_version(
    versions: list[tuple[list[str], list[str], list[str], list[str]]],
) -> None:
    texts = [" ".join([*earlier, *before, "madness", *after, *later]) for earlier, before, after, later in versions]
    followed = first(texts[0], 0)
    for index, text in enumerate(texts[1:], start=1):
        followed = follow(followed, text, index)
    assert origin_of("madness", followed) == 0


@given(st.data(), SENTENCES, SENTENCES)
def test_another_order_of_the_sentences_keeps_every_date(
    data: st.DataObject, older: list[str], newer: list[str]
) -> None:
    followed = follow(first(" ".join(older), 0), " ".join(newer), 1)
    order = data.draw(st.permutations(newer))
    again = follow(followed, " ".join(order), 2)
    assert 2 not in again.origins
    assert sorted(zip(map(str.strip, again.words), again.origins, strict=True)) == sorted(
        zip(map(str.strip, followed.words), followed.origins, strict=True)
    )


@given(TEXTS)
def test_a_text_printed_again_in_other_typography_has_no_new_words(text: str) -> None:
    quoted = text.replace("spell", "player's")
    assert set(follow(first(quoted, 0), quoted.replace("'", "’").replace(" ", "\n"), 1).origins) <= {0}


# --- Out of a store ----------------------------------------------------------------------------------------

SEPTEMBER_2030 = rules_text(
    "September 1, 2030",
    {
        "100. General": [
            "100.1. These rules apply to any game with two or more players who sit at one table. A two-player game is"
            " a game that begins with only two players. Teams are welcome.",
            "100.2. To play, each player needs a deck of cards and some small items to represent tokens.",
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
    with stored(tmp_path_factory.mktemp("blame"), MARCH_2030, JUNE_2030, SEPTEMBER_2030) as connection:
        yield connection


def told(connection: sqlite3.Connection, address: str) -> Blame:
    return blame(connection, *parse_address(address))


def runs(answer: Blame) -> list[tuple[str, str | None]]:
    return [(run.words, run.version.effective) for run in answer.runs]


def test_renumbering_changes_no_origin(texts: sqlite3.Connection) -> None:
    assert runs(told(texts, "702.1")) == [
        ("Some objects become or turn another object into a copy of a spell, permanent, or card.", "2030-03-01")
    ]


def test_the_origin_is_asked_as_of_a_day(texts: sqlite3.Connection) -> None:
    assert {day for _, day in runs(told(texts, "701.2@2030-03-01"))} == {"2030-03-01"}
    assert (" stickers", "2030-06-01") in runs(told(texts, "702.2"))


def test_a_rule_that_took_in_another_keeps_the_age_of_its_words(texts: sqlite3.Connection) -> None:
    assert runs(told(texts, "100.1")) == [
        (
            "These rules apply to any game with two or more players who sit at one table. A two-player game is"
            " a game that begins with only two players.",
            "2030-03-01",
        ),
        (" Teams are welcome.", "2030-09-01"),
    ]


def test_the_command_speaks_its_shape_and_writes_a_page(command: Callable[..., str], tmp_path: Path) -> None:
    shape = json.loads(command("blame", "707.2@UNF", "--json"))
    assert shape.keys() == {"rule", "number", "version", "runs"}
    shown = json.loads(command("show", "707.2@UNF", "--json"))
    assert "".join(run["words"] for run in shape["runs"]) == shown["text"]
    assert {run["effective"] for run in shape["runs"]} == {"2021-07-23", "2022-10-07"}
    assert "2022-10-07 UNF     stickers" in command("blame", "707.2@UNF")
    page = tmp_path / "blame.html"
    command("blame", "707.2@UNF", "--html", "-o", page)
    assert "Unfinity, October 7, 2022" in page.read_text(encoding="utf-8")


@pytest.mark.archive
def test_every_rule_gives_its_text_and_no_word_is_younger_than_the_text(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    numbers = connection.execute(
        "SELECT number FROM spans WHERE valid_until IS NULL AND kind IN ('rule', 'subrule') AND number LIKE '%2a'"
    ).fetchall()
    for (number,) in numbers[::5]:
        answer = told(connection, number)
        assert all(run.version.effective <= "2026-01-16" for run in answer.runs if run.version.effective)
    stickers = [run for run in told(connection, "707.2").runs if "stickers" in run.words]
    assert [run.version.effective for run in stickers] == ["2022-10-07"]
    assert told(connection, "707.2").runs[0].version.effective == "2001-07-23"
    connection.close()
