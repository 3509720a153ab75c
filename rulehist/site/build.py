"""Building the site: hands the pages out to processes, writes only what differs from what is there."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import rulehist
from rulehist import pages, store
from rulehist.digest import content_digest
from rulehist.errors import QueryError
from rulehist.resources import data_folder, templates_folder
from rulehist.site.addresses import diff_path, number_path, root_from, site_address
from rulehist.site.feed import atom, sitemap
from rulehist.site.lock import alone_in
from rulehist.site.plan import Plan, PlannedVersion, first_day, paths, plan
from rulehist.site.scenarios import ScenarioHistory, scenario_histories
from rulehist.site.state import State, begin_build, check_folder, end_build, note_begun, read_state, write_file
from rulehist.thresholds import RULES_A_TASK
from rulehist.workers import Workers, processors

if TYPE_CHECKING:
    from rulehist.overview_page import Newest
    from rulehist.version_diff import VersionDiff

_ASSETS = ("page.css", "site.css", "page.js", "site.js", "icon.svg")


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: files in the site, of these how many were written, and how many old ones went."""

    files: int
    written: int
    removed: int


@dataclass(frozen=True, slots=True)
class _Task:
    """Pages that one process makes together: ``kind`` and the places in the plan from ``start`` to before ``end``."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Site:
    """What every task needs to know."""

    database: Path
    folder: Path
    base_url: str
    planned: Plan
    scenarios: tuple[ScenarioHistory, ...]
    known: dict[str, str]

    def frame(self, path: str, description: str) -> pages.SiteFrame:
        """The frame of the page at ``path``."""
        return pages.SiteFrame(path, root_from(path), self.base_url, description)

    def rule_address(self, path: str, rule: str) -> str:
        """The address, from the page at ``path``, of the page of a rule; empty where it has none."""
        return root_from(path) + self.planned.rules[rule].path if rule in self.planned.rules else ""


def build_site(
    connection: sqlite3.Connection,
    folder: Path,
    *,
    since: str | None = None,
    base_url: str = "",
    on_progress: Callable[[int, int], None] | None = None,
) -> Built:
    """Write the site into ``folder``. A second build writes only what changed, and nothing where nothing did.

    ``since`` is an ISO date: versions and rules in force on or after it, that of the day itself among them.
    ``on_progress`` gets the pages done and all. A build that was ended midway is made good by the next. Raises
    ``QueryError`` for a store without versions, a base URL that is no address, and for a folder that holds something
    else, cannot be written, or has another build going on.
    """
    base_url = site_address(base_url)
    check_folder(folder)
    since = first_day(connection, since)
    planned = plan(connection, since)
    if not planned.versions:
        raise QueryError("the store has no versions to show; fill it with: rulehist ingest PATH")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with alone_in(folder):
            return _build(connection, folder, planned, since=since, base_url=base_url, on_progress=on_progress)
    except OSError as error:
        where = error.filename or folder
        raise QueryError(
            f"{where}: cannot be written ({error.strerror}); make it free, or choose another folder"
        ) from error


def _build(
    connection: sqlite3.Connection,
    folder: Path,
    planned: Plan,
    *,
    since: str | None,
    base_url: str,
    on_progress: Callable[[int, int], None] | None,
) -> Built:
    before = read_state(folder)
    made_from = _made_from(connection, since, base_url)
    if before.made_from == made_from and all((folder / path).is_file() for path in before.files):
        return Built(len(before.files), 0, 0)
    begin_build(folder, before)
    with store.file_of(connection) as database:
        site = _Site(database, folder, base_url, planned, scenario_histories(connection, since), before.files)
        files, written = _make_all(site, on_progress)
    gone = before.files.keys() - files.keys()
    for path in gone:
        (folder / path).unlink(missing_ok=True)
    end_build(folder, State(made_from, files))
    return Built(len(files), written, len(gone))


def _made_from(connection: sqlite3.Connection, since: str | None, base_url: str) -> str:
    """One hash of all that the site follows from: the store's content, the templates, the data, the program."""
    hashed = hashlib.sha256()
    for words in (content_digest(connection), rulehist.__name__, since or "", base_url):
        hashed.update(words.encode() + b"\0")
    package = Path(rulehist.__file__).parent
    for folder in (templates_folder(), data_folder(), package):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                hashed.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return hashed.hexdigest()


def _tasks(planned: Plan) -> list[_Task]:
    spans = (
        ("diffs", len(planned.pairs), 1),
        ("rules", len(planned.rules), RULES_A_TASK),
        ("versions", len(planned.versions), 2),
        ("numbers", len(planned.numbers), 500),
    )
    # the whole is as slow as its last task, so the long ones come first
    return [
        _Task(kind, start, min(start + size, count))
        for kind, count, size in spans
        for start in range(0, count, size)
    ] + [_Task(kind, 0, 1) for kind in ("lists", "search", "scenarios")]  # fmt: skip


def _make_all(site: _Site, on_progress: Callable[[int, int], None] | None) -> tuple[dict[str, str], int]:
    tasks = _tasks(site.planned)
    total = sum(task.end - task.start for task in tasks)
    every = _Made()
    done = 0
    with Workers(processors(), partial(_begin, site)) as workers:
        for task, made in zip(tasks, workers.each(_work, tasks), strict=True):
            every.files |= made.files
            every.openings |= made.openings
            every.written += made.written
            done += task.end - task.start
            if on_progress is not None:
                on_progress(done, total)
    _keep(site, every, "feed.atom", atom(site.planned, site.base_url, every.openings))
    return every.files, every.written


@dataclass(slots=True)
class _Made:
    """What a task wrote: each file with its hash, how many of them differed from before, and how reports begin."""

    files: dict[str, str] = field(default_factory=dict)
    openings: dict[str, str] = field(default_factory=dict)
    written: int = 0


_here: list[tuple[_Site, sqlite3.Connection]] = []
"""The site and the connection of this process; one each, made when the process begins."""


def _begin(site: _Site) -> None:
    _here[:] = [(site, store.open_for_reading(site.database))]


def _work(task: _Task) -> _Made:
    site, connection = _here[0]
    made = _Made()
    for page in _MAKERS[task.kind](site, connection, task):
        _keep(site, made, page[0], page[1])
        if isinstance(page, _Report):
            made.openings[page.path] = page.opening
    return made


def _keep(site: _Site, made: _Made, path: str, text: str) -> None:
    """Write a file where it differs from what is there, and note it in ``made``."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    made.files[path] = digest
    target = site.folder / path
    if site.known.get(path) != digest or not target.is_file():
        if path not in site.known:
            note_begun(site.folder, path)
        write_file(target, text)
        made.written += 1


class _Report(NamedTuple):
    """The page of a change report, with its opening paragraph."""

    path: str
    text: str
    opening: str


_Pages = Iterator[tuple[str, str] | _Report]


def _diffs(site: _Site, connection: sqlite3.Connection, task: _Task) -> _Pages:
    from rulehist.report import report_html
    from rulehist.report_input import view_of
    from rulehist.short_histories import short_histories
    from rulehist.site.report_links import links_to

    for old, new in site.planned.pairs[task.start : task.end]:
        compared = _compared(connection, old, new)
        view = view_of(compared)
        path = diff_path(old.name, new.name)
        opening = " ".join(view.opening)
        frame = site.frame(path, opening)
        told = short_histories(connection, compared.old, compared.new, compared.diff.changes)
        links = links_to(frame.root, compared, told, pages=site.planned.rules)
        yield _Report(path, report_html(view, links=links, site=frame), opening)


def _compared(connection: sqlite3.Connection, old: PlannedVersion, new: PlannedVersion) -> VersionDiff:
    from rulehist.version_diff import diff_versions
    from rulehist.when import When

    before, after = (When(each.version.effective, each.name) for each in (old, new))
    return diff_versions(connection, before, after)


def _rules(site: _Site, connection: sqlite3.Connection, task: _Task) -> _Pages:
    from rulehist.cross_references import NewestReferences
    from rulehist.site.lists import opening
    from rulehist.site.rules import rule_html
    from rulehist.site.scenarios import answers_moved, moved_lines

    cited = NewestReferences(connection)
    moved = answers_moved(site.scenarios)
    today = site.planned.newest.version.effective or ""
    titles = {
        each.number: each.text for each in site.planned.rules.values() if each.kind == "section" and not each.until
    }
    for each in list(site.planned.rules.values())[task.start : task.end]:
        frame = site.frame(each.path, f"{each.number}: {opening(each.text)}")
        lines = moved_lines(moved.get(each.rule, ()), frame.root)
        address = partial(site.rule_address, each.path)
        section = titles.get(each.number.split(".")[0], "") if "." in each.number and not each.until else ""
        yield (
            each.path,
            rule_html(connection, each, frame, cited, address=address, moved=lines, today=today, section=section),
        )


def _versions(site: _Site, connection: sqlite3.Connection, task: _Task) -> _Pages:
    from rulehist.site.texts import version_html
    from rulehist.stored_documents import document_of

    before = {new.name: old for old, new in site.planned.pairs}
    after = {old.name: new for old, new in site.planned.pairs}
    for each in site.planned.versions[task.start : task.end]:
        stored = document_of(connection, each.version)
        frame = site.frame(each.path, f"The rules in force from {each.version.label}, with a link for each rule.")
        yield (
            each.path,
            version_html(each, stored, site=frame, before=before.get(each.name), after=after.get(each.name)),
        )


def _numbers(site: _Site, connection: sqlite3.Connection, task: _Task) -> _Pages:  # noqa: ARG001 - as its siblings
    from rulehist.site.lists import number_html

    for number in list(site.planned.numbers)[task.start : task.end]:
        path = number_path(number)
        frame = site.frame(path, f"Which rules had the number {number}, and when.")
        yield path, number_html(number, site.planned.numbers[number], site.planned.rules, frame)


def _lists(site: _Site, connection: sqlite3.Connection, task: _Task) -> _Pages:  # noqa: ARG001 - as its siblings
    from rulehist.overview import overview
    from rulehist.overview_page import overview_html
    from rulehist.site.lists import releases_html, rules_html

    planned = site.planned
    links = {each.name: each.path for each in planned.versions}
    links |= {rule: each.path for rule, each in planned.rules.items()}
    yield (
        "index.html",
        overview_html(
            overview(connection),
            links=links,
            newest=_newest(site, connection),
            site=site.frame("index.html", "The history of the rules in pictures."),
        ),
    )
    yield "releases.html", releases_html(planned, site.frame("releases.html", "Every text of the rules."))
    for name, glossary in (("rules.html", False), ("glossary.html", True)):
        yield name, rules_html(planned, site.frame(name, "Each rule with its history."), glossary=glossary)
    if site.base_url:
        tops = ["index.html", "releases.html", "rules.html", "glossary.html", "scenarios.html", "search.html"]
        yield "sitemap.xml", sitemap([*tops, *paths(planned)], site.base_url)
        yield "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {site.base_url}/sitemap.xml\n"
    for name in _ASSETS:
        yield f"assets/{name}", pages.asset(name)


def _newest(site: _Site, connection: sqlite3.Connection) -> Newest | None:
    """What the site says first: the newest text, and what it changed."""
    from rulehist.overview_page import Newest
    from rulehist.report_input import view_of

    if not site.planned.pairs:
        return None
    old, new = site.planned.pairs[-1]
    opening = " ".join(view_of(_compared(connection, old, new)).opening)
    return Newest(new.version.release, new.name, opening, new.path, diff_path(old.name, new.name))


def _search(site: _Site, connection: sqlite3.Connection, task: _Task) -> _Pages:  # noqa: ARG001 - as its siblings
    from rulehist.site.search_index import search_scripts

    yield (
        "search.html",
        pages.render(
            "search.html.jinja", site=site.frame("search.html", "Search the rules of all times, without a server.")
        ),
    )
    yield from search_scripts(connection, site.planned)


def _scenarios(site: _Site, connection: sqlite3.Connection, task: _Task) -> _Pages:  # noqa: ARG001 - as its siblings
    from rulehist.site.scenarios import scenario_pages

    yield from scenario_pages(site.scenarios, site.frame, site.rule_address)


_MAKERS: dict[str, Callable[[_Site, sqlite3.Connection, _Task], _Pages]] = {
    "diffs": _diffs,
    "rules": _rules,
    "versions": _versions,
    "numbers": _numbers,
    "lists": _lists,
    "search": _search,
    "scenarios": _scenarios,
}
