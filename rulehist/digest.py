"""A digest of what a store holds: the same for the same sources, in whatever order and company they came.

Row ids, the order of rows, free pages and caches differ from store to store without any difference in content,
so none of them goes into it. Neither does a file's name: the same bytes under another name are the same source.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256


def content_digest(connection: sqlite3.Connection) -> str:
    """SHA-256 in hexadecimal of sources, versions, documents with their parts, identities, spans, links, findings.

    Texts are hashed as they stand in the store, so that a damaged text changes the digest. Raises
    ``sqlite3.DatabaseError`` where the store cannot be read.
    """
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples, whatever the caller asked of its connection
    whole = sha256()
    for name, rows in _tables(cursor):
        whole.update(f"{name}\n".encode())
        for row in sorted(rows):
            whole.update(row)
    return whole.hexdigest()


def _tables(cursor: sqlite3.Cursor) -> Iterator[tuple[str, Iterable[bytes]]]:
    texts = {row_id: _hash(*row) for row_id, *row in cursor.execute("SELECT id, published, folded FROM texts")}
    parts = {
        row_id: _hash(kind, number, label, truncated, texts[text_id])
        for row_id, kind, number, label, truncated, text_id in cursor.execute(
            "SELECT id, kind, number, label, truncated, text_id FROM parts"
        )
    }
    rules = {row_id: _hash(name) for row_id, name in cursor.execute("SELECT id, name FROM rules")}
    rules[None] = _hash("no identity")
    versions = {
        row_id: _hash(*row)
        for row_id, *row in cursor.execute("SELECT id, effective, later_than, sort_key FROM versions")
    }
    sources = {
        row_id: _hash(*row)
        for row_id, *row in cursor.execute(
            "SELECT id, sha256, kind, bytes, encoding, encoding_reason, line_ends, damaged FROM sources"
        )
    }
    documents = {
        row_id: _hash(sources[source_id], versions[version_id], *row)
        for row_id, source_id, version_id, *row in cursor.execute(
            "SELECT id, source_id, version_id, coverage, release, place FROM documents"
        ).fetchall()
    }
    yield "rules", rules.values()
    yield "versions", versions.values()
    yield "sources", sources.values()
    yield "documents", [documents[row_id] + _placements(cursor, row_id, parts, rules) for row_id in documents]
    yield (
        "findings",
        [
            _hash(sources[source_id], documents.get(document_id), *row)
            for source_id, document_id, *row in cursor.execute(
                "SELECT source_id, document_id, line, code, severity, message FROM findings"
            )
        ],
    )
    yield (
        "spans",
        [
            _hash(rules[rule_id], texts[text_id], versions[version_id], *row)
            for rule_id, text_id, version_id, *row in cursor.execute(
                "SELECT rule_id, text_id, first_version_id, kind, number, lookup, sort_key, place, label, valid_from,"
                " valid_until, until_known, coverage FROM spans"
            )
        ],
    )
    yield (
        "links",
        [
            _hash(documents[older], documents[newer], *row)
            for older, newer, *row in cursor.execute(
                "SELECT older_document_id, newer_document_id, older_place, newer_place, relation, evidence, score"
                " FROM links"
            )
        ],
    )


def _placements(
    cursor: sqlite3.Cursor, document_id: int, parts: dict[int, bytes], rules: dict[int | None, bytes]
) -> bytes:
    placed = sha256()
    for part_id, rule_id in cursor.execute(
        "SELECT part_id, rule_id FROM placements WHERE document_id = ? ORDER BY place", [document_id]
    ):
        placed.update(parts[part_id])
        placed.update(rules[rule_id])
    return placed.digest()


def _hash(*values: object) -> bytes:
    return sha256(repr(values).encode("utf-8", "surrogatepass")).digest()
