"""The texts that ship with the program, from which every command answers where there is no database yet."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from rulehist.history_build import build_history
from rulehist.resources import data_folder
from rulehist.source_rows import read_source
from rulehist.store import in_memory
from rulehist.workers import Workers
from rulehist.writer import Writer


@contextmanager
def bundled_store() -> Iterator[sqlite3.Connection]:
    """A store in memory with the excerpts of ``data/bundled``."""
    with in_memory() as connection:
        writer = Writer(connection)
        for path in sorted((data_folder() / "bundled").glob("*.txt")):
            writer.add(read_source(path.read_bytes(), path.name))
        build_history(connection, writer.arrived, Workers(1))
        yield connection
