"""The live view over a store, in a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def served(database: Path) -> Iterator[str]:
    """The address of the server's top, which ends in a slash."""
    pytest.importorskip("datasette", reason="the extra 'web' is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "rulehist", "serve", "--db", str(database), "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        for _ in range(200):
            try:
                urllib.request.urlopen(address + "rules", timeout=30).close()  # noqa: S310 - our own server
                break
            except OSError:
                time.sleep(0.1)
        yield address
        process.terminate()
