"""What changed between two texts: one change for each difference, and of one kind.

Everything here is pure: it takes parts and the links between them (see ``matching``) and gives changes in the
order of the new text, what was removed standing where it stood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from rulehist.document import WITH_HISTORY, Coverage, Document, Part, PartKind
from rulehist.folding import fold
from rulehist.references import find_references, masked
from rulehist.subsequence import differences
from rulehist.thresholds import CHANGES_KEPT, TEXTS_KEPT
from rulehist.worddiff import Op, OpName, word_diff

ChangePart = Literal["rule", "example", "glossary", "front"]


class ChangeKind(StrEnum):
    """What happened to a part, in the order in which it matters to a reader. A part that moved and whose
    references moved along is ``renumbered``; a glossary entry under another term is ``renumbered`` as well.
    """

    ADDED = "added"
    REMOVED = "removed"
    REWORDED = "reworded"
    RENUMBERED_REWORDED = "renumbered+reworded"
    RENUMBERED = "renumbered"
    REFERENCES = "references"  # only where it refers to moved
    TYPOGRAPHY = "typography"  # folded it is the same


RENUMBERED = frozenset({ChangeKind.RENUMBERED, ChangeKind.RENUMBERED_REWORDED})
"""The kinds of a part that stands under another number or term."""


class Side(NamedTuple):
    """One side of a change: its rule number (of an example, its rule's; or its term) and text."""

    number: str
    text: str
    kind: PartKind


class Change(NamedTuple):
    """One difference. ``ops`` are those of :func:`rulehist.worddiff.word_diff`, exact for typography.

    ``rule`` is the identity of the rule in the store, empty where there is none. ``related`` are numbers of
    the other text that have a share in it: what a new rule was split from, what a removed one went into;
    ``counterparts`` are the numbers of those rules in this change's own text, empty where it does not have them.
    """

    kind: ChangeKind
    part: ChangePart
    old: Side | None
    new: Side | None
    ops: tuple[Op, ...]
    rule: str = ""
    related: tuple[str, ...] = ()
    counterparts: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The number that it has now, or had last."""
        side = self.new or self.old
        return side.number if side else ""

    @property
    def moved(self) -> bool:
        """Whether it stands under another number."""
        return self.old is not None and self.new is not None and self.old.number != self.new.number


class Diff(NamedTuple):
    """All changes between two texts, in the order of the new one, and what a reader must know about them."""

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()

    @property
    def summary(self) -> dict[str, int]:
        """Counts by kind, every kind named."""
        counts = Counter(change.kind for change in self.changes)
        return {kind.value: counts[kind] for kind in ChangeKind}


class Linked(Protocol):
    """A link between the texts, as :class:`rulehist.matching.Link` is one: indexes or ``None``."""

    @property
    def old(self) -> int | None:
        """Index of the old part."""

    @property
    def new(self) -> int | None:
        """Index of the new part."""

    @property
    def relation(self) -> str:
        """``same`` for one and the same rule, ``split`` or ``merge`` for a share of its words."""


Moved = Callable[[str], str | None]
"""Number in the new text of the rule that has this number in the old one; ``None`` where there is none."""

_PARTS: Mapping[PartKind, ChangePart] = {
    PartKind.SECTION: "rule",
    PartKind.RULE: "rule",
    PartKind.SUBRULE: "rule",
    PartKind.CONTINUATION: "rule",
    PartKind.EXAMPLE: "example",
    PartKind.GLOSSARY: "glossary",
}
_NUMBERED_BY_RULE = frozenset({PartKind.EXAMPLE, PartKind.CONTINUATION})


class LinkedParts(NamedTuple):
    """Two texts with the links between their parts, each side in its own order.

    ``old`` and ``new`` are parts with a history, ``old_front`` and ``new_front`` front matter. What nothing
    happened to need not be among them; ``stays`` says of a rule's number that is not among them whether both
    texts have that rule under that number.
    """

    old: Sequence[Part]
    new: Sequence[Part]
    links: Sequence[Linked]
    old_front: Sequence[Part] = ()
    new_front: Sequence[Part] = ()
    stays: Callable[[str], bool] = lambda _: False


def diff_documents(old: Document, new: Document) -> Diff:
    """The differences between two documents, matched with nothing to go by but the two texts."""
    from rulehist.matching import match

    old_parts, new_parts = ([part for part in text.parts if part.kind in WITH_HISTORY] for text in (old, new))
    fronts = [[part for part in text.parts if part.kind not in WITH_HISTORY] for text in (old, new)]
    links = match(old_parts, new_parts)
    partial = Coverage.EXCERPT in {old.coverage, new.coverage}
    return diff_linked(LinkedParts(old_parts, new_parts, links, fronts[0], fronts[1]), partial=partial)


def diff_linked(found: LinkedParts, *, partial: bool = False) -> Diff:
    """The differences between two texts whose parts are linked already. ``partial``: see :func:`classify`."""
    changes = classify(found.old, found.new, found.links, partial=partial, stays=found.stays)
    if partial:
        return Diff(
            changes, ("One of the two is known only by what is quoted of it: only what both have is compared.",)
        )
    return Diff((*front_changes(found.old_front, found.new_front), *changes))


def classify(
    old: Sequence[Part],
    new: Sequence[Part],
    links: Iterable[Linked],
    *,
    partial: bool = False,
    stays: Callable[[str], bool] = lambda _: False,
) -> tuple[Change, ...]:
    """One change for each part that differs, in the order of ``new``.

    With ``partial`` one side knows only what it quotes, and nothing counts as added or removed. A part that
    its source cut off is never evidence of a change. ``stays`` says of a number that no part of ``old`` has
    whether its rule keeps it.
    """
    pairs, split_from, merged_into = _pairs(links)
    origin = {j: i for i, j in pairs.items()}
    moved = _moves(old, new, pairs, stays)
    gone: dict[int, list[Change]] = {}
    place = -1
    for i, before in enumerate(old if not partial else ()):
        if i in pairs:
            place = pairs[i]
        elif not before.truncated:
            change = _went(before)
            if targets := merged_into.get(i, ()):
                change = change._replace(
                    related=tuple(new[j].number for j in targets),
                    counterparts=tuple(old[origin[j]].number if j in origin else "" for j in targets),
                )
            gone.setdefault(place, []).append(change)
    found = gone.get(-1, [])
    for j, after in enumerate(new):
        if j in origin:
            if (changed := compare(old[origin[j]], after, moved)) is not None:
                found.append(changed)
        elif not partial and not after.truncated:
            change = _came(after)
            if sources := split_from.get(j, ()):
                change = change._replace(
                    related=tuple(old[i].number for i in sources),
                    counterparts=tuple(new[pairs[i]].number if i in pairs else "" for i in sources),
                )
            found.append(change)
        if j in gone:
            found += gone[j]
    return tuple(found)


def _pairs(links: Iterable[Linked]) -> tuple[dict[int, int], dict[int, list[int]], dict[int, list[int]]]:
    """The one-to-one pairs, and beside them what was split off and what was merged."""
    pairs: dict[int, int] = {}
    split_from: dict[int, list[int]] = {}
    merged_into: dict[int, list[int]] = {}
    for link in links:
        if link.old is None or link.new is None:
            continue
        if link.relation == "split":
            split_from.setdefault(link.new, []).append(link.old)
        elif link.relation == "merge":
            merged_into.setdefault(link.old, []).append(link.new)
        else:
            pairs[link.old] = link.new
    return pairs, split_from, merged_into


def _moves(old: Sequence[Part], new: Sequence[Part], pairs: Mapping[int, int], stays: Callable[[str], bool]) -> Moved:
    own = (PartKind.SECTION, PartKind.RULE, PartKind.SUBRULE)
    table: dict[str, str] = {}
    for i, j in pairs.items():
        if old[i].kind in own and new[j].kind in own:
            table.setdefault(old[i].number, new[j].number)

    def moved(number: str) -> str | None:
        if number not in table and stays(number):
            table[number] = number
        return table.get(number)

    return moved


def compare(before: Part, after: Part, moved: Moved = lambda _: None, rule: str = "") -> Change | None:
    """The change from one part to the part that it became; ``None`` where nothing changed."""
    kind = kind_of(before, after, moved)
    return None if kind is None else _with_rule(_change(before, after, kind), rule)


def kind_of(before: Part, after: Part, moved: Moved = lambda _: None) -> ChangeKind | None:
    """What kind of change lies between a part and the part that it became; ``None`` where nothing changed."""
    kind, references, with_rule = _difference(before, after)
    if references and not all(moved(old) in {None, new} for old, new in references):
        kind = ChangeKind.RENUMBERED_REWORDED if kind in RENUMBERED else ChangeKind.REWORDED
    if with_rule and moved(before.number) not in {None, after.number}:
        return ChangeKind.RENUMBERED_REWORDED if kind is ChangeKind.REWORDED else ChangeKind.RENUMBERED
    return kind


_Kind = tuple[ChangeKind | None, tuple[tuple[str, str], ...], bool]
"""The kind of a change as far as its two parts tell, and what it takes of others: the rule of each first number has
the second number now, or is not known (else the text was reworded); and whether the part has its rule's number."""


# A rule has few texts, and arbitrary pairs of versions compare the same two again and again.
@lru_cache(maxsize=CHANGES_KEPT)
def _difference(before: Part, after: Part) -> _Kind:
    if (before.number == after.number and before.text == after.text) or before.truncated or after.truncated:
        return None, (), False
    kind, references = _text_difference(before.text, after.text)
    if before.number == after.number:
        return kind, references, False
    if after.kind in _NUMBERED_BY_RULE:  # it stays with its rule, whatever number that has
        return kind, references, True
    if after.kind is not PartKind.GLOSSARY or not _same_term(before.number, after.number):
        kind = ChangeKind.RENUMBERED_REWORDED if kind is ChangeKind.REWORDED else ChangeKind.RENUMBERED
    return kind, references, False


def _same_term(old: str, new: str) -> bool:
    return fold(old).lower() == fold(new).lower()


@lru_cache(maxsize=TEXTS_KEPT)
def _forms(text: str) -> tuple[str, str]:
    """A text folded, and with its references masked as well."""
    folded = fold(text)
    return folded, masked(folded)


def _text_difference(before: str, after: str) -> tuple[ChangeKind | None, tuple[tuple[str, str], ...]]:
    """What kind of difference two texts have, and which references must have moved for it."""
    if before == after:
        return None, ()
    (old, old_masked), (new, new_masked) = _forms(before), _forms(after)
    if old == new:
        return ChangeKind.TYPOGRAPHY, ()
    if old_masked != new_masked:
        return ChangeKind.REWORDED, ()
    one, other = find_references(old), find_references(new)
    if len(one) != len(other):
        return ChangeKind.REWORDED, ()
    ends = [
        pair
        for was, now in zip(one, other, strict=True)
        for pair in ((was.number, now.number), (was.last, now.last))
        if pair[0] != pair[1]
    ]
    return ChangeKind.REFERENCES, tuple(dict.fromkeys(ends))


@lru_cache(maxsize=CHANGES_KEPT)
def _change(before: Part, after: Part, kind: ChangeKind) -> Change:
    ops = word_diff(before.text, after.text, exact=kind is ChangeKind.TYPOGRAPHY)
    return Change(kind, _PARTS.get(after.kind, "front"), _side(before), _side(after), ops)


@lru_cache(maxsize=CHANGES_KEPT)
def _came(after: Part) -> Change:
    return Change(ChangeKind.ADDED, _PARTS[after.kind], None, _side(after), _whole("insert", after.text))


@lru_cache(maxsize=CHANGES_KEPT)
def _went(before: Part) -> Change:
    return Change(ChangeKind.REMOVED, _PARTS[before.kind], _side(before), None, _whole("delete", before.text))


def _whole(name: OpName, text: str) -> tuple[Op, ...]:
    return ((name, text),) if text else ()


def _with_rule(change: Change, rule: str) -> Change:
    return change._replace(rule=rule) if rule else change


def _side(part: Part) -> Side:
    return Side(part.number, part.text, part.kind)


# --- Front matter ----------------------------------------------------------------------------------------


def front_changes(old: Sequence[Part], new: Sequence[Part]) -> tuple[Change, ...]:
    """Changes of title, notices, introduction, contents and credits, paragraph by paragraph.

    What changed in one notice as in another is one change: that of the date stands at both ends of a text.
    """
    changes: list[Change] = []
    for kind in PartKind:
        if kind in WITH_HISTORY:
            continue
        found = _paragraph_changes(
            [part for part in old if part.kind is kind], [part for part in new if part.kind is kind]
        )
        changes += dict.fromkeys(found) if kind is PartKind.NOTICE else found
    return tuple(changes)


def _paragraph_changes(before: Sequence[Part], after: Sequence[Part]) -> list[Change]:
    changes: list[Change] = []
    keys = [fold(part.text) for part in before], [fold(part.text) for part in after]
    place = 0
    blocks = differences(*keys)
    for i1, i2, j1, j2 in [*blocks, (len(before), len(before), len(after), len(after))]:
        both = zip(before[place:i1], after[j1 - (i1 - place) : j1], strict=True)
        changes += [change for one, other in both if (change := compare(one, other)) is not None]
        place = i2
        together = min(i2 - i1, j2 - j1)
        for one, other in zip(before[i1 : i1 + together], after[j1 : j1 + together], strict=True):
            ops = word_diff(one.text, other.text)
            changes.append(Change(ChangeKind.REWORDED, "front", _side(one), _side(other), ops))
        for one in before[i1 + together : i2]:
            ops = word_diff(one.text, "")
            changes.append(Change(ChangeKind.REMOVED, "front", _side(one), None, ops))
        for other in after[j1 + together : j2]:
            ops = word_diff("", other.text)
            changes.append(Change(ChangeKind.ADDED, "front", None, _side(other), ops))
    return changes
