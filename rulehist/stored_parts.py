"""The parts of a store as comparisons read them, kept from one comparison to the next.

It holds as long as nobody writes into the store: whoever keeps it for longer asks SQLite for the ``data_version``.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from rulehist.document import Part, PartKind
from rulehist.news import Inventory, inventory
from rulehist.thresholds import PARTS_KEPT

_NEWS = (
    "SELECT id FROM parts WHERE kind = 'section'"
    " OR kind = 'glossary' AND (number LIKE '%counter%' OR number LIKE '% type%')"
    " UNION ALL SELECT parts.id FROM texts_search CROSS JOIN parts ON parts.text_id = texts_search.rowid"
    ' WHERE texts_search MATCH \'"ability words are" OR "predefined token" OR "token is" OR "card types are"'
    ' OR "supertypes are" OR NEAR(called type, 3) OR NEAR(called types, 3)\''
)
"""SQL: what ``news`` reads whether it changed or not: titles, and rules and entries that list or define names."""

_SPEAKS = (
    "SELECT parts.id FROM texts_search CROSS JOIN parts ON parts.text_id = texts_search.rowid"
    " WHERE texts_search MATCH ?"
)

_SHARES = (
    "SELECT relation, older.rule_id, newer.rule_id FROM links"
    " JOIN placements AS older ON older.document_id = older_document_id AND older.place = older_place"
    " JOIN placements AS newer ON newer.document_id = newer_document_id AND newer.place = newer_place"
    " WHERE relation <> 'same'"
)
"""SQL: every split and merge of the store, by its rules."""

_KINDS = {kind.value: kind for kind in PartKind}


class Placed(NamedTuple):
    """A document in its order: the ids of its parts, and of the rules that they are (0: front matter)."""

    parts: Sequence[int]
    rules: Sequence[int]


class Shares(NamedTuple):
    """Splits and merges by the ids of rules: what a rule was split from, and what one went into."""

    origins: Mapping[int, Sequence[int]]
    ends: Mapping[int, Sequence[int]]


class StoredParts:
    """Reads parts by their ids, each once.

    ``many`` is for a reader of many pairs of documents: what a document names is then found in all of it and kept,
    which costs more than one comparison needs.
    """

    def __init__(self, connection: sqlite3.Connection, *, many: bool = False) -> None:
        self.many = many
        self._connection = connection
        self._parts: dict[int, Part] = {}
        self._numbers: dict[int, str] = {}
        self._placed: dict[int, Placed] = {}
        self._inventories: dict[int, Inventory] = {}
        self._speaking: dict[str, frozenset[int]] = {}

    def parts(self, wanted: Iterable[int]) -> Mapping[int, Part]:
        """The parts that there are by now, those ``wanted`` among them."""
        missing = {part for part in wanted if part not in self._parts}
        if not missing:
            return self._parts
        if len(self._parts) + len(missing) > PARTS_KEPT:
            self._parts = {}
            missing = set(wanted)
        rows = self._connection.execute(
            "SELECT parts.id, kind, published, number, label, truncated FROM parts JOIN texts ON texts.id = text_id"
            " WHERE parts.id IN (SELECT value FROM json_each(?))",
            [_json(missing)],
        )
        for part, kind, text, number, label, truncated in rows:
            self._parts[part] = Part(_KINDS[kind], text, number, label, 0, bool(truncated))
        return self._parts

    def numbers(self, wanted: Collection[int]) -> frozenset[str]:
        """The numbers of those parts that are sections, rules or subrules."""
        known = self._numbers
        missing = [part for part in wanted if part not in known]
        if missing:
            rows = self._connection.execute(
                "SELECT id, CASE WHEN kind IN ('section', 'rule', 'subrule') THEN number ELSE '' END FROM parts"
                " WHERE id IN (SELECT value FROM json_each(?))",
                [_json(missing)],
            )
            known.update(rows.fetchall())
        return frozenset(known[part] for part in wanted) - {""}

    def placed(self, document: int) -> Placed:
        """A document's parts and rules, in order."""
        known = self._placed.get(document)
        if known is None:
            rows = self._connection.execute(
                "SELECT part_id, coalesce(rule_id, 0) FROM placements WHERE document_id = ? ORDER BY place", [document]
            ).fetchall()
            known = Placed(*(array("q", side) for side in zip(*rows, strict=True))) if rows else Placed((), ())
            self._placed[document] = known
        return known

    def inventory(self, document: int) -> Inventory:
        """What a whole document names."""
        known = self._inventories.get(document)
        if known is None:
            placed = self.placed(document).parts
            parts = self.parts(placed)
            known = self._inventories[document] = inventory([parts[part] for part in placed])
        return known

    @cached_property
    def shares(self) -> Shares:
        """Every split and merge of the store."""
        origins: dict[int, list[int]] = {}
        ends: dict[int, list[int]] = {}
        for relation, older, newer in self._connection.execute(_SHARES):
            if relation == "split":
                origins.setdefault(newer, []).append(older)
            else:
                ends.setdefault(older, []).append(newer)
        return Shares(origins, ends)

    @cached_property
    def naming(self) -> frozenset[int]:
        """The parts that ``news`` reads whether they changed or not."""
        return frozenset(row[0] for row in self._connection.execute(_NEWS))

    def speaking(self, words: str) -> frozenset[int]:
        """The parts that have these words in a row."""
        known = self._speaking.get(words)
        if known is None:
            rows = self._connection.execute(_SPEAKS, [f'"{words}"*'])
            known = self._speaking[words] = frozenset(row[0] for row in rows)
        return known

    def subrules(self, section: str) -> set[int]:
        """The subrules of a section in any version."""
        rows = self._connection.execute(
            "SELECT id FROM parts WHERE kind = 'subrule' AND number >= ? AND number < ?", [f"{section}.", f"{section}/"]
        )
        return {row[0] for row in rows}


def _json(ids: Iterable[int]) -> str:
    return f"[{','.join(map(str, ids))}]"
