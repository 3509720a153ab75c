"""What the commands share: their common options, the store that they answer from, JSON out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

Db = Annotated[
    Path | None,
    typer.Option("--db", help="The database (else RULEHIST_DB, else a file in your data folder).", metavar="FILE"),
]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]


@contextmanager
def opened_store(db: Path | None) -> Iterator[sqlite3.Connection]:
    """The store to answer from; the bundled texts where there is no database and none was named."""
    import os

    from rulehist import store

    path = db or store.default_path()
    if db is None and not os.environ.get("RULEHIST_DB") and not path.exists():
        from rulehist.bundled import bundled_store

        typer.echo(
            "rulehist: no database yet: answering from the bundled excerpts (fill one with: rulehist ingest PATH)",
            err=True,
        )
        with bundled_store() as connection:
            yield connection
        return
    connection = store.open_for_reading(path)
    try:
        yield connection
    finally:
        connection.close()


def print_json(value: Any) -> None:
    """Print a value as JSON, letters as they are."""
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
