"""Computes what follows from the sources: which rule is which through time, and each rule's spans.

All of it is a function of the set of documents in the store, in order of time, so that the order in which they
came does not matter. It is computed anew after each ingest, and written where it differs from what is there. Only
the links between two neighbouring whole texts are kept, because they depend on nothing but those two.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from rulehist import numbers
from rulehist.document import WITH_HISTORY, Coverage, Part, PartKind
from rulehist.history import lookup_form
from rulehist.lineage import NOBODY, VersionParts, assign, neighbours
from rulehist.neighbour_links import Text, links_of_neighbours
from rulehist.spans import Span, VersionEntries, spans
from rulehist.version_order import BASIS_FIRST
from rulehist.workers import Workers


class _Parts:
    """All parts with a history, each once, with the folded text in place of the published one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        kinds = ", ".join(f"'{kind}'" for kind in sorted(WITH_HISTORY))
        self.by_id: dict[int, Part] = {}
        self.text_ids: dict[int, int] = {}
        for part_id, kind, number, label, text_id, truncated, folded in connection.execute(
            "SELECT parts.id, parts.kind, parts.number, parts.label, parts.text_id, parts.truncated, texts.folded"
            f" FROM parts JOIN texts ON texts.id = parts.text_id WHERE parts.kind IN ({kinds})"
        ):
            self.by_id[part_id] = Part(PartKind(kind), folded, number, label, 0, bool(truncated))
            self.text_ids[part_id] = text_id


@dataclass(frozen=True, slots=True)
class _Stored:
    """A document: its parts with a history by ids, their places, and the rules that they have so far.

    ``everything`` are all its parts where they are not placed yet, else empty.
    """

    document_id: int
    version_id: int
    effective: str | None
    coverage: Coverage
    places: Sequence[int]
    part_ids: Sequence[int]
    rule_ids: Sequence[int | None]
    everything: Sequence[int]


def build_history(connection: sqlite3.Connection, arrived: Mapping[int, Sequence[int]], workers: Workers) -> None:
    """Write ``rules``, ``placements``, ``spans``, ``matches``, ``links`` and ``texts_search``.

    ``arrived`` has the parts of each document that is new, which this function places.
    """
    _index_texts(connection)
    parts = _Parts(connection)
    documents = list(_documents(connection, parts, arrived))
    names = _identities(connection, parts, documents, workers)
    known: dict[str, int] = dict(connection.execute("SELECT name, id FROM rules"))
    rule_ids = _write_rules(connection, known, documents, names)
    rules = [array("i", [rule_ids[name] for name in document_names]) for document_names in names]
    for document, document_rules in zip(documents, rules, strict=True):
        _write_placements(connection, document, document_rules)
    _write_spans(connection, parts, _versions(documents, rules))
    gone = set(known.values()).difference(rule_ids.values())
    connection.executemany("DELETE FROM rules WHERE id = ?", [(rule_id,) for rule_id in gone])


def _index_texts(connection: sqlite3.Connection) -> None:
    """Full-text search of the new texts, all at once: by a trigger, one by one, it takes seven times as long."""
    indexed = connection.execute("SELECT coalesce(max(id), 0) FROM texts_search_docsize").fetchone()
    connection.execute("INSERT INTO texts_search(rowid, folded) SELECT id, folded FROM texts WHERE id > ?", indexed)


def _documents(
    connection: sqlite3.Connection, parts: _Parts, arrived: Mapping[int, Sequence[int]]
) -> Iterator[_Stored]:
    """Every document in order of time; of one version the full texts first."""
    rows = connection.execute(
        "SELECT documents.id, versions.id, versions.effective, documents.coverage FROM documents"
        " JOIN versions ON versions.id = documents.version_id JOIN sources ON sources.id = documents.source_id"
        f" ORDER BY versions.sort_key, {BASIS_FIRST}, documents.place"
    ).fetchall()
    with_history = parts.by_id
    for document_id, version_id, effective, coverage in rows:
        everything = arrived.get(document_id, ())
        placed: Sequence[tuple[int, int, int | None]] = [
            (place, part_id, None) for place, part_id in enumerate(everything)
        ] or connection.execute(
            "SELECT place, part_id, rule_id FROM placements WHERE document_id = ? ORDER BY place", [document_id]
        ).fetchall()
        followed = [row for row in placed if row[1] in with_history]
        yield _Stored(
            document_id, version_id, effective, Coverage(coverage),
            array("i", [place for place, _, _ in followed]),
            array("i", [part_id for _, part_id, _ in followed]),
            [rule_id for _, _, rule_id in followed] if not everything else (),
            everything,
        )  # fmt: skip


def _identities(
    connection: sqlite3.Connection, parts: _Parts, documents: Sequence[_Stored], workers: Workers
) -> list[list[str]]:
    """The identity of each part of each document."""
    dated = []
    for document in documents:
        own = [parts.by_id[part_id] for part_id in document.part_ids]
        effective = date.fromisoformat(document.effective) if document.effective else None
        dated.append(VersionParts(effective, own, [part.text for part in own], document.coverage is Coverage.FULL))
    texts = [
        Text(document.document_id, document.effective, document.part_ids, document.places) for document in documents
    ]
    lineage = assign(dated, links_of_neighbours(connection, texts, neighbours(dated), parts.by_id, workers))
    return [[lineage.names[rule] if rule != NOBODY else "" for rule in rules] for rules in lineage.rules]


def _write_rules(
    connection: sqlite3.Connection,
    known: Mapping[str, int],
    documents: Sequence[_Stored],
    names: Sequence[Sequence[str]],
) -> dict[str, int]:
    """The id of each identity that there is now.

    One that only got another name, because an earlier text of it came, keeps its id, and so its placements.
    """
    wanted = dict.fromkeys(name for document in names for name in document)
    ids = {name: rule_id for name, rule_id in known.items() if name in wanted}
    nameless = {rule_id for name, rule_id in known.items() if name not in wanted}
    renamed: dict[str, int] = {}
    for document, document_names in zip(documents, names, strict=True) if nameless else ():
        for rule_id, name in zip(document.rule_ids, document_names, strict=False):
            if rule_id in nameless and name not in ids:
                ids[name] = renamed[name] = rule_id
                nameless.remove(rule_id)
    connection.executemany("UPDATE rules SET name = ? WHERE id = ?", renamed.items())
    following = max(known.values(), default=0) + 1
    new = {name: following + at for at, name in enumerate(name for name in wanted if name not in ids)}
    connection.executemany("INSERT INTO rules(name, id) VALUES (?, ?)", new.items())
    return ids | new


def _write_placements(connection: sqlite3.Connection, document: _Stored, rules: Sequence[int]) -> None:
    if document.everything:
        rule_at: dict[int, int] = dict(zip(document.places, rules, strict=True))
        connection.executemany(
            "INSERT INTO placements(document_id, place, part_id, rule_id) VALUES (?, ?, ?, ?)",
            [
                (document.document_id, place, part_id, rule_at.get(place))
                for place, part_id in enumerate(document.everything)
            ],
        )
        return
    connection.executemany(
        "UPDATE placements SET rule_id = ? WHERE document_id = ? AND place = ?",
        [
            (rule_id, document.document_id, place)
            for place, rule_id, before in zip(document.places, rules, document.rule_ids, strict=True)
            if rule_id != before
        ],
    )


def _versions(documents: Sequence[_Stored], rules: Sequence[Sequence[int]]) -> list[VersionEntries]:
    versions: list[VersionEntries] = []
    for document, document_rules in zip(documents, rules, strict=True):
        if versions and versions[-1].version_id == document.version_id and versions[-1].coverage is Coverage.FULL:
            continue  # a further source of a version that a full text stands for already
        dated = document.version_id, document.effective, document.coverage
        versions.append(VersionEntries(*dated, document_rules, document.part_ids, document.places))
    return versions


_SPAN_COLUMNS = (
    "rule_id, kind, number, lookup, sort_key, place, text_id, label, first_version_id, valid_from, valid_until,"
    " until_known, coverage"
)


def _write_spans(connection: sqlite3.Connection, parts: _Parts, versions: Sequence[VersionEntries]) -> None:
    """Take away the spans that are so no longer, and add those that are not there yet."""
    lookup, sort_key = cache(lookup_form), cache(numbers.sort_key)

    def row(span: Span) -> tuple[object, ...]:
        part = parts.by_id[span.part]
        return (
            span.rule, part.kind.value, part.number, lookup(part.number), sort_key(part.number), span.place,
            parts.text_ids[span.part], part.label, span.first_version_id, span.valid_from, span.valid_until,
            int(span.until_known), span.coverage.value,
        )  # fmt: skip

    wanted = dict.fromkeys(row(span) for span in spans(versions, parts.by_id, parts.text_ids))
    no_longer: list[tuple[int]] = []
    for span_id, *columns in connection.execute(f"SELECT id, {_SPAN_COLUMNS} FROM spans").fetchall():
        there = tuple(columns)
        if there in wanted:
            del wanted[there]
        else:
            no_longer.append((span_id,))
    connection.executemany("DELETE FROM spans WHERE id = ?", no_longer)
    marks = ", ".join("?" * len(_SPAN_COLUMNS.split(",")))
    connection.executemany(f"INSERT INTO spans({_SPAN_COLUMNS}) VALUES ({marks})", wanted)
