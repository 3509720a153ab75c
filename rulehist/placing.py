"""Excerpts held against the full texts: what an undated one is the text of, and whether a dated one says what was so.

An excerpt is a quotation. Where the store has the full texts of its time, they tell whether the quotation is right,
and from when to when the quoted words were in force; an undated or truncated quotation gets its place that way.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rulehist.gaps import full_text_dates


class Verdict(StrEnum):
    """What the full texts say of a quotation."""

    CONFIRMED = "confirmed"  # the full text of its date has these words under this number
    PLACED = "placed"  # undated, and full texts have these words
    DIFFERS = "differs"  # the full text of its date has other words under this number, or no such number
    UNKNOWN = "unknown"  # no full text of its date is in the store, or none has the words of an undated one


@dataclass(frozen=True, slots=True)
class InForce:
    """Words that full texts had under a number: from ``since`` on, until before ``until`` (``None``: to this day)."""

    rule: str
    number: str
    kind: str
    folded: str
    since: str
    until: str | None
    published: str = ""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A part of an excerpt. ``effective`` is the ISO date it names; without one, ``later_than`` may bound it."""

    source: str
    sha256: str
    place: int  # order of its document within the source, from 0
    number: str
    kind: str
    folded: str
    truncated: bool
    effective: str | None
    later_than: str | None
    published: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A quotation with what the full texts say of it.

    ``since`` and ``until`` bound the time in which full texts had its words, typography apart: of a truncated
    quotation, the words it has. ``until`` is ``None`` for words that the newest full text has. Both are ``None``
    where no full text has them; then ``instead`` has the words that stood there. ``rule`` is the rule's identity.
    ``to_the_letter`` says whether a full text of its date, or of that time, has it with the same typography.
    """

    quotation: Quotation
    verdict: Verdict
    rule: str = ""
    since: str | None = None
    until: str | None = None
    instead: str = ""
    to_the_letter: bool = False


def placed(connection: sqlite3.Connection) -> list[Placed]:
    """Every rule, subrule and example that an excerpt quotes, by source and the order in it, with its place."""
    quotations = _quotations(connection)
    if not quotations:
        return []
    texts = full_text_dates(connection)
    known = {number: _in_force(connection, number) for number in {quotation.number for quotation in quotations}}
    return [place(quotation, known[quotation.number], texts) for quotation in quotations]


def place(quotation: Quotation, known: Sequence[InForce], texts: Iterable[str]) -> Placed:
    """Hold a quotation against what is ``known`` of its number, oldest first; ``texts`` are the dates of full texts."""
    having = [run for run in _runs(known) if run.kind == quotation.kind and _has(run, quotation)]
    if quotation.effective is None:
        later = [run for run in having if quotation.later_than is None or _ends_after(run, quotation.later_than)]
        if not later:
            return Placed(quotation, Verdict.UNKNOWN)
        last = later[-1]
        same = any(_printed_so(each, quotation) for each in known if last.since <= each.since)
        return Placed(quotation, Verdict.PLACED, last.rule, last.since, last.until, to_the_letter=same)
    day = quotation.effective
    if day not in texts:
        return Placed(quotation, Verdict.UNKNOWN)
    here = next((run for run in having if run.since <= day and _ends_after(run, day)), None)
    there = [each for each in known if each.kind == quotation.kind and each.since <= day and _ends_after(each, day)]
    if here is not None:
        same = any(_printed_so(each, quotation) for each in there)
        return Placed(quotation, Verdict.CONFIRMED, here.rule, here.since, here.until, to_the_letter=same)
    return Placed(quotation, Verdict.DIFFERS, instead=" / ".join(each.folded for each in there))


def sentence(found: Placed) -> str:
    """What became of a quotation, for people: ``707.2, undated, is the text in force from 2024-07-30 on``."""
    quotation = found.quotation
    example = "an example of " if quotation.kind == "example" else ""
    what = f"{example}{quotation.number}" + (f" of {quotation.effective}" if quotation.effective else ", undated,")
    if quotation.truncated:
        what += ", cut off in the source," if quotation.effective else " cut off in the source,"
    until = f" until {found.until}" if found.until else " on"
    if found.verdict is Verdict.PLACED:
        return f"{what} is the text in force from {found.since}{until}"
    if found.verdict is Verdict.CONFIRMED:
        typography = "" if found.to_the_letter else ", in other typography"
        return f"{what} is what the full text of that date says{typography} (in force from {found.since}{until})"
    if found.verdict is Verdict.DIFFERS:
        instead = f"has other words there: {found.instead!r}" if found.instead else "has no such rule"
        return f"{what} is not what the full text of that date says, which {instead}"
    if quotation.effective is None:
        return f"{what} is the text of no full text in the store"
    return f"{what} cannot be confirmed: the store has no full text of that date"


def _has(run: InForce, quotation: Quotation) -> bool:
    if quotation.truncated:
        return run.folded.startswith(quotation.folded)
    return run.folded == quotation.folded


def _printed_so(run: InForce, quotation: Quotation) -> bool:
    if quotation.truncated:
        return run.published.startswith(quotation.published)
    return run.published == quotation.published


def _ends_after(run: InForce, day: str) -> bool:
    return run.until is None or run.until > day


def _runs(known: Sequence[InForce]) -> list[InForce]:
    """The same with what follows without a break and has the same words joined."""
    runs: list[InForce] = []
    for each in known:
        at = next(
            (
                place
                for place, run in enumerate(runs)
                if run.until == each.since and (run.rule, run.kind, run.folded) == (each.rule, each.kind, each.folded)
            ),
            None,
        )
        if at is None:
            runs.append(each)
        else:
            run = runs.pop(at)
            runs.append(InForce(run.rule, run.number, run.kind, run.folded, run.since, each.until))
    return runs


def _quotations(connection: sqlite3.Connection) -> list[Quotation]:
    return [
        Quotation(source, sha256, at, number, kind, folded, bool(truncated), effective, later_than, published)
        for source, sha256, at, number, kind, folded, truncated, effective, later_than, published in connection.execute(
            "SELECT sources.name, sources.sha256, documents.place, parts.number, parts.kind, texts.folded,"
            " parts.truncated, versions.effective, versions.later_than, texts.published FROM documents"
            " JOIN sources ON sources.id = documents.source_id JOIN versions ON versions.id = documents.version_id"
            " JOIN placements ON placements.document_id = documents.id JOIN parts ON parts.id = placements.part_id"
            " JOIN texts ON texts.id = parts.text_id"
            " WHERE documents.coverage = 'excerpt' AND parts.kind IN ('rule', 'subrule', 'example')"
            " ORDER BY sources.name, sources.sha256, documents.place, placements.place"
        ).fetchall()
    ]


def _in_force(connection: sqlite3.Connection, number: str) -> list[InForce]:
    return [
        InForce(*row)
        for row in connection.execute(
            "SELECT rules.name, spans.number, spans.kind, texts.folded, spans.valid_from, spans.valid_until,"
            " texts.published FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
            " WHERE spans.lookup = ? AND spans.kind IN ('rule', 'subrule', 'example') AND spans.coverage = 'full'"
            " AND spans.valid_from IS NOT NULL ORDER BY spans.valid_from, spans.place",
            [number],
        ).fetchall()
    ]
