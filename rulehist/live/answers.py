"""What the live view answers: each question becomes a page and the JSON beside it. Pure but for reading the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from markupsafe import escape

from rulehist import answers, dated_versions, history, pages, text_search, versions_answers
from rulehist.errors import QueryError, RulehistError, ScenarioError
from rulehist.passages import passage
from rulehist.resources import data_folder
from rulehist.stored_parts import StoredParts
from rulehist.thresholds import (
    HISTORIES_IN_A_REPORT,
    LIVE_CHANGES_FIRST,
    LIVE_CHANGES_MORE,
    LIVE_CHANGES_WHOLE,
    LIVE_FOUND_AT_ONCE,
    LIVE_VERSIONS_AT_MOST,
    SCENARIO_BYTES,
)
from rulehist.when import parse_address, parse_compared, parse_when

if TYPE_CHECKING:
    from rulehist.report import Links
    from rulehist.report_view import Entry, Window
    from rulehist.version_diff import VersionDiff

LINKS = (
    ("Start", "rules"),
    ("Search", "search"),
    ("Scenario", "eval"),
    ("Tables", ""),
)
"""What leads on from every page: names and paths from the top of the server."""

NOT_FOUND = 404
BAD_REQUEST = 400


@dataclass(frozen=True, slots=True)
class Question:
    """What a page is asked: its ``kind`` (``show``, ``diff`` ...), its subject, and what a form sent with it.

    ``path`` is that of the page from the server's top, ``root`` that of the top itself.
    """

    kind: str
    subject: str
    path: str
    form: Mapping[str, str] = field(default_factory=dict)
    root: str = "/"


@dataclass(frozen=True, slots=True)
class Page:
    """An answer: the page, the JSON beside it, and the HTTP status."""

    html: str
    json: Any
    status: int = 200


def answer(connection: sqlite3.Connection, question: Question) -> Page:
    """The answer to a question; what goes wrong is a page with one sentence, 400 or 404."""
    try:
        return _ANSWERS[question.kind](connection, question)
    except QueryError as error:
        return fault(question, str(error), NOT_FOUND)
    except RulehistError as error:
        return fault(question, str(error), BAD_REQUEST)


def _frame(question: Question, description: str) -> pages.SiteFrame:
    return pages.SiteFrame(question.path, question.root, "", description, LINKS, forms=True, json=_json_path(question))


def _json_path(question: Question) -> str:
    """Where the same answer is as JSON; that to a scenario is there only for who sends one."""
    if question.kind == "eval":
        return ""
    asked = {name: question.form[name] for name in ("q", "when") if question.form.get(name)}
    return f"{question.path}.json{'?' + urlencode(asked) if asked else ''}"


def _render(question: Question, template: str, description: str, **values: Any) -> str:
    return pages.render(template, site=_frame(question, description), **values)


def fault(question: Question, sentence: str, status: int) -> Page:
    """The page that says in one sentence why there is no answer, with the HTTP status that goes with it."""
    html = pages.render("live_fault.html.jinja", site=replace(_frame(question, sentence), json=""), sentence=sentence)
    return Page(html, {"error": sentence}, status)


def _start(connection: sqlite3.Connection, question: Question) -> Page:
    listed = dated_versions.versions(connection)
    html = _render(question, "live_start.html.jinja", "Any rule on any date.", versions=listed[::-1])
    return Page(html, versions_answers.versions_json(listed))


def _show(connection: sqlite3.Connection, question: Question) -> Page:
    from rulehist.linked_text import linked

    subject, when = parse_address(question.subject)
    shown = history.show(connection, subject, when)

    def address(number: str) -> str:
        try:
            history.find(connection, number, when)
        except QueryError:
            return ""
        return f"{question.root}show/{pages.segment(number)}@{pages.segment(when.words)}"

    html = _render(
        question, "live_show.html.jinja", f"{shown.number} in force on {when.words}.",
        linked=lambda text: linked(text, address),
        shown=shown, when=when.words,
        in_force=answers.in_force_words(shown.since, shown.until, until_known=shown.until_known),
        address=pages.segment(f"{shown.number}@{when.words}"),
    )  # fmt: skip
    return Page(html, answers.show_json(shown))


def _log(connection: sqlite3.Connection, question: Question) -> Page:
    from rulehist.engine.scenario_files import shipped_scenarios
    from rulehist.log_answers import log_json
    from rulehist.rule_log import log
    from rulehist.rule_report import rule_report

    subject, when = parse_address(question.subject)
    if question.form.get("format") == "json":
        return Page("", log_json(log(connection, subject, when)))
    frame = _frame(question, f"The history of {subject}.")
    html = rule_report(
        connection,
        subject,
        when,
        site=frame,
        address=lambda rule: f"{question.root}log/{pages.segment(rule)}" if rule else "",
        scenarios=shipped_scenarios if "answers" in question.form else None,
        moved_address=f"{question.root}{question.path}?answers=1#moved",
    )
    return Page(html, None)


def _blame(connection: sqlite3.Connection, question: Question) -> Page:
    from rulehist.blame_answers import blame_json, blame_page
    from rulehist.rule_blame import blame

    subject, when = parse_address(question.subject)
    told = blame(connection, subject, when)
    return Page(blame_page(told, _frame(question, f"Where each word of {subject} came from.")), blame_json(told))


def _search(connection: sqlite3.Connection, question: Question) -> Page:
    from rulehist.site.lists import opening

    words = question.form.get("q", "").strip()
    when = question.form.get("when", "").strip() or "latest"
    start = _place(question.form)
    ever = when.casefold() == "ever"
    found = text_search.search(connection, words, None if ever else parse_when(when)) if words else []
    html = _render(
        question, "live_search.html.jinja", "Search the rules.",
        words=words, when=when, found=found[start : start + LIVE_FOUND_AT_ONCE], total=len(found), start=start,
        at_once=LIVE_FOUND_AT_ONCE, asked=bool(words), passage=passage,
        named=_named(connection, words, "latest" if ever else when), opening=opening,
    )  # fmt: skip
    return Page(html, answers.search_json(found))


def _named(connection: sqlite3.Connection, words: str, when: str) -> sqlite3.Row | None:
    """The rule, section or glossary entry that has ``words`` for its number or name then."""
    try:
        return history.find(connection, words, parse_when(when)) if words else None
    except QueryError:
        return None


def _diff(connection: sqlite3.Connection, question: Question) -> Page:
    import json

    from rulehist.report import report_html
    from rulehist.report_input import view_of
    from rulehist.reports import rendered
    from rulehist.version_diff import diff_versions

    old, new = parse_compared(question.subject)
    compared = diff_versions(connection, old, new, _stored(connection))
    if question.form.get("format") == "json":
        return Page("", json.loads(rendered(compared, "json")))
    view = view_of(compared, _window(question.form, len(compared.diff.changes)))
    if not view.groups and "group" in question.form:
        raise QueryError(f"{question.form['group']}: this comparison has no such group of changes")
    frame = _frame(question, " ".join(view.opening))
    return Page(report_html(view, links=_report_links(question.root, compared), site=frame), None)


def _window(form: Mapping[str, str], changes: int) -> Window | None:
    """What of a comparison was asked for: a group from a place on (counted from 1), all of it, or what comes first."""
    from rulehist.report_view import Window

    if "group" in form:
        return Window(LIVE_CHANGES_MORE, form["group"], _place(form))
    return None if changes <= LIVE_CHANGES_WHOLE or "whole" in form else Window(LIVE_CHANGES_FIRST)


def _place(form: Mapping[str, str]) -> int:
    """The place from which on a page was asked for, counted from 0; addresses count from 1."""
    place = form.get("from") or "1"
    if not (place.isascii() and place.isdecimal() and len(place) < 8 and int(place)):
        raise RulehistError(f"from={place}: the place where a page begins is a number from 1 on")
    return int(place) - 1


def _report_links(root: str, compared: VersionDiff) -> Links:
    """The links of each change: to the history of its rule, and in a report of usual length to its two texts."""
    from rulehist.report import EntryLinks

    texts = len(compared.diff.changes) <= HISTORIES_IN_A_REPORT
    old, new = (f"@{version.effective or 'latest'}" for version in (compared.old, compared.new))

    def links(entry: Entry) -> EntryLinks:
        sides = [("Before", entry.old_number + old)] if entry.old_number else []
        sides += [("After", entry.new_number + new)] if entry.new_number else []
        if not sides:
            return EntryLinks()
        shown = [(words, f"{root}show/{pages.segment(address)}") for words, address in sides] if texts else []
        return EntryLinks(f"{root}log/{pages.segment(sides[-1][1])}", shown)

    return links


def _stored(connection: sqlite3.Connection) -> StoredParts:
    """What the comparisons of a connection share, until an ingest writes into its store.

    It is that of the last connection alone: a process has no more.
    """
    global _kept  # noqa: PLW0603 - as long as the connection
    written = connection.execute("PRAGMA data_version").fetchone()[0]
    if _kept is None or _kept[:2] != (connection, written):
        _kept = connection, written, StoredParts(connection, many=True)
    return _kept[2]


_kept: tuple[sqlite3.Connection, int, StoredParts] | None = None


def _example() -> str:
    return (data_folder() / "scenarios" / "stickered-creature-copied.yaml").read_text(encoding="utf-8")


def _shown_at(root: str, version: str, _rule: str, number: str) -> str:
    return f"{root}show/{pages.segment(number)}@{pages.segment(version)}"


def _eval(connection: sqlite3.Connection, question: Question) -> Page:
    from rulehist.answer_page import shown_answer
    from rulehist.engine import compare, parse_scenario
    from rulehist.rules_at import StoredRules

    text = question.form.get("scenario", "")
    moments = question.form.get("versions", "").split() or ["latest"]
    values: dict[str, Any] = {
        "example": _example(),
        "scenario": escape(text.replace("\0", "\N{REPLACEMENT CHARACTER}")),  # as it was sent, to be sent again
        "versions": " ".join(moments),
        "token": question.form.get("token", ""),
    }
    if not text.strip():
        html = _render(question, "live_eval.html.jinja", "Evaluate a scenario.", answers=[], fault="", **values)
        return Page(html, [])
    try:
        if len(text.encode()) > SCENARIO_BYTES:
            raise ScenarioError(f"the scenario is longer than {SCENARIO_BYTES:,} bytes; make it smaller")
        if len(moments) > LIVE_VERSIONS_AT_MOST:
            raise ScenarioError(f"{len(moments)} versions are too many at once; name {LIVE_VERSIONS_AT_MOST} at most")
        scenario = parse_scenario(text.encode())
        comparison = compare(scenario, [StoredRules(connection, parse_when(moment)) for moment in moments])
    except RulehistError as error:
        html = _render(question, "live_eval.html.jinja", "A fault.", answers=[], fault=str(error), **values)
        return Page(html, {"error": str(error)}, BAD_REQUEST)
    told = [
        (shown_answer(each, partial(_shown_at, question.root, each.version)), differs)
        for each, differs in zip(comparison.answers, comparison.differs, strict=True)
    ]
    html = _render(question, "live_eval.html.jinja", "An answer.", answers=told, fault="", **values)
    return Page(html, [each.as_json() for each in comparison.answers])


_ANSWERS: dict[str, Callable[[sqlite3.Connection, Question], Page]] = {
    "start": _start,
    "show": _show,
    "log": _log,
    "blame": _blame,
    "search": _search,
    "diff": _diff,
    "eval": _eval,
}
