"""The parts in which two stored documents differ, read without reading the rest.

Neighbouring versions share most of their parts, and a part is stored once: the same part under the same rule in
both needs no comparison, and its words need not be read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rulehist.changes import LinkedParts
from rulehist.document import Part, PartKind

_NEWS = (
    "SELECT id FROM parts WHERE kind = 'section'"
    " OR kind = 'glossary' AND (number LIKE '%counter%' OR number LIKE '% type%')"
    " UNION ALL SELECT parts.id FROM texts_search CROSS JOIN parts ON parts.text_id = texts_search.rowid"
    ' WHERE texts_search MATCH \'"ability words are" OR "predefined token" OR "token is" OR "card types are"'
    ' OR "supertypes are" OR NEAR(called type, 3) OR NEAR(called types, 3)\''
)
"""SQL: what ``news`` reads whether it changed or not: titles, and rules and entries that list or define names."""


_SHARES = (
    "SELECT relation, older.rule_id, newer.rule_id FROM links"
    " JOIN placements AS older ON older.document_id = older_document_id AND older.place = older_place"
    " JOIN placements AS newer ON newer.document_id = newer_document_id AND newer.place = newer_place"
    " WHERE relation <> 'same'"
)
"""SQL: every split and merge of the store, by its rules."""


class Pair(NamedTuple):
    """A link between parts, as :class:`rulehist.changes.Linked` is one: indexes or ``None``."""

    old: int | None
    new: int | None
    relation: str = "same"


class TwoDocuments:
    """Two documents of the store, by their ids."""

    def __init__(self, connection: sqlite3.Connection, older: int, newer: int) -> None:
        self._connection = connection
        self._old, self._new = (
            connection.execute(
                "SELECT part_id, rule_id FROM placements WHERE document_id = ? ORDER BY place", [document]
            ).fetchall()
            for document in (older, newer)
        )
        self._parts: dict[int, Part] = {}
        self._staying: frozenset[str] | None = None

    def differing(self, *, whole: bool = False) -> LinkedParts:
        """The parts in which they differ; with ``whole`` all of both.

        A part that both share is among them only where it tells where a removed one stood, or what one was split
        from or went into.
        """
        old_at = {rule: at for at, (_, rule) in enumerate(self._old) if rule is not None}
        new_at = {rule: at for at, (_, rule) in enumerate(self._new) if rule is not None}
        pairs: set[tuple[int | None, int | None]] = {
            (old_at.get(rule), at)
            for rule, at in new_at.items()
            if whole or rule not in old_at or self._old[old_at[rule]][0] != self._new[at][0]
        }
        standing: tuple[int | None, int | None] | None = None
        for at, (_, rule) in enumerate(self._old):
            if rule in new_at:
                standing = at, new_at[rule]
            elif rule is not None:
                pairs |= {(at, None), standing or (at, None)}
        shares = self._shares(old_at, new_at)
        for old, new, _ in shares:
            pairs |= {(old, new_at.get(self._old[old][1])), (old_at.get(self._new[new][1]), new)}
        fronts = _unshared(*([part for part, rule in side if rule is None] for side in (self._old, self._new)))
        old_index = {at: index for index, at in enumerate(sorted(old for old, _ in pairs if old is not None))}
        new_index = {at: index for index, at in enumerate(sorted(new for _, new in pairs if new is not None))}
        old_ids, new_ids = [self._old[at][0] for at in old_index], [self._new[at][0] for at in new_index]
        self._load((*old_ids, *new_ids, *fronts[0], *fronts[1]))
        links = [
            Pair(None if old is None else old_index[old], None if new is None else new_index[new])
            for old, new in sorted(pairs, key=lambda pair: (pair[1] is None, pair[1] or 0, pair[0] or 0))
        ]
        links += [Pair(old_index[old], new_index[new], relation) for old, new, relation in shares]
        sides = [[self._parts[part] for part in side] for side in (old_ids, new_ids, *fronts)]
        return LinkedParts(sides[0], sides[1], links, sides[2], sides[3], self._stays)

    def _shares(self, old_at: Mapping[int, int], new_at: Mapping[int, int]) -> list[tuple[int, int, str]]:
        """Splits and merges, through rules that neither of the two has: places in both, and the relation."""
        origins: dict[int, list[int]] = {}
        ends: dict[int, list[int]] = {}
        for relation, older, newer in self._connection.execute(_SHARES):
            if relation == "split":
                origins.setdefault(newer, []).append(older)
            else:
                ends.setdefault(older, []).append(newer)
        shares = [
            (old_at[source], at, "split")
            for rule, at in new_at.items()
            if rule in origins and rule not in old_at
            for source in _follow(rule, origins, old_at)
        ]
        shares += [
            (at, new_at[target], "merge")
            for rule, at in old_at.items()
            if rule in ends and rule not in new_at
            for target in _follow(rule, ends, new_at)
        ]
        return shares

    def for_news(self) -> tuple[list[Part], list[Part]]:
        """What :func:`rulehist.news.news` needs of each of the two, in order, with all that only one has."""
        sides = [{part for part, _ in side} for side in (self._old, self._new)]
        both = sides[0] & sides[1]
        read = {row[0] for row in self._connection.execute(_NEWS)} & (sides[0] | sides[1])
        self._load([*read, *(sides[0] ^ sides[1])])
        changed = [self._parts[part] for part in sides[0] ^ sides[1]]
        for part in read.copy():
            section = self._parts[part]
            if (
                section.kind is PartKind.SECTION
                and "ounters" in section.text
                and _names_counters(changed, section.number)
            ):
                read |= self._subrules(section.number) & both
        self._load(read)
        old, new = (
            [self._parts[part] for part, _ in side if part in read or part not in both]
            for side in (self._old, self._new)
        )
        return old, new

    def _subrules(self, section: str) -> set[int]:
        rows = self._connection.execute(
            "SELECT id FROM parts WHERE kind = 'subrule' AND number >= ? AND number < ?", [f"{section}.", f"{section}/"]
        )
        return {row[0] for row in rows}

    def speaks_of(self, words: str) -> tuple[bool, bool]:
        """Whether each of the two has these words in a row in any part."""
        found = {
            row[0]
            for row in self._connection.execute(
                "SELECT parts.id FROM texts_search CROSS JOIN parts ON parts.text_id = texts_search.rowid"
                " WHERE texts_search MATCH ?",
                [f'"{words}"*'],
            )
        }
        old, new = (any(part in found for part, _ in side) for side in (self._old, self._new))
        return old, new

    def _stays(self, number: str) -> bool:
        if self._staying is None:
            unchanged = [str(part) for part, _ in set(self._old) & set(self._new)]
            rows = self._connection.execute(
                "SELECT number FROM parts WHERE kind IN ('section', 'rule', 'subrule')"
                " AND id IN (SELECT value FROM json_each(?))",
                [f"[{','.join(unchanged)}]"],
            )
            self._staying = frozenset(number for (number,) in rows)
        return number in self._staying

    def _load(self, wanted: Iterable[int]) -> None:
        missing = {part for part in wanted if part not in self._parts}
        rows = self._connection.execute(
            "SELECT parts.id, kind, published, number, label, truncated FROM parts JOIN texts ON texts.id = text_id"
            " WHERE parts.id IN (SELECT value FROM json_each(?))",
            [f"[{','.join(map(str, missing))}]"],
        )
        for part, kind, text, number, label, truncated in rows:
            self._parts[part] = Part(_KINDS[kind], text, number, label, 0, bool(truncated))


_KINDS = {kind.value: kind for kind in PartKind}


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
