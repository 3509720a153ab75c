"""Running the live view: Datasette over one store, opened immutable."""

from __future__ import annotations

import logging
import signal
import socket
import sqlite3
import sys
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType
from typing import Any

from rulehist.errors import StoreError
from rulehist.store import file_of
from rulehist.thresholds import LIVE_SECONDS_TO_END

TABLES_TOLD = {
    "title": "The tables behind the rules",
    "description_html": (
        "<p>Every text of the rules as tables, open to SQL. To read rules, their histories and their changes, go to "
        '<a href="/rules">the rules on any day</a>.</p>'
    ),
}
"""What Datasette's own pages say first."""


def serve(connection: sqlite3.Connection, host: str, port: int, on_listening: Callable[[str], None]) -> None:
    """Serve until stopped; ``on_listening`` gets the address of the start page, with the port where 0 asked for any.

    Raises ``StoreError`` where the extra is not installed or the address cannot be listened on.
    """
    try:
        import datasette.app  # before its parts, which are no plugins yet where they come first
        from datasette import handle_exception

        from rulehist.live.requests import for_this_machine
    except ImportError as error:
        raise StoreError("the live view needs Datasette; install it with: pip install 'rulehist[web]'") from error
    with listening(host, port) as listener, file_of(connection) as database:
        # its pictures of a fault cost a second, in which nobody is answered, and come for every wrong address
        handle_exception.rich = None
        served = datasette.app.Datasette(
            [], immutables=[str(database)], settings={"allow_download": True}, metadata=TABLES_TOLD
        )
        app = served.app()
        if ip_address(listener.getsockname()[0]).is_loopback:
            app = for_this_machine(app, host)
        named = f"[{host}]" if ":" in host else host
        on_listening(f"http://{named}:{listener.getsockname()[1]}/rules")
        _run(app, listener)


def _run(app: Any, listener: socket.socket) -> None:
    """Serve until a signal comes; then nothing that is under way holds anybody up."""
    import uvicorn

    from rulehist.live import plugin

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            super().handle_exit(sig, frame)
            # who was not yet answered is no fault to be told with a trace
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            plugin.end()

    # uvicorn stops, and then sends itself the signal once more: that must not keep us from clearing up
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=LIVE_SECONDS_TO_END)
    Server(config).run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at the address, of either version of IP. Raises ``StoreError``."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:  # Unicode: no host can have this name
        raise _not_there(host, port, error) from error
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(address)
        made.listen()
    except OSError as error:
        made.close()
        raise _not_there(host, port, error) from error
    return made


def _not_there(host: str, port: int, error: OSError | UnicodeError) -> StoreError:
    why = error.strerror if isinstance(error, OSError) else "no host has such a name"
    return StoreError(f"{host}:{port}: cannot be listened on ({why}); name another with --host or --port")
