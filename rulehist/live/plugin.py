"""The Datasette plugin: routes over the first of its databases that is a store of ours; the rest stays Datasette's.

Answers are computed in processes of their own, so that a long comparison holds up nobody, and kept while they are used.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import signal
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from datasette import NotFound, Response, hookimpl

from rulehist import pages, store
from rulehist.errors import RulehistError
from rulehist.live.answers import NOT_FOUND, Page, Question, answer, fault
from rulehist.live.requests import App, bounded
from rulehist.thresholds import (
    LIVE_BYTES_KEPT,
    LIVE_NEW_OBJECTS,
    LIVE_PROCESSES,
    LIVE_SECONDS,
    LIVE_WORDS_AT_MOST,
)
from rulehist.workers import begin

UNAVAILABLE = 503

_KINDS = "show|log|blame|diff"
_ASSETS = {
    name: f"text/{'css' if name.endswith('css') else 'javascript'}; charset=utf-8"
    for name in ("page.css", "site.css", "page.js", "site.js", "live.js")
} | {"icon.svg": "image/svg+xml"}
"""The files that the pages ask for, with their types; no other is handed out."""


@hookimpl
def register_routes() -> list[tuple[str, Any]]:
    """The pages, each with ``.json`` beside it."""
    return [
        (r"^/rules(?P<json>\.json)?$", _start),
        (rf"^/(?P<kind>{_KINDS})/(?P<subject>[^/]+?)(?P<json>\.json)?$", _page),
        (r"^/(?P<kind>show|log|blame|diff)$", _asked),
        (r"^/search(?P<json>\.json)?$", _search),
        (r"^/eval(?P<json>\.json)?$", _eval),
        (r"^/assets/(?P<name>.*)$", _asset),
    ]


@hookimpl
def asgi_wrapper(datasette: Any) -> Callable[[App], App]:
    """Refuses what cannot be read, and a form that is larger than any of ours, before anybody reads it."""
    path = datasette.urls.path("/eval")
    changed = _changed_tables(datasette)
    return lambda app: bounded(app, {path, f"{path}.json"}, changed)


def _changed_tables(datasette: Any) -> Callable[[str], bool]:
    """Says of a path whether it leads to tables that were opened immutable and were written to nevertheless.

    SQLite would take what it read before for what is there now (SQLite, URI parameter ``immutable``).
    """
    opened = {
        datasette.urls.database(name): _File.at(Path(database.path))
        for name, database in datasette.databases.items()
        if database.path and not database.is_mutable and Path(database.path).exists()
    }

    start = datasette.urls.path("/")

    def changed(path: str) -> bool:
        ours = any(re.match(route, "/" + path.removeprefix(start)) for route, _ in register_routes())
        return not ours and any(
            re.match(rf"{re.escape(top)}(?:[/.]|$)", path) and file.was_written_to() for top, file in opened.items()
        )

    return changed


@hookimpl
def menu_links(datasette: Any) -> list[dict[str, str]]:
    """Leads from Datasette's own pages to ours."""
    return [{"href": datasette.urls.path("/rules"), "label": "Rules through time"}]


@hookimpl(tryfirst=True)
def handle_exception(datasette: Any, request: Any, exception: Exception) -> Response | None:
    """A page for an address that leads nowhere; Datasette's own says of each that there is no such database."""
    if not isinstance(exception, NotFound) or request.path.endswith(".json"):
        return None
    top = datasette.urls.path("/")
    sentence = f"{request.path}: there is no such page; begin at {top}rules"
    page = fault(Question("", "", request.path.removeprefix(top), root=top), sentence, NOT_FOUND)
    return Response.html(page.html, status=page.status)


async def _start(datasette: Any, request: Any) -> Response:
    return await _answered(datasette, request, Question("start", "", "rules"))


_ASKED_MORE = {"diff": ("group", "from", "whole"), "log": ("answers",)}
"""What an address may ask of a page beyond its subject, by the kind of the page."""


async def _page(datasette: Any, request: Any) -> Response:
    kind, subject = request.url_vars["kind"], request.url_vars["subject"]
    form = {name: request.args[name] for name in _ASKED_MORE.get(kind, ()) if request.args.get(name)}
    if request.url_vars["json"]:
        form = {"format": "json"}
    return await _answered(datasette, request, Question(kind, unquote(subject), f"{kind}/{subject}", form))


async def _asked(datasette: Any, request: Any) -> Response:
    """A form's question, led on to the address that lasts."""
    if request.method not in _READ:
        return _other_method(_READ)
    kind = request.url_vars["kind"]
    given = {name: (request.args.get(name) or "").strip() for name in ("rule", "when", "old", "new")}
    subject = (
        f"{given['old'] or 'latest'}..{given['new'] or 'latest'}"
        if kind == "diff"
        else f"{given['rule']}@{given['when'] or 'latest'}"
    )
    return Response.redirect(datasette.urls.path(f"/{kind}/{quote(subject, safe='@.')}"))


async def _search(datasette: Any, request: Any) -> Response:
    form = {name: request.args.get(name) or "" for name in ("q", "when", "from")}
    return await _answered(datasette, request, Question("search", "", "search", form))


async def _eval(datasette: Any, request: Any) -> Response:
    sent = await request.post_vars() if request.method == "POST" else {}
    form = {name: sent.get(name) or "" for name in ("scenario", "versions")}
    form["token"] = request.scope["csrftoken"]()
    return await _answered(datasette, request, Question("eval", "", "eval", form))


async def _asset(request: Any) -> Response:
    name = request.url_vars["name"]
    if request.method not in _READ:
        return _other_method(_READ)
    if name not in _ASSETS:
        return Response.text("rulehist: there is no such file", status=404)
    return Response(pages.asset(name), content_type=_ASSETS[name])


async def _answered(datasette: Any, request: Any, question: Question) -> Response:
    allowed = (*_READ, "POST") if question.kind == "eval" else _READ
    if request.method not in allowed:
        return _other_method(allowed)
    if len(question.subject) + len(question.form.get("q", "")) > LIVE_WORDS_AT_MOST:
        return Response.text(f"rulehist: a question has {LIVE_WORDS_AT_MOST:,} characters at most", status=414)
    database = _store_of(datasette)
    if database is None:
        return Response.text("rulehist: none of these databases is a store of rulehist", status=404)
    question = replace(question, root=datasette.urls.path("/"))
    page = await _workers.answer(database, question)
    if request.url_vars.get("json"):
        return Response(page.json, status=page.status, content_type="application/json; charset=utf-8")
    return Response.html(page.html, status=page.status)


_READ = ("GET", "HEAD")


def _other_method(allowed: tuple[str, ...]) -> Response:
    sentence = f"rulehist: this page answers {', '.join(allowed)}"
    return Response.text(sentence, status=405, headers={"Allow": ", ".join(allowed)})


def _store_of(datasette: Any) -> Path | None:
    """The file of the first database that a program of ours made."""
    for database in datasette.databases.values():
        if database.path and _is_ours(Path(database.path)):
            return Path(database.path)
    return None


def _is_ours(path: Path) -> bool:
    known = _ours.get(path)
    if known is None:
        try:
            store.open_for_reading(path).close()
            known = True
        except RulehistError:
            known = False
        _ours[path] = known
    return known


_ours: dict[Path, bool] = {}


_ENDED = "the server is being stopped; ask again when it runs"


class _Workers:
    """Processes that answer, each with its own connection, and the answers that were asked for last."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._kept: OrderedDict[tuple[_File, str], _Sent] = OrderedDict()
        self._bytes = 0
        self._ended = False

    def end(self) -> None:
        """End the processes, whatever they are at: who waits for them, and who asks later, is told so."""
        self._ended = True
        processes = list(self._pool._processes.values()) if self._pool is not None else []
        for process in processes:
            process.kill()

    async def answer(self, database: Path, question: Question) -> _Sent:
        """The answer, from those kept or from a process; one that takes too long is given up."""
        try:
            file = _File.at(database)
        except OSError as error:
            return _sent(
                fault(question, f"{database}: the store is gone ({error.strerror}); serve another", UNAVAILABLE)
            )
        key = (file, json.dumps([question.root, question.path, dict(question.form)]))
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if self._ended:
            return _sent(fault(question, _ENDED, UNAVAILABLE))
        if self._pool is None:
            self._pool = ProcessPoolExecutor(LIVE_PROCESSES, get_context("spawn"), begin, (_prepare,))
        pool = self._pool
        try:
            working = asyncio.get_running_loop().run_in_executor(pool, _work, file, question)
            page = await asyncio.wait_for(working, LIVE_SECONDS)
        except TimeoutError:
            sentence = f"this took longer than {LIVE_SECONDS} seconds and was given up; ask for less at once"
            return _sent(fault(question, sentence, UNAVAILABLE))
        except BrokenProcessPool:
            if self._pool is pool:  # the first to hear of it; the next question has new processes
                self._pool = None
            sentence = "a process that answers was ended from outside, perhaps for want of memory; ask again"
            return _sent(fault(question, _ENDED if self._ended else sentence, UNAVAILABLE))
        if question.kind != "eval" and page.status != UNAVAILABLE:
            self._keep(key, page)
        return page

    def _keep(self, key: tuple[_File, str], page: _Sent) -> None:
        if key not in self._kept:  # else it was asked for twice before there was an answer
            self._kept[key] = page
            self._bytes += _bytes_of(key, page)
        while self._bytes > LIVE_BYTES_KEPT:
            self._bytes -= _bytes_of(*self._kept.popitem(last=False))


@dataclass(frozen=True, slots=True)
class _Sent:
    """An answer as it is sent: in bytes, which are small and can be counted."""

    html: bytes
    json: bytes
    status: int


def _sent(page: Page) -> _Sent:
    return _Sent(page.html.encode(), json.dumps(page.json, default=str).encode(), page.status)


def _bytes_of(key: tuple[_File, str], page: _Sent) -> int:
    return len(key[1]) + len(page.html) + len(page.json)


@dataclass(frozen=True, slots=True)
class _File:
    """The file of a store, as it is at a time: another with its name, or one that was written to, is not the same."""

    path: Path
    number: int
    written: int

    @classmethod
    def at(cls, path: Path) -> _File:
        """The file that there is. Raises ``OSError``."""
        there = path.stat()
        return cls(path, there.st_ino, there.st_mtime_ns)

    def was_written_to(self) -> bool:
        """Whether this file is still in its place, with other content; one that another replaced is what it was."""
        try:
            now = _File.at(self.path)
        except OSError:
            return False
        return now.number == self.number and now.written != self.written


def end() -> None:
    """End the processes that answer; there are no answers from here on but those that are kept."""
    _workers.end()


_workers = _Workers()
_connections: dict[Path, tuple[int, sqlite3.Connection]] = {}
"""The connections of this process, each with the number of the file that it is to."""


def _prepare() -> None:
    """Look for garbage seldom: an answer makes much that is new and little that refers to itself."""
    gc.freeze()
    gc.set_threshold(LIVE_NEW_OBJECTS)


def _work(file: _File, question: Question) -> _Sent:
    with _at_most(LIVE_SECONDS):
        try:
            return _sent(answer(_connection(file), question))
        except (RulehistError, sqlite3.Error) as error:
            sentence = f"{file.path}: the store cannot be read now ({error}); ask again, or serve another"
            return _sent(fault(question, sentence, UNAVAILABLE))


def _connection(file: _File) -> sqlite3.Connection:
    """A connection to the file: not to one that had its name before. Raises ``StoreError``."""
    number, connection = _connections.pop(file.path, (0, None))
    if connection is not None and number != file.number:
        connection.close()
        connection = None
    if connection is None:
        connection = store.open_for_reading(file.path)
    _connections[file.path] = file.number, connection
    return connection


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise ``TimeoutError`` in what takes longer, so that no process goes on with what nobody waits for.

    Where the system has no such clock (Windows) it goes on.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
