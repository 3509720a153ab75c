"""References resolved to rules: what a rule cites, what cites it, and which references of a version are broken."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rulehist import numbers
from rulehist.dated_versions import IN_FORCE, NEWEST, Version, version_at
from rulehist.document import NUMBERED, Coverage, Part, PartKind
from rulehist.folding import fold
from rulehist.history import find
from rulehist.references import Reference, find_references
from rulehist.stored_documents import StoredDocument, document_of
from rulehist.thresholds import REFERENCE_STILL_FITS
from rulehist.when import When
from rulehist.worddiff import FUNCTION_WORDS


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference in one rule to another.

    ``number`` is the rule (or glossary term) whose text has it, ``kind`` and ``rule`` what that is. ``printed`` is the
    reference as the text has it ("702.2b-d"), ``target`` the number that it names, and ``target_rule`` the identity of
    what stands there, empty where nothing does.
    """

    number: str
    kind: PartKind
    rule: str
    printed: str
    target: str
    target_rule: str


@dataclass(frozen=True, slots=True)
class Citations:
    """What a rule cites in ``version``, in the order of its text, and what cites it, in the order of the rules."""

    rule: str
    number: str
    version: Version
    cites: tuple[Citation, ...]
    cited_by: tuple[Citation, ...]


class Fault(StrEnum):
    """What is wrong with a reference."""

    NOTHING = "nothing"  # no rule has the number that it names
    ELSEWHERE = "elsewhere"  # the rule that it named moved away, and another one has the number now
    TITLE = "title"  # its number names one section, the title that it gives another


@dataclass(frozen=True, slots=True)
class BrokenReference:
    """A reference of a version that is wrong, in ``text``, which is that of ``number`` (of a glossary entry, its term).

    ``printed`` is the reference with its title, ``target`` the number in it that is wrong. ``meant`` is the identity
    of the rule that was meant, ``now`` the number that this rule has; of a reference to nothing both are empty.
    """

    fault: Fault
    number: str
    kind: PartKind
    rule: str
    printed: str
    target: str
    text: str
    meant: str = ""
    now: str = ""


@dataclass(frozen=True, slots=True)
class Broken:
    """The broken references of ``version``, in the order of its text; ``before`` is the version compared with."""

    version: Version
    before: Version | None
    references: tuple[BrokenReference, ...]


# --- One rule ------------------------------------------------------------------------------------------------


def references_of(connection: sqlite3.Connection, subject: str, when: When) -> Citations:
    """What a rule cites and what cites it at a moment; a range such as 702.2b-d cites all in it.

    Raises ``QueryError``.
    """
    row = find(connection, subject, when)
    version = version_at(connection, when, rule_id=row["rule_id"])
    name = subject.strip() if row["kind"] == "example" else row["number"]
    text = row["published"]
    cites = tuple(
        Citation(
            name,
            PartKind(row["kind"]),
            row["name"],
            text[reference.start : reference.end],
            reference.number,
            _rule_at(connection, reference.number, when),
        )
        for reference in find_references(text)
    )
    cited_by = tuple(_citing(connection, row["number"], row["name"], when)) if row["kind"] in NUMBERED else ()
    return Citations(row["name"], name, version, cites, cited_by)


def _rule_at(connection: sqlite3.Connection, number: str, when: When) -> str:
    row = connection.execute(
        "SELECT rules.name FROM spans JOIN rules ON rules.id = spans.rule_id WHERE spans.lookup = :number"
        f" AND spans.kind IN ('section', 'rule', 'subrule') AND {NEWEST if when.day is None else IN_FORCE}"
        " ORDER BY spans.place LIMIT 1",
        {"number": number, "day": when.day},
    ).fetchone()
    return row[0] if row else ""


def _citing(connection: sqlite3.Connection, number: str, rule: str, when: When) -> Iterator[Citation]:
    section = number.partition(".")[0]
    rows = connection.execute(
        "SELECT spans.number, spans.kind, rules.name, texts.published FROM spans"
        " JOIN texts ON texts.id = spans.text_id JOIN rules ON rules.id = spans.rule_id"
        f" WHERE texts.folded LIKE :section AND {NEWEST if when.day is None else IN_FORCE}"
        " ORDER BY spans.sort_key, spans.place",
        {"section": f"%{section}%", "day": when.day},
    )
    for citing, kind, citing_rule, text in rows:
        for reference in find_references(text):
            if _names(reference, number):
                printed = text[reference.start : reference.end]
                yield Citation(citing, PartKind(kind), citing_rule, printed, number, rule)


def _names(reference: Reference, number: str) -> bool:
    if not reference.last:
        return reference.number == number
    low, high = numbers.sort_key(reference.number), numbers.sort_key(reference.last)
    same_depth = ("." in number) == ("." in reference.number)
    return same_depth and low <= numbers.sort_key(number) <= high


class NewestReferences:
    """All references of what is in force now, read once, for those who ask about many rules."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.version = version_at(connection, When(None, "latest"))
        self._cites: dict[str, list[Citation]] = defaultdict(list)
        self._cited_by: dict[str, list[Citation]] = defaultdict(list)
        rows = connection.execute(
            "SELECT spans.number, spans.kind, rules.name, texts.published FROM spans"
            " JOIN texts ON texts.id = spans.text_id JOIN rules ON rules.id = spans.rule_id"
            f" WHERE {NEWEST} ORDER BY spans.sort_key, spans.place"
        ).fetchall()
        by_number = {number: rule for number, kind, rule, _ in reversed(rows) if kind in NUMBERED}
        ordered = sorted(by_number, key=numbers.sort_key)
        keys = [numbers.sort_key(number) for number in ordered]
        for number, kind, rule, text in rows:
            for reference in find_references(text):
                printed = text[reference.start : reference.end]
                named = [reference.number]
                if reference.last:
                    low = bisect_left(keys, numbers.sort_key(reference.number))
                    high = bisect_right(keys, numbers.sort_key(reference.last))
                    named = [between for between in ordered[low:high] if _names(reference, between)]
                target = by_number.get(reference.number, "")
                self._cites[rule].append(Citation(number, PartKind(kind), rule, printed, reference.number, target))
                for each in named:
                    if each in by_number:
                        cited = Citation(number, PartKind(kind), rule, printed, each, by_number[each])
                        self._cited_by[by_number[each]].append(cited)

    def of(self, rule: str, number: str) -> Citations:
        """What the rule of that identity cites and what cites it."""
        cites, cited_by = self._cites.get(rule, ()), self._cited_by.get(rule, ())
        return Citations(rule, number, self.version, tuple(cites), tuple(cited_by))


# --- A whole version -----------------------------------------------------------------------------------------


def broken_references(connection: sqlite3.Connection, when: When) -> Broken:
    """The broken references of a version. Raises ``QueryError``.

    Broken are those that name no rule; those that gave a number and the number went to another rule, while the rule
    that had it in the full text before lives on under another; and those whose number and title name two sections.
    """
    version = version_at(connection, when)
    document = document_of(connection, version)
    before = _version_before(connection, version)
    older = document_of(connection, before) if before is not None else None
    return Broken(version, before, tuple(find_broken(document, older)))


def _version_before(connection: sqlite3.Connection, version: Version) -> Version | None:
    row = connection.execute(
        "SELECT max(versions.effective) FROM versions JOIN documents ON documents.version_id = versions.id"
        " WHERE documents.coverage = 'full' AND versions.effective < ?",
        [version.effective],
    ).fetchone()
    return version_at(connection, When(row[0], row[0])) if row[0] is not None else None


def find_broken(document: StoredDocument, older: StoredDocument | None) -> Iterator[BrokenReference]:
    """The broken references of a document, in its order; ``older`` is the full text before it."""
    if document.document.coverage is Coverage.EXCERPT:
        return  # what it doesn't quote may be there
    there = _Numbered(document)
    before = _Numbered(older) if older is not None and older.document.coverage is Coverage.FULL else None
    for part, rule in zip(document.document.parts, document.rules, strict=True):
        if not rule:
            continue
        references = find_references(part.text)
        kept = before is not None and _printed(references) == before.references.get(rule)
        for reference in references:
            found = _to_nothing(reference, there)
            if found is None and kept and before is not None:
                found = _to_another(part, reference, there, before)
            found = found or _to_another_title(reference, there)
            if found is not None:
                fault, target, meant, now = found
                printed = part.text[reference.start : reference.stop]
                yield BrokenReference(fault, part.number, part.kind, rule, printed, target, part.text, meant, now)


_Printed = tuple[tuple[str, str], ...]


def _printed(references: Sequence[Reference]) -> _Printed:
    return tuple((reference.number, reference.last) for reference in references)


class _Numbered:
    """What has which number in a document, and what each part refers to."""

    def __init__(self, stored: StoredDocument) -> None:
        self.rules: dict[str, list[str]] = defaultdict(list)
        self.titles: dict[str, str] = {}
        self.titled: dict[str, str] = {}
        self.number_of: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.next: dict[str, str] = {}
        self.references: dict[str, _Printed] = {}
        last = ""
        for part, rule in zip(stored.document.parts, stored.rules, strict=True):
            if rule:
                self.references[rule] = _printed(find_references(part.text))
            if part.kind not in NUMBERED:
                continue
            self.rules[part.number].append(rule)
            self.number_of.setdefault(rule, part.number)
            self.texts[rule] = part.text
            self.next[last], last = part.number, part.number
            if part.kind is PartKind.SECTION:
                self.titles.setdefault(part.number, _title(part.text))
                self.titled.setdefault(_title(part.text), part.number)

    def only(self, number: str) -> str:
        """The rule with a number, empty where there is none or more than one."""
        rules = self.rules.get(number, [])
        return rules[0] if len(rules) == 1 else ""


_Found = tuple[Fault, str, str, str]


def _to_nothing(reference: Reference, there: _Numbered) -> _Found | None:
    for number in filter(None, (reference.number, reference.last)):
        if number not in there.rules:
            return Fault.NOTHING, number, "", ""
    return None


def _to_another(part: Part, reference: Reference, there: _Numbered, before: _Numbered) -> _Found | None:
    if reference.title and _title(reference.title) == there.titles.get(reference.number):
        return None
    for number in filter(None, (reference.number, reference.last)):
        meant, found = before.only(number), there.only(number)
        now = there.number_of.get(meant, "")
        if not meant or not found or meant == found or not now:
            continue  # a rule that ended may well have been replaced by what has its number
        if _says_the_same(before.texts[meant], there.texts[found]):
            continue
        is_now_below = now.startswith(number) and not now[len(number)].isdigit()
        goes_on = there.next.get(part.number) == number
        if not is_now_below and not goes_on:
            return Fault.ELSEWHERE, number, meant, now
    return None


def _says_the_same(old: str, new: str) -> bool:
    """Whether what has the number now says what the rule that had it said, so that the reference still fits."""
    said, says = _content(old), _content(new)
    return len(said & says) >= len(says) * REFERENCE_STILL_FITS


def _content(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", fold(text).casefold()) if word not in FUNCTION_WORDS}


def _to_another_title(reference: Reference, there: _Numbered) -> _Found | None:
    if not reference.title or reference.last or reference.number not in there.titles:
        return None
    now = there.titled.get(_title(reference.title), "")
    if not now or now == reference.number or len(now) != len(reference.number):
        return None
    return Fault.TITLE, reference.number, there.only(now), now


def _title(text: str) -> str:
    """What titles are compared by: a line break may stand after a hyphen, and a comma or semicolon before the quote."""
    return _AFTER_HYPHEN.sub("-", fold(text).casefold().strip(" .,;")).replace("'", '"')


_AFTER_HYPHEN = re.compile(r"-\s+")
