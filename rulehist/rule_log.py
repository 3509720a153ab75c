"""The history of a rule, of a number, of a section, a glossary entry or an example: what ``log`` answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from rulehist import numbers
from rulehist.changes import ChangeKind, compare, kind_of
from rulehist.dated_versions import Version
from rulehist.document import Part, PartKind
from rulehist.errors import QueryError
from rulehist.history import find, lookup_form
from rulehist.releases import Release, known_releases
from rulehist.rule_spans import (
    Kin,
    RuleSpan,
    kin_of,
    moves_on,
    number_on,
    ordinal,
    spans_of_number,
    spans_of_rule,
    version_on,
)
from rulehist.when import When
from rulehist.worddiff import Op, word_diff


class Below(NamedTuple):
    """What happened to a rule of a section: ``number`` is its new one, or the last that it had there."""

    kind: ChangeKind
    number: str
    rule: str


class LogEntry(NamedTuple):
    """What a version did to a rule. ``text`` is empty and ``number`` the last one where that ended it.

    ``ops`` is the word diff against the entry before it. ``kin`` are the rules that it was split from, and so on.
    In the history of a number ``rule`` may change: then ``before`` is the rule that had it, and ``now`` the number
    that that rule has since (empty where it ended); ``came_from`` is the number that the new one had.
    """

    version: Version
    number: str
    kind: ChangeKind
    text: str
    ops: tuple[Op, ...]
    rule: str
    kin: tuple[Kin, ...] = ()
    before: str = ""
    now: str = ""
    came_from: str = ""
    below: tuple[Below, ...] = ()


class Log(NamedTuple):
    """A history, newest first. ``rule`` is the identity asked about, of a number that of its newest rule.

    ``gaps`` are known releases, oldest first, within the history whose text is in no source: what is told of the next
    text may have come with them. ``from_the_first`` says that the oldest entry stands in the oldest text there is, so
    that it may be older than that.
    """

    rule: str
    query: str
    entries: tuple[LogEntry, ...]
    gaps: tuple[Release, ...]
    from_the_first: bool
    by_number: bool = False
    section: bool = False


def log(connection: sqlite3.Connection, subject: str, when: When, *, by_number: bool = False) -> Log:
    """The history of the rule that ``subject`` names at ``when``, or of the number itself.

    ``subject`` is a rule number, a section, a glossary term or an example (``707.2#1``). Raises ``QueryError``.
    """
    if by_number:
        return _log_of_number(connection, subject)
    found = find(connection, subject, when)
    return log_of_rule(connection, found["rule_id"], subject, section=found["kind"] == PartKind.SECTION)


def log_of_rule(connection: sqlite3.Connection, rule_id: int, query: str, *, section: bool) -> Log:
    """The history of the rule of an id of the store; of a section with what happened to the rules in it."""
    spans = spans_of_rule(connection, rule_id)
    entries = rule_entries(connection, spans)
    if section:
        entries = _with_below(connection, spans, entries)
    return _log(connection, spans[0].rule, query, spans, entries)._replace(section=section)


def _log_of_number(connection: sqlite3.Connection, subject: str) -> Log:
    spans = spans_of_number(connection, lookup_form(subject))
    if not spans:
        raise QueryError(f"{subject}: no rule and no glossary entry had it at any time in the store")
    entries = number_entries(connection, spans)
    made = _log(connection, entries[-1].rule, subject, spans, entries)
    return made._replace(by_number=True)


def _log(
    connection: sqlite3.Connection, rule: str, query: str, spans: Sequence[RuleSpan], entries: Sequence[LogEntry]
) -> Log:
    first = connection.execute("SELECT min(effective) FROM versions").fetchone()[0]
    gaps = _gaps(connection, spans)
    return Log(rule, query, tuple(entries[::-1]), gaps, entries[0].version.effective == first)


def rule_entries(connection: sqlite3.Connection, spans: Sequence[RuleSpan]) -> list[LogEntry]:
    """What became of one rule, oldest first, from its spans in order of time."""
    first = _entry(connection, spans[0], ChangeKind.ADDED, word_diff("", spans[0].text))
    entries = [first]
    for before, after in pairwise(spans):
        if before.until is not None and _broken_off(before, after):
            entries.append(_end(connection, before, before.until))
            entries.append(_entry(connection, after, ChangeKind.ADDED, word_diff("", after.text)))
            continue
        change = compare(_part(before), _part(after), moves_on(connection, after.since))
        kind, ops = (change.kind, change.ops) if change is not None else (None, word_diff(after.text, after.text))
        if after.kind is PartKind.EXAMPLE and before.number != after.number:
            kind = _moved_with_its_rule(kind)
        if kind is not None:
            entries.append(_entry(connection, after, kind, ops))
    if spans[-1].until is not None:
        entries.append(_end(connection, spans[-1], spans[-1].until))
    return _with_kin(connection, spans[0].rule_id, entries)


def _moved_with_its_rule(kind: ChangeKind | None) -> ChangeKind:
    """The kind of a change to an example that also has another number now: that of its rule, which moved."""
    return ChangeKind.RENUMBERED_REWORDED if kind is ChangeKind.REWORDED else ChangeKind.RENUMBERED


def _broken_off(before: RuleSpan, after: RuleSpan) -> bool:
    """Whether a rule was gone in between."""
    return before.until is not None and after.since is not None and before.until < after.since


def _part(span: RuleSpan) -> Part:
    return Part(span.kind, span.text, span.number)


def _entry(connection: sqlite3.Connection, span: RuleSpan, kind: ChangeKind, ops: tuple[Op, ...]) -> LogEntry:
    return LogEntry(span.version, _address(connection, span), kind, span.text, ops, span.rule)


def _end(connection: sqlite3.Connection, span: RuleSpan, day: str) -> LogEntry:
    ops = word_diff(span.text, "")
    return LogEntry(version_on(connection, day), _address(connection, span), ChangeKind.REMOVED, "", ops, span.rule)


def _address(connection: sqlite3.Connection, span: RuleSpan) -> str:
    """The number; of an example ``707.2#1``."""
    return f"{span.number}#{ordinal(connection, span)}" if span.kind is PartKind.EXAMPLE else span.number


def _with_kin(connection: sqlite3.Connection, rule_id: int, entries: Iterable[LogEntry]) -> list[LogEntry]:
    listed = list(entries)
    days = frozenset(entry.version.effective for entry in listed if entry.version.effective)
    kin = kin_of(connection, rule_id, days)
    return [
        entry._replace(kin=tuple(one for one in kin if one.day == entry.version.effective)) if kin else entry
        for entry in listed
    ]


# --- The history of a number -------------------------------------------------------------------------------


def number_entries(connection: sqlite3.Connection, spans: Sequence[RuleSpan]) -> list[LogEntry]:
    """What stood under one number, oldest first. Where another rule took it over, the whole text changed.

    A number that a text prints twice has both rules in its history, each compared with itself.
    """
    entries: list[LogEntry] = []
    last: RuleSpan | None = None
    of_rule: dict[int, RuleSpan] = {}
    for at, span in enumerate(spans):
        before = of_rule.get(span.rule_id)
        of_rule[span.rule_id] = span
        if before is not None and not _broken_off(before, span):
            change = compare(_part(before), _part(span), moves_on(connection, span.since))
            if change is not None:
                entries.append(_entry(connection, span, change.kind, change.ops))
        elif last is not None and last.until == span.since is not None:
            entries.append(_taken_over(connection, last, span))
        else:
            entries.append(_arrival(connection, span))
        last = span
        if span.until is not None and not any(_goes_on(span, other) for other in spans[at + 1 :]):
            entries.append(_vacated(connection, span, span.until))
    return sorted(entries, key=lambda entry: entry.version.effective or "~")


def _goes_on(span: RuleSpan, other: RuleSpan) -> bool:
    return other.since == span.until or (other.rule_id == span.rule_id and not _broken_off(span, other))


def _arrival(connection: sqlite3.Connection, span: RuleSpan) -> LogEntry:
    """What came under a number that nothing had: new to the number, whatever it is to the rule."""
    came_from, _ = _origin(connection, span)
    return _entry(connection, span, ChangeKind.ADDED, word_diff("", span.text))._replace(came_from=came_from)


def _taken_over(connection: sqlite3.Connection, last: RuleSpan, span: RuleSpan) -> LogEntry:
    came_from, kind = _origin(connection, span)
    # the two are different rules: words that both happen to have were not kept
    ops = (*word_diff(last.text, ""), *word_diff("", span.text))
    now = number_on(connection, last.rule_id, span.since or "")
    return _entry(connection, span, kind, ops)._replace(before=last.rule, now=now, came_from=came_from)


def _vacated(connection: sqlite3.Connection, span: RuleSpan, day: str) -> LogEntry:
    """A number that nothing has any more: its rule ended, or moved to another."""
    return _end(connection, span, day)._replace(now=number_on(connection, span.rule_id, day))


def _origin(connection: sqlite3.Connection, span: RuleSpan) -> tuple[str, ChangeKind]:
    """The number that a rule had before it came here, and what that move was for the rule itself."""
    whole = spans_of_rule(connection, span.rule_id)
    earlier = [other for other in whole if other.until is not None and other.until == span.since]
    if not earlier or span.since is None:
        return "", ChangeKind.ADDED
    kind = kind_of(_part(earlier[-1]), _part(span), moves_on(connection, span.since))
    return earlier[-1].number, kind or ChangeKind.RENUMBERED


# --- The history of a section ------------------------------------------------------------------------------


def _with_below(
    connection: sqlite3.Connection, spans: Sequence[RuleSpan], entries: Sequence[LogEntry]
) -> list[LogEntry]:
    """The entries of a section, with what happened to the rules in it; a version that changed only those is one too.

    Such an entry is of the kind of the greatest change below, and ``reworded`` where rules came or went.
    """
    below: dict[str, list[Below]] = {}
    for rule_id in _rules_below(connection, spans):
        own = spans_of_rule(connection, rule_id)
        for before, after in zip([None, *own], [*own, None], strict=True):
            told = _below(connection, spans, before, after)
            if told is not None:
                below.setdefault(told[0], []).append(told[1])
    listed = {entry.version.effective or "": entry for entry in entries}
    for day in sorted(below):
        changes = tuple(sorted(below[day], key=lambda change: numbers.sort_key(change.number)))
        entry = listed.get(day)
        if entry is None:
            heading = _in_force(spans, day)
            if heading is None:
                continue
            kind = min((change.kind for change in changes), key=list(ChangeKind).index)
            if kind in {ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.RENUMBERED_REWORDED}:
                kind = ChangeKind.REWORDED
            ops = word_diff(heading.text, heading.text)
            entry = LogEntry(version_on(connection, day), heading.number, kind, heading.text, ops, heading.rule)
        listed[day] = entry._replace(below=changes)
    return [listed[day] for day in sorted(listed, key=lambda day: day or "~")]


def _rules_below(connection: sqlite3.Connection, spans: Sequence[RuleSpan]) -> list[int]:
    """Every rule that ever stood in a section, or in any section of a chapter."""
    found: dict[int, None] = {}
    for number in dict.fromkeys(span.number for span in spans):
        pattern = f"{number}.*" if len(number) > 2 else f"{number}[0-9][0-9]*"
        rows = connection.execute(
            "SELECT DISTINCT rule_id FROM spans WHERE lookup GLOB ? AND kind IN ('section', 'rule', 'subrule')"
            " ORDER BY sort_key",
            [pattern],
        )
        found |= dict.fromkeys(row[0] for row in rows)
    return list(found)


def _in_force(spans: Sequence[RuleSpan], day: str) -> RuleSpan | None:
    return next(
        (s for s in spans if s.since is not None and s.since <= day and (s.until is None or s.until > day)), None
    )


def _just_before(spans: Sequence[RuleSpan], day: str) -> RuleSpan | None:
    return next(
        (s for s in spans if s.since is not None and s.since < day and (s.until is None or s.until >= day)), None
    )


def _below(
    connection: sqlite3.Connection, sections: Sequence[RuleSpan], before: RuleSpan | None, after: RuleSpan | None
) -> tuple[str, Below] | None:
    """What the step from one span of a rule to its next one was for the section, and on which day."""
    if before is not None and after is not None and _broken_off(before, after):
        after = None  # its return is no step of its own here: the section has it among what came
    day = after.since if after is not None else before.until if before is not None else None
    if day is None:
        return None
    old, new = _just_before(sections, day), _in_force(sections, day)
    left = before if before is not None and old is not None and _is_below(before.number, old.number) else None
    came = after if after is not None and new is not None and _is_below(after.number, new.number) else None
    if left is not None and came is not None:
        kind = kind_of(_part(left), _part(came), moves_on(connection, day))
        return (day, Below(kind, came.number, came.rule)) if kind is not None else None
    if came is not None:
        return day, Below(ChangeKind.ADDED, came.number, came.rule)
    if left is not None:
        return day, Below(ChangeKind.REMOVED, left.number, left.rule)
    return None


def _is_below(number: str, section: str) -> bool:
    if len(section) > 2:
        return number.startswith(section + ".")
    return len(number) > len(section) and number[: len(section)] == section


# --- Gaps ---------------------------------------------------------------------------------------------------


def _gaps(connection: sqlite3.Connection, spans: Sequence[RuleSpan]) -> tuple[Release, ...]:
    """Known releases within a history for which the store has neither a full text nor one that quotes these rules."""
    dated = [span.since for span in spans if span.since is not None]
    if not dated:
        return ()
    rules = sorted({span.rule_id for span in spans})
    texts = {
        row[0]
        for row in connection.execute(
            "SELECT DISTINCT versions.effective FROM versions JOIN documents ON documents.version_id = versions.id"
            " WHERE versions.effective IS NOT NULL AND (documents.coverage = 'full' OR EXISTS (SELECT 1 FROM placements"
            f" WHERE placements.document_id = documents.id AND rule_id IN ({', '.join('?' * len(rules))})))",
            rules,
        )
    }
    ended = all(span.until is not None for span in spans)
    last = max(span.until or "" for span in spans) if ended else max(texts, default="")
    return tuple(r for r in known_releases() if min(dated) < r.effective < last and r.effective not in texts)
