"""Which versions of the rules the store has, and which of them is in force on a day. Reads, never writes."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from rulehist.document import Coverage
from rulehist.errors import QueryError
from rulehist.releases import release_on
from rulehist.version_order import BASIS_FIRST
from rulehist.when import When

IN_FORCE = "spans.valid_from <= :day AND (spans.valid_until IS NULL OR spans.valid_until > :day)"
"""SQL: the span was in force on the day ``:day``; what has no date never is."""

NEWEST = "spans.valid_until IS NULL AND spans.until_known = 1"
"""SQL: nothing newer than the span is known."""


class Version(NamedTuple):
    """A version of the rules. ``effective`` is an ISO date or ``None``; then ``later_than`` may bound it."""

    id: int
    effective: str | None
    coverage: Coverage
    code: str = ""
    release: str = ""
    later_than: str | None = None

    @property
    def label(self) -> str:
        """How the version is named to people: ``2021-07-23 (AFR, Adventures in the Forgotten Realms)``."""
        if self.effective is None:
            return f"date unknown, later than {self.later_than}" if self.later_than else "date unknown"
        names = ", ".join(name for name in (self.code, self.release) if name)
        return f"{self.effective} ({names})" if names else self.effective


class VersionRow(NamedTuple):
    """One line of ``versions``: a version with the source that it rests on first."""

    version: Version
    rules: int
    source: str
    sha256: str
    warnings: tuple[str, ...]


def versions(connection: sqlite3.Connection) -> list[VersionRow]:
    """Every version, oldest first, undated ones last. Versions with several sources show the fullest one."""
    rows = connection.execute(
        "SELECT versions.id, versions.effective, versions.later_than, documents.id, documents.coverage,"
        " documents.release, sources.id, sources.name, sources.sha256, sources.damaged"
        " FROM documents JOIN versions ON versions.id = documents.version_id"
        " JOIN sources ON sources.id = documents.source_id"
        f" ORDER BY versions.sort_key, {BASIS_FIRST}"
    ).fetchall()
    counts = dict(
        connection.execute(
            "SELECT placements.document_id, count(*) FROM placements JOIN parts ON parts.id = placements.part_id"
            " WHERE parts.kind IN ('rule', 'subrule') GROUP BY placements.document_id"
        )
    )
    listed: list[VersionRow] = []
    for (
        version_id,
        effective,
        later_than,
        document_id,
        coverage,
        stated,
        source_id,
        name,
        sha256,
        damaged,
    ) in rows:
        if listed and listed[-1].version.id == version_id:
            continue
        warnings = [
            message
            for (message,) in connection.execute(
                "SELECT message FROM findings WHERE source_id = ? AND severity <> 'note'"
                " AND (document_id = ? OR document_id IS NULL) ORDER BY line",
                [source_id, document_id],
            )
        ]
        if damaged:
            warnings.insert(0, "taken by force although damaged")
        version = version_named(version_id, effective, coverage, stated, later_than)
        listed.append(VersionRow(version, counts.get(document_id, 0), name, sha256, tuple(warnings)))
    return listed


def version_named(
    version_id: int, effective: str | None, coverage: str, stated: str, later_than: str | None
) -> Version:
    """A version with the code and name of its release; ``stated`` is the name that its source gives."""
    release = release_on(effective) if effective else None
    return Version(
        version_id,
        effective,
        Coverage(coverage),
        release.code if release else "",
        (release.name if release else "") or stated,
        later_than,
    )


def version_at(connection: sqlite3.Connection, when: When, *, rule_id: int | None = None) -> Version:
    """The version in force at a moment: the newest that is a full text, or that knows the rule of ``rule_id``.

    Raises ``QueryError`` for a day before the first text, saying what there is.
    """
    knows = (
        "(documents.coverage = 'full' OR EXISTS (SELECT 1 FROM placements WHERE placements.document_id = documents.id"
        " AND placements.rule_id = :rule))"
        if rule_id is not None
        else "1"
    )
    dated = "" if when.day is None else "AND versions.effective IS NOT NULL AND versions.effective <= :day"
    # an undated text counts as the newest only where no full text is there to say what is in force
    row = connection.execute(
        "SELECT versions.id, versions.effective, documents.coverage, documents.release, versions.later_than"
        " FROM documents JOIN versions ON versions.id = documents.version_id"
        " JOIN sources ON sources.id = documents.source_id"
        f" WHERE {knows} {dated}"
        " ORDER BY (versions.effective IS NULL AND EXISTS (SELECT 1 FROM documents WHERE coverage = 'full')),"
        f" versions.sort_key DESC, {BASIS_FIRST} LIMIT 1",
        {"day": when.day, "rule": rule_id},
    ).fetchone()
    if row is None:
        raise QueryError(_before_the_first(connection, when))
    version_id, effective, coverage, stated, later_than = row
    return version_named(version_id, effective, coverage, stated, later_than)


def version_before(connection: sqlite3.Connection, version: Version) -> Version:
    """The version that another one followed: of a full text the full text before it, where there is one.

    Raises ``QueryError`` for the first version of the store.
    """
    row = connection.execute(
        "SELECT max(versions.effective) FROM documents JOIN versions ON versions.id = documents.version_id"
        " WHERE CASE WHEN :effective IS NULL THEN versions.effective <= coalesce(:later_than, '9999')"
        " ELSE versions.effective < :effective END"
        " GROUP BY documents.coverage = 'full' AND :full ORDER BY documents.coverage = 'full' AND :full DESC LIMIT 1",
        {
            "effective": version.effective,
            "later_than": version.later_than,
            "full": version.coverage is Coverage.FULL,
        },
    ).fetchone()
    if row is None:
        raise QueryError(
            f"{version.label} is the first text in the store, and there is none before it; name two, as in OLD..NEW"
        )
    return version_at(connection, When(row[0], row[0]))


def _before_the_first(connection: sqlite3.Connection, when: When) -> str:
    first = connection.execute("SELECT min(effective) FROM versions").fetchone()[0]
    if first is None and connection.execute("SELECT 1 FROM versions").fetchone():
        return f"{when.words}: no text in the store has a date; ask for latest"
    if first is None:
        return "the store has no versions yet; fill it with: rulehist ingest PATH"
    return f"{when.words}: before the first text in the store, which took effect on {first}; ask for that day or later"
