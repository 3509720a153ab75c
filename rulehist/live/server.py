"""Running the live view: Datasette over one store, opened immutable."""

from __future__ import annotations

import sqlite3

from rulehist.errors import StoreError
from rulehist.store import file_of


def serve(connection: sqlite3.Connection, host: str, port: int) -> None:
    """Serve until stopped. Raises ``StoreError`` where the extra is not installed or the port is taken."""
    try:
        import uvicorn
        from datasette.app import Datasette
    except ImportError as error:
        raise StoreError("the live view needs Datasette; install it with: pip install 'rulehist[web]'") from error
    import socket

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise StoreError(
                f"{host}:{port}: cannot be listened on ({error.strerror}); name another with --host or --port"
            ) from error
    with file_of(connection) as database:
        app = Datasette([], immutables=[str(database)], settings={"allow_download": True}).app()
        uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)
