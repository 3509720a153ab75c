"""Any two versions compared: out of the store by the identities of their rules, or straight from two files."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rulehist.changes import Diff, diff_documents, diff_linked
from rulehist.document import WITH_HISTORY, Coverage, Document, Part, PartKind
from rulehist.errors import SourceError
from rulehist.history import StoredDocument, Version, document_of, version_at
from rulehist.news import News, news
from rulehist.when import When

_RULES = frozenset({PartKind.RULE, PartKind.SUBRULE})


@dataclass(frozen=True, slots=True)
class VersionDiff:
    """Two versions and all that differs between them.

    ``news`` is ``None`` where one of the two is known only in part: what it does not quote says nothing.
    """

    old: Version
    new: Version
    old_document: Document
    new_document: Document
    diff: Diff
    news: News | None

    @property
    def differs(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.diff.changes) or len(self.diff.notes) > 1


class _Pair(NamedTuple):
    old: int | None
    new: int | None
    relation: str = "same"


def diff_versions(connection: sqlite3.Connection, old: When, new: When) -> VersionDiff:
    """Compare the versions in force at two moments. Raises ``QueryError`` where there is none."""
    before = document_of(connection, version_at(connection, old))
    after = document_of(connection, version_at(connection, new))
    old_parts, old_rules = _with_history(before)
    new_parts, new_rules = _with_history(after)
    at_old = {rule: i for i, rule in enumerate(old_rules)}
    links = [_Pair(at_old.get(rule), j) for j, rule in enumerate(new_rules)]
    links += _splits_and_merges(connection, before.version, after.version)
    diff = diff_linked(before.document, after.document, old_parts, new_parts, links)
    if Coverage.EXCERPT in {before.document.coverage, after.document.coverage}:
        diff = Diff(diff.changes, (*diff.notes, *_other_rules(old_parts, new_parts, links)))
    return _complete(before.version, after.version, before.document, after.document, diff)


def diff_files(old: Path, new: Path) -> VersionDiff:
    """Compare two files, each with one rules text in it. Raises ``SourceError``."""
    before, after = _only_document(old), _only_document(new)
    return _complete(_version_of(before), _version_of(after), before, after, diff_documents(before, after))


def _complete(old: Version, new: Version, before: Document, after: Document, diff: Diff) -> VersionDiff:
    whole = before.coverage is Coverage.FULL and after.coverage is Coverage.FULL
    return VersionDiff(old, new, before, after, diff, news(before.parts, after.parts) if whole else None)


def _with_history(stored: StoredDocument) -> tuple[list[Part], list[str]]:
    kept = [
        (part, rule)
        for part, rule in zip(stored.document.parts, stored.rules, strict=True)
        if part.kind in WITH_HISTORY
    ]
    return [part for part, _ in kept], [rule for _, rule in kept]


def _splits_and_merges(connection: sqlite3.Connection, old: Version, new: Version) -> list[_Pair]:
    rows = connection.execute(
        "SELECT older_place, newer_place, relation FROM links"
        " JOIN documents AS older ON older.id = older_document_id"
        " JOIN documents AS newer ON newer.id = newer_document_id"
        " WHERE older.version_id = ? AND newer.version_id = ? AND relation <> 'same'",
        [old.id, new.id],
    )
    return [_Pair(*row) for row in rows]


def _other_rules(old: Sequence[Part], new: Sequence[Part], links: Sequence[_Pair]) -> list[str]:
    """Numbers that both have, for rules that are not the same."""
    linked = {(link.old, link.new) for link in links}
    places = {part.number: i for i, part in enumerate(old) if part.kind in _RULES and not part.truncated}
    return [
        f"{part.number} is the number of another rule in each of the two; what became of either rule is not quoted."
        for j, part in enumerate(new)
        if part.kind in _RULES and part.number in places and not part.truncated
        and (places[part.number], j) not in linked
    ]  # fmt: skip


def _only_document(path: Path) -> Document:
    from rulehist.reading import read

    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    documents = read(data, path.name).documents
    if len(documents) != 1:
        raise SourceError(
            f"{path}: holds {len(documents)} dated texts, not one; ingest it and compare its dates with OLD..NEW"
        )
    return documents[0]


def _version_of(document: Document) -> Version:
    from rulehist.releases import release_on

    effective = document.effective.isoformat() if document.effective else None
    release = release_on(effective) if effective else None
    return Version(
        0,
        effective,
        document.coverage,
        release.code if release else "",
        release.name if release else document.release,
        document.later_than.isoformat() if document.later_than else None,
    )
