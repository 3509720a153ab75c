"""Every number that a report names, counted in one place from the groups of the reader's order.

A change stands in exactly one group, and what is said of a group in the opening, over its list and beside a link to
it is the count of what the list holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from rulehist.change_words import listed, plural
from rulehist.changes import RENUMBERED, Change, ChangeKind, ChangePart

if TYPE_CHECKING:
    from rulehist.reader_order import Arranged

_NAMES: Mapping[ChangePart, tuple[str, str]] = {
    "rule": ("rule", ""),
    "example": ("example", ""),
    "glossary": ("glossary entry", "glossary entries"),
    "front": ("paragraph", ""),
}


class Counts(NamedTuple):
    """How many there are of each.

    ``groups`` has the changes of each group by part. ``moved`` are the rules under another number, reworded or not;
    those of them that nothing else happened to are the group ``renumbered``. ``glossary`` has the changes of the
    group of that name by what happened: ``new``, ``gone``, ``renamed`` (reworded or not) and ``reworded``.
    """

    groups: Mapping[str, Mapping[ChangePart, int]]
    moved: int
    replacements: int
    glossary: Mapping[str, int]

    def of(self, key: str, part: ChangePart | None = None) -> int:
        """The changes of a group, all or those of one part."""
        parts = self.groups.get(key, {})
        return sum(parts.values()) if part is None else parts.get(part, 0)

    def size(self, key: str) -> int:
        """What stands beside a link to a group: its changes; of replacements and moves, how many were made."""
        return {"mass": self.replacements, "renumbered": self.moved}.get(key, self.of(key))

    def size_words(self, key: str) -> str:
        """What stands over a group: ``15``; ``11, 7 of them without another change``."""
        if key == "mass":
            alone = parts_words(self.groups.get(key, {}))
            made = plural(self.replacements, "replacement")
            return f"{made}; nothing else changed in {alone}" if alone else made
        if key == "renumbered" and 0 < self.moved != self.of(key):
            return f"{self.moved:,}, {self.of(key):,} of them without another change"
        return f"{self.size(key):,}"


def counts(arranged: Arranged) -> Counts:
    """Count what the groups hold."""
    found = {group.key: Counter(change.part for change in group.changes) for group in arranged.groups}
    return Counts(
        groups=found,
        moved=sum(moved.rules for moved in arranged.ranges),
        replacements=len(arranged.patterns),
        glossary=Counter(map(_entry_word, arranged.group("glossary"))),
    )


def _entry_word(change: Change) -> str:
    if change.kind is ChangeKind.ADDED:
        return "new"
    if change.kind is ChangeKind.REMOVED:
        return "gone"
    return "renamed" if change.kind in RENUMBERED else "reworded"


def parts_words(parts: Mapping[ChangePart, int] | Iterable[tuple[ChangePart, int]]) -> str:
    """``38 rules, 2 examples and 1 glossary entry``; empty for none."""
    given = dict(parts)
    return listed([plural(given[part], *names) for part, names in _NAMES.items() if given.get(part)])
