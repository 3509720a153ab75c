"""A quotation: "From the Comprehensive Rules (June 7, 2024—Modern Horizons 3)", then bulleted rules.

An excerpt knows only what it quotes; whatever it does not quote is unknown, not gone.
"""

from __future__ import annotations

import re

from rulehist.dates import find_date
from rulehist.decoding import split_lines
from rulehist.document import Coverage, Document, Finding, Part, PartKind, Severity
from rulehist.numbers import parse

NAME = "rules-excerpt"

_SOURCE = re.compile(r"from the (?:magic(?:: the gathering)?\s+)?comprehensive rules\b", re.IGNORECASE)
_RULE = re.compile(r"(?P<bullet>(?:[•*·‣◦▪–-]\s+)*)(?P<number>\d{3,4}\.\d{1,4}[a-z]{0,2})\.?\s+(?=\S)")
_SECTION = re.compile(r"(?:[•*·‣◦▪–-]\s+)*(?P<number>\d{1,4})\.\s+(?=[A-Z“\"])")
_EXAMPLE = re.compile(r"(?:[•*·‣◦▪–-]\s+)*_?Example:_?\s+", re.IGNORECASE)
_HEADING_LONGEST = 100


def recognizes(text: str) -> float:
    """1 where the text says that it is from the Comprehensive Rules and quotes a numbered rule."""
    if not _says_its_source(text):
        return 0.0
    return 1.0 if any(_RULE.match(line.strip()) for line in split_lines(text[:200000])) else 0.3


def _says_its_source(text: str) -> bool:
    """Whether ``_SOURCE`` is in the text; to search for how it begins, as it is written, takes a tenth of the time."""
    for start in ("from the ", "From the ", "From The ", "FROM THE "):
        place = text.find(start)
        while place >= 0:
            if _SOURCE.match(text, place):
                return True
            place = text.find(start, place + 1)
    return False


def read(text: str, name: str) -> tuple[Document, ...]:
    """One excerpt for each "From the Comprehensive Rules" line; ``name`` is used by no part of it."""
    del name
    lines = [(number, line.strip()) for number, line in enumerate(split_lines(text), 1) if line.strip()]
    starts = [place for place, (_, line) in enumerate(lines) if _SOURCE.match(line)]
    before = lines[: starts[0]] if starts else []
    documents = []
    for place, start in enumerate(starts):
        end = starts[place + 1] if place + 1 < len(starts) else len(lines)
        documents.append(_document(before if place == 0 else [], lines[start:end]))
    return tuple(documents)


def _document(titles: list[tuple[int, str]], lines: list[tuple[int, str]]) -> Document:
    parts = [Part(PartKind.TITLE, line, line=number) for number, line in titles]
    first, source = lines[0]
    parts.append(Part(PartKind.NOTICE, source, line=first))
    findings: list[Finding] = []
    found = find_date(source)
    release = ""
    if found is None:
        findings.append(
            Finding(
                "no-date",
                "The excerpt does not say which rules it quotes: write their date in its first line, "
                'as in "From the Comprehensive Rules (June 7, 2024)".',
                first,
                Severity.FATAL,
            )
        )
    else:
        release = source[found[2] :].strip(" —–-·:,").rstrip(") .:").strip()
    owner = ""
    for number, line in lines[1:]:
        part = _part(number, line, owner)
        if part.kind in {PartKind.SECTION, PartKind.RULE, PartKind.SUBRULE}:
            owner = part.number
        parts.append(part)
    return Document(
        kind=NAME,
        coverage=Coverage.EXCERPT,
        effective=found[0] if found else None,
        parts=tuple(parts),
        release=release,
        findings=tuple(findings),
    )


def _part(number: int, line: str, owner: str) -> Part:
    rule = _RULE.match(line)
    if rule is not None:
        read = parse(rule["number"])
        kind = PartKind.SUBRULE if read is not None and read.letters else PartKind.RULE
        return Part(kind, line[rule.end() :], rule["number"], rule[0], number)
    example = _EXAMPLE.match(line)
    if example is not None and owner:
        return Part(PartKind.EXAMPLE, line[example.end() :], owner, example[0], number)
    section = _SECTION.match(line)
    if section is not None and len(line) <= _HEADING_LONGEST and not line.endswith("."):
        return Part(PartKind.SECTION, line[section.end() :], section["number"], section[0], number)
    if not owner or (len(line) <= _HEADING_LONGEST and line[-1] not in ".”\")’'"):
        return Part(PartKind.HEADING, line, line=number)
    return Part(PartKind.CONTINUATION, line, owner, line=number)
