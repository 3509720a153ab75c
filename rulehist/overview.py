"""The history of the rules in figures: how long they are, what each release did, what changed most."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from textwrap import shorten
from typing import NamedTuple

from rulehist.references import masked
from rulehist.releases import release_on
from rulehist.thresholds import GREAT_RENUMBERINGS_SHOWN, MOST_CHANGED_SHOWN, OPENING_CHARACTERS

_SIZED = ("rule", "subrule")
_COUNTED = ("section", *_SIZED)


@dataclass(frozen=True, slots=True)
class ReleaseFigures:
    """What one full text is and what it did. ``rules`` and ``words`` are the sizes of the document that it left:
    rules and subrules, as the list of versions counts them, and the words of these, of section titles, examples and
    the glossary. The other four count sections, rules and subrules against the full text before; of the first text
    they are zero.
    """

    effective: str
    code: str
    release: str
    rules: int
    words: int
    added: int
    removed: int
    reworded: int
    renumbered: int

    @property
    def name(self) -> str:
        """The release with its date: ``Bloomburrow, 2024-07-30``."""
        return f"{self.release}, {self.effective}" if self.release else self.effective


@dataclass(frozen=True, slots=True)
class OftenChanged:
    """A rule with the number that it has, or had last, how it begins, and how many times its words changed."""

    rule: str
    number: str
    opening: str
    times: int
    since: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The releases with a full text, oldest first; the rules reworded most often; the greatest renumberings."""

    releases: tuple[ReleaseFigures, ...]
    most_changed: tuple[OftenChanged, ...]
    great_renumberings: tuple[ReleaseFigures, ...]


class _Span(NamedTuple):
    rule: str
    kind: str
    number: str
    since: str
    until: str | None
    folded: str
    published: str
    words: int


def overview(connection: sqlite3.Connection) -> Overview:
    """The figures of all full texts in the store; excerpts say nothing of the rest, so they are left out."""
    days = [
        day
        for (day,) in connection.execute(
            "SELECT DISTINCT versions.effective FROM versions JOIN documents ON documents.version_id = versions.id"
            " WHERE documents.coverage = 'full' AND versions.effective IS NOT NULL ORDER BY versions.effective"
        )
    ]
    spans = _spans(connection)
    counts: dict[str, Counter[str]] = {
        "added": Counter(), "removed": Counter(), "reworded": Counter(), "renumbered": Counter(),
    }  # fmt: skip
    rewordings: Counter[str] = Counter()
    last: dict[str, _Span] = {}
    first: dict[str, str] = {}
    for span in spans:
        if span.kind in _COUNTED:
            first.setdefault(span.rule, span.since)
            before = last.get(span.rule)
            if before is None or before.until != span.since:
                counts["added"][span.since] += 1
            else:
                counts["renumbered"][span.since] += before.number != span.number
                reworded = before.folded != span.folded and masked(before.folded) != masked(span.folded)
                counts["reworded"][span.since] += reworded
                rewordings[span.rule] += reworded
            last[span.rule] = span
    _count_removed(spans, counts["removed"])
    rules, words = _sizes(days, spans)
    releases = tuple(_figures(day, rules[i], words[i], counts, first_text=i == 0) for i, day in enumerate(days))
    often = sorted(+rewordings, key=lambda rule: (-rewordings[rule], rule))[:MOST_CHANGED_SHOWN]
    great = sorted((each for each in releases if each.renumbered), key=lambda each: (-each.renumbered, each.effective))
    return Overview(
        releases,
        tuple(
            OftenChanged(rule, last[rule].number, _opening(last[rule].published), rewordings[rule], first[rule])
            for rule in often
        ),
        tuple(great[:GREAT_RENUMBERINGS_SHOWN]),
    )


def _spans(connection: sqlite3.Connection) -> list[_Span]:
    rows = connection.execute(
        "SELECT rules.name, spans.kind, spans.number, spans.valid_from, spans.valid_until, texts.folded,"
        " texts.published"
        " FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
        " WHERE spans.coverage = 'full' AND spans.valid_from IS NOT NULL"
        " ORDER BY rules.name, spans.valid_from, spans.place"
    )
    return [_Span._make((*row, row[-1].count(" ") + row[-1].count("\n") + 1)) for row in rows]


def _opening(text: str) -> str:
    return shorten(text, OPENING_CHARACTERS, placeholder=" …")


def _count_removed(spans: list[_Span], removed: Counter[str]) -> None:
    for span, following in pairwise([*spans, None]):
        if span is None or span.kind not in _COUNTED or span.until is None:
            continue
        if following is None or following.rule != span.rule or following.since != span.until:
            removed[span.until] += 1


def _sizes(days: list[str], spans: list[_Span]) -> tuple[list[int], list[int]]:
    """Rules and words in force on each day, by adding up what begins and ends."""
    rules, words = [0] * (len(days) + 1), [0] * (len(days) + 1)
    for span in spans:
        start = bisect_right(days, span.since) - 1
        end = len(days) if span.until is None else bisect_right(days, span.until) - 1
        counted = span.kind in _SIZED
        for place, sign in ((max(start, 0), 1), (max(end, 0), -1)):
            rules[place] += sign * counted
            words[place] += sign * span.words
    for place in range(1, len(days)):
        rules[place] += rules[place - 1]
        words[place] += words[place - 1]
    return rules, words


def _figures(day: str, rules: int, words: int, counts: dict[str, Counter[str]], *, first_text: bool) -> ReleaseFigures:
    release = release_on(day)
    done = {kind: 0 if first_text else counted[day] for kind, counted in counts.items()}
    return ReleaseFigures(day, release.code if release else "", release.name if release else "", rules, words, **done)
