"""The history of a rule or a number as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from rulehist.change_words import kind_words
from rulehist.changes import ChangeKind
from rulehist.document import Coverage
from rulehist.gaps import named
from rulehist.marked_words import marked, wrapped
from rulehist.numbers import parse
from rulehist.releases import Release
from rulehist.rule_log import Below, Log, LogEntry
from rulehist.rule_spans import Kin
from rulehist.thresholds import BELOW_LISTED, TEXT_COLUMNS


def log_json(told: Log) -> dict[str, Any]:
    """``{rule, query, entries: [{effective, release, number, kind, text, ops}], gaps}``, newest first.

    Beside these an entry has the set ``code``; where there is something to tell, ``related`` (splits and merges) and,
    of a section, ``below``; in the history of a number also ``rule`` and, where another rule took it over or it came
    free, ``before``, ``now`` and ``came_from``.
    """
    return {
        "rule": told.rule,
        "query": told.query,
        "entries": [_entry_json(entry, by_number=told.by_number) for entry in told.entries],
        "gaps": [{"effective": r.effective, "code": r.code, "release": r.name} for r in told.gaps],
        "from_the_first_text": told.from_the_first,
    }


def _entry_json(entry: LogEntry, *, by_number: bool) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "effective": entry.version.effective,
        "release": entry.version.release,
        "code": entry.version.code,
        "number": entry.number,
        "kind": entry.kind.value,
        "text": entry.text,
        "ops": [list(op) for op in entry.ops],
    }
    if by_number:
        shape |= {"rule": entry.rule, "before": entry.before, "now": entry.now, "came_from": entry.came_from}
    if entry.kin:
        shape["related"] = [{"relation": kin.relation, "rule": kin.rule, "number": kin.number} for kin in entry.kin]
    if entry.below:
        shape["below"] = [{"kind": b.kind.value, "number": b.number, "rule": b.rule} for b in entry.below]
    return shape


def log_text(told: Log, *, colour: bool = False, width: int = TEXT_COLUMNS) -> str:
    """Each entry with its release, the number, the kind of change and the words that changed; gaps in their place."""
    lines = [
        f"History of the number {told.query}, newest first."
        if told.by_number
        else f"History of {told.query} (rule {told.rule}), newest first."
    ]
    gaps = list(told.gaps)
    for at, entry in enumerate(told.entries):
        effective = entry.version.effective or "9999"
        newer = [gap for gap in gaps if gap.effective > effective]
        gaps = gaps[: len(gaps) - len(newer)]
        lines += _gap_lines(newer, width)
        older = told.entries[at + 1] if at + 1 < len(told.entries) else None
        lines += ["", *_entry_lines(entry, older, by_number=told.by_number, colour=colour, width=width)]
    lines += _gap_lines(gaps, width)
    if told.from_the_first:
        lines += ["", "That is the oldest text in the store: the rule may be older."]
    return "\n".join(lines)


def _gap_lines(gaps: Sequence[Release], width: int) -> Iterator[str]:
    if not gaps:
        return
    yield ""
    yield from wrapped(gap_words(gaps), width, "  ~ ")


def gap_words(gaps: Sequence[Release]) -> str:
    """What it means that releases between two entries have no text."""
    return f"No text of {named(gaps)}: a change there shows only with the next text."


def _entry_lines(
    entry: LogEntry, older: LogEntry | None, *, by_number: bool, colour: bool, width: int
) -> Iterator[str]:
    yield f"\x1b[1m{entry.version.label}\x1b[0m" if colour else entry.version.label
    if by_number:
        yield from wrapped(f"{entry.number}: {_number_words(entry)}", width, "  ")
    else:
        was = f", was {older.number}" if older is not None and _moved(entry, older) else ""
        yield f"  {entry.number}{was}: {_kind_words(entry)}"
    for kin in entry.kin:
        yield f"  {kin_words(kin)}"
    for line in below_words(entry.below):
        yield from wrapped(line, width, "    ")
    if entry.below and entry.kind is not ChangeKind.ADDED and all(name == "equal" for name, _ in entry.ops):
        return
    if entry.kind in {ChangeKind.REMOVED, ChangeKind.TYPOGRAPHY, ChangeKind.RENUMBERED} and not entry.before:
        return
    if entry.kind is ChangeKind.ADDED or entry.before:
        yield from wrapped(entry.text, width, "    ")
    else:
        yield from wrapped(marked(entry.ops, short=True, colour=colour), width, "    ", colour=colour)


def _moved(entry: LogEntry, older: LogEntry) -> bool:
    return entry.number != older.number and entry.kind not in {ChangeKind.REMOVED, ChangeKind.ADDED}


def _kind_words(entry: LogEntry) -> str:
    if entry.kind is ChangeKind.REMOVED:
        return "the end"
    if entry.kind is ChangeKind.ADDED and entry.version.coverage is Coverage.EXCERPT:
        return "first quoted"  # an excerpt does not say that a rule is new
    number = entry.number.partition("#")[0]  # of an example that of its rule
    return kind_words(entry.kind.value, "rule" if parse(number) is not None else "glossary")


def _number_words(entry: LogEntry) -> str:
    came = f"came from {entry.came_from}" if entry.came_from else ""
    if entry.before:
        if entry.version.coverage is Coverage.EXCERPT:
            return f"another rule, {entry.rule}, took over from {entry.before}; what became of that one is not quoted"
        gone = f"which went to {entry.now}" if entry.now else "which ended"
        return f"rule {entry.rule} {came or 'is new and'}{' and' if came else ''} took over from {entry.before}, {gone}"
    if entry.kind is ChangeKind.REMOVED:
        return f"free: its rule went to {entry.now}" if entry.now else "free: its rule ended"
    kind = _kind_words(entry)
    return f"{kind}, {came}" if came else kind


def kin_words(kin: Kin) -> str:
    """What another rule has to do with an entry: ``split from 702.2 (502.2@1999-04-23)``."""
    at = f"{kin.number} ({kin.rule})" if kin.number else kin.rule
    return {"split off": f"part of it became {at}", "took in": f"took in words of {at}"}.get(
        kin.relation, f"{kin.relation} {at}"
    )


def below_words(below: Sequence[Below]) -> Iterator[str]:
    """What happened to the rules of a section, a line for each kind of change."""
    order = list(ChangeKind)
    for kind, changes in groupby(sorted(below, key=lambda b: order.index(b.kind)), key=lambda b: b.kind):
        every = [change.number for change in changes]
        shown = ", ".join(every)
        if len(every) > BELOW_LISTED:
            shown = f"{len(every)} rules, from {every[0]} to {every[-1]}"
        yield f"{kind_words(kind.value)}: {shown}"
