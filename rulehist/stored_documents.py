"""Documents out of the store, as they were read from their source. Reads, never writes."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from rulehist.dated_versions import Version
from rulehist.document import Coverage, Document, Part, PartKind
from rulehist.version_order import BASIS_FIRST


class StoredDocument(NamedTuple):
    """A document out of the store, with the identity of each part (empty for front matter)."""

    version: Version
    document: Document
    rules: tuple[str, ...]


def document_id_of(connection: sqlite3.Connection, version: Version) -> int:
    """The id of the document that a version rests on: a full text before an excerpt."""
    return int(_chosen_document(connection, version)[0])


def _chosen_document(connection: sqlite3.Connection, version: Version) -> tuple[int, str, str, str]:
    row: tuple[int, str, str, str] = tuple(
        connection.execute(
            "SELECT documents.id, documents.coverage, documents.release, sources.kind FROM documents"
            " JOIN sources ON sources.id = documents.source_id WHERE documents.version_id = ?"
            f" ORDER BY {BASIS_FIRST} LIMIT 1",
            [version.id],
        ).fetchone()
    )
    return row


def document_of(connection: sqlite3.Connection, version: Version) -> StoredDocument:
    """The document that a version rests on: a full text before an excerpt."""
    from datetime import date

    document_id, coverage, release, kind = _chosen_document(connection, version)
    parts: list[Part] = []
    rules: list[str] = []
    for part_kind, number, label, text, truncated, rule in connection.execute(
        "SELECT parts.kind, parts.number, parts.label, texts.published, parts.truncated, coalesce(rules.name, '')"
        " FROM placements JOIN parts ON parts.id = placements.part_id JOIN texts ON texts.id = parts.text_id"
        " LEFT JOIN rules ON rules.id = placements.rule_id WHERE placements.document_id = ? ORDER BY placements.place",
        [document_id],
    ):
        parts.append(Part(PartKind(part_kind), text, number, label, 0, bool(truncated)))
        rules.append(rule)
    effective = date.fromisoformat(version.effective) if version.effective else None
    document = Document(kind, Coverage(coverage), effective, tuple(parts), release)
    return StoredDocument(version, document, tuple(rules))
