"""One build at a time in a folder: a lock that the system takes back where the process that holds it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rulehist.errors import QueryError

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


LOCK = ".rulehist-site.lock"
"""The lock's file; it has the number of the process that holds it, and is gone when that is done."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which is there. Raises ``QueryError`` where another process holds it.

    The file of a process that was killed has no lock on it any more, and is taken over.
    """
    path = folder / LOCK
    file = _opened(path)
    try:
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode())
        yield
    finally:
        with suppress(OSError):  # some systems remove no file that is open
            path.unlink()
        os.close(file)


def _opened(path: Path) -> int:
    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise QueryError(f"{path}: cannot be written ({error.strerror}); choose another folder") from error
        try:
            _take(file)
        except OSError:
            holder = os.pread(file, 20, 0).decode(errors="replace").strip() if hasattr(os, "pread") else ""
            os.close(file)
            who = f"process {holder}" if holder else "another process"
            raise QueryError(
                f"{path.parent}: {who} is building a site there; wait until it is done, or name another folder"
            ) from None
        # who held it before may have removed the file in the meantime: then this is the lock of no file
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
        os.close(file)
