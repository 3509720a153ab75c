"""Examines sources: what the reading itself finds, and what needs the file's name or other texts to be seen.

The reading reports what is wrong inside a text (lost characters, missing sections, odd numbers). Here its
date is held against the file's name, against the time of its chapters' titles (``data/chapters.tsv``) and of
its keywords (``data/keywords.tsv``), and against the other texts of the store or folder.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rulehist import eras, gaps, placing, version_sources
from rulehist.document import Coverage, Document, Finding, PartKind, Severity
from rulehist.errors import SourceError
from rulehist.folding import fold
from rulehist.reading import read
from rulehist.source_rows import bytes_of
from rulehist.thresholds import (
    ERA_APART,
    ERA_MARGIN,
    ERA_OPENING,
    HEADING_LONGEST,
)
from rulehist.visible import one_line

STORE = "the store"
"""The name under which the store itself is examined."""

_RULES = frozenset({PartKind.RULE, PartKind.SUBRULE})


@dataclass(frozen=True, slots=True)
class Profile:
    """What a full text is known by among others: its date, number and opening of each rule (as hashes)."""

    effective: date
    rules: frozenset[int]


@dataclass(frozen=True, slots=True)
class Examined:
    """A source, by its name, and all that was found in it."""

    name: str
    findings: tuple[Finding, ...]


# --- Examining ---------------------------------------------------------------------------------------------


def examine(data: bytes, name: str, others: Sequence[Profile] = ()) -> list[Finding]:
    """Every fault of a source, in the order of its lines; what cannot be read at all is one fatal finding.

    ``others`` are texts to compare it with, in any order; one with the same date is left aside.
    """
    try:
        reading = read(data, name)
    except SourceError as error:
        return [Finding("unreadable", str(error), 0, Severity.FATAL)]
    found = [*reading.findings]
    for document in reading.documents:
        found += date_faults(document, name, others)
    return sorted(found, key=lambda finding: finding.line)


def examine_files(files: Iterable[Path], others: Sequence[Profile] = ()) -> list[Examined]:
    """Examine files, each also beside the others of them; a file that cannot be opened is a finding."""
    sources: list[tuple[Path, tuple[Document, ...], list[Finding]]] = []
    for file in files:
        try:
            reading = read(bytes_of(file), file.name)
        except SourceError as error:
            sources.append((file, (), [Finding("unreadable", str(error), 0, Severity.FATAL)]))
        else:
            sources.append((file, reading.documents, [*reading.findings]))
    profiles = [
        *others,
        *(made for _, documents, _ in sources for each in documents if (made := profile(each))),
    ]
    examined = []
    for file, documents, found in sources:
        beyond = [fault for each in documents for fault in date_faults(each, file.name, profiles)]
        examined.append(Examined(str(file), tuple(sorted([*found, *beyond], key=lambda finding: finding.line))))
    return examined


def examine_store(connection: sqlite3.Connection) -> list[Examined]:
    """Every source of a store with what was found when it was read, and what the others show of it.

    Its date is held against theirs, excerpts against full texts, re-issues against the first text of their date. The
    last entry is the store itself: its gaps, and damage to the database.
    """
    profiles = store_profiles(connection)
    chapters, headings = _chapters(connection), _headings(connection)
    beyond: dict[str, list[Finding]] = {}
    for sha256, fault in (*_of_excerpts(connection), *_of_reissues(connection)):
        beyond.setdefault(sha256, []).append(fault)
    by_date = {each.effective: each for each in profiles}
    examined = []
    for source_id, name, sha256 in connection.execute(
        "SELECT id, name, sha256 FROM sources ORDER BY name, sha256"
    ).fetchall():
        found = [
            Finding(code, message, line, Severity(severity))
            for code, message, line, severity in connection.execute(
                "SELECT code, message, line, severity FROM findings WHERE source_id = ? ORDER BY line, rowid",
                [source_id],
            )
        ]
        dates = connection.execute(
            "SELECT DISTINCT v.effective FROM documents d JOIN versions v ON v.id = d.version_id"
            " WHERE d.source_id = ? AND v.effective IS NOT NULL AND d.coverage = 'full'",
            [source_id],
        )
        for (effective,) in dates.fetchall():
            day = date.fromisoformat(effective)
            found += eras.name_faults(day, name)
            found += eras.era_faults(day, chapters.get(effective, set()), headings.get(effective, set()))
            if day in by_date:
                found += _neighbour_faults(by_date[day], profiles)
        found += beyond.get(sha256, [])
        examined.append(Examined(name, tuple(dict.fromkeys(found))))
    return [*examined, Examined(STORE, tuple(_store_faults(connection)))]


def _chapters(connection: sqlite3.Connection) -> dict[str, set[tuple[str, str]]]:
    """Numbers and folded titles of the chapters of the full texts, by their dates."""
    chapters: dict[str, set[tuple[str, str]]] = {}
    for effective, number, title in connection.execute(
        "SELECT DISTINCT v.effective, p.number, t.folded FROM documents d"
        " JOIN versions v ON v.id = d.version_id"
        " JOIN placements pl ON pl.document_id = d.id JOIN parts p ON p.id = pl.part_id"
        " JOIN texts t ON t.id = p.text_id WHERE p.kind = 'section' AND length(p.number) = 1"
        " AND v.effective IS NOT NULL AND d.coverage = 'full'"
    ):
        chapters.setdefault(effective, set()).add((number, title))
    return chapters


def _headings(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """Rules of the full texts that are short enough to be the heading of a keyword, by their dates."""
    headings: dict[str, set[str]] = {}
    for effective, heading in connection.execute(
        "SELECT DISTINCT v.effective, t.published FROM documents d JOIN versions v ON v.id = d.version_id"
        " JOIN placements pl ON pl.document_id = d.id JOIN parts p ON p.id = pl.part_id"
        " JOIN texts t ON t.id = p.text_id WHERE p.kind = 'rule' AND length(t.published) < ?"
        " AND v.effective IS NOT NULL AND d.coverage = 'full'",
        [HEADING_LONGEST],
    ):
        headings.setdefault(effective, set()).add(heading)
    return headings


def _of_excerpts(connection: sqlite3.Connection) -> Iterator[tuple[str, Finding]]:
    """By the checksum of the source: what it quotes, held against the full texts."""
    for found in placing.placed(connection):
        differs = found.verdict is placing.Verdict.DIFFERS
        message = placing.sentence(found)
        severity = Severity.WARNING if differs else Severity.NOTE
        yield found.quotation.sha256, Finding(f"excerpt-{found.verdict}", f"{message}.", 0, severity)


def _of_reissues(connection: sqlite3.Connection) -> Iterator[tuple[str, Finding]]:
    """By the checksum of the source: what a further text of the same date has otherwise than the first."""
    for again in version_sources.reissues(connection):
        if not again.changes:
            continue
        numbers = list(dict.fromkeys(change.number for change in again.changes))
        named = ", ".join(numbers[:3]) + (f" and {len(numbers) - 3} more" if len(numbers) > 3 else "")
        message = (
            f"Says other things of {named} than {again.basis.name}, which is of the same date ({again.effective}) "
            "and counts; see: rulehist versions --verbose."
        )
        yield again.source.sha256, Finding("reissue-differs", message)


def _store_faults(connection: sqlite3.Connection) -> Iterator[Finding]:
    for (said,) in connection.execute("PRAGMA quick_check").fetchall():
        if said != "ok":
            yield Finding(
                "store-damaged", f"The database is damaged ({said}): ingest the texts anew.", 0, Severity.FATAL
            )
    for gap in gaps.gaps(connection):
        message = f"No full text of {gap.effective} ({gap.code}, {gap.name}) is in the store."
        yield Finding("gap", message, 0, Severity.NOTE)


def date_faults(document: Document, name: str, others: Sequence[Profile] = ()) -> list[Finding]:
    """What speaks against the date of a full text: its file's name, what it holds, the texts beside it."""
    if document.effective is None or document.coverage is not Coverage.FULL:
        return []
    found = eras.name_faults(document.effective, name) + eras.of_document(document)
    if found or not others:
        return found
    made = profile(document)
    return [] if made is None else _neighbour_faults(made, others)


def profile(document: Document) -> Profile | None:
    """What ``document`` is known by among others; ``None`` for an excerpt and for an undated text."""
    if document.effective is None or document.coverage is not Coverage.FULL:
        return None
    rules = frozenset(_mark(part.number, part.text) for part in document.parts if part.kind in _RULES)
    return Profile(document.effective, rules)


def store_profiles(connection: sqlite3.Connection) -> list[Profile]:
    """The profiles of all dated full texts of a store, oldest first."""
    marks = {
        part_id: _mark(number, text)
        for part_id, number, text in connection.execute(
            "SELECT p.id, p.number, t.published FROM parts p JOIN texts t ON t.id = p.text_id"
            " WHERE p.kind IN ('rule', 'subrule')"
        )
    }
    rules: dict[str, set[int]] = {}
    for effective, part_id in connection.execute(
        "SELECT v.effective, pl.part_id FROM placements pl JOIN documents d ON d.id = pl.document_id"
        " JOIN versions v ON v.id = d.version_id WHERE d.coverage = 'full' AND v.effective IS NOT NULL"
    ):
        if part_id in marks:
            rules.setdefault(effective, set()).add(marks[part_id])
    return [Profile(date.fromisoformat(day), frozenset(rules[day])) for day in sorted(rules)]


def _mark(number: str, text: str) -> int:
    return hash((number, fold(text[: 2 * ERA_OPENING])[:ERA_OPENING]))


def _neighbour_faults(text: Profile, others: Sequence[Profile]) -> list[Finding]:
    others = sorted((each for each in others if each.effective != text.effective), key=lambda each: each.effective)
    if not others or not text.rules:
        return []
    place = bisect_left([each.effective for each in others], text.effective)
    beside = max(_alike(text, each) for each in others[max(0, place - 1) : place + 1])
    if beside + ERA_MARGIN > 1:
        return []  # nothing can be so much more alike; else each of many texts would be held against all
    far = [each for each in others if abs((each.effective - text.effective).days) > ERA_APART]
    if not far:
        return []
    closest = max(far, key=lambda each: _alike(text, each))
    alike = _alike(text, closest)
    if alike < beside + ERA_MARGIN:
        return []
    return [
        Finding(
            "other-era",
            f"The text says it is effective from {text.effective}, but {alike:.0%} of its rules are those of "
            f"the text of {closest.effective}, and only {beside:.0%} those of its neighbours in time. "
            "Check its date.",
            0,
            Severity.FATAL,
        )
    ]


def _alike(one: Profile, other: Profile) -> float:
    """Share of the rules of both that are in both: 0 to 1."""
    return len(one.rules & other.rules) / max(1, len(one.rules | other.rules))


# --- Telling -----------------------------------------------------------------------------------------------


def has_faults(examined: Iterable[Examined]) -> bool:
    """Whether anything is worse than a note."""
    return any(finding.severity is not Severity.NOTE for each in examined for finding in each.findings)


def summary(examined: Sequence[Examined]) -> str:
    """How much was examined and found: ``132 sources: 20 warnings, 34 notes``."""
    found = Counter(finding.severity for each in examined for finding in each.findings)
    names = {Severity.FATAL: "fatal fault", Severity.WARNING: "warning", Severity.NOTE: "note"}
    told = [
        f"{found[severity]} {name}{'s' if found[severity] > 1 else ''}"
        for severity, name in names.items()
        if found[severity]
    ]
    sources = sum(each.name != STORE for each in examined)
    return f"{sources} {'source' if sources == 1 else 'sources'}: {', '.join(told) or 'no faults'}"


def as_text(examined: Iterable[Examined]) -> str:
    """One line for each finding: ``name:line: severity: sentence [code]``, as compilers write them."""
    lines = []
    for each in examined:
        for finding in each.findings:
            place = f"{each.name}:{finding.line}" if finding.line else each.name
            lines.append(one_line(f"{place}: {finding.severity}: {finding.message} [{finding.code}]") + "\n")
    return "".join(lines)


def as_json(examined: Iterable[Examined]) -> str:
    """A JSON array of ``source``, ``line`` (0: the whole), ``severity``, ``code`` and ``message``."""
    rows = [
        {
            "source": each.name,
            "line": finding.line,
            "severity": finding.severity.value,
            "code": finding.code,
            "message": finding.message,
        }
        for each in examined
        for finding in each.findings
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2)
