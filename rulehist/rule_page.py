"""The page of one rule: its timeline, its length through time, its text as of any release, and its blame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from rulehist import pages
from rulehist.report_view import KIND_WORDS, date_in_words

AGE_BOUNDS = (1, 3, 6, 10, 15)
"""Ages in years at which the heat map takes the next, calmer colour."""


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """The rule as a release left it. ``effective`` is an ISO date, empty where unknown.

    ``ops`` compare it with the entry before.
    """

    effective: str
    release: str
    number: str
    kind: str
    text: str
    ops: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """Release and date in words."""
        when = date_in_words(self.effective) if self.effective else "date unknown"
        return f"{self.release}, {when}" if self.release else when


@dataclass(frozen=True, slots=True)
class BlameRun:
    """Words of the rule that arrived together. ``effective`` is an ISO date, empty where unknown."""

    words: str
    effective: str
    release: str

    @property
    def name(self) -> str:
        """Release and date in words."""
        when = date_in_words(self.effective) if self.effective else "date unknown"
        return f"{self.release}, {when}" if self.release else when


@dataclass(frozen=True, slots=True)
class HeatRun:
    """A run of words with its colour: 0 for the newest, 5 for the oldest."""

    run: BlameRun
    heat: int


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the chart, in the units of its drawing."""

    x: float
    y: float
    entry: TimelineEntry


@dataclass(frozen=True, slots=True)
class Chart:
    """Length of the rule in words through time, as steps, with a point at each change."""

    path: str
    points: tuple[Point, ...]
    longest: int
    first_year: int
    last_year: int


def heat(runs: Sequence[BlameRun], as_of: str) -> tuple[HeatRun, ...]:
    """The runs with their colours by age on the ISO date ``as_of``; undated words count as the newest."""
    day = date.fromisoformat(as_of) if as_of else None
    found = []
    for run in runs:
        years = (day - date.fromisoformat(run.effective)).days / 365.25 if day and run.effective else 0.0
        found.append(HeatRun(run, sum(years >= bound for bound in AGE_BOUNDS)))
    return tuple(found)


def chart(entries: Sequence[TimelineEntry], until: str) -> Chart | None:
    """The chart of entries, oldest first, up to the ISO date ``until``; ``None`` where none has a date."""
    dated = [entry for entry in entries if entry.effective]
    if not dated:
        return None
    width, height = 600, 120
    first = date.fromisoformat(dated[0].effective)
    last = max(date.fromisoformat(until or dated[-1].effective), date.fromisoformat(dated[-1].effective))
    days = max((last - first).days, 1)
    longest = max(len(entry.text.split()) for entry in dated) or 1
    points = tuple(
        Point(
            round((date.fromisoformat(entry.effective) - first).days / days * width, 1),
            round(height - len(entry.text.split()) / longest * height, 1),
            entry,
        )
        for entry in dated
    )
    steps = [f"M{points[0].x} {points[0].y}"]
    steps += [f"H{point.x}V{point.y}" for point in points[1:]]
    return Chart("".join([*steps, f"H{width}"]), points, longest, first.year, last.year)


def rule_page_html(
    number: str,
    entries: Sequence[TimelineEntry],
    runs: Sequence[BlameRun],
    *,
    as_of: str = "",
    site: pages.SiteFrame | None = None,
) -> str:
    """The page of a rule. ``entries`` come newest first; ``as_of`` is the ISO date of the newest text."""
    return pages.render(
        "rule.html.jinja",
        site=site,
        number=number,
        entries=entries,
        heat=heat(runs, as_of),
        chart=chart(entries[::-1], as_of),
        kind_words=KIND_WORDS,
        bounds=AGE_BOUNDS,
    )


def blame_html(number: str, version: str, runs: Sequence[BlameRun], *, as_of: str = "") -> str:
    """The heat map of a rule by itself. ``version`` names the version that it shows."""
    return pages.render("blame.html.jinja", number=number, version=version, heat=heat(runs, as_of), bounds=AGE_BOUNDS)
