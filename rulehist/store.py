"""The store: one SQLite file, opened for reading through the standard library and for writing through sqlite-utils.

Reading needs no sqlite-utils, because importing it costs more time than most answers do.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rulehist.errors import RulehistError, StoreError

APPLICATION_ID = 0x72756C68
"""``rulh``, in the header of every store: a database without it is not ours."""

SCHEMA_VERSION = 3
"""Number of the newest migration, kept in ``user_version``: a higher one comes from a newer program."""

WAIT_FOR_ANOTHER_INGEST = 600.0
"""Seconds that a second ingest waits for the first one to end."""


def default_path() -> Path:
    """The store named by ``RULEHIST_DB``, else ``rulehist.db`` in the user's data folder."""
    named = os.environ.get("RULEHIST_DB")
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("rulehist", appauthor=False) / "rulehist.db"


def open_for_reading(path: Path | str) -> sqlite3.Connection:
    """Open an existing store without the power to change it.

    Raises ``StoreError`` where there is no such file, or it is not ours, or it comes from a newer program.
    """
    path = Path(path)
    if not path.exists():
        raise StoreError(f"{path}: no such database; make one with: rulehist ingest PATH --db {path}")
    if path.is_dir():
        raise StoreError(f"{path}: is a folder, not a database; name a file in it, such as {path / 'rulehist.db'}")
    if Path(f"{path}-journal").exists():
        _undo_what_was_broken_off(path)
    if path.stat().st_size == 0:
        raise StoreError(f"{path}: is empty, its first ingest was broken off; run it again: rulehist ingest PATH")
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        check(connection, str(path))
    except StoreError:
        connection.close()
        raise
    connection.execute("PRAGMA mmap_size = 67108864")
    return connection


def _undo_what_was_broken_off(path: Path) -> None:
    """Let SQLite roll back what a killed process left half written; whoever may only read cannot do that."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        pass  # what is wrong with the file is told by those who open it
    finally:
        connection.close()


@contextmanager
def file_of(connection: sqlite3.Connection) -> Iterator[Path]:
    """The file behind a connection, for other processes to open; a store in memory is written to one for a while."""
    path = next(row[2] for row in connection.execute("PRAGMA database_list") if row[1] == "main")
    if path:
        yield Path(path)
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="rulehist-") as temporary:
        copy = Path(temporary) / "rules.db"
        connection.execute("VACUUM INTO ?", [str(copy)])
        yield copy


def check(connection: sqlite3.Connection, path: str) -> None:
    """Raise ``StoreError`` unless the database is a store that this program can read."""
    try:
        application_id = connection.execute("PRAGMA application_id").fetchone()[0]
        schema_version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.OperationalError as error:
        if _is_locked(error):
            raise _locked(path) from error
        raise StoreError(f"{path}: cannot be opened ({error}); check that you may read it") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path}: is no SQLite database ({error}); name another file with --db") from error
    if application_id != APPLICATION_ID:
        raise StoreError(f"{path}: is a database of another program; name another file with --db")
    if schema_version > SCHEMA_VERSION:
        raise StoreError(
            f"{path}: was written by a newer rulehist (schema {schema_version}, this one knows {SCHEMA_VERSION}); "
            "update rulehist, or name another file with --db"
        )


def _is_locked(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}  # the rest of the code says more closely why


def _locked(path: object) -> StoreError:
    return StoreError(f"{path}: another program is writing to the database; wait until it is done and try again")


def _damaged(path: object, error: Exception) -> StoreError:
    why = " ".join(str(error).split())[:80]  # SQLite quotes what it could not read, however long it is
    return StoreError(f"{path}: the database is damaged ({why}); ingest the texts anew, into another file")


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A store open for reading (see ``open_for_reading``).

    What goes wrong inside because the file is damaged is raised as ``StoreError``; the file is examined only then.
    """
    connection = open_for_reading(path)
    try:
        yield connection
    except (RulehistError, OSError):
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if _is_locked(error):
            raise _locked(path) from error
        if isinstance(error, sqlite3.ProgrammingError):
            raise
        raise _damaged(path, error) from error
    except Exception as error:
        if _is_damaged(connection):
            raise _damaged(path, error) from error
        raise
    finally:
        connection.close()


def _is_damaged(connection: sqlite3.Connection) -> bool:
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok")
    except (sqlite3.Error, UnicodeDecodeError):
        return True


@contextmanager
def writing(path: Path, on_wait: Callable[[], None] | None = None) -> Iterator[sqlite3.Connection]:
    """Open or create a store and hold one transaction: all that is done inside, or none of it, comes to be.

    ``on_wait`` is called once, without arguments, where another process is writing; then it waits.
    Raises ``StoreError`` where the file is not ours, is newer, cannot be written, or the disk is full.
    """
    if path.is_dir():
        raise StoreError(f"{path}: is a folder, not a database; name a file in it, such as {path / 'rulehist.db'}")
    if path.exists() and not path.is_file():  # a device would be taken away as a store that came to nothing
        raise StoreError(f"{path}: is a device or a pipe, not a database; name another file with --db")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not _may_be_written(path):
            raise StoreError(f"{path}: may not be written; change its permissions, or name another file with --db")
        connection = _connection_in_transaction(path, on_wait)
    except OSError as error:
        raise StoreError(f"{path}: cannot be made ({error.strerror}); name another file with --db") from error
    new = path.stat().st_size == 0
    try:
        if new:
            # a store without texts from here on: whoever ends this process leaves one that opens
            _migrate(connection)
            connection.execute("COMMIT")
            _begin(connection, on_wait)
        else:
            check(connection, str(path))
            _migrate(connection)
        yield connection
        if connection.in_transaction:
            connection.execute("COMMIT")
    except Exception as error:
        fault = _writing_fault(path, connection, error)
        if fault is error:
            raise
        raise fault from error
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if new:
            _remove_if_empty(connection, path)
        connection.close()


def _writing_fault(path: Path, connection: sqlite3.Connection, error: Exception) -> Exception:
    """What to raise for an error while a store was written: itself, or what it means."""
    if isinstance(error, RulehistError | OSError):
        return error
    if _is_damaged(connection):
        return _damaged(path, error)
    if not isinstance(error, sqlite3.Error):
        return error
    return StoreError(
        f"{path}: could not be written ({error}); nothing was changed: mend the cause (a full disk, permissions) "
        "and run it again"
    )


def _connection_in_transaction(path: Path, on_wait: Callable[[], None] | None) -> sqlite3.Connection:
    """A connection that alone may write. Raises ``OSError`` or ``StoreError``."""
    while True:
        path.touch()
        file = path.stat().st_ino
        try:
            connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(f"{path}: cannot be opened ({error}); name another file with --db") from error
        try:
            _begin(connection, on_wait)
        except sqlite3.Error as error:
            connection.close()
            if not _is_still(path, file):
                continue
            if _is_locked(error):
                raise _locked(path) from error
            if isinstance(error, sqlite3.OperationalError):
                raise StoreError(f"{path}: cannot be opened ({error}); check that you may write it") from error
            raise StoreError(f"{path}: is no SQLite database ({error}); name another file with --db") from error
        if _is_still(path, file):
            return connection
        connection.close()


def _is_still(path: Path, file: int) -> bool:
    """Whether the path names that file yet; an ingest that fails takes a new file away from one that waits for it."""
    return path.exists() and path.stat().st_ino == file


def _remove_if_empty(connection: sqlite3.Connection, path: Path) -> None:
    """Leave no file behind where nothing came of a new store, unless another process reads it just now."""
    try:
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("BEGIN EXCLUSIVE")
        if path.stat().st_size == 0 or not connection.execute("SELECT 1 FROM sources").fetchone():
            path.unlink()
        connection.execute("ROLLBACK")
    except (OSError, sqlite3.Error):
        pass  # an empty store does no harm


def _may_be_written(path: Path) -> bool:
    """Whether the file may be written; one that nobody may write is left alone even by those who could (root)."""
    return os.access(path, os.W_OK) and bool(path.stat().st_mode & 0o222)


def _begin(connection: sqlite3.Connection, on_wait: Callable[[], None] | None) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA page_size = 8192")  # heeded by a new file: rules are too long to pack into less
    connection.execute("PRAGMA cache_spill = OFF")  # others may read until the end, when all is written at once
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if not _is_locked(error):
            raise
        if on_wait is not None:
            on_wait()
        connection.execute(f"PRAGMA busy_timeout = {int(WAIT_FOR_ANOTHER_INGEST * 1000)}")
        connection.execute("BEGIN IMMEDIATE")


def _migrate(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION:
        return
    from sqlite_utils import Database

    from rulehist.migrations import migrations

    migrations.apply(Database(connection))


@contextmanager
def in_memory() -> Iterator[sqlite3.Connection]:
    """An empty store that lives as long as the connection; for the bundled texts and for tests."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        _migrate(connection)
        yield connection
    finally:
        connection.close()
