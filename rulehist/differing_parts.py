"""The parts in which two stored documents differ, read without reading the rest.

Neighbouring versions share most of their parts, and a part is stored once: the same part under the same rule in
both needs no comparison, and its words need not be read.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rulehist.changes import LinkedParts
from rulehist.document import Part, PartKind
from rulehist.news import News, inventory, news_between
from rulehist.stored_parts import Placed, StoredParts


class Pair(NamedTuple):
    """A link between parts, as :class:`rulehist.changes.Linked` is one: indexes or ``None``."""

    old: int | None
    new: int | None
    relation: str = "same"


class TwoDocuments:
    """Two documents of a store, by their ids."""

    def __init__(self, stored: StoredParts, older: int, newer: int) -> None:
        self._stored = stored
        self._ids = older, newer
        self._old, self._new = stored.placed(older), stored.placed(newer)
        self._staying: frozenset[str] | None = None

    def differing(self, *, whole: bool = False) -> LinkedParts:
        """The parts in which they differ; with ``whole`` all of both.

        A part that both share is among them only where it tells where a removed one stood, or what one was split
        from or went into.
        """
        old_at, new_at = _places(self._old.rules), _places(self._new.rules)
        pairs, shares = self._pairs(old_at, new_at, whole=whole)
        fronts = _unshared(*(_front(side) for side in (self._old, self._new)))
        old_index = {at: index for index, at in enumerate(sorted({old for old, _ in pairs} - {_NOWHERE}))}
        new_index = {at: index for index, at in enumerate(sorted({new for _, new in pairs} - {_NOWHERE}))}
        old_ids, new_ids = [self._old.parts[at] for at in old_index], [self._new.parts[at] for at in new_index]
        parts = self._stored.parts([*old_ids, *new_ids, *fronts[0], *fronts[1]])
        # in the order of the new text, what was removed at the end
        links = [
            Pair(old_index.get(old), new_index.get(new))
            for new, old in sorted(((new if new >= 0 else len(self._new.parts)), old) for old, new in pairs)
        ]
        links += [Pair(old_index[old], new_index[new], relation) for old, new, relation in shares]
        sides = [[parts[part] for part in side] for side in (old_ids, new_ids, *fronts)]
        return LinkedParts(sides[0], sides[1], links, sides[2], sides[3], self._stays)

    def _pairs(
        self, old_at: Mapping[int, int], new_at: Mapping[int, int], *, whole: bool
    ) -> tuple[set[tuple[int, int]], list[tuple[int, int, str]]]:
        """Places in both that are to be compared, ``_NOWHERE`` where there is none, and splits and merges."""
        old_parts, new_parts = self._old.parts, self._new.parts
        pairs = {
            (old, new)
            for rule, new in new_at.items()
            if (old := old_at.get(rule, _NOWHERE)) < 0 or whole or old_parts[old] != new_parts[new]
        }
        standing: tuple[int, int] | None = None
        for old, rule in enumerate(self._old.rules):
            if rule in new_at:
                standing = old, new_at[rule]
            elif rule:
                pairs |= {(old, _NOWHERE), standing or (old, _NOWHERE)}
        shares = self._shares(old_at, new_at)
        for old, new, _ in shares:
            pairs.add((old, new_at.get(self._old.rules[old], _NOWHERE)))
            pairs.add((old_at.get(self._new.rules[new], _NOWHERE), new))
        return pairs, shares

    def _shares(self, old_at: Mapping[int, int], new_at: Mapping[int, int]) -> list[tuple[int, int, str]]:
        """Splits and merges, through rules that neither of the two has: places in both, and the relation."""
        origins, ends = self._stored.shares
        shares = [
            (old_at[source], new_at[rule], "split")
            for rule in new_at.keys() & origins.keys()
            if rule not in old_at
            for source in _follow(rule, origins, old_at)
        ]
        shares += [
            (old_at[rule], new_at[target], "merge")
            for rule in old_at.keys() & ends.keys()
            if rule not in new_at
            for target in _follow(rule, ends, new_at)
        ]
        return sorted(shares)

    def news(self) -> News:
        """What joined and what left between the two."""
        if self._stored.many:
            before, after = map(self._stored.inventory, self._ids)
        else:
            before, after = map(inventory, self.for_news())
        return news_between(before, after, self.speaks_of)

    def for_news(self) -> tuple[list[Part], list[Part]]:
        """What :func:`rulehist.news.news` needs of each of the two, in order, with all that only one has."""
        sides = [set(side.parts) for side in (self._old, self._new)]
        both, either = sides[0] & sides[1], sides[0] ^ sides[1]
        read = set(self._stored.naming & (sides[0] | sides[1]))
        parts = self._stored.parts([*read, *either])
        changed = [parts[part] for part in either]
        for part in read.copy():
            section = parts[part]
            if (
                section.kind is PartKind.SECTION
                and "ounters" in section.text
                and _names_counters(changed, section.number)
            ):
                read |= self._stored.subrules(section.number) & both
        parts = self._stored.parts(read | either)
        old, new = (
            [parts[part] for part in side.parts if part in read or part not in both] for side in (self._old, self._new)
        )
        return old, new

    def speaks_of(self, words: str) -> tuple[bool, bool]:
        """Whether each of the two has these words in a row in any part."""
        found = self._stored.speaking(words)
        return not found.isdisjoint(self._old.parts), not found.isdisjoint(self._new.parts)

    def _stays(self, number: str) -> bool:
        if self._staying is None:
            unchanged = set(zip(*self._old, strict=True)) & set(zip(*self._new, strict=True))
            self._staying = self._stored.numbers([part for part, _ in unchanged])
        return number in self._staying


_NOWHERE = -1


def _places(rules: Sequence[int]) -> dict[int, int]:
    """Where each rule stands."""
    places = dict(zip(rules, range(len(rules)), strict=True))
    places.pop(0, None)
    return places


def _front(side: Placed) -> list[int]:
    """The parts that are no rule's."""
    return [part for part, rule in zip(*side, strict=True) if not rule]


def _names_counters(changed: Iterable[Part], section: str) -> bool:
    """Whether one of the parts may name a kind of counter; if none does, what is shared need not be read."""
    return any(
        part.number.startswith(section) if part.kind is not PartKind.GLOSSARY else "ounter" in part.number
        for part in changed
    )


def _unshared(old: Sequence[int], new: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Two sequences without what both begin and end with."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < most - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return old[start : len(old) - tail], new[start : len(new) - tail]


def _follow(rule: int, steps: Mapping[int, Sequence[int]], goal: Container[int]) -> Iterator[int]:
    """The nearest rules of ``goal`` to which ``steps`` lead from ``rule``."""
    seen, ahead = {rule}, [rule]
    while ahead:
        for found in steps.get(ahead.pop(), ()):
            if found in seen:
                continue
            seen.add(found)
            if found in goal:
                yield found
            else:
                ahead.append(found)
