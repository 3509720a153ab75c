"""The overview as a page: pictures made from the figures, each with its table for those who can't see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from rulehist import pages
from rulehist.overview import Overview, ReleaseFigures

_WIDTH, _HEIGHT = 720, 160
"""Size of the pictures in units of their drawing; they scale to the page."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A year on the axis."""

    x: float
    year: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line across the picture with the value that it stands for."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a bar: ``kind`` is ``added``, ``reworded`` or ``removed``."""

    kind: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """What one release did; ``title`` says it in words."""

    x: float
    title: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture over time: its years and lines, and a path or bars."""

    years: tuple[Tick, ...]
    lines: tuple[Line, ...]
    path: str = ""
    bars: tuple[Bar, ...] = ()
    width: int = _WIDTH
    height: int = _HEIGHT


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest text: its release and date, what it changed, and the pages of the text and of the changes."""

    release: str
    name: str
    opening: str
    text: str
    changes: str


def overview_html(
    figures: Overview,
    *,
    links: Mapping[str, str] | None = None,
    newest: Newest | None = None,
    site: pages.SiteFrame | None = None,
) -> str:
    """The page. In a site, ``links`` leads from a release's date and a rule's identity to its page.

    ``newest`` is told before the pictures.
    """
    releases = figures.releases
    return pages.render(
        "overview.html.jinja",
        site=site,
        styles=(*pages.STYLES, "site.css"),
        opening=_opening(releases),
        releases=releases,
        size=_size(releases) if releases else None,
        changes=_changes(releases) if releases else None,
        most_changed=figures.most_changed,
        great_renumberings=figures.great_renumberings,
        links=links or {},
        newest=newest,
    )


def _opening(releases: tuple[ReleaseFigures, ...]) -> str:
    if not releases:
        return "The store holds no full text of the rules yet, only excerpts: there are no figures to draw."
    first, last = releases[0], releases[-1]
    if first is last:
        return f"One text: {last.name}, with {last.rules:,} rules in {last.words:,} words."
    times = last.words / first.words
    return (
        f"{len(releases)} texts from {first.effective} to {last.effective}. The rules grew from {first.words:,} to"
        f" {last.words:,} words ({times:.1f} times as many) and from {first.rules:,} to {last.rules:,} rules."
    )


def _places(releases: tuple[ReleaseFigures, ...]) -> list[float]:
    days = [date.fromisoformat(each.effective).toordinal() for each in releases]
    length = max(days[-1] - days[0], 1)
    return [round((day - days[0]) / length * _WIDTH, 1) for day in days]


def _years(releases: tuple[ReleaseFigures, ...]) -> tuple[Tick, ...]:
    first, last = (date.fromisoformat(releases[i].effective) for i in (0, -1))
    length = max((last - first).days, 1)
    every = max(1, round((last.year - first.year) / 6))
    return tuple(
        Tick(round((date(year, 1, 1) - first).days / length * _WIDTH, 1), year)
        for year in range(first.year + 1, last.year + 1)
        if year % every == 0
    )


def _lines(most: int) -> tuple[tuple[Line, ...], int]:
    """Lines at round values, and the value at the top."""
    step = 1
    for step in (base * 10**power for power in range(8) for base in (1, 2, 5)):
        if most / step <= 4:
            break
    top = max(most, 1)
    return tuple(Line(round(_HEIGHT * (1 - value / top), 1), value) for value in range(step, most + 1, step)), top


def _size(releases: tuple[ReleaseFigures, ...]) -> Picture:
    lines, top = _lines(max(each.words for each in releases))
    xs = _places(releases)
    path = [f"M0 {_HEIGHT}"]
    for x, each in zip(xs, releases, strict=True):
        path.append(f"H{x}V{round(_HEIGHT * (1 - each.words / top), 1)}")
    path.append(f"H{_WIDTH}V{_HEIGHT}Z")
    return Picture(_years(releases), lines, "".join(path))


def _changes(releases: tuple[ReleaseFigures, ...]) -> Picture:
    lines, top = _lines(max(each.added + each.reworded + each.removed for each in releases))
    bars = []
    for x, each in zip(_places(releases), releases, strict=True):
        y, pieces = float(_HEIGHT), []
        for kind, count in (("added", each.added), ("reworded", each.reworded), ("removed", each.removed)):
            height = count / top * _HEIGHT
            y -= height
            if count:
                pieces.append(Piece(kind, round(y, 1), round(height, 1)))
        title = f"{each.name}: {each.added} added, {each.reworded} reworded, {each.removed} removed"
        bars.append(Bar(round(x - 1.5, 1), title, tuple(pieces)))
    return Picture(_years(releases), lines, bars=tuple(bars))
