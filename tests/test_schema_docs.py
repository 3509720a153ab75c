"""The page on the store's schema says what the store is."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulehist import ingest, store
from rulehist.resources import data_folder
from tests.small_texts import JUNE_2030, MARCH_2030

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "schema.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """The bundled excerpts, two made-up versions, and one of these issued again."""
    folder = tmp_path_factory.mktemp("schema")
    for name, text in (("a", MARCH_2030), ("b", MARCH_2030.replace("nobody", "somebody")), ("c", JUNE_2030)):
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    ingest.ingest_files(folder / "rules.db", [data_folder() / "bundled", *sorted(folder.glob("*.txt"))])
    opened = store.open_for_reading(folder / "rules.db")
    yield opened
    opened.close()


def names(connection: sqlite3.Connection, kind: str) -> set[str]:
    return {
        name
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE '\\_%' ESCAPE '\\'"
            " AND name NOT LIKE 'texts_search\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
            [kind],
        )
    }


def test_every_table_and_view_is_explained_and_no_other(connection: sqlite3.Connection) -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == names(connection, "table")
    assert all(f"`{view}` (" in PAGE for view in names(connection, "view"))


def test_every_column_is_listed_and_no_other(connection: sqlite3.Connection) -> None:
    listed = {name: columns.split(", ") for name, columns in re.findall(r"^- `(\w+)`: ([\w, ]+)$", PAGE, re.MULTILINE)}
    everything = (names(connection, "table") | names(connection, "view")) - {"texts_search"}
    assert listed == {
        name: [row[1] for row in connection.execute(f"PRAGMA table_xinfo({name})")] for name in everything
    }


@pytest.mark.parametrize("query", re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL))
def test_every_query_runs_and_finds_something(connection: sqlite3.Connection, query: str) -> None:
    assert connection.execute(query).fetchall()
