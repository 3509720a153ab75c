"""A store of an older program becomes one of this program, with nothing lost and nothing mixed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from rulehist import dated_versions, neighbour_links, store
from rulehist.digest import content_digest
from rulehist.ingest import ingest_files
from rulehist.migrations import migrations
from tests.small_texts import JUNE_2030, MARCH_2030

REISSUED = MARCH_2030.replace("nobody", "somebody")
"""The text of March again, under other words of thanks."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A store with two versions, the older one from two sources."""
    texts = tmp_path / "texts"
    texts.mkdir()
    for name, text in (("march", MARCH_2030), ("march-again", REISSUED), ("june", JUNE_2030)):
        (texts / f"{name}.txt").write_text(text, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", [texts])
    return tmp_path / "rules.db"


def _of_the_first_schema() -> Iterator[str]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrations.apply(Database(connection), stop_before="m002_matcher_and_basis")
        yield from (sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE name = 'version_list'"))


def _made_older(database: Path) -> None:
    """Take from a store what the second migration gave it."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE matches DROP COLUMN matcher")
        connection.execute("DROP VIEW version_list")
        for view in _of_the_first_schema():
            connection.execute(view)
        connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm002_matcher_and_basis'")
        connection.execute("PRAGMA user_version = 1")


def _digest(database: Path) -> str:
    with closing(store.open_for_reading(database)) as connection:
        return content_digest(connection)


def _matchers(database: Path) -> set[str]:
    with closing(store.open_for_reading(database)) as connection:
        return {matcher for (matcher,) in connection.execute("SELECT matcher FROM matches")}


def test_a_store_of_the_first_schema_is_read_as_it_is_and_renewed_by_the_next_ingest(database: Path) -> None:
    before = _digest(database)
    _made_older(database)
    assert _digest(database) == before
    ingest_files(database, [database.parent / "texts"])
    assert _digest(database) == before
    assert _matchers(database) == {neighbour_links.matcher()}


def test_links_of_another_matcher_are_made_anew(database: Path) -> None:
    before = _digest(database)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE matches SET matcher = 'another'")
        connection.execute("UPDATE links SET score = 0.1234")
    assert _digest(database) != before
    ingest_files(database, [database.parent / "texts"])
    assert _digest(database) == before
    assert _matchers(database) == {neighbour_links.matcher()}


def test_links_of_this_matcher_are_kept(monkeypatch: pytest.MonkeyPatch, database: Path, tmp_path: Path) -> None:
    matched: list[int] = []
    monkeypatch.setattr(neighbour_links, "_match", lambda task: matched.append(len(task.pairs)) or [])
    later = tmp_path / "excerpt.txt"
    later.write_text("From the Comprehensive Rules (April 2, 2030—Whistling)\n\n• 100.1. Whistle.\n", encoding="utf-8")
    ingest_files(database, [later])
    assert matched == []


def test_another_threshold_makes_another_matcher(monkeypatch: pytest.MonkeyPatch) -> None:
    before = neighbour_links.matcher()
    monkeypatch.setattr("rulehist.matching.SPLIT_WORDS", 1000)
    neighbour_links.matcher.cache_clear()
    try:
        assert neighbour_links.matcher() != before
    finally:
        neighbour_links.matcher.cache_clear()


def test_the_view_of_versions_puts_first_the_source_that_the_program_puts_first(database: Path) -> None:
    """Whichever of the two sources of March is damaged, converted or neither."""
    for disfavour in ("damaged = 1", "encoding = 'pdf'"):
        for name in ("march.txt", "march-again.txt"):
            with closing(sqlite3.connect(database)) as connection:
                connection.execute(f"UPDATE sources SET {disfavour} WHERE name = ?", [name])
                basis = [row.source for row in dated_versions.versions(connection)]
                listed = dict(connection.execute("SELECT effective, source FROM version_list").fetchall()[::-1])
            assert basis == list(listed.values())[::-1]
            assert name not in basis
