"""The keywords of the rules and when they had each of them (``data/keywords.tsv``)."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rulehist import tables
from rulehist.errors import DataError
from rulehist.releases import known_releases
from rulehist.resources import data_folder


class Keyword(NamedTuple):
    """A keyword and when rules texts had it.

    No text up to ``absent`` had it (``None``: the first known text has it), all from ``first`` to ``last``, none
    from ``gone`` on (``None``: in use to this day).
    """

    name: str
    absent: date | None
    first: date
    last: date | None
    gone: date | None


@cache
def known_keywords(path: Path | None = None) -> tuple[Keyword, ...]:
    """The keywords of ``data/keywords.tsv`` (or ``path``). Raises ``DataError`` with file, line, remedy."""
    path = path or data_folder() / "keywords.tsv"
    releases = [release.effective for release in known_releases()]
    keywords = []
    for line, (name, first, last) in tables.rows(path, ("keyword", "first", "last")):
        for day in filter(None, (first, last)):
            if day not in releases:
                raise DataError(
                    f"{path}:{line}: {day!r} is the date of no release in data/releases.tsv; write one of those"
                )
        if not name or (last and last < first):
            raise DataError(f"{path}:{line}: write the keyword, then the first date, then the last")
        before = releases.index(first) - 1
        after = releases.index(last) + 1 if last else len(releases)
        keywords.append(
            Keyword(
                name,
                date.fromisoformat(releases[before]) if before >= 0 else None,
                date.fromisoformat(first),
                date.fromisoformat(last) if last else None,
                date.fromisoformat(releases[after]) if after < len(releases) else None,
            )
        )
    return tuple(keywords)


@cache
def keyword_names() -> frozenset[str]:
    """The names of all keywords that there ever were, in small letters."""
    return frozenset(keyword.name.casefold() for keyword in known_keywords())
