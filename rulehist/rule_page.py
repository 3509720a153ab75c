"""The page of one rule: its timeline, its length through time, its text as of any release, and its blame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from rulehist import pages
from rulehist.change_words import kind_words
from rulehist.marked_words import shortened
from rulehist.numbers import parse
from rulehist.report_view import date_in_words
from rulehist.rule_opening import rule_opening
from rulehist.worddiff import Op

_BAR = 26
"""Height of the longest bar of the chart, in the units of its drawing."""

AGE_BOUNDS = (1, 4, 8, 13, 20)
"""Ages in years at which the heat map takes the next, calmer colour."""


def _release_in_words(release: str, effective: str) -> str:
    when = date_in_words(effective) if effective else "date unknown"
    return f"{release}, {when}" if release else when


def _count(ops: Sequence[Op], wanted: str) -> int:
    """Words in the runs of one kind; a comma that came by itself is none."""
    words = (word for op, text in ops if op == wanted for word in text.split())
    return sum(any(map(str.isalnum, word)) for word in words)


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """The rule as a release left it. ``effective`` is an ISO date, empty where unknown.

    ``ops`` compare it with the entry before. ``notes`` are sentences beside it: splits, merges, missing texts.
    """

    effective: str
    release: str
    number: str
    kind: str
    text: str
    ops: tuple[Op, ...]
    notes: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[Op, ...]:
        """The words that changed with those around them; none where the words are the same."""
        if self.kind in {"added", "removed"}:
            return self.ops
        if self.kind == "typography" or all(op == "equal" for op, _ in self.ops):
            return ()
        last = len(self.ops) - 1
        return tuple(
            (op, shortened(words, first=at == 0, last=at == last) if op == "equal" else words)
            for at, (op, words) in enumerate(self.ops)
        )

    @property
    def kind_words(self) -> str:
        """The word for its kind; a glossary entry has a term for a number."""
        return kind_words(self.kind, "rule" if parse(self.number) is not None else "glossary")

    @property
    def has_text(self) -> bool:
        """Whether it has a text of its own: not the end of a rule, and no more than what befell rules below it."""
        same = self.kind in {"reworded", "references", "typography"} and all(op == "equal" for op, _ in self.ops)
        return self.kind != "removed" and not same

    @property
    def came(self) -> int:
        """Words that came with it."""
        return 0 if self.kind == "typography" else _count(self.ops, "insert")

    @property
    def went(self) -> int:
        """Words that went with it."""
        return 0 if self.kind == "typography" else _count(self.ops, "delete")

    @property
    def name(self) -> str:
        """Release and date in words."""
        return _release_in_words(self.release, self.effective)


@dataclass(frozen=True, slots=True)
class BlameRun:
    """Words of the rule that arrived together. ``effective`` is an ISO date, empty where unknown."""

    words: str
    effective: str
    release: str

    @property
    def name(self) -> str:
        """Release and date in words."""
        return _release_in_words(self.release, self.effective)


@dataclass(frozen=True, slots=True)
class HeatRun:
    """A run of words with its colour: 0 for the newest, 5 for the oldest."""

    run: BlameRun
    heat: int


@dataclass(frozen=True, slots=True)
class Citing:
    """A line of what a rule cites or is cited by: ``number``, and what it is, in words; ``address`` of its page."""

    number: str
    words: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class References:
    """What a rule cites and what cites it, in the version that ``version`` names."""

    version: str
    cites: tuple[Citing, ...]
    cited_by: tuple[Citing, ...]


@dataclass(frozen=True, slots=True)
class MovedAnswer:
    """A scenario whose answer a change of the rule moved with the version of the ISO date ``version``.

    ``changes`` are what was asked, the answer before, and the answer since. ``address`` leads to the page of the
    scenario, where it has one.
    """

    title: str
    version: str
    changes: tuple[tuple[str, str, str], ...] = ()
    address: str = ""


@dataclass(frozen=True, slots=True)
class MovedTogether:
    """The answers that one version moved: its ``name`` in words, and its place in the timeline from 1, or 0."""

    name: str
    place: int
    answers: tuple[MovedAnswer, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the chart, in the units of its drawing; ``came`` and ``went`` are the heights of its bars."""

    x: float
    y: float
    entry: TimelineEntry
    came: float = 0
    went: float = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """Length of the rule in words through time, as steps, and below it the words that each change brought and took.

    ``most`` is the number of words of the longest bar.
    """

    path: str
    points: tuple[Point, ...]
    longest: int
    most: int
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
    """The chart of entries, oldest first, up to the ISO date ``until``; ``None`` where there is nothing to draw.

    That is so where no entry has a date, and where the words never changed.
    """
    dated = [entry for entry in entries if entry.effective]
    if not any(entry.came or entry.went for entry in dated[1:]):
        return None
    width, height = 600, 120
    first = date.fromisoformat(dated[0].effective)
    last = max(date.fromisoformat(until or dated[-1].effective), date.fromisoformat(dated[-1].effective))
    days = max((last - first).days, 1)
    longest = max(len(entry.text.split()) for entry in dated) or 1
    most = max(max(entry.came, entry.went) for entry in dated) or 1
    points = tuple(
        Point(
            round((date.fromisoformat(entry.effective) - first).days / days * width, 1),
            round(height - len(entry.text.split()) / longest * height, 1),
            entry,
            round(entry.came / most * _BAR, 1),
            round(entry.went / most * _BAR, 1),
        )
        for entry in dated
    )
    steps = [f"M{points[0].x} {points[0].y}"]
    steps += [f"H{point.x}V{point.y}" for point in points[1:]]
    if dated[-1].kind != "removed":
        steps.append(f"H{width}")
    return Chart("".join(steps), points, longest, most, first.year, last.year)


def rule_page_html(
    number: str,
    entries: Sequence[TimelineEntry],
    runs: Sequence[BlameRun],
    *,
    as_of: str = "",
    today: str = "",
    section: str = "",
    maybe_older: bool = False,
    references: References | None = None,
    moved: Sequence[MovedAnswer] = (),
    moved_address: str = "",
    site: pages.SiteFrame | None = None,
) -> str:
    """The page of a rule. ``entries`` come newest first; ``as_of`` is the ISO date from which the ages of words count.

    ``today`` is that of the newest text, up to which the chart goes where the rule is in force, by default ``as_of``.
    ``section`` is the title of the section that the rule is in, where it is known; ``maybe_older`` says that the oldest
    entry is the oldest text there is.
    ``moved`` are the scenarios whose answer a change of the rule moved; ``moved_address`` leads to where they are told.
    """
    return pages.render(
        "rule.html.jinja",
        site=site,
        number=number,
        section=section,
        opening=rule_opening(entries, maybe_older=maybe_older),
        entries=entries,
        heat=heat(runs, as_of),
        as_of=as_of,
        chart=chart(entries[::-1], today or as_of),
        bounds=AGE_BOUNDS,
        references=references,
        moved=moved_together(moved, entries),
        moved_address=moved_address,
        times=times(entries),
        held={place: when for place, _, when in times(entries)},
    )


def times(entries: Sequence[TimelineEntry]) -> tuple[tuple[int, TimelineEntry, str], ...]:
    """For each text of the rule, newest first: its place in the timeline from 1, and when it held, in words.

    Of a text that differs from the one before in nothing but typography or its number, they also say since when it has
    its words.
    """
    found = []
    until = ""
    for at, entry in enumerate(entries):
        day = date_in_words(entry.effective) if entry.effective else "an unknown date"
        if entry.has_text:
            since = f"{day} ({entry.release})" if entry.release else day
            held = f"{since} to {until}" if until else f"since {since}"
            found.append((len(entries) - at, entry, held + _in_these_words(entries[at:])))
        if entry.has_text or entry.kind == "removed":
            until = day
    return tuple(found)


def _in_these_words(entries: Sequence[TimelineEntry]) -> str:
    """Since when the first of these entries, which get older, has its words, where it did not bring them."""
    worded = next((entry for entry in entries if entry.kind not in {"typography", "renumbered"}), entries[-1])
    if worded is entries[0] or not worded.effective:
        return ""
    return f", in these words since {date_in_words(worded.effective)}"


def moved_together(moved: Sequence[MovedAnswer], entries: Sequence[TimelineEntry]) -> tuple[MovedTogether, ...]:
    """The answers by the version that moved them, newest first; ``entries`` are the timeline, newest first."""
    places = {entry.effective: (len(entries) - at, entry.name) for at, entry in enumerate(entries)}
    versions = sorted({one.version for one in moved}, reverse=True)
    return tuple(
        MovedTogether(name, place, tuple(one for one in moved if one.version == version))
        for version in versions
        for place, name in (places.get(version, (0, date_in_words(version))),)
    )


def blame_html(
    number: str, version: str, runs: Sequence[BlameRun], *, as_of: str = "", site: pages.SiteFrame | None = None
) -> str:
    """The heat map of a rule by itself. ``version`` names the version that it shows."""
    return pages.render(
        "blame.html.jinja",
        site=site,
        number=number,
        version=version,
        heat=heat(runs, as_of),
        as_of=as_of,
        bounds=AGE_BOUNDS,
    )
