"""Matches that a rules expert forces or forbids: ``data/matches.tsv``, one verdict a line with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from rulehist import tables
from rulehist.document import NUMBERED, Part, PartKind
from rulehist.errors import DataError
from rulehist.folding import fold
from rulehist.releases import known_releases
from rulehist.resources import data_folder

COLUMNS = ("old_release", "old_number", "new_release", "new_number", "verdict", "reason")
VERDICTS = ("force", "forbid")


@dataclass(frozen=True, slots=True)
class Override:
    """One verdict on two parts of two neighbouring texts.

    The releases are ISO effective dates; a number is that of a section, rule or subrule, or a glossary term.
    ``place`` is ``file:line``, for errors.
    """

    old_release: str
    old_number: str
    new_release: str
    new_number: str
    verdict: str
    reason: str
    place: str


def load(path: Path | None = None) -> tuple[Override, ...]:
    """The verdicts of ``path``, else of ``data/matches.tsv``, in the order of the file.

    Raises ``DataError`` naming file, line and remedy.
    """
    return _shipped() if path is None else _read(path)


@cache
def _shipped() -> tuple[Override, ...]:
    return _read(data_folder() / "matches.tsv")


def _read(path: Path) -> tuple[Override, ...]:
    found: list[Override] = []
    forced: dict[tuple[str, str, str, str], int] = {}
    for line, (old_release, old_number, new_release, new_number, verdict, reason) in tables.rows(path, COLUMNS):
        override = Override(old_release, old_number, new_release, new_number, verdict, reason, f"{path}:{line}")
        _check(override)
        old_key = (override.old_release, override.old_number, override.new_release, "old")
        new_key = (override.old_release, override.new_number, override.new_release, "new")
        if override.verdict == "force":
            for key in (old_key, new_key):
                if key in forced:
                    raise DataError(
                        f"{override.place}: {key[1]} is forced on line {forced[key]} already; "
                        "a rule has one counterpart, so take one of the two lines away"
                    )
                forced[key] = line
        found.append(override)
    return tuple(found)


def _check(override: Override) -> None:
    for release in (override.old_release, override.new_release):
        try:
            date.fromisoformat(release)
        except ValueError:
            raise DataError(f"{override.place}: {release!r} is no effective date; write it as 2021-07-23") from None
        _check_known(override, release)
    if override.old_release >= override.new_release:
        raise DataError(f"{override.place}: the old release must be the earlier one; exchange the two")
    if override.verdict not in VERDICTS:
        raise DataError(f"{override.place}: the verdict is {override.verdict!r}; write force or forbid")
    if not override.old_number or not override.new_number:
        raise DataError(f"{override.place}: both numbers are needed; fill in the empty one")
    if not override.reason:
        raise DataError(f"{override.place}: a verdict needs its reason; say in the last column why")


def _check_known(override: Override, release: str) -> None:
    """A verdict on a text that nobody can have would never be heeded, and nobody would notice."""
    known = [one.effective for one in known_releases()]
    if release in known or release > known[-1]:
        return
    near = [*[one for one in known if one < release][-1:], *[one for one in known if one > release][:1]]
    raise DataError(
        f"{override.place}: no rules took effect on {release}; the nearest did on {' and '.join(near)}: "
        "write one of these, or add the release to data/releases.tsv"
    )


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the overrides say of two texts, as pairs of indexes of their parts, for ``matching.match``."""

    forced: tuple[tuple[int, int], ...] = ()
    forbidden: tuple[tuple[int, int], ...] = ()


def verdicts(
    overrides: Iterable[Override],
    old_release: str,
    old: Sequence[Part],
    new_release: str,
    new: Sequence[Part],
) -> Verdicts:
    """The verdicts on two texts of those effective dates.

    Raises ``DataError`` with file and line where one of the texts has no such number.
    """
    forced: list[tuple[int, int]] = []
    forbidden: list[tuple[int, int]] = []
    for override in overrides:
        if (override.old_release, override.new_release) != (old_release, new_release):
            continue
        before = _places(old, override.old_number, override, old_release)
        after = _places(new, override.new_number, override, new_release)
        if override.verdict == "force":
            forced.append((before[0], after[0]))
        else:
            forbidden += [(i, j) for i in before for j in after]
    return Verdicts(tuple(forced), tuple(forbidden))


def _places(parts: Sequence[Part], number: str, override: Override, release: str) -> list[int]:
    term = fold(number).casefold()
    found = [
        place
        for place, part in enumerate(parts)
        if (part.kind in NUMBERED and part.number == number)
        or (part.kind is PartKind.GLOSSARY and fold(part.number).casefold() == term)
    ]
    if not found:
        raise DataError(f"{override.place}: the text of {release} has no {number}; correct the number or the release")
    return found
