"""The spans of one rule or one number out of the store, and its kin: what it was split from or merged into.

The values here and in ``rule_log`` and ``rule_blame`` are named tuples, because making a dataclass costs each start of
the program more than a millisecond, and these are on the way of its quickest answers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from rulehist.dated_versions import IN_FORCE, Version, version_named
from rulehist.document import PartKind

Relation = str
"""``split from``, ``split off``, ``merged into`` or ``took in``: seen from the rule that is asked about."""


class RuleSpan(NamedTuple):
    """An interval in which a rule had one number and one published text.

    ``since`` and ``until`` are ISO dates, ``until`` exclusive; ``since`` is ``None`` where unknown, ``until`` while
    it is in force, or, with ``until_known`` false, where nobody knows. ``version`` is the first that has it.
    """

    rule_id: int
    rule: str
    kind: PartKind
    number: str
    text: str
    since: str | None
    until: str | None
    until_known: bool
    version: Version
    place: int


class Kin(NamedTuple):
    """A rule that shares words with another: ``relation`` as seen from that other one, with the day it came about.

    ``number`` is the number that this kin had before that day, or, of one that was split off or merged into, since.
    """

    relation: Relation
    rule_id: int
    rule: str
    number: str
    day: str


_SELECT = (
    "SELECT spans.rule_id, rules.name, spans.kind, spans.number, texts.published, spans.valid_from, spans.valid_until,"
    " spans.until_known, spans.coverage, spans.place, spans.first_version_id, versions.later_than,"
    " coalesce((SELECT release FROM documents WHERE version_id = spans.first_version_id ORDER BY coverage DESC LIMIT 1)"
    ", '') FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
    " JOIN versions ON versions.id = spans.first_version_id"
)
_IN_TIME = " ORDER BY spans.valid_from IS NULL, spans.valid_from, spans.place"


def spans_of_rule(connection: sqlite3.Connection, rule_id: int) -> list[RuleSpan]:
    """All spans of a rule, oldest first, those without a date last."""
    return list(_spans(connection, "spans.rule_id = ?", rule_id))


def spans_of_number(connection: sqlite3.Connection, lookup: str) -> list[RuleSpan]:
    """All spans of whatever had a number (or term, as ``history.lookup_form`` gives it), oldest first."""
    return list(_spans(connection, "spans.lookup = ? AND spans.kind NOT IN ('example', 'continuation')", lookup))


def _spans(connection: sqlite3.Connection, condition: str, value: object) -> Iterator[RuleSpan]:
    for row in connection.execute(f"{_SELECT} WHERE {condition}{_IN_TIME}", [value]):
        rule_id, rule, kind, number, text, since, until, known, coverage, place, version_id, later_than, stated = row
        version = version_named(version_id, since, coverage, stated, later_than)
        yield RuleSpan(rule_id, rule, PartKind(kind), number, text, since, until, bool(known), version, place)


def version_on(connection: sqlite3.Connection, day: str) -> Version:
    """The version that took effect on exactly that ISO date, which the store has."""
    row = connection.execute(
        "SELECT versions.id, documents.coverage, documents.release FROM versions"
        " JOIN documents ON documents.version_id = versions.id WHERE versions.effective = ?"
        " ORDER BY documents.coverage DESC LIMIT 1",
        [day],
    ).fetchone()
    return version_named(row[0], day, row[1], row[2], None)


def moves_on(connection: sqlite3.Connection, day: str | None) -> Callable[[str], str | None]:
    """For the version of an ISO date: the number in it of the rule that had a number just before."""
    if day is None:
        return lambda _: None

    @cache
    def moved(number: str) -> str | None:
        row = connection.execute(
            "SELECT newer.number FROM spans AS older JOIN spans AS newer ON newer.rule_id = older.rule_id"
            " WHERE older.lookup = :number AND older.kind IN ('section', 'rule', 'subrule')"
            " AND older.valid_from < :day AND (older.valid_until IS NULL OR older.valid_until >= :day)"
            " AND newer.valid_from <= :day AND (newer.valid_until IS NULL OR newer.valid_until > :day)"
            " ORDER BY older.place LIMIT 1",
            {"number": number, "day": day},
        ).fetchone()
        return row[0] if row else None

    return moved


def number_on(connection: sqlite3.Connection, rule_id: int, day: str) -> str:
    """The number that a rule has on an ISO date, empty where it has none then."""
    row = connection.execute(
        f"SELECT spans.number FROM spans WHERE spans.rule_id = :rule AND {IN_FORCE}", {"rule": rule_id, "day": day}
    ).fetchone()
    return row[0] if row else ""


def ordinal(connection: sqlite3.Connection, span: RuleSpan) -> int:
    """Which of its rule's examples an example was when its span began, from 1."""
    row = connection.execute(
        "SELECT count(*) FROM spans WHERE spans.lookup = :number AND spans.kind = 'example' AND spans.rule_id <> :rule"
        f" AND {IN_FORCE} AND (SELECT placements.place FROM placements"
        " JOIN documents ON documents.id = placements.document_id"
        " WHERE documents.version_id = :version AND placements.rule_id = spans.rule_id LIMIT 1) < :place",
        {
            "number": span.number,
            "rule": span.rule_id,
            "day": span.since,
            "version": span.version.id,
            "place": span.place,
        },
    ).fetchone()
    return int(row[0]) + 1


def kin_of(connection: sqlite3.Connection, rule_id: int, days: frozenset[str]) -> list[Kin]:
    """The splits and merges in which a rule had a share, on the ISO dates ``days``."""
    found: list[Kin] = []
    for relation, before, day, older_id, older_name, newer_id, newer_name in connection.execute(_KIN, [rule_id] * 2):
        if day not in days:
            continue
        if newer_id == rule_id:
            words = "split from" if relation == "split" else "took in"
            found.append(Kin(words, older_id, older_name, number_on(connection, older_id, before), day))
        else:
            words = "split off" if relation == "split" else "merged into"
            found.append(Kin(words, newer_id, newer_name, number_on(connection, newer_id, day), day))
    return found


_KIN = """
SELECT relation, v1.effective, v2.effective, older.id, older.name, newer.id, newer.name
FROM links
JOIN placements AS p1 ON p1.document_id = older_document_id AND p1.place = older_place
JOIN placements AS p2 ON p2.document_id = newer_document_id AND p2.place = newer_place
JOIN rules AS older ON older.id = p1.rule_id JOIN rules AS newer ON newer.id = p2.rule_id
JOIN documents AS d1 ON d1.id = older_document_id JOIN versions AS v1 ON v1.id = d1.version_id
JOIN documents AS d2 ON d2.id = newer_document_id JOIN versions AS v2 ON v2.id = d2.version_id
WHERE relation <> 'same' AND (older.id = ? OR newer.id = ?) AND older.id <> newer.id
ORDER BY v2.effective, older_place, newer_place
"""
"""SQL: the splits and merges of a rule, in order of time."""
