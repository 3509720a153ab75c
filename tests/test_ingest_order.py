"""What a store holds follows from its texts alone: not from the order, the company or the processes they came by."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulehist import store
from rulehist.digest import content_digest
from rulehist.document import Part, PartKind
from rulehist.folding import fold
from rulehist.history_build import build_history
from rulehist.ingest import ingest_files
from rulehist.source_rows import read_source
from rulehist.workers import Workers
from rulehist.writer import Writer
from tests.small_texts import JUNE_2030, MARCH_2030, rules_text

SENTENCES = [
    "A player draws a card at the start of each turn.",
    "A player draws two cards at the start of each turn, and then discards one of them.",
    "If a spell has no legal target, see rule 100.2, it is countered and put into its owner's graveyard.",
    "If a spell has no legal target, see rule 100.3, it is countered and put into its owner's graveyard.",
    "Tokens cease to exist in any zone other than the battlefield; see rule 100.1.",
    "“Whistling” is a keyword action—it means to blow air between one’s lips.",
    "An object that whistles twice in a turn is exiled until its controller has an idea.",
]

EXCERPT = """From the Comprehensive Rules (April 2, 2030—Whistling)

• 100.1. A player draws a card at the start of each turn.

• 100.2. Nobody has seen this text anywhere else, and nobody will.
"""


@st.composite
def _whole_text(draw: st.DrawFn) -> str:
    day = draw(st.sampled_from(["March 1, 2030", "April 1, 2030", "May 1, 2030", "June 1, 2030"]))
    rules = draw(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6))
    entries = draw(st.lists(st.sampled_from(SENTENCES), max_size=2))
    return rules_text(
        day,
        {"100. General": [f"100.{place}. {rule}" for place, rule in enumerate(rules, 1)]},
        {f"Term {place}": entry for place, entry in enumerate(entries, 1)} | {"Zone": "A place."},
    )


@contextmanager
def _store_of(groups: Sequence[Sequence[str]]) -> Iterator[sqlite3.Connection]:
    """A store to which the texts of each group came together, one group after the other."""
    with store.in_memory() as connection:
        for group in groups:
            writer = Writer(connection)
            for text in dict.fromkeys(group):
                source = read_source(text.encode(), "made-up.txt")
                if not writer.knows(source.sha256):
                    writer.add(source)
            build_history(connection, writer.arrived, Workers(1))
        yield connection


@given(texts=st.lists(st.one_of(_whole_text(), st.just(EXCERPT)), min_size=2, max_size=5), data=st.data())
@settings(max_examples=60, deadline=None)
def test_texts_in_any_order_one_by_one_or_together_give_the_same_store(texts: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(texts))
    cut = data.draw(st.integers(0, len(shuffled)))
    orders: list[list[list[str]]] = [
        [sorted(texts)],
        [[text] for text in shuffled],
        [shuffled[:cut], shuffled[cut:]],
    ]
    digests = set()
    for groups in orders:
        with _store_of(groups) as connection:
            digests.add(content_digest(connection))
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert len(digests) == 1


def test_another_text_is_another_digest() -> None:
    digests = set()
    for texts in (
        [MARCH_2030],
        [JUNE_2030],
        [MARCH_2030, JUNE_2030],
        [MARCH_2030, JUNE_2030.replace("melody", "tune")],
    ):
        with _store_of([texts]) as connection:
            digests.add(content_digest(connection))
    assert len(digests) == 4


def test_a_word_changed_behind_our_back_changes_the_digest() -> None:
    with _store_of([[MARCH_2030]]) as connection:
        before = content_digest(connection)
        connection.execute("UPDATE texts SET published = published || ' ' WHERE published LIKE 'Some objects%'")
        assert content_digest(connection) != before


def test_a_text_from_between_two_others_mends_what_was_computed_across_it() -> None:
    between = rules_text(
        "April 1, 2030",
        {"100. General": ["100.1. These rules apply to any game.", "100.7. A rule that lived for two months."]},
        {"Deck": "The cards a player starts with."},
    )
    with _store_of([[MARCH_2030, JUNE_2030], [between]]) as connection:
        late = content_digest(connection)
        row = connection.execute("SELECT valid_from, valid_until FROM spans WHERE number = '100.7'").fetchone()
    with _store_of([[MARCH_2030, between, JUNE_2030]]) as connection:
        assert content_digest(connection) == late
    assert row == ("2030-04-01", "2030-06-01")


def test_several_processes_store_what_one_does(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for day in range(1, 15):
        text = MARCH_2030.replace("March 1,", f"March {day},").replace("two or more players", f"{day} to 20 players")
        (folder / f"{day:02d}.txt").write_text(text, encoding="utf-8")
    (folder / "00-notes.txt").write_text("No rules in here.", encoding="utf-8")
    digests, told = [], []
    for processes in (1, 2):
        database = tmp_path / f"{processes}.db"
        told.append(ingest_files(database, [folder], processes=processes))
        with closing(store.open_for_reading(database)) as connection:
            digests.append(content_digest(connection))
    assert digests[0] == digests[1]
    assert told[0] == told[1]
    assert [outcome.status for outcome in told[0]] == ["skipped"] + ["stored"] * 14


def test_the_same_file_named_twice_is_stored_once(tmp_path: Path) -> None:
    march, june = tmp_path / "march.txt", tmp_path / "june.txt"
    march.write_text(MARCH_2030, encoding="utf-8")
    june.write_text(JUNE_2030, encoding="utf-8")
    outcomes = ingest_files(tmp_path / "rules.db", [march, march, june, march])
    assert [(outcome.name, outcome.status) for outcome in outcomes] == [
        ("march.txt", "stored"),
        ("march.txt", "known"),
        ("june.txt", "stored"),
        ("march.txt", "known"),
    ]


def test_a_history_list_may_come_before_the_texts_that_tell_its_number(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    first, then = (rules.split("100.2. ")[1].split("\n")[0] for rules in (MARCH_2030, JUNE_2030))
    history = f"March 1, 2030 · First\n\n{first}\n\nJune 1, 2030 · Second\n\n{then}\n"
    for name, text in (("a-list", history), ("march", MARCH_2030), ("june", JUNE_2030)):
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    outcomes = ingest_files(tmp_path / "rules.db", [folder])
    assert [(outcome.name, outcome.status) for outcome in outcomes] == [
        ("a-list.txt", "stored"),
        ("june.txt", "stored"),
        ("march.txt", "stored"),
    ]
    with closing(store.open_for_reading(tmp_path / "rules.db")) as connection:
        quoted = connection.execute(
            "SELECT DISTINCT parts.number FROM documents JOIN placements ON document_id = documents.id"
            " JOIN parts ON parts.id = part_id WHERE coverage = 'excerpt' AND parts.kind = 'rule'"
        ).fetchall()
    assert quoted == [("100.2",)]


@given(st.lists(st.text(alphabet=" aA’‘“”—–-_().\n'\"®Æé", max_size=30), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_the_folded_column_is_the_folded_text(texts: list[str]) -> None:
    with store.in_memory() as connection:
        parts = [Part(PartKind.NOTICE, text) for text in texts]
        rows = tuple((part.kind.value, part.number, part.label, part.text, False) for part in parts)
        Writer(connection).part_ids(rows)
        assert all(
            folded == fold(published)
            for published, folded in connection.execute("SELECT published, folded FROM texts").fetchall()
        )


@pytest.mark.archive
def test_archived_texts_backwards_give_the_same_store(archive: Path, tmp_path: Path) -> None:
    files = sorted((archive / "cr").glob("*.txt"))[-24::4]
    together, backwards = tmp_path / "together.db", tmp_path / "backwards.db"
    ingest_files(together, files)
    ingest_files(backwards, files[1::2])
    for file in reversed(files[::2]):
        ingest_files(backwards, [file])
    digests = []
    for database in (together, backwards):
        with closing(store.open_for_reading(database)) as connection:
            digests.append(content_digest(connection))
    assert digests[0] == digests[1]
