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

from rulehist import matching, numbers
from rulehist.document import WITH_HISTORY, Coverage, Part, PartKind
from rulehist.history import lookup_form
from rulehist.identities import DatedDocument, Pairs, identities
from rulehist.spans import Entry, Span, VersionEntries, spans


@dataclass(frozen=True, slots=True)
class _Placed:
    """A part as it is placed in a document: its place there and its row in the store."""

    place: int
    part_id: int


def build_history(connection: sqlite3.Connection) -> None:
    """Write ``rules``, ``placements.rule_id``, ``spans``, ``matches`` and ``links`` anew."""
    parts = _Parts(connection)
    documents = list(_documents(connection, parts))
    pairs = _Matches(connection)
    names = identities([dated for dated, _ in documents], pairs)
    rule_ids = _write_rules(connection, names)
    _write_placements(connection, documents, names, rule_ids)
    _write_spans(connection, parts, documents, names, rule_ids)
    pairs.write()


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


def _documents(connection: sqlite3.Connection, parts: _Parts) -> Iterator[tuple[DatedDocument, list[_Placed]]]:
    """Every document in order of time; of one version the full texts first."""
    rows = connection.execute(
        "SELECT documents.id, versions.id, versions.effective, documents.coverage FROM documents"
        " JOIN versions ON versions.id = documents.version_id JOIN sources ON sources.id = documents.source_id"
        " ORDER BY versions.sort_key, documents.coverage DESC, sources.sha256, documents.place"
    ).fetchall()
    for document_id, version_id, effective, coverage in rows:
        placed = [
            _Placed(place, part_id)
            for place, part_id in connection.execute(
                "SELECT place, part_id FROM placements WHERE document_id = ? ORDER BY place", [document_id]
            )
            if part_id in parts.by_id
        ]
        dated = DatedDocument(
            document_id, version_id, effective, Coverage(coverage), tuple(parts.by_id[at.part_id] for at in placed)
        )
        yield dated, placed


class _Matches:
    """The links of two full texts, from the store where they are known, else matched now and kept."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._used: dict[tuple[int, int], bytes] = {}
        self._links: list[tuple[int, int, matching.Link]] = []

    def __call__(self, older: DatedDocument, newer: DatedDocument) -> Pairs:
        key = (older.document_id, newer.document_id)
        kept = self._connection.execute(
            "SELECT links FROM matches WHERE older_document_id = ? AND newer_document_id = ?", key
        ).fetchone()
        if kept is not None:
            self._used[key] = kept[0]
            return [(old, new) for old, new in json.loads(zlib.decompress(kept[0]))]
        texts_old = [part.text for part in older.parts]
        texts_new = [part.text for part in newer.parts]
        links = matching.match(older.parts, newer.parts, folded_old=texts_old, folded_new=texts_new)
        pairs = [
            (link.old, link.new)
            for link in links
            if link.old is not None and link.new is not None and link.relation is matching.Relation.SAME
        ]
        self._used[key] = zlib.compress(json.dumps(pairs, separators=(",", ":")).encode(), 6)
        self._links += [(*key, link) for link in links if link.old is not None and link.new is not None]
        return pairs

    def write(self) -> None:
        """Keep what was used, and drop the links of pairs that are neighbours no longer."""
        known = {tuple(row) for row in self._connection.execute("SELECT older_document_id, newer_document_id FROM matches")}
        for key in known - self._used.keys():
            self._connection.execute("DELETE FROM matches WHERE older_document_id = ? AND newer_document_id = ?", key)
            self._connection.execute("DELETE FROM links WHERE older_document_id = ? AND newer_document_id = ?", key)
        self._connection.executemany(
            "INSERT INTO matches VALUES (?, ?, ?)",
            [(*key, blob) for key, blob in self._used.items() if key not in known],
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO links VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (older, newer, link.old, link.new, link.relation, link.evidence, link.score)
                for older, newer, link in self._links
                if link.evidence is not matching.Evidence.EXACT or link.relation is not matching.Relation.SAME
            ],
        )


def _write_rules(connection: sqlite3.Connection, names: Sequence[Sequence[str]]) -> dict[str, int]:
    wanted = dict.fromkeys(name for document in names for name in document)
    known = dict(connection.execute("SELECT name, id FROM rules"))
    connection.executemany("INSERT INTO rules(name) VALUES (?)", [(name,) for name in wanted if name not in known])
    known = dict(connection.execute("SELECT name, id FROM rules"))
    return {name: known[name] for name in wanted}


def _write_placements(
    connection: sqlite3.Connection,
    documents: Sequence[tuple[DatedDocument, list[_Placed]]],
    names: Sequence[Sequence[str]],
    rule_ids: dict[str, int],
) -> None:
    connection.execute("DELETE FROM spans")
    for (dated, placed), document_names in zip(documents, names, strict=True):
        before = dict(
            connection.execute("SELECT place, rule_id FROM placements WHERE document_id = ?", [dated.document_id])
        )
        connection.executemany(
            "UPDATE placements SET rule_id = ? WHERE document_id = ? AND place = ?",
            [
                (rule_ids[name], dated.document_id, at.place)
                for at, name in zip(placed, document_names, strict=True)
                if before[at.place] != rule_ids[name]
            ],
        )
    kept = set(rule_ids.values())
    gone = [(row[0],) for row in connection.execute("SELECT id FROM rules") if row[0] not in kept]
    connection.executemany("DELETE FROM rules WHERE id = ?", gone)


def _write_spans(
    connection: sqlite3.Connection,
    parts: _Parts,
    documents: Sequence[tuple[DatedDocument, list[_Placed]]],
    names: Sequence[Sequence[str]],
    rule_ids: dict[str, int],
) -> None:
    versions: list[VersionEntries] = []
    for (dated, placed), document_names in zip(documents, names, strict=True):
        if versions and versions[-1].version_id == dated.version_id and versions[-1].coverage is Coverage.FULL:
            continue  # a further source of a version that a full text stands for already
        entries = tuple(
            Entry(
                name, part.kind, part.number, part.label, parts.text_ids[at.part_id], part.text, at.place, part.truncated
            )
            for at, part, name in zip(placed, dated.parts, document_names, strict=True)
        )
        versions.append(VersionEntries(dated.version_id, dated.effective, dated.coverage, entries))
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
