"""Two versions out of the store: only what differs is read, and nothing is missed by it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from rulehist.changes import diff_linked
from rulehist.dated_versions import version_at
from rulehist.differing_parts import TwoDocuments
from rulehist.errors import QueryError
from rulehist.ingest import ingest_files
from rulehist.news import news
from rulehist.store import open_for_reading
from rulehist.stored_documents import document_of
from rulehist.stored_parts import StoredParts
from rulehist.version_diff import diff_files, diff_versions
from rulehist.when import When, parse_compared, parse_range, parse_when
from tests.small_texts import JUNE_2030, MARCH_2030, rules_text


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "march.txt", tmp_path / "june.txt"
    for path, text in zip(paths, (MARCH_2030, JUNE_2030), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def told(diff: object) -> list[tuple[str, str, str, str]]:
    changes = diff.changes  # type: ignore[attr-defined]
    return [(c.kind.value, c.part, c.old.number if c.old else "", c.number) for c in changes]


def test_the_store_and_the_two_files_tell_the_same(texts: tuple[Path, Path], tmp_path: Path) -> None:
    ingest_files(tmp_path / "rules.db", list(texts))
    connection = open_for_reading(tmp_path / "rules.db")
    stored = diff_versions(connection, *parse_range("2030-03-01..2030-06-01"))
    files = diff_files(*texts)
    assert told(stored.diff) == told(files.diff)
    assert stored.news == files.news
    connection.close()


def test_a_split_is_told_between_versions_that_are_no_neighbours(tmp_path: Path) -> None:
    long = (
        "A player who shuffles a library must offer it to each opponent to be cut or shuffled before the game goes on.",
        "An opponent who looks at a face of any card while doing so announces it at once to every player at the table.",
    )
    versions = {
        "March 1, 2030": [f"100.1. {' '.join(long)}"],
        "June 1, 2030": [f"100.1. {long[0]}", f"100.1a {long[1]}"],
        "September 1, 2030": ["100.1. A game has a winner.", f"100.2. {long[0]}", f"100.2a {long[1]}"],
    }
    paths = []
    for number, (day, rules) in enumerate(versions.items()):
        paths.append(tmp_path / f"{number}.txt")
        paths[-1].write_text(rules_text(day, {"100. General": rules}, {"Deck": "Cards."}), encoding="utf-8")
    ingest_files(tmp_path / "rules.db", paths)
    connection = open_for_reading(tmp_path / "rules.db")
    for range_, number in (("2030-03-01..2030-06-01", "100.1a"), ("2030-03-01..2030-09-01", "100.2a")):
        changes = diff_versions(connection, *parse_range(range_)).diff.changes
        (born,) = (change for change in changes if change.number == number)
        assert (born.kind.value, born.related) == ("added", ("100.1",))
    connection.close()


def ids(connection: sqlite3.Connection, *moments: When) -> list[int]:
    from rulehist.stored_documents import document_id_of

    return [document_id_of(connection, version_at(connection, moment)) for moment in moments]


@pytest.mark.archive
def test_reading_only_what_differs_misses_nothing(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    days = [row[0] for row in connection.execute("SELECT effective FROM versions ORDER BY effective") if row[0]]
    pairs = [*list(pairwise(days))[::6], (days[0], days[-1]), (days[-1], days[len(days) // 2])]
    kept = StoredParts(connection, many=True)
    for pair in pairs:
        moments = [parse_when(day) for day in pair]
        some = TwoDocuments(StoredParts(connection), *ids(connection, *moments))
        whole = TwoDocuments(StoredParts(connection), *ids(connection, *moments))
        assert diff_linked(some.differing()) == diff_linked(whole.differing(whole=True)), pair
        documents = [document_of(connection, version_at(connection, moment)).document for moment in moments]
        told = news(*(document.parts for document in documents))
        assert some.news() == told, pair
        assert TwoDocuments(kept, *ids(connection, *moments)).news() == told, pair
    connection.close()


def test_one_moment_is_compared_with_the_version_before_it(texts: tuple[Path, Path], tmp_path: Path) -> None:
    ingest_files(tmp_path / "rules.db", list(texts))
    connection = open_for_reading(tmp_path / "rules.db")
    alone = diff_versions(connection, *parse_compared("2030-07-01"))
    assert alone == diff_versions(connection, *parse_range("2030-03-01..2030-06-01"))
    with pytest.raises(QueryError, match="none before it"):
        diff_versions(connection, *parse_compared("2030-03-01"))
    connection.close()


def test_what_changed_with_a_release_is_not_told_from_an_older_text(texts: tuple[Path, Path], tmp_path: Path) -> None:
    ingest_files(tmp_path / "rules.db", list(texts))
    connection = open_for_reading(tmp_path / "rules.db")
    asked = When("2030-08-01", "XYZ", release=True)
    with pytest.raises(QueryError, match="no text of 2030-08-01"):
        diff_versions(connection, None, asked)
    connection.close()


def test_an_undated_text_follows_the_date_that_it_must_follow(command: Callable[..., str]) -> None:
    assert command("diff", "latest").startswith("From 2022-10-07")


@pytest.mark.archive
def test_what_is_remembered_changes_no_answer(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    days = [row[0] for row in connection.execute("SELECT effective FROM versions ORDER BY effective") if row[0]]
    chosen = Random(6)  # noqa: S311 - the same pairs each time
    kept = StoredParts(connection, many=True)
    for pair in [chosen.sample(days, 2) for _ in range(12)] * 2:
        old, new = map(parse_when, pair)
        assert diff_versions(connection, old, new, kept) == diff_versions(connection, old, new), pair
    connection.close()
