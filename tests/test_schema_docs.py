"""The page on the store's schema says what the store is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulehist.bundled import bundled_store

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "schema.md").read_text(encoding="utf-8")


def test_every_table_is_explained_and_no_other() -> None:
    with bundled_store() as connection:
        tables = {
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'"
                " AND name NOT LIKE 'texts_search\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            )
        }
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == tables


@pytest.mark.parametrize("query", re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL))
def test_every_query_runs_and_finds_something(query: str) -> None:
    with bundled_store() as connection:
        assert connection.execute(query).fetchall()
