"""What the site is made of: versions, rules and numbers, read from the store once, and where each has its page."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from itertools import pairwise

from rulehist.dated_versions import Version, versions
from rulehist.document import Coverage
from rulehist.site.addresses import diff_path, number_path, rule_path, unique, version_path

_HAS_PAGE = ("section", "rule", "subrule", "glossary")
"""Kinds with a page of their own; examples and continuations are on the page of their rule."""


@dataclass(frozen=True, slots=True)
class PlannedVersion:
    """A version with the name that its pages go by: its date, or ``undated``."""

    version: Version
    name: str
    rules: int

    @property
    def path(self) -> str:
        """The page of its text."""
        return version_path(self.name)


@dataclass(frozen=True, slots=True)
class Held:
    """A rule's hold of a number: from the ISO date ``since`` until before ``until`` (``None``: it has it still)."""

    rule: str
    number: str
    kind: str
    since: str | None
    until: str | None


@dataclass(frozen=True, slots=True)
class PlannedRule:
    """A rule (section, subrule, glossary entry) with its newest number and text. ``until`` is ``None`` in force.

    ``id`` is its key in the store.
    """

    id: int
    rule: str
    number: str
    kind: str
    sort_key: str
    text: str
    since: str | None
    until: str | None

    @property
    def path(self) -> str:
        """The page of the rule."""
        return rule_path(self.rule)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that has a page. ``versions`` are oldest first, ``pairs`` the neighbours that are compared,
    ``rules`` in order of their newest number, ``numbers`` every number that one of them had with all who ever had it:
    some of these may be gone too long to have a page.
    """

    versions: tuple[PlannedVersion, ...]
    pairs: tuple[tuple[PlannedVersion, PlannedVersion], ...]
    rules: dict[str, PlannedRule]
    numbers: dict[str, tuple[Held, ...]]

    @property
    def newest(self) -> PlannedVersion:
        """The newest full text, or where there is none the newest of all."""
        return self.pairs[-1][1] if self.pairs else self.versions[-1]


def plan(connection: sqlite3.Connection, since: str | None = None) -> Plan:
    """The plan of the site, of versions and rules in force on or after the ISO date ``since``."""
    listed = _versions(connection, since)
    full = [each for each in listed if each.version.coverage is Coverage.FULL] or listed
    everything = _holds(connection)
    holds = [each for each in everything if since is None or each[1].until is None or each[1].until > since]
    wanted = {held.number for _, held, _, _ in holds}
    numbers: dict[str, list[Held]] = {}
    for _, held, _, _ in everything:
        if held.kind != "glossary" and held.number in wanted:
            numbers.setdefault(held.number, []).append(held)
    rules: dict[str, PlannedRule] = {}
    for key, held, sort_key, text in holds:
        first = rules[held.rule].since if held.rule in rules else held.since
        rules[held.rule] = PlannedRule(key, held.rule, held.number, held.kind, sort_key, text, first, held.until)
    unique(rules)
    unique(numbers)
    return Plan(
        tuple(listed),
        tuple(pairwise(full)),
        dict(sorted(rules.items(), key=lambda item: (item[1].sort_key, item[0]))),
        {number: _joined(held) for number, held in numbers.items()},
    )


def first_day(connection: sqlite3.Connection, since: str | None) -> str | None:
    """The day from which the text in force on the ISO date ``since`` was in force; ``since`` where there is none."""
    if since is None:
        return None
    days = [row.version.effective for row in versions(connection) if row.version.effective]
    return max((day for day in days if day <= since), default=since)


def _versions(connection: sqlite3.Connection, since: str | None) -> list[PlannedVersion]:
    listed, undated = [], 0
    for row in versions(connection):
        if row.version.effective is None:
            undated += 1
            name = "undated" if undated == 1 else f"undated-{undated}"
        else:
            name = row.version.effective
        if since is None or name >= since:
            listed.append(PlannedVersion(row.version, name, row.rules))
    return listed


def _holds(connection: sqlite3.Connection) -> list[tuple[int, Held, str, str]]:
    kinds = ", ".join(f"'{kind}'" for kind in _HAS_PAGE)
    rows = connection.execute(
        "SELECT rules.id, rules.name, spans.number, spans.kind, spans.valid_from, spans.valid_until, spans.sort_key,"
        " texts.published FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
        f" WHERE spans.kind IN ({kinds})"
        " ORDER BY rules.name, spans.valid_from IS NULL, spans.valid_from, spans.place"
    )
    return [(row[0], Held(*row[1:6]), row[6], row[7]) for row in rows]


def _joined(held: list[Held]) -> tuple[Held, ...]:
    """Holds of the same rule that follow each other become one; newest first."""
    joined: list[Held] = []
    for each in sorted(held, key=lambda one: (one.rule, one.since is None, one.since or "")):
        last = joined[-1] if joined else None
        if last and last.rule == each.rule and last.until == each.since:
            joined[-1] = Held(each.rule, each.number, each.kind, last.since, each.until)
        else:
            joined.append(each)
    return tuple(sorted(joined, key=lambda one: (one.since or "~", one.rule), reverse=True))


def paths(planned: Plan) -> list[str]:
    """The pages of texts, comparisons, rules and numbers, in order: those that the sitemap lists."""
    return [
        *(each.path for each in planned.versions),
        *(diff_path(old.name, new.name) for old, new in planned.pairs),
        *(each.path for each in planned.rules.values()),
        *(number_path(number) for number in planned.numbers),
    ]
