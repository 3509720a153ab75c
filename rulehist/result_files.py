"""Result files, written whole or not at all: a full disk leaves the file that was there before."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8 to ``path``: beside it first, then in its place. Raises ``OSError``.

    A device or a pipe is written to as it is, and so is a file in a folder where no other may be made.
    """
    data = text.encode("utf-8")
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = path.resolve()  # a link stays a link
    beside = target.with_name(f".rulehist-{os.getpid()}.part")
    try:
        stream = beside.open("wb")
    except PermissionError:
        target.write_bytes(data)
        return
    try:
        with stream:
            stream.write(data)
        if target.exists():
            if not os.access(target, os.W_OK):
                raise PermissionError(13, os.strerror(13), str(path))
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
