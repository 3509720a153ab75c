"""What a request may be before anybody reads it: for us, in UTF-8, and with no form larger than any of ours."""

from __future__ import annotations

import string
from collections.abc import Awaitable, Callable, Collection
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlsplit

from datasette import Response

from rulehist.thresholds import LIVE_FORM_BYTES

App = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application (ASGI specification 3.0): ``scope``, ``receive`` and ``send``."""


def bounded(app: App, form_paths: Collection[str], changed: Callable[[str], bool] = lambda _: False) -> App:
    """``app`` for requests that it can read; any other is told in a sentence. Forms are sent to ``form_paths``.

    ``changed`` says of a path whether it leads to tables of a file that is not what it was when it was opened.
    """

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        refused = _refused(scope)
        if refused is None and changed(scope["path"]):
            refused = "rulehist: the store was written to since its tables were opened; start the server again", 503
        if refused is None and scope["method"] == "POST" and scope["path"] in form_paths:
            refused, receive = await _form(scope, receive)
        if refused is None:
            await app(_with_ascii_path(scope), receive, send)
        else:
            await _refuse(refused, send)

    return answered


def for_this_machine(app: App, host: str) -> App:
    """``app`` for requests that were sent to this machine by a name that only it has, or by ``host``.

    A page of another site may have its own name lead here (DNS rebinding), and would then read our answers as its own.
    """

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        named = dict(scope["headers"]).get(b"host") if scope["type"] == "http" else None
        if named is None or _is_here(named.decode("latin-1"), host):
            await app(scope, receive, send)
        else:
            sentence = "rulehist: this server answers under the address that it was started with, and not under another"
            await _refuse((f"{sentence}; open that, or start it with --host", 421), send)

    return answered


def _is_here(named: str, host: str) -> bool:
    try:
        name = urlsplit(f"//{named}").hostname or ""
    except ValueError:
        return False
    if name in {"localhost", host.casefold()} or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


_Refusal = tuple[str, int]
"""A sentence and the HTTP status that goes with it."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that Datasette knows what to do about."""


def _refused(scope: Any) -> _Refusal | None:
    if scope["method"] not in _METHODS:
        return f"rulehist: no page here answers this method; those that there are: {', '.join(sorted(_METHODS))}", 405
    if not _is_utf8(_address(scope)):
        return _not_utf8("address")
    if _path(scope).startswith((b"//", b"/\\")):
        # led on without its last slash it would be an address of another host
        return "rulehist: no address here begins with two slashes; begin with one", 404
    return None


async def _form(scope: Any, receive: Any) -> tuple[_Refusal | None, Any]:
    """Why a form is refused, and what gives its body again."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    if not length.isdigit() or int(length) > LIVE_FORM_BYTES:
        return (f"rulehist: a form has {LIVE_FORM_BYTES:,} bytes at most, and says how many", 413), receive
    body = await _body(receive)
    return None if _is_utf8(body) else _not_utf8("form"), _again(body, receive)


async def _refuse(refused: _Refusal, send: Any) -> None:
    await Response.text(refused[0], status=refused[1]).asgi_send(send)


def _not_utf8(what: str) -> _Refusal:
    return f"rulehist: the {what} is not in UTF-8; send its characters beyond ASCII in UTF-8, as browsers do", 400


def _path(scope: Any) -> bytes:
    path: bytes = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogatepass")
    return path


def _with_ascii_path(scope: Any) -> Any:
    """The same request with all beyond ASCII in its path written as ``%XX``; Datasette reads no other."""
    return (
        scope
        if _path(scope).isascii()
        else {**scope, "raw_path": quote(_path(scope), safe=string.punctuation).encode()}
    )


def _address(scope: Any) -> bytes:
    query: bytes = scope.get("query_string") or b""
    return _path(scope) + b"?" + query


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
