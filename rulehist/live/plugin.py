"""The Datasette plugin: routes over the first of its databases that is a store of ours; the rest stays Datasette's.

Answers are computed in processes of their own, so that a long comparison holds up nobody, and kept while they are used.
"""

from __future__ import annotations

import asyncio
import gc
import json
import signal
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from datasette import Response, hookimpl

from rulehist import pages, store
from rulehist.errors import RulehistError
from rulehist.live.answers import Page, Question, answer
from rulehist.live.requests import App, bounded
from rulehist.thresholds import (
    LIVE_NEW_OBJECTS,
    LIVE_PAGES_KEPT,
    LIVE_PROCESSES,
    LIVE_SECONDS,
    LIVE_WORDS_AT_MOST,
)
from rulehist.workers import begin

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
    return lambda app: bounded(app, {path, f"{path}.json"})


@hookimpl
def menu_links(datasette: Any) -> list[dict[str, str]]:
    """Leads from Datasette's own pages to ours."""
    return [{"href": datasette.urls.path("/rules"), "label": "Rules through time"}]


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
    if name not in _ASSETS:
        return Response.text("rulehist: there is no such file", status=404)
    return Response(pages.asset(name), content_type=_ASSETS[name])


async def _answered(datasette: Any, request: Any, question: Question) -> Response:
    allowed = ("GET", "HEAD", "POST") if question.kind == "eval" else ("GET", "HEAD")
    if request.method not in allowed:
        sentence = f"rulehist: this page answers {', '.join(allowed)}"
        return Response.text(sentence, status=405, headers={"Allow": ", ".join(allowed)})
    if len(question.subject) + len(question.form.get("q", "")) > LIVE_WORDS_AT_MOST:
        return Response.text(f"rulehist: a question has {LIVE_WORDS_AT_MOST:,} characters at most", status=414)
    database = _store_of(datasette)
    if database is None:
        return Response.text("rulehist: none of these databases is a store of rulehist", status=404)
    question = replace(question, root=datasette.urls.path("/"))
    page = await _workers.answer(database, question)
    if request.url_vars.get("json"):
        return Response.json(page.json, status=page.status, default=str)
    return Response.html(page.html, status=page.status)


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


class _Workers:
    """Processes that answer, each with its own connection, and the answers that were asked for last."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._kept: OrderedDict[tuple[Path, float, str], Page] = OrderedDict()

    async def answer(self, database: Path, question: Question) -> Page:
        """The answer, from those kept or from a process; one that takes too long is given up."""
        key = (database, database.stat().st_mtime, json.dumps([question.root, question.path, dict(question.form)]))
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if self._pool is None:
            self._pool = ProcessPoolExecutor(LIVE_PROCESSES, get_context("spawn"), begin, (_prepare,))
        pool = self._pool
        try:
            working = asyncio.get_running_loop().run_in_executor(pool, _work, database, question)
            page = await asyncio.wait_for(working, LIVE_SECONDS)
        except TimeoutError:
            return _not_done(f"this took longer than {LIVE_SECONDS} seconds and was given up; ask for less at once")
        except BrokenProcessPool:
            if self._pool is pool:  # the first to hear of it; the next question has new processes
                self._pool = None
            return _not_done("a process that answers was ended from outside, perhaps for want of memory; ask again")
        if question.kind != "eval":
            self._kept[key] = page
            if len(self._kept) > LIVE_PAGES_KEPT:
                self._kept.popitem(last=False)
        return page


def _not_done(sentence: str) -> Page:
    """The answer where no process came to one."""
    return Page(f"<!DOCTYPE html><title>No answer</title><p>{sentence}", {"error": sentence}, 503)


_workers = _Workers()
_connections: dict[Path, sqlite3.Connection] = {}


def _prepare() -> None:
    """Look for garbage seldom: an answer makes much that is new and little that refers to itself."""
    gc.freeze()
    gc.set_threshold(LIVE_NEW_OBJECTS)


def _work(database: Path, question: Question) -> Page:
    if database not in _connections:
        _connections[database] = store.open_for_reading(database)
    with _at_most(LIVE_SECONDS):
        return answer(_connections[database], question)


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
