"""A diff in the order in which a judge wants to read it: what matters in play first, noise last.

Every format prints this one arrangement. Every change stands in exactly one group, so that the groups' counts add up
and nothing is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rulehist.changes import Change, ChangeKind
from rulehist.document import PartKind
from rulehist.lists import ListChanges, list_changes, opening_of_list
from rulehist.number_ranges import Range, ranges
from rulehist.patterns import REWORDED, Pattern, find_patterns

_LISTED = re.compile(r"\b(?:\w+ types|supertypes|ability words|keyword abilities|keyword actions)\b", re.IGNORECASE)
_OPENED = re.compile(
    r"\b(?!(?:the|these|other) )(?:\w+ (?:types|words|abilities|actions)|supertypes|types)\b", re.IGNORECASE
)


class ListChange(NamedTuple):
    """A change of a list inside a rule or glossary entry: what it lists, what joined and left it."""

    title: str
    change: Change
    items: ListChanges


class Group(NamedTuple):
    """Changes of one subject, in the order of the new text. A folded one is told as a whole before it is opened."""

    key: str
    title: str
    folded: bool
    changes: tuple[Change, ...]


class Arranged(NamedTuple):
    """A diff's changes by group, in the reader's order; a group without changes is left out.

    Among new, removed and reworded rules, examples and glossary entries the ops of a change leave out what
    ``patterns`` tell; those that a pattern explains wholly are the group ``mass``. ``ranges`` have every rule under
    another number, reworded or not.
    """

    groups: tuple[Group, ...]
    patterns: tuple[Pattern, ...]
    lists: tuple[ListChange, ...]
    ranges: tuple[Range, ...]

    def group(self, key: str) -> tuple[Change, ...]:
        """The changes of a group."""
        return next((group.changes for group in self.groups if group.key == key), ())


_GROUPS = (
    ("added", "New rules", False),
    ("removed", "Removed rules", False),
    ("reworded", "Reworded rules", False),
    ("mass", "Mass rewordings", True),
    ("examples", "Examples", False),
    ("glossary", "Glossary", False),
    ("lists", "Lists", True),
    ("renumbered", "Renumbered", True),
    ("references", "References only", True),
    ("front", "Front matter", False),
    ("typography", "Typography only", True),
    ("contents", "Lines of the contents list", True),
)
"""Key, title, and whether it is folded, of each group in the reader's order."""


def arrange(changes: Sequence[Change]) -> Arranged:
    """The changes in groups, mass rewordings found and taken out."""
    found = find_patterns(changes)
    groups: dict[str, list[Change]] = {}
    lists: list[ListChange] = []
    for index, change in enumerate(changes):
        if index in found.only:
            groups.setdefault("mass", []).append(change)
        elif (listed := _list_of(change)) is not None:
            lists.append(listed)
            groups.setdefault("lists", []).append(change)
        else:
            shown = change._replace(ops=found.rest[index]) if index in found.rest else change
            groups.setdefault(_group(change), []).append(shown)
    moved = ranges(changes)
    # told as a whole even where every rule with a share in it changed otherwise too
    told = {key for key, whole in (("mass", found.patterns), ("renumbered", moved)) if whole}
    return Arranged(
        groups=tuple(
            Group(key, title, folded, tuple(groups.get(key, ())))
            for key, title, folded in _GROUPS
            if key in groups or key in told
        ),
        patterns=found.patterns,
        lists=tuple(lists),
        ranges=moved,
    )


def _group(change: Change) -> str:
    if change.part == "front":
        return "contents" if _kind_of_part(change) is PartKind.CONTENTS else "front"
    if change.kind in {ChangeKind.TYPOGRAPHY, ChangeKind.REFERENCES}:
        return change.kind.value
    if change.part != "rule":
        return "examples" if change.part == "example" else "glossary"
    return "reworded" if change.kind in REWORDED else change.kind.value


def _kind_of_part(change: Change) -> PartKind | None:
    side = change.new or change.old
    return side.kind if side else None


def _list_of(change: Change) -> ListChange | None:
    if change.kind not in REWORDED or change.old is None or change.new is None or change.part == "front":
        return None
    found = list_changes(change.old.text, change.new.text)
    if found is None or not (found.joined or found.left):
        return None
    return ListChange(_list_title(change), change, found)


def _list_title(change: Change) -> str:
    """What a list is of, by its own words: ``Creature types``; of a glossary entry its term.

    The words that open the list count before those of the rest: 702.124a calls partner abilities keyword abilities.
    """
    if change.part == "glossary" or change.new is None:
        return change.number
    opened = list(_OPENED.finditer(opening_of_list(change.new.text)))
    named = opened[-1] if opened else _LISTED.search(change.new.text)
    return f"{named[0][:1].upper()}{named[0][1:].lower()}" if named else f"List of rule {change.number}"
