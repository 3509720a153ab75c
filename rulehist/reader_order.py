"""A diff in the order in which a judge wants to read it: what matters in play first, noise last.

Every change stands in exactly one group, so that the groups' counts add up and nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulehist.changes import Change, ChangeKind, Diff
from rulehist.lists import ListChanges, list_changes
from rulehist.numbers import parse
from rulehist.patterns import REWORDED, Pattern, find_patterns


@dataclass(frozen=True, slots=True)
class Range:
    """Neighbouring rules that moved together: ``702.5-702.38`` became ``702.6-702.39``. ``count`` of them."""

    old_first: str
    old_last: str
    new_first: str
    new_last: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class ListChange:
    """A change of a list inside a rule: what joined and left, with the change that it is."""

    change: Change
    items: ListChanges


@dataclass(frozen=True, slots=True)
class Arranged:
    """A diff's changes by group, in the reader's order. The order inside each is that of the new text.

    In ``rules``, ``examples`` and ``glossary`` the ops of a change leave out what ``patterns`` tell.
    ``mass_only`` are changes that a mass rewording explains wholly.
    """

    added: tuple[Change, ...]
    removed: tuple[Change, ...]
    reworded: tuple[Change, ...]
    patterns: tuple[Pattern, ...]
    mass_only: tuple[Change, ...]
    examples: tuple[Change, ...]
    glossary: tuple[Change, ...]
    lists: tuple[ListChange, ...]
    ranges: tuple[Range, ...]
    renumbered: tuple[Change, ...]
    references: tuple[Change, ...]
    front: tuple[Change, ...]
    typography: tuple[Change, ...]

    def groups(self) -> tuple[tuple[str, Sequence[Change]], ...]:
        """Every group with its title, empty ones left out; together they are the whole diff."""
        every: tuple[tuple[str, Sequence[Change]], ...] = (
            ("New rules", self.added),
            ("Removed rules", self.removed),
            ("Reworded rules", self.reworded),
            ("Mass rewordings only", self.mass_only),
            ("Examples", self.examples),
            ("Glossary", self.glossary),
            ("Lists", [entry.change for entry in self.lists]),
            ("Renumbered", self.renumbered),
            ("References only", self.references),
            ("Front matter", self.front),
            ("Typography only", self.typography),
        )
        told = self.patterns and (
            "Mass rewordings only",
            self.mass_only,
        )  # told with no change of its own too
        return tuple(group for group in every if group[1] or group == told)


def arrange(diff: Diff) -> Arranged:
    """The changes of ``diff`` in groups, mass rewordings found and taken out."""
    found = find_patterns(diff.changes)
    groups: dict[str, list[Change]] = {}
    lists: list[ListChange] = []
    for index, change in enumerate(diff.changes):
        items = _list_of(change)
        if index in found.only:
            groups.setdefault("mass", []).append(change)
        elif items is not None:
            lists.append(ListChange(change, items))
        else:
            shown = replace(change, ops=found.rest[index]) if index in found.rest else change
            groups.setdefault(_group(change), []).append(shown)

    def group(name: str) -> tuple[Change, ...]:
        return tuple(groups.get(name, ()))

    return Arranged(
        added=group("added"),
        removed=group("removed"),
        reworded=group("reworded"),
        patterns=found.patterns,
        mass_only=group("mass"),
        examples=group("example"),
        glossary=group("glossary"),
        lists=tuple(lists),
        ranges=ranges(diff.changes),
        renumbered=group("renumbered"),
        references=group("references"),
        front=group("front"),
        typography=group("typography"),
    )


def _group(change: Change) -> str:
    if change.part == "front":
        return "front"
    if change.kind in {ChangeKind.TYPOGRAPHY, ChangeKind.REFERENCES, ChangeKind.RENUMBERED}:
        return change.kind.value
    if change.part != "rule":
        return change.part
    return "reworded" if change.kind in REWORDED else change.kind.value


def _list_of(change: Change) -> ListChanges | None:
    if change.kind not in REWORDED or change.old is None or change.new is None or change.part == "front":
        return None
    found = list_changes(change.old.text, change.new.text)
    return found if found is not None and (found.joined or found.left) else None


def ranges(changes: Sequence[Change]) -> tuple[Range, ...]:
    """The renumbered rules of ``changes`` as runs of neighbours that moved by the same distance.

    Rules and subrules are told by the rule that they belong to: 702.5a goes along with 702.5.
    """
    moves = sorted(
        {
            (old, new)
            for change in changes
            if change.part == "rule" and change.moved and change.old is not None and change.new is not None
            if (old := parse(change.old.number)) is not None and (new := parse(change.new.number)) is not None
        },
        key=lambda move: (move[0].section, move[0].rule or 0, len(move[0].letters), move[0].letters),
    )
    rules = {(old.section, old.rule): (new.section, new.rule) for old, new in moves if not old.letters}
    runs: list[list[tuple[str, str]]] = []
    last: tuple[int, int, int, int] | None = None
    for old, new in moves:
        if old.letters and rules.get((old.section, old.rule)) == (new.section, new.rule) and old.letters == new.letters:
            if runs:
                runs[-1].append(("", ""))
            continue
        pair = (_written(*old), _written(*new))
        where = (old.section, old.rule or 0, new.section, new.rule or 0) if not old.letters else None
        goes_on = where is not None and last is not None and _follows(last, where)
        if goes_on or (old.letters and runs and _next_letter(runs[-1][-1], pair)):
            runs[-1].append(pair)
        else:
            runs.append([pair])
        last = where
    return tuple(_range(run) for run in runs)


def _follows(last: tuple[int, int, int, int], now: tuple[int, int, int, int]) -> bool:
    """Whether a move goes on from the last: the next rule of one section, or the next section."""
    one_section = last[0] == now[0] and last[2] == now[2]
    if one_section and last[1] and last[3]:
        return now[1] - last[1] == now[3] - last[3] and 0 < now[1] - last[1] <= 2
    return now[1] == now[3] == last[1] == last[3] == 0 and now[0] - last[0] == now[2] - last[2] == 1


def _next_letter(last: tuple[str, str], now: tuple[str, str]) -> bool:
    """Whether subrules moved on in step: 702.5a and 702.5b to 702.6b and 702.6c."""
    following = []
    for one, other in zip(last, now, strict=True):
        before, after = parse(one), parse(other)
        if before is None or after is None or before[:2] != after[:2]:
            return False
        letters = "abcdefghijkmnpqrstuvwxyz"
        if len(before.letters) != 1 or len(after.letters) != 1:
            return False
        following.append(letters.find(after.letters) - letters.find(before.letters))
    return following[0] == following[1] == 1


def _range(run: Sequence[tuple[str, str]]) -> Range:
    named = [pair for pair in run if pair[0]]
    return Range(named[0][0], named[-1][0], named[0][1], named[-1][1], len(run))


def _written(section: int, rule: int | None, letters: str) -> str:
    return str(section) if rule is None else f"{section}.{rule}{letters}"
