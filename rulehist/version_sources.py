"""What each version rests on: its sources, and where a text that was issued again differs from the first."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from rulehist.document import Coverage, Document, Part, PartKind
from rulehist.file_names import dates_in_name
from rulehist.version_order import BASIS_FIRST

if TYPE_CHECKING:
    from rulehist.changes import Change


@dataclass(frozen=True, slots=True)
class VersionSource:
    """A source of a version, with how its bytes became text. ``named`` is the ISO date in the file's name, if any.

    ``basis`` marks the one that the version rests on; ``warnings`` are what was found in it.
    """

    document_id: int
    name: str
    sha256: str
    coverage: str
    encoding: str
    reason: str
    line_ends: str
    damaged: bool
    named: str | None
    basis: bool
    warnings: tuple[str, ...]


def sources_by_version(connection: sqlite3.Connection) -> dict[int, list[VersionSource]]:
    """The sources of every version by its id, the one that it rests on first."""
    found: dict[int, list[VersionSource]] = {}
    for (
        version_id,
        effective,
        document_id,
        name,
        sha256,
        coverage,
        encoding,
        reason,
        line_ends,
        damaged,
    ) in connection.execute(
        "SELECT versions.id, versions.effective, documents.id, sources.name, sources.sha256, documents.coverage,"
        " sources.encoding, sources.encoding_reason, sources.line_ends, sources.damaged FROM documents"
        " JOIN versions ON versions.id = documents.version_id JOIN sources ON sources.id = documents.source_id"
        f" ORDER BY versions.sort_key, {BASIS_FIRST}"
    ).fetchall():
        sources = found.setdefault(version_id, [])
        warnings = connection.execute(
            "SELECT message FROM findings WHERE document_id = ? AND severity <> 'note' ORDER BY line", [document_id]
        )
        sources.append(
            VersionSource(
                document_id, name, sha256, coverage, encoding, reason, line_ends, bool(damaged),
                date_in_name(name, effective), not sources, tuple(message for (message,) in warnings),
            )
        )  # fmt: skip
    return found


def date_in_name(name: str, effective: str | None) -> str | None:
    """The ISO date in a file's name: of several readings the one nearest to the date of the text."""
    days = dates_in_name(name)
    if not days:
        return None
    if effective is None:
        return days[0].isoformat()
    day = date.fromisoformat(effective)
    return min(days, key=lambda each: abs((each - day).days)).isoformat()


def full_texts(sources: Iterable[VersionSource]) -> list[VersionSource]:
    """Those of ``sources`` that are full texts: more than one, and the version was issued again."""
    return [source for source in sources if source.coverage == Coverage.FULL]


def document_by_id(connection: sqlite3.Connection, document_id: int) -> Document:
    """A stored document, without its line numbers. Raises ``LookupError`` where there is none."""
    row = connection.execute(
        "SELECT sources.kind, documents.coverage, versions.effective, documents.release FROM documents"
        " JOIN sources ON sources.id = documents.source_id JOIN versions ON versions.id = documents.version_id"
        " WHERE documents.id = ?",
        [document_id],
    ).fetchone()
    if row is None:
        raise LookupError(f"no document {document_id}")
    kind, coverage, effective, release = row
    parts = tuple(
        Part(PartKind(part_kind), text, number, label, 0, bool(truncated))
        for part_kind, number, label, text, truncated in connection.execute(
            "SELECT parts.kind, parts.number, parts.label, texts.published, parts.truncated FROM placements"
            " JOIN parts ON parts.id = placements.part_id JOIN texts ON texts.id = parts.text_id"
            " WHERE placements.document_id = ? ORDER BY placements.place",
            [document_id],
        )
    )
    return Document(kind, Coverage(coverage), date.fromisoformat(effective) if effective else None, parts, release)


@dataclass(frozen=True, slots=True)
class Reissue:
    """A version's second full text held against the one that it rests on.

    ``changes`` are the differences in words and numbers, from ``basis`` to ``source``; ``typographic`` counts those
    of typography alone, ``front`` those of title, contents, introduction and credits.
    """

    effective: str
    basis: VersionSource
    source: VersionSource
    changes: tuple[Change, ...]
    typographic: int
    front: int


def reissues(connection: sqlite3.Connection) -> list[Reissue]:
    """Every full text of a date beyond the first one, in order of time, with its differences from that."""
    found = []
    effective = dict(connection.execute("SELECT id, effective FROM versions"))
    for version_id, sources in sources_by_version(connection).items():
        texts = full_texts(sources)
        if len(texts) < 2:
            continue
        basis = document_by_id(connection, texts[0].document_id)
        for again in texts[1:]:
            changes, typographic, front = differences(basis, document_by_id(connection, again.document_id))
            found.append(Reissue(effective[version_id] or "", texts[0], again, changes, typographic, front))
    return found


def differences(old: Document, new: Document) -> tuple[tuple[Change, ...], int, int]:
    """The changes in words or numbers; how many are of typography alone; how many are of front matter."""
    from rulehist.changes import ChangeKind, diff_documents

    changes = diff_documents(old, new).changes
    words = [change for change in changes if change.kind is not ChangeKind.TYPOGRAPHY]
    front = sum(change.part == "front" for change in words)
    return tuple(change for change in words if change.part != "front"), len(changes) - len(words), front
