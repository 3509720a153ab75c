"""What every report says, before any format: the groups in the reader's order, counts, the opening.

HTML, Markdown, wikitext and CSV all print this one view, so that they can never tell different stories.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from rulehist.numbers import parse
from rulehist.patterns import Patterns

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
    def address(self) -> str:
        """What stands behind the ``@`` of an address: ``2024-07-30``, or ``latest`` for an undated text."""
        return self.effective or "latest"


@dataclass(frozen=True, slots=True)
class Entry:
    """One change, as a report shows it.

    ``ops`` are ``(equal|delete|insert, words)`` pairs, without what a mass rewording explains. The
    anchors are unique in the report. ``section`` is the chapter digit of its number, ``g`` for the
    glossary, ``0`` for front matter.
    """

    kind: str
    part: str
    old_number: str
    new_number: str
    ops: tuple[tuple[str, str], ...]
    old_anchor: str
    new_anchor: str
    section: str
    old_text: str = ""
    new_text: str = ""
    note: str = ""

    @property
    def number(self) -> str:
        """The number that it is known by now, or was last known by."""
        return self.new_number or self.old_number

    @property
    def moved(self) -> bool:
        """Whether its number changed."""
        return bool(self.old_number and self.new_number and self.old_number != self.new_number)


@dataclass(frozen=True, slots=True)
class Replacement:
    """The same replacement made in many places; ``places`` are numbers and terms of the new text."""

    before: str
    after: str
    count: int
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """Neighbours that moved together. ``entries`` has every one, also those reworded as well."""

    old_first: str
    old_last: str
    new_first: str
    new_last: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class NewsLine:
    """What joined and left one kind of thing, such as keyword abilities or land types."""

    subject: str
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListChange:
    """What joined and left a list of words that a rule or glossary entry gives."""

    number: str
    title: str
    joined: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Changes of one subject. A folded group is one click from sight."""

    key: str
    title: str
    folded: bool
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A whole report. ``counts`` has each kind that occurs, in the reader's order.

    ``moved`` counts the rules that have another number, reworded or not.
    """

    old: Version
    new: Version
    opening: tuple[str, ...]
    warnings: tuple[str, ...]
    counts: Mapping[str, int]
    news: tuple[NewsLine, ...]
    play: Group
    replacements: tuple[Replacement, ...]
    groups: tuple[Group, ...]
    lists: tuple[ListChange, ...]
    ranges: tuple[Range, ...]
    moved: int
    sections: tuple[str, ...]

    @property
    def title(self) -> str:
        """What the report is about, in a line."""
        return f"Rules changes from {self.old.name} to {self.new.name}"


NO_PATTERNS = Patterns((), {}, frozenset())
"""For a diff without mass rewordings."""

KINDS = ("added", "removed", "reworded", "renumbered+reworded", "renumbered", "references", "typography")
"""The kinds of change in the reader's order."""

KIND_WORDS = {
    "added": "new",
    "removed": "removed",
    "reworded": "reworded",
    "renumbered+reworded": "moved and reworded",
    "renumbered": "moved",
    "references": "references",
    "typography": "typography",
}
"""What a report calls each kind."""

_GROUPS = (
    ("play", "Changes that can matter in play"),
    ("replaced", "Rules changed only by a mass rewording"),
    ("examples", "Examples"),
    ("glossary", "Glossary"),
    ("listed", "Rules that give these lists, in full"),
    ("front", "Introduction, headings and credits"),
    ("moved", "Renumbered"),
    ("references", "References that follow a renumbering"),
    ("typography", "Typography"),
)
_NOT_SLUG = re.compile(r"[^a-z0-9.]+")

SECTION_WORDS = {"g": "Glossary", "0": "Front matter"}
"""What a report calls the parts that are no chapter."""


def date_in_words(iso: str) -> str:
    """``2024-07-30`` as ``July 30, 2024``. Raises ``ValueError`` for anything else."""
    day = date.fromisoformat(iso)
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def plural(count: int, one: str, many: str = "") -> str:
    """``1 rule``, ``12,345 rules``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


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


def listed(items: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def in_words(changes: Iterable[tuple[str, str]], replacements: Sequence[Replacement], only: int) -> tuple[str, ...]:
    """The opening paragraph, sentence by sentence.

    ``changes`` are ``(kind, part)`` pairs, ``only`` counts those whose only change is a mass replacement.
    """
    count = Counter(changes)
    rules = {kind: sum(count[kind, part] for part in ("rule", "example")) for kind in KINDS}
    reworded = rules["reworded"] + rules["renumbered+reworded"]
    told = [
        plural(rules[kind], "rule") + " " + verb if first else f"{rules[kind]:,} {verb}"
        for first, kind, verb in (
            (rules["added"] > 0, "added", "added"),
            (rules["added"] == 0, "removed", "removed"),
        )
        if rules[kind]
    ]
    if reworded:
        told.append(f"{reworded:,} reworded" if told else f"{plural(reworded, 'rule')} reworded")
    sentences = []
    if told:
        sentence = listed(told)
        if only and replacements:
            first = replacements[0]
            more = (
                ""
                if len(replacements) == 1
                else f" (or one of {plural(len(replacements) - 1, 'other replacement')} like it)"
            )
            sentence += f"; {only:,} of them only because {_became(first)}{more}"
        sentences.append(sentence + ".")
    entries = sum(
        number
        for (kind, part), number in count.items()
        if part == "glossary" and kind not in ("references", "typography")
    )
    if entries:
        sentences.append(f"In the glossary, {plural(entries, 'entry', 'entries')} changed.")
    if rules["renumbered"]:
        sentences.append(f"{plural(rules['renumbered'], 'rule')} only took another number.")
    for wanted, one, many in (
        ("references", "only follows a number that moved", "only follow numbers that moved"),
        ("typography", "is nothing but typography", "are nothing but typography"),
    ):
        quiet = sum(number for (kind, _), number in count.items() if kind == wanted)
        if quiet:
            sentences.append(f"{plural(quiet, 'change')} {one if quiet == 1 else many}.")
    return tuple(sentences) or ("No rule differs between these two versions.",)


def _became(replacement: Replacement) -> str:
    if not replacement.after:
        return f"“{replacement.before}” went"
    if not replacement.before:
        return f"“{replacement.after}” came"
    return f"“{replacement.before}” became “{replacement.after}”"


def warnings_of(old: Version, new: Version) -> tuple[str, ...]:
    """What a reader must know of the two versions before trusting the report."""
    said = []
    for version in (old, new):
        if version.partial:
            said.append(
                f"{version.name} is known only in part, by what a source quotes of it. What it does "
                "not quote is not compared, and nothing here says that it was missing."
            )
        if not version.effective:
            after = f" It is later than {date_in_words(version.later_than)}." if version.later_than else ""
            said.append(f"The source of {version.release or 'one of the two texts'} gives no date.{after}")
    return tuple(said)


class SideLike(Protocol):
    """One side of a change; see ``changes.Side``."""

    @property
    def number(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102


class ChangeLike(Protocol):
    """What a report reads of a change; see ``changes.Change``."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def part(self) -> str: ...  # noqa: D102
    @property
    def old(self) -> SideLike | None: ...  # noqa: D102
    @property
    def new(self) -> SideLike | None: ...  # noqa: D102
    @property
    def ops(self) -> Sequence[tuple[str, str]]: ...  # noqa: D102
    @property
    def related(self) -> Sequence[str]: ...  # noqa: D102


class _Anchors:
    """Hands out anchors, each once: the second ``new-707.2`` is ``new-707.2-2``."""

    def __init__(self) -> None:
        self._given: Counter[str] = Counter()

    def take(self, side: str, part: str, number: str) -> str:
        tail = _NOT_SLUG.sub("-", number.casefold()).strip("-")
        name = "-".join(piece for piece in (side, "" if part == "rule" else part, tail) if piece)
        self._given[name] += 1
        again = self._given[name]
        return name if again == 1 else self.take(f"{side}-{again}", part, number)


def make_view(
    old: Version,
    new: Version,
    changes: Sequence[ChangeLike],
    *,
    news: Sequence[NewsLine] = (),
    patterns: Patterns = NO_PATTERNS,
    lists: Sequence[ListChange] = (),
) -> View:
    """Put changes into the reader's order.

    ``changes`` come in document order of the new text. Changes that are nothing but a mass rewording of
    ``patterns`` are shown folded; of the others only what no mass rewording explains is marked.
    """
    replacements = tuple(Replacement(found.from_, found.to, found.count, found.places) for found in patterns.patterns)
    in_lists = {change.number for change in lists}
    anchors = _Anchors()
    groups: dict[str, list[Entry]] = {key: [] for key, _ in _GROUPS}
    counts: Counter[str] = Counter()
    moved: list[Entry] = []
    for index, change in enumerate(changes):
        kind = str(change.kind)
        counts[kind] += 1
        only = index in patterns.only
        ops = change.ops if only else patterns.rest.get(index, change.ops)
        entry = _entry(change, kind, ops, anchors)
        if kind.startswith("renumbered") and change.part == "rule":
            moved.append(entry)
        listed = change.part == "rule" and kind.endswith("reworded") and entry.new_number in in_lists
        groups["listed" if listed else _group_of(entry, only)].append(entry)
    made = [Group(key, title, key != "play", tuple(groups[key])) for key, title in _GROUPS if key != "moved"]
    return View(
        old=old,
        new=new,
        opening=in_words([(str(change.kind), change.part) for change in changes], replacements, len(patterns.only)),
        warnings=warnings_of(old, new),
        counts={kind: counts[kind] for kind in KINDS if counts[kind]},
        news=tuple(line for line in news if line.added or line.removed),
        play=made[0],
        replacements=replacements,
        groups=tuple(group for group in made[1:] if group.entries),
        lists=tuple(lists),
        ranges=ranges_of(moved),
        moved=len(moved),
        sections=tuple(sorted({entry.section for group in made for entry in group.entries}, key=_section_order)),
    )


def _section_order(section: str) -> tuple[bool, str]:
    return (not section.isdigit(), section)


def _entry(change: ChangeLike, kind: str, ops: Sequence[tuple[str, str]], anchors: _Anchors) -> Entry:
    old_number = change.old.number if change.old else ""
    new_number = change.new.number if change.new else ""
    return Entry(
        kind=kind,
        part=change.part,
        old_number=old_number,
        new_number=new_number,
        ops=tuple(ops),
        old_anchor=anchors.take("old", change.part, old_number) if change.old else "",
        new_anchor=anchors.take("new", change.part, new_number) if change.new else "",
        section=section_of(change.part, new_number or old_number),
        old_text=change.old.text if change.old else "",
        new_text=change.new.text if change.new else "",
        note=_relation(kind, change.related),
    )


def _relation(kind: str, related: Sequence[str]) -> str:
    if not related:
        return ""
    return ("Its words went to " if kind == "removed" else "Shares its origin with ") + listed(related) + "."


def _group_of(entry: Entry, only_replaced: bool) -> str:
    if entry.kind in ("references", "typography"):
        return entry.kind
    if only_replaced:
        return "replaced"
    if entry.kind == "renumbered" and entry.part == "rule":
        return "moved"
    return {"rule": "play", "example": "examples", "glossary": "glossary"}.get(entry.part, "front")


def ranges_of(entries: Sequence[Entry]) -> tuple[Range, ...]:
    """Runs of neighbours that moved by the same step, out of renumbered rules in document order."""
    runs: list[list[Entry]] = []
    step_before: tuple[object, ...] | None = None
    for entry in entries:
        was, now = parse(entry.old_number), parse(entry.new_number)
        step: tuple[object, ...] | None = None
        if was and now:
            same_letters = was.letters == now.letters
            step = (
                now.section - was.section,
                (now.rule or 0) - (was.rule or 0) if was.rule is not None and now.rule is not None else None,
                now.section,
                "" if same_letters else (now.rule, was.rule),
            )
        if runs and step is not None and step == step_before:
            runs[-1].append(entry)
        else:
            runs.append([entry])
        step_before = step
    return tuple(
        Range(run[0].old_number, run[-1].old_number, run[0].new_number, run[-1].new_number, tuple(run)) for run in runs
    )
