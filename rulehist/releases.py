"""The releases that are known to have brought new rules: dates, set codes, names. Facts of ``data/releases.tsv``."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import NamedTuple

from rulehist import tables
from rulehist.errors import DataError
from rulehist.resources import data_folder


class Release(NamedTuple):
    """A release of the rules. ``effective`` is an ISO date, ``code`` a set code such as ``AFR``."""

    effective: str
    code: str
    name: str


@cache
def known_releases() -> tuple[Release, ...]:
    """All known releases, oldest first. Raises ``DataError`` naming file, line and remedy."""
    path = data_folder() / "releases.tsv"
    releases: list[Release] = []
    for line, (effective, code, name) in tables.rows(path, ("effective", "code", "release")):
        try:
            date.fromisoformat(effective)
        except ValueError:
            raise DataError(f"{path}:{line}: {effective!r} is no date; write it as 2021-07-23") from None
        if not code or not name:
            raise DataError(f"{path}:{line}: code and release name must not be empty")
        if releases and effective <= releases[-1].effective:
            raise DataError(
                f"{path}:{line}: {effective} does not follow {releases[-1].effective}; keep rows in date order"
            )
        releases.append(Release(effective, code, name))
    return tuple(releases)


def release_on(effective: str) -> Release | None:
    """The release that took effect on exactly that ISO date."""
    return next((release for release in known_releases() if release.effective == effective), None)


def releases_of(code: str) -> tuple[Release, ...]:
    """The releases of a set code, without regard to case; the first is the release, later ones its updates."""
    return tuple(release for release in known_releases() if release.code == code.upper())
