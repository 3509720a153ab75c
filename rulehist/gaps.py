"""Gaps: releases that are known to have brought new rules, and of which the store has no text."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable

from rulehist.releases import Release, known_releases
from rulehist.thresholds import GAPS_NAMED


def gaps(connection: sqlite3.Connection, since: str | None = None, until: str | None = None) -> tuple[Release, ...]:
    """The known releases after ``since`` and up to ``until`` (ISO dates) without a full text in the store, in order.

    ``None`` bounds nothing: without bounds these are all gaps of the store.
    """
    return between(known_releases(), full_text_dates(connection), since, until)


def full_text_dates(connection: sqlite3.Connection) -> frozenset[str]:
    """The ISO dates of effect of the full texts in the store."""
    return frozenset(
        effective
        for (effective,) in connection.execute(
            "SELECT versions.effective FROM versions JOIN documents ON documents.version_id = versions.id"
            " WHERE documents.coverage = 'full' AND versions.effective IS NOT NULL"
        )
    )


def between(
    releases: Iterable[Release], texts: Collection[str], since: str | None = None, until: str | None = None
) -> tuple[Release, ...]:
    """Those of ``releases`` after ``since`` and up to ``until`` whose date is none of ``texts``."""
    return tuple(
        release
        for release in releases
        if (since is None or since < release.effective)
        and (until is None or release.effective <= until)
        and release.effective not in texts
    )


def named(missing: Iterable[Release], shown: int = GAPS_NAMED) -> str:
    """Gaps in a sentence: ``2002-07-10 JUD, 2018-01-19 RIX and 4 more``."""
    all_of_them = [f"{release.effective} {release.code}" for release in missing]
    more = f" and {len(all_of_them) - shown} more" if len(all_of_them) > shown else ""
    return ", ".join(all_of_them[:shown]) + more
