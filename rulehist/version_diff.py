"""Any two versions compared: out of the store by the identities of their rules, or straight from two files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from rulehist.changes import Diff, Linked, diff_documents, diff_linked
from rulehist.dated_versions import Version, version_at, version_before
from rulehist.differing_parts import TwoDocuments
from rulehist.document import Coverage, Document, Part, PartKind
from rulehist.errors import QueryError, SourceError
from rulehist.headings import Headings, headings_of, stored_headings
from rulehist.news import News, news, with_renamings
from rulehist.stored_documents import document_id_of
from rulehist.stored_parts import StoredParts
from rulehist.when import When

_RULES = frozenset({PartKind.RULE, PartKind.SUBRULE})


class VersionDiff(NamedTuple):
    """Two versions and all that differs between them.

    ``news`` is ``None`` where one of the two is known only in part: what it does not quote says nothing. ``headings``
    are those of the two texts, where they were asked for.
    """

    old: Version
    new: Version
    diff: Diff
    news: News | None
    headings: Headings | None = None

    @property
    def differs(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.diff.changes) or len(self.diff.notes) > 1


def diff_versions(
    connection: sqlite3.Connection, old: When | None, new: When, stored: StoredParts | None = None
) -> VersionDiff:
    """Compare the versions in force at two moments; without ``old``, the one at ``new`` with the one before it.

    ``stored`` is what comparisons of the same connection keep from one to the next.
    Raises ``QueryError`` where there is none.
    """
    after = version_at(connection, new)
    before = version_at(connection, old) if old is not None else version_before(connection, _asked_for(after, new))
    partial = Coverage.EXCERPT in {before.coverage, after.coverage}
    two = TwoDocuments(
        stored or StoredParts(connection), document_id_of(connection, before), document_id_of(connection, after)
    )
    found = two.differing(whole=partial)
    diff = diff_linked(found, partial=partial)
    if partial:
        other = _other_rules(found.old, found.new, found.links)
        return VersionDiff(before, after, Diff(diff.changes, (*diff.notes, *other)), None)
    found_news = with_renamings(two.news(), diff.changes)
    return VersionDiff(before, after, diff, found_news)


def with_headings(connection: sqlite3.Connection, compared: VersionDiff) -> VersionDiff:
    """A comparison of two versions of the store with the headings of both texts."""
    headings = Headings(stored_headings(connection, compared.old), stored_headings(connection, compared.new))
    return compared._replace(headings=headings)


def diff_files(old: Path | str, new: Path | str) -> VersionDiff:
    """Compare two files, each with one rules text in it. Raises ``SourceError``."""
    before, after = _only_document(Path(old)), _only_document(Path(new))
    partial = Coverage.EXCERPT in {before.coverage, after.coverage}
    diff = diff_documents(before, after)
    found = None if partial else with_renamings(news(before.parts, after.parts), diff.changes)
    headings = Headings(headings_of(before.parts), headings_of(after.parts))
    return VersionDiff(_version_of(before), _version_of(after), diff, found, headings)


def _asked_for(version: Version, when: When) -> Version:
    """The version, where it is that of the release that was asked for. Raises ``QueryError`` for an older one.

    What changed with a release is not told by the text before it.
    """
    if when.release and when.day != version.effective and when.words.casefold() != version.code.casefold():
        raise QueryError(
            f"{when.words}: the store has no text of {when.day}; the one in force then is {version.label}, "
            "whose changes are another release's; name two versions, as in OLD..NEW"
        )
    return version


def _other_rules(old: Sequence[Part], new: Sequence[Part], links: Iterable[Linked]) -> list[str]:
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
    from rulehist.source_rows import bytes_of

    documents = read(bytes_of(path), path.name).documents
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
