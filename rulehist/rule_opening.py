"""The first sentences of a rule's page, made from its timeline: since when, under which numbers, how often reworded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from rulehist.change_words import listed, plural
from rulehist.report_view import date_in_words
from rulehist.thresholds import NUMBERS_TOLD

if TYPE_CHECKING:
    from rulehist.rule_page import TimelineEntry

_REWORDED = frozenset({"reworded", "renumbered+reworded"})


def rule_opening(entries: Sequence[TimelineEntry], *, maybe_older: bool = False) -> str:
    """What is to be said first of a rule whose timeline is ``entries``, newest first; empty where there is none.

    ``maybe_older`` says that its oldest entry is the oldest text there is.
    """
    if not entries:
        return ""
    return " ".join(
        filter(
            None,
            (
                _span(entries, " or earlier" if maybe_older else ""),
                _absences(entries),
                _numbers(entries),
                _rewordings(entries),
            ),
        )
    )


def _day(entry: TimelineEntry) -> str:
    return date_in_words(entry.effective) if entry.effective else "an unknown date"


def _span(entries: Sequence[TimelineEntry], earlier: str) -> str:
    newest, oldest = entries[0], entries[-1]
    if newest.kind == "removed":
        return f"In the rules from {_day(oldest)}{earlier} until {_day(newest)}; it is gone since."
    return f"In the rules since {_day(oldest)}{earlier}."


def _absences(entries: Sequence[TimelineEntry]) -> str:
    away = [f"from {_day(gone)} until {_day(back)}" for back, gone in pairwise(entries) if gone.kind == "removed"]
    return f"It was not in them {listed(away[::-1])}." if away else ""


def _numbers(entries: Sequence[TimelineEntry]) -> str:
    """The numbers (of a glossary entry the terms) that it had one after the other, where there was more than one."""
    had: list[tuple[str, TimelineEntry]] = []
    for entry in reversed(entries):
        if entry.kind != "removed" and (not had or had[-1][0] != entry.number):
            had.append((entry.number, entry))
    if len(had) < 2:
        return ""
    last, since = had[-1][0], _day(had[-1][1])
    if len(had) > NUMBERS_TOLD:
        return f"{had[0][0]} at first, it took another number {len(had) - 1} times and is {last} since {since}."
    later = [f"{number} (from {_day(entry)})" for number, entry in had[1:]]
    return f"{', then '.join([f'{had[0][0]} at first', *later])}."


def _rewordings(entries: Sequence[TimelineEntry]) -> str:
    times = sum(entry.kind in _REWORDED and entry.has_text for entry in entries)
    return f"Reworded {'once' if times == 1 else plural(times, 'time')}." if times else ""
