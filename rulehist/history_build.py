"""Computes what follows from the sources: which rule is which through time, and each rule's spans.

All of it is a function of the set of documents in the store, in order of time, so that the order in which they
came does not matter; it is computed anew after each ingest. Only the links between two neighbouring full texts are
kept, because they depend on nothing but those two.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from rulehist import numbers, overrides
from rulehist.document import WITH_HISTORY, Coverage, Part, PartKind
from rulehist.history import lookup_form
from rulehist.lineage import NOBODY, VersionParts, assign, neighbours
from rulehist.matching import Evidence, Link, Relation, match
from rulehist.spans import Entry, Span, VersionEntries, spans


@dataclass(frozen=True, slots=True)
class _Placed:
    """A part as it is placed in a document: its place there and its row in the store."""

    place: int
    part_id: int


@dataclass(frozen=True, slots=True)
class _Stored:
    """A document as the store has it; ``parts`` are its placed parts with folded texts."""

    document_id: int
    version_id: int
    effective: str | None
    coverage: Coverage
    placed: tuple[_Placed, ...]
    parts: tuple[Part, ...]


def build_history(connection: sqlite3.Connection) -> None:
    """Write ``rules``, ``placements.rule_id``, ``spans``, ``matches`` and ``links`` anew."""
    parts = _Parts(connection)
    documents = list(_documents(connection, parts))
    names = _identities(connection, documents)
    rule_ids = _write_rules(connection, names)
    _write_placements(connection, documents, names, rule_ids)
    _write_spans(connection, parts, documents, names, rule_ids)


def _identities(connection: sqlite3.Connection, documents: Sequence[_Stored]) -> list[list[str]]:
    """The identity of each part of each document."""
    dated = [
        VersionParts(
            date.fromisoformat(document.effective) if document.effective else None,
            document.parts,
            [part.text for part in document.parts],
            document.coverage is Coverage.FULL,
        )
        for document in documents
    ]
    matches = _Matches(connection)
    links = {(older, newer): matches.of(documents[older], documents[newer]) for older, newer in neighbours(dated)}
    matches.write()
    lineage = assign(dated, links)
    return [[lineage.names[rule] if rule != NOBODY else "" for rule in rules] for rules in lineage.rules]


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


def _documents(connection: sqlite3.Connection, parts: _Parts) -> Iterator[_Stored]:
    """Every document in order of time; of one version the full texts first."""
    rows = connection.execute(
        "SELECT documents.id, versions.id, versions.effective, documents.coverage FROM documents"
        " JOIN versions ON versions.id = documents.version_id JOIN sources ON sources.id = documents.source_id"
        " ORDER BY versions.sort_key, documents.coverage DESC, sources.sha256, documents.place"
    ).fetchall()
    for document_id, version_id, effective, coverage in rows:
        placed = tuple(
            _Placed(place, part_id)
            for place, part_id in connection.execute(
                "SELECT place, part_id FROM placements WHERE document_id = ? ORDER BY place", [document_id]
            )
            if part_id in parts.by_id
        )
        yield _Stored(
            document_id, version_id, effective, Coverage(coverage), placed,
            tuple(parts.by_id[at.part_id] for at in placed),
        )  # fmt: skip


_EVIDENCE = tuple(Evidence)
_RELATION = tuple(Relation)


class _Matches:
    """The links of two full texts, from the store where they are known, else matched now and kept."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._used: set[tuple[int, int]] = set()
        self._new: dict[tuple[int, int], list[Link]] = {}

    def of(self, older: _Stored, newer: _Stored) -> list[Link]:
        """All links of the pair, those of parts without counterpart too."""
        key = (older.document_id, newer.document_id)
        self._used.add(key)
        kept = self._connection.execute(
            "SELECT links FROM matches WHERE older_document_id = ? AND newer_document_id = ?", key
        ).fetchone()
        by_hand = overrides.verdicts(
            overrides.load(), older.effective or "", older.parts, newer.effective or "", newer.parts
        )
        if kept is not None and by_hand == overrides.Verdicts():
            return [
                Link(old, new, _EVIDENCE[evidence], score, _RELATION[relation])
                for old, new, evidence, score, relation in json.loads(zlib.decompress(kept[0]))
            ]
        self._new[key] = match(
            older.parts,
            newer.parts,
            folded_old=[part.text for part in older.parts],
            folded_new=[part.text for part in newer.parts],
            forced=by_hand.forced,
            forbidden=by_hand.forbidden,
        )
        return self._new[key]

    def write(self) -> None:
        """Keep what was matched now, and drop the links of pairs that are neighbours no longer."""
        for key in self._connection.execute("SELECT older_document_id, newer_document_id FROM matches").fetchall():
            if tuple(key) not in self._used:
                for table in ("matches", "links"):
                    self._connection.execute(
                        f"DELETE FROM {table} WHERE older_document_id = ? AND newer_document_id = ?", key
                    )
        for key, links in self._new.items():
            self._connection.execute("DELETE FROM links WHERE older_document_id = ? AND newer_document_id = ?", key)
            self._connection.execute("INSERT OR REPLACE INTO matches VALUES (?, ?, ?)", (*key, _packed(links)))
            self._connection.executemany(
                "INSERT OR REPLACE INTO links VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (*key, link.old, link.new, link.relation, link.evidence, link.score)
                    for link in links
                    if link.old is not None
                    and link.new is not None
                    and (link.evidence is not Evidence.EXACT or link.relation is not Relation.SAME)
                ],
            )


def _packed(links: Sequence[Link]) -> bytes:
    rows = [
        (
            link.old,
            link.new,
            _EVIDENCE.index(link.evidence),
            round(link.score, 4),
            _RELATION.index(link.relation),
        )
        for link in links
    ]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 6)


def _write_rules(connection: sqlite3.Connection, names: Sequence[Sequence[str]]) -> dict[str, int]:
    wanted = dict.fromkeys(name for document in names for name in document)
    known = dict(connection.execute("SELECT name, id FROM rules"))
    connection.executemany("INSERT INTO rules(name) VALUES (?)", [(name,) for name in wanted if name not in known])
    known = dict(connection.execute("SELECT name, id FROM rules"))
    return {name: known[name] for name in wanted}


def _write_placements(
    connection: sqlite3.Connection,
    documents: Sequence[_Stored],
    names: Sequence[Sequence[str]],
    rule_ids: dict[str, int],
) -> None:
    connection.execute("DELETE FROM spans")
    for document, document_names in zip(documents, names, strict=True):
        before = dict(
            connection.execute("SELECT place, rule_id FROM placements WHERE document_id = ?", [document.document_id])
        )
        connection.executemany(
            "UPDATE placements SET rule_id = ? WHERE document_id = ? AND place = ?",
            [
                (rule_ids[name], document.document_id, at.place)
                for at, name in zip(document.placed, document_names, strict=True)
                if before[at.place] != rule_ids[name]
            ],
        )
    kept = set(rule_ids.values())
    gone = [(row[0],) for row in connection.execute("SELECT id FROM rules") if row[0] not in kept]
    connection.executemany("DELETE FROM rules WHERE id = ?", gone)


def _write_spans(
    connection: sqlite3.Connection,
    parts: _Parts,
    documents: Sequence[_Stored],
    names: Sequence[Sequence[str]],
    rule_ids: dict[str, int],
) -> None:
    versions: list[VersionEntries] = []
    for document, document_names in zip(documents, names, strict=True):
        if versions and versions[-1].version_id == document.version_id and versions[-1].coverage is Coverage.FULL:
            continue  # a further source of a version that a full text stands for already
        entries = tuple(
            Entry(
                name,
                part.kind,
                part.number,
                part.label,
                parts.text_ids[at.part_id],
                part.text,
                at.place,
                part.truncated,
            )
            for at, part, name in zip(document.placed, document.parts, document_names, strict=True)
        )
        versions.append(VersionEntries(document.version_id, document.effective, document.coverage, entries))
    connection.executemany(
        "INSERT INTO spans(rule_id, kind, number, lookup, sort_key, place, text_id, label, first_version_id,"
        " valid_from, valid_until, until_known, coverage) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [_row(span, rule_ids) for span in spans(versions)],
    )


def _row(span: Span, rule_ids: dict[str, int]) -> tuple[object, ...]:
    entry = span.entry
    return (
        rule_ids[entry.rule], str(entry.kind), entry.number, lookup_form(entry.number), numbers.sort_key(entry.number),
        entry.place, entry.text_id, entry.label, span.first_version_id, span.valid_from, span.valid_until,
        int(span.until_known), str(span.coverage),
    )  # fmt: skip
