"""A dated list of the texts that one rule number has had: "October 7, 2022 · Unfinity", then a paragraph.

The list does not say which rule it is about, so its parts carry no number. A paragraph before the first
heading has no date; it must follow every date in the list. An entry that the list cuts off is marked, never
corrected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from rulehist.dates import find_date
from rulehist.decoding import split_lines
from rulehist.document import Coverage, Document, Finding, Part, PartKind, Severity
from rulehist.folding import fold

NAME = "history-list"

_BULLET = re.compile(r"(?:[-*•#]+\s+|\d{1,3}[.)]\s+)?")
_NUMBER = re.compile(r"(?:\d{1,3}\.\s+(?=\D)|\d{3,4}\.\d{1,3}[a-z]{0,2}\.?\s+)")
_SEPARATOR = re.compile(r"\s*(?:[·•|:–—-]+|\()\s*")
_SENTENCE_END = re.compile(r"[.!?][)\]\"”’']*$")
_HEADING_LONGEST = 100


@dataclass(slots=True)
class _Entry:
    effective: date | None
    release: str
    label: str  # the heading and its line break
    line: int
    texts: list[tuple[int, str]] = field(default_factory=list)


def recognizes(text: str) -> float:
    """1 for at least two date headings with text under them, less for one."""
    if text.count("\n") > 20000 or "comprehensive rules" in text[:3000].lower():
        return 0.0
    entries = [entry for entry in _entries(text) if entry.effective and entry.texts]
    return 1.0 if len(entries) >= 2 else 0.6 if entries else 0.0


def read(text: str, name: str) -> tuple[Document, ...]:
    """One excerpt a heading, in the list's order; ``name`` is used by no part of it."""
    del name
    entries = [entry for entry in _entries(text) if entry.texts or entry.label]
    newest = max((entry.effective for entry in entries if entry.effective), default=None)
    wholes = [[fold(part) for _, part in entry.texts] for entry in entries]
    return tuple(_document(entry, wholes[:place] + wholes[place + 1 :], newest) for place, entry in enumerate(entries))


def _document(entry: _Entry, others: list[list[str]], newest: date | None) -> Document:
    """The excerpt of one entry; ``others`` are the folded texts of the other entries, ``newest`` their last date."""
    parts: list[Part] = []
    findings: list[Finding] = []
    if not entry.texts:
        findings.append(Finding("no-text", "A date without a text under it.", entry.line))
        if entry.label:
            parts.append(Part(PartKind.NOTICE, entry.label.rstrip("\n"), line=entry.line))
    for place, (number, paragraph) in enumerate(entry.texts):
        cut = _is_cut(fold(paragraph), others)
        if cut:
            message = f"The text in line {number} is cut off in mid-sentence: no evidence of a change."
            findings.append(Finding("truncated", message, number))
        parts.append(_rule(entry.label if place == 0 else "", number, paragraph, cut=cut))
    if entry.effective is None:
        message = f"The first text has no date; it is later than {newest}."
        findings.append(Finding("undated", message, entry.line, Severity.NOTE))
    return Document(
        kind=NAME,
        coverage=Coverage.EXCERPT,
        effective=entry.effective,
        parts=tuple(parts),
        release=entry.release,
        later_than=newest if entry.effective is None else None,
        findings=tuple(findings),
    )


def _rule(heading: str, line: int, paragraph: str, *, cut: bool) -> Part:
    """A paragraph as the text of a rule, with the number that it may begin with."""
    match = _NUMBER.match(paragraph)
    numbering = match[0] if match else ""
    given = numbering.strip().rstrip(".")
    words = paragraph[len(numbering) :]
    return Part(PartKind.RULE, words, given if "." in given else "", heading + numbering, line, truncated=cut)


def _is_cut(text: str, others: list[list[str]]) -> bool:
    """Ends no sentence, and another entry goes on from exactly where it stops."""
    if _SENTENCE_END.search(text):
        return False
    return any(len(other) > len(text) and other.startswith(text) for whole in others for other in whole)


def _entries(text: str) -> list[_Entry]:
    entries = [_Entry(None, "", "", 1)]
    for number, raw in enumerate(split_lines(text), 1):
        line = raw.strip()
        if not line:
            continue
        heading = _heading(line)
        if heading is not None:
            entries.append(_Entry(heading[0], heading[1], line + "\n", number))
            continue
        if not entries[-1].texts and entries[-1].effective is None:
            entries[-1].line = number
        entries[-1].texts.append((number, line))
    return entries


def _heading(line: str) -> tuple[date, str] | None:
    """Date and release name of a line such as "October 7, 2022 · Unfinity"."""
    if len(line) > _HEADING_LONGEST or not any(character.isdigit() for character in line):
        return None
    start = _BULLET.match(line)
    begin = start.end() if start else 0
    found = find_date(line, begin) or find_date(line)
    if found is None or found[1] not in {0, begin}:
        return None
    rest = line[found[2] :]
    if not rest.strip(" :."):
        return found[0], ""
    separator = _SEPARATOR.match(rest)
    if separator is None or not separator[0]:
        return None
    release = rest[separator.end() :].strip()
    if "(" in separator[0]:
        release = release.removesuffix(")")
    return None if _SENTENCE_END.search(release) and len(release) > 60 else (found[0], release)
