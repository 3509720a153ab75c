"""What a request may be before anybody reads it: in UTF-8, and with no form larger than any of ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any
from urllib.parse import unquote_to_bytes

from datasette import Response

from rulehist.thresholds import LIVE_FORM_BYTES

App = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application (ASGI specification 3.0): ``scope``, ``receive`` and ``send``."""


def bounded(app: App, form_paths: Collection[str]) -> App:
    """``app`` for requests that it can read; any other is told in a sentence. Forms are sent to ``form_paths``."""

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        refused = None if _is_utf8(_address(scope)) else _not_utf8("address")
        if refused is None and scope["method"] == "POST" and scope["path"] in form_paths:
            length = dict(scope["headers"]).get(b"content-length", b"")
            if not length.isdigit() or int(length) > LIVE_FORM_BYTES:
                refused = f"rulehist: a form has {LIVE_FORM_BYTES:,} bytes at most, and says how many", 413
            else:
                body = await _body(receive)
                refused = None if _is_utf8(body) else _not_utf8("form")
                receive = _again(body, receive)
        if refused is None:
            await app(scope, receive, send)
        else:
            await Response.text(refused[0], status=refused[1]).asgi_send(send)

    return answered


def _not_utf8(what: str) -> tuple[str, int]:
    return f"rulehist: the {what} is not in UTF-8; send its characters beyond ASCII in UTF-8, as browsers do", 400


def _address(scope: Any) -> bytes:
    path: bytes = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogatepass")
    query: bytes = scope.get("query_string") or b""
    return path + b"?" + query


def _is_utf8(sent: bytes) -> bool:
    """Whether bytes are UTF-8, those written as ``%XX`` as well."""
    try:
        sent.decode()
        unquote_to_bytes(sent).decode()
    except UnicodeDecodeError:
        return False
    return True


async def _body(receive: Any) -> bytes:
    pieces = []
    while True:
        message = await receive()
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)


def _again(body: bytes, receive: Any) -> Any:
    """A ``receive`` that gives the body that was read already, and then what comes after it."""
    told = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Any:
        return told.pop() if told else await receive()

    return received
