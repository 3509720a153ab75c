"""What every report says, before any format: the reader's order (see ``reader_order``) with anchors and counts.

HTML, Markdown, wikitext and CSV all print this one view, so that they can never tell different stories.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from rulehist.change_words import kind_words, shares
from rulehist.changes import Change, ChangeKind, ChangePart
from rulehist.counts import Counts, counts
from rulehist.lists import ListChanges
from rulehist.marked_words import short_ops
from rulehist.news import News, is_marked_obsolete
from rulehist.number_ranges import Range, by_section
from rulehist.numbers import parse
from rulehist.opening import opening
from rulehist.patterns import Pattern
from rulehist.reader_order import Arranged, ListChange
from rulehist.references import find_references
from rulehist.thresholds import NUMBERS_KEPT

# strftime follows the reader's locale; a report must not.
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the rules as a report names it. Dates are ISO dates; empty where unknown.

    ``later_than`` is, for an undated text, the newest date that it must follow.
    """

    effective: str = ""
    release: str = ""
    code: str = ""
    partial: bool = False  # known only by what a source quotes of it
    later_than: str = ""

    @property
    def when(self) -> str:
        """The date in words: ``July 30, 2024``, or what is known of a date that is not known."""
        if self.effective:
            return date_in_words(self.effective)
        return f"date unknown, later than {self.later_than}" if self.later_than else "date unknown"

    @property
    def name(self) -> str:
        """The version in a line: ``Bloomburrow (July 30, 2024)``."""
        return f"{self.release} ({self.when})" if self.release else self.when

    @property
    def heading(self) -> str:
        """What stands over a report: the release, else the date, else that there is none."""
        return self.release or (self.when if self.effective else "A text without a date")


@dataclass(frozen=True, slots=True)
class Entry:
    """One change, as a report shows it.

    ``ops`` are ``(equal|delete|insert, words)`` pairs, without what a mass rewording explains; ``unmarked`` are
    those rewordings, as ``(before, after)``. The anchors are unique in the report. ``section`` is the chapter digit
    of its number, ``g`` for the glossary, ``0`` for front matter. ``terms`` are glossary entries of the report that
    refer to it, as ``(term, anchor)``.
    """

    kind: str
    part: ChangePart
    old_number: str
    new_number: str
    ops: tuple[tuple[str, str], ...]
    old_anchor: str
    new_anchor: str
    section: str
    old_text: str = ""
    new_text: str = ""
    note: str = ""
    unmarked: tuple[tuple[str, str], ...] = ()
    terms: tuple[tuple[str, str], ...] = ()

    @property
    def number(self) -> str:
        """The number that it is known by now, or was last known by."""
        return self.new_number or self.old_number

    @property
    def kind_words(self) -> str:
        """The word for its kind."""
        return kind_words(self.kind, self.part)

    @property
    def moved(self) -> bool:
        """Whether its number changed."""
        return bool(self.old_number and self.new_number and self.old_number != self.new_number)


@dataclass(frozen=True, slots=True)
class MovedRange:
    """A range of renumbered rules. ``entries`` are those of its rules that have no place of their own elsewhere."""

    range: Range
    entries: tuple[Entry, ...]

    @property
    def chapter(self) -> str:
        """The chapter where its rules are now."""
        return section_of(self.range.changes[0].part, self.range.new_first)


@dataclass(frozen=True, slots=True)
class MovedSection:
    """What moved out of one section, in words (``502 -> 702 (85 rules)``), and range by range."""

    words: str
    ranges: tuple[MovedRange, ...]

    @property
    def chapters(self) -> tuple[str, ...]:
        """The chapters where its ranges are now, each once."""
        return tuple(dict.fromkeys(moved.chapter for moved in self.ranges))


@dataclass(frozen=True, slots=True)
class NewsLine:
    """What joined and left one kind of thing, such as keyword abilities or land types."""

    subject: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: tuple[str, ...] = ()  # "End Phase → Ending Phase"
    obsolete: tuple[str, ...] = ()  # terms that the newer text marks as obsolete

    @property
    def told(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What happened, each with what it happened to, in the reader's order."""
        every = (("new", self.added), ("gone", self.removed), ("renamed", self.renamed), ("obsolete", self.obsolete))
        return tuple((word, items) for word, items in every if items)


@dataclass(frozen=True, slots=True)
class Group:
    """Changes of one subject. A folded group is one click from sight.

    ``entries`` are those from the place ``start`` on, of ``total``: all but where a view has a ``Window``.
    """

    key: str
    title: str
    folded: bool
    entries: tuple[Entry, ...]
    total: int
    start: int = 0

    @property
    def rest(self) -> int:
        """How many changes come after its entries."""
        return self.total - self.start - len(self.entries)


class Window(NamedTuple):
    """What a view has of a long report: so many changes of each group that is not folded, and the lists of the others
    that are told as a whole; or with a ``group`` so many changes of that group alone, from the place ``start`` on.
    """

    most: int
    group: str = ""
    start: int = 0

    def of(self, key: str, total: int) -> range:
        """The places of the changes of a group that are to be seen."""
        if self.group == "renumbered":
            return range(total)  # they are anchors in a table of ranges
        if self.group:
            return range(min(self.start, total), min(self.start + self.most, total))
        return range(min(self.most, total) if key in OPEN else 0)


@dataclass(frozen=True, slots=True)
class View:
    """A report, or what a ``window`` shows of it: some entries, and the numbers of all.

    ``kinds`` has each kind that occurs, in the reader's order, ``kind_parts`` with the parts that it occurs in;
    ``counts`` are the report's other numbers.

    ``groups`` are in the reader's order and have every change once; ``lists`` tell what joined and left for those
    of the group ``lists``, ``moves`` tell the ranges of the group ``renumbered`` and of what was reworded as well.
    """

    old: Version
    new: Version
    opening: tuple[str, ...]
    warnings: tuple[str, ...]
    kinds: Mapping[str, int]
    counts: Counts
    news: tuple[NewsLine, ...]
    news_notes: tuple[str, ...]
    groups: tuple[Group, ...]
    patterns: tuple[Pattern, ...]
    lists: tuple[ListChange, ...]
    moves: tuple[MovedSection, ...]
    sections: tuple[str, ...]
    kind_parts: frozenset[tuple[str, ChangePart]] = frozenset()
    window: Window | None = None

    @property
    def total(self) -> int:
        """How many changes there are, seen or not."""
        return sum(self.kinds.values())

    @property
    def seen(self) -> int:
        """How many of them are entries of this view."""
        return sum(len(group.entries) for group in self.groups)

    @property
    def title(self) -> str:
        """What the report is about, in a line."""
        return f"Rules changes from {self.old.name} to {self.new.name}"

    def group(self, key: str) -> tuple[Entry, ...]:
        """The entries of a group."""
        return next((group.entries for group in self.groups if group.key == key), ())


OPEN = frozenset({"added", "removed", "reworded"})
"""The groups that a report shows unfolded: changes that can matter in play."""

_SHORTENED = frozenset({"references", "typography"})
"""The groups whose changes say nothing of their rules: of these only what changed is shown, and what is beside it."""

_NOT_SLUG = re.compile(r"[^a-z0-9.]+")

SECTION_WORDS = {"g": "Glossary", "0": "Front matter"}
"""What a report calls the parts that are no chapter."""


def date_in_words(iso: str) -> str:
    """``2024-07-30`` as ``July 30, 2024``. Raises ``ValueError`` for anything else."""
    day = date.fromisoformat(iso)
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


@lru_cache(maxsize=NUMBERS_KEPT)
def section_of(part: str, number: str) -> str:
    """The chapter that a number belongs to: ``7`` for 707.2a, ``g`` for the glossary, ``0`` for the rest."""
    if part == "glossary":
        return "g"
    read = parse(number)
    if read is None:
        return "0"
    return str(read.section if read.section < 100 else read.section // 100)


def section_words(section: str) -> str:
    """``Rules 700–799`` for ``7``, and the words for what is no chapter."""
    return SECTION_WORDS.get(section) or f"Rules {section}00–{section}99"


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


def warnings_of(old: Version, new: Version) -> tuple[str, ...]:
    """What a reader must know of the two versions before trusting the report."""
    said = []
    partial = [version for version in (old, new) if version.partial]
    if partial:
        names = "Both texts are" if len(partial) == 2 else f"{_begun(partial[0].name)} is"
        whose = "them" if len(partial) == 2 else "it"
        said.append(
            f"{names} known only in part, by what a source quotes of {whose}. What is not quoted is not compared, "
            "and nothing here says that it was missing."
        )
    for version in (old, new):
        if not version.effective:
            after = f" It is later than {date_in_words(version.later_than)}." if version.later_than else ""
            said.append(f"The source of {version.release or 'one of the two texts'} gives no date.{after}")
    return tuple(said)


@lru_cache(maxsize=NUMBERS_KEPT)
def _anchor(side: str, part: str, number: str) -> str:
    tail = _NOT_SLUG.sub("-", number.casefold()).strip("-")
    return "-".join(piece for piece in (side, "" if part == "rule" else part, tail) if piece)


class _Anchors:
    """Hands out anchors, each once: the second ``new-707.2`` is ``new-707.2-2``."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def of(self, change: Change) -> tuple[str, str]:
        """The anchors of a change by its old and its new number; empty where it has none."""
        old, new = change.old, change.new
        return (
            self._take("old", change.part, old.number) if old else "",
            self._take("new", change.part, new.number) if new else "",
        )

    def _take(self, side: str, part: str, number: str) -> str:
        name = _anchor(side, part, number)
        again = self._given[name] = self._given.get(name, 0) + 1
        return name if again == 1 else self._take(f"{side}-{again}", part, number)


def make_view(
    old: Version,
    new: Version,
    arranged: Arranged,
    news: News | None = None,
    *,
    window: Window | None = None,
) -> View:
    """The report of changes that were in document order of the new text, as they are ``arranged``.

    An entry and its anchors are the same in every ``window``. Kinds and sections are those of the window's group.
    """
    groups = _groups(arranged, window)
    alone = window.group if window else ""
    told = [change for group in arranged.groups for change in group.changes if group.key == (alone or group.key)]
    kinds = Counter(change.kind for change in told)
    return View(
        old=old,
        new=new,
        opening=opening(arranged),
        warnings=warnings_of(old, new),
        kinds={kind.value: kinds[kind] for kind in ChangeKind if kinds[kind]},
        counts=counts(arranged),
        news=tuple(_news_line(name, change) for name, change in news.subjects()) if news and not alone else (),
        news_notes=news.notes if news and not alone else (),
        groups=groups,
        patterns=arranged.patterns,
        lists=arranged.lists,
        moves=_moves(arranged.ranges, groups) if window is None or alone == "renumbered" else (),
        sections=tuple(sorted({section_of(change.part, change.number) for change in told}, key=_section_order)),
        kind_parts=frozenset((kind.value, part) for kind, part in {(change.kind, change.part) for change in told}),
        window=window,
    )


def _groups(arranged: Arranged, window: Window | None) -> tuple[Group, ...]:
    anchors = _Anchors()
    unmarked = _unmarked(arranged.patterns)
    terms = _terms(arranged.group("glossary"))
    seen = [window.of(group.key, len(group.changes)) if window else None for group in arranged.groups]
    last = max((index for index, places in enumerate(seen) if places is None or places), default=-1)
    groups = []
    for index, (group, places) in enumerate(zip(arranged.groups, seen, strict=True)):
        total = len(group.changes)
        start, stop = (places.start, places.stop) if places is not None else (0, total)
        # what is not seen takes its anchor, too, if anything behind it is
        behind = total if index < last else stop if index == last else 0
        given = [anchors.of(change) for change in group.changes[:behind]]
        if window is not None and window.group not in {"", group.key}:
            continue
        entries = []
        for change, anchor in zip(group.changes[start:stop], given[start:stop], strict=True):
            shares = () if group.key == "mass" else unmarked.get(change.number, ())
            told = change._replace(ops=short_ops(change.ops)) if group.key in _SHORTENED else change
            named = terms.get(change.number, ()) if group.key in OPEN else ()
            entries.append(_entry(told, anchor, shares, named))
        groups.append(Group(group.key, group.title, group.key not in OPEN, tuple(entries), total, start))
    return tuple(groups)


def _news_line(subject: str, change: ListChanges) -> NewsLine:
    obsolete = tuple(old for old, new in change.renamed if is_marked_obsolete(old, new))
    renamed = tuple(f"{old} → {new}" for old, new in change.renamed if not is_marked_obsolete(old, new))
    return NewsLine(subject, change.joined, change.left, renamed, obsolete)


def _moves(ranges: Sequence[Range], groups: Sequence[Group]) -> tuple[MovedSection, ...]:
    renumbered = next((group.entries for group in groups if group.key == "renumbered"), ())
    entries = {(entry.old_number, entry.new_number): entry for entry in renumbered}

    def own(moved: Range) -> tuple[Entry, ...]:
        pairs = [(change.old.number if change.old else "", change.number) for change in moved.changes]
        return tuple(entries[pair] for pair in pairs if pair in entries)

    return tuple(
        MovedSection(section.words, tuple(MovedRange(moved, own(moved)) for moved in section.ranges))
        for section in by_section(ranges)
    )


def _unmarked(patterns: Sequence[Pattern]) -> dict[str, tuple[tuple[str, str], ...]]:
    """The mass rewordings that had a share in each place."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for pattern in patterns:
        for place in pattern.places:
            found[place] = (*found.get(place, ()), (pattern.from_, pattern.to))
    return found


def _terms(changes: Sequence[Change]) -> dict[str, tuple[tuple[str, str], ...]]:
    """The glossary entries of a report, as ``(term, anchor)``, by the rules that they refer to."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for change in changes:
        if change.new is not None:
            link = change.number, _anchor("new", "glossary", change.number)
            for number in dict.fromkeys(reference.number for reference in find_references(change.new.text)):
                found[number] = (*found.get(number, ()), link)
    return found


def _section_order(section: str) -> tuple[bool, str]:
    return (not section.isdigit(), section)


def _entry(
    change: Change, anchors: tuple[str, str], unmarked: tuple[tuple[str, str], ...], terms: tuple[tuple[str, str], ...]
) -> Entry:
    old_number = change.old.number if change.old else ""
    new_number = change.new.number if change.new else ""
    return Entry(
        kind=change.kind.value,
        part=change.part,
        old_number=old_number,
        new_number=new_number,
        ops=change.ops,
        old_anchor=anchors[0],
        new_anchor=anchors[1],
        section=section_of(change.part, new_number or old_number),
        old_text=change.old.text if change.old else "",
        new_text=change.new.text if change.new else "",
        note=_sentence(shares(change)),
        unmarked=unmarked,
        terms=terms if change.new else (),
    )


def _sentence(words: str) -> str:
    return f"{_begun(words)}." if words else ""
