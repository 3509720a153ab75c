"""Which edition a citation without a date may be of: every rule that had its number, with what speaks for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rulehist.citations.finding import Citation
from rulehist.citations.rules import Held, RulesThroughTime
from rulehist.citations.words import Witness, beside
from rulehist.thresholds import BESIDE_MARGIN, BESIDE_SPEAKS, NEARBY_WRONG

_GROUP = 40
"""Citations of a file that are asked together for the time in which all of their numbers existed."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that had the number, from ``since`` until before ``until`` (``None``: it still has it).

    What speaks for it: ``words`` is the weight of the words beside the citation that fit no other candidate, ``quoted``
    how many of its words stand there in a row, ``nearby`` the greatest share (0 to 1) of the citations nearby that
    existed at one time within that interval. ``day`` is the version of that time. ``committed`` is the date of the
    line's last commit, where it lies in that interval.
    """

    held: Held
    since: str
    until: str | None
    words: float
    quoted: int
    nearby: float
    day: str
    committed: str | None = None


class Editions:
    """Finds candidates; what is known of a number or of a group of citations is found once."""

    def __init__(self, rules: RulesThroughTime, witness: Witness) -> None:
        self._rules = rules
        self._witness = witness
        self._days: dict[str, list[tuple[list[Held], list[int]]]] = {}
        self._shares: dict[frozenset[str], list[float]] = {}

    def candidates(
        self,
        text: str,
        citations: Sequence[Citation],
        index: int,
        committed: Callable[[], str | None] = lambda: None,
    ) -> tuple[Candidate, ...]:
        """The rules that ever had the number of a citation, the likeliest first.

        ``committed`` is asked for the date of the line's last commit, where there are several.
        """
        words = beside(text, citations, index)
        group = index // _GROUP * _GROUP
        shares = self._shares_of(frozenset(other.number for other in citations[group : group + _GROUP]))
        found: list[Candidate] = []
        for spans, days in self._days_of(citations[index].number):
            best = max(days, key=lambda at: (shares[at], at))
            day = self._rules.days[best]
            held = next(span for span in spans if span.since <= day < span.until)
            weight, quoted = self._witness.support(words, held), len(self._witness.own_run(words, held))
            found.append(Candidate(held, spans[0].since, spans[-1].ended, weight, quoted, shares[best], day))
        on = committed() if len(found) > 1 else None
        if on is not None:
            found = [
                replace(one, committed=on)
                if any(span.since <= on < span.until for span in spans_of(self._rules, one))
                else one
                for one in found
            ]
        return tuple(sorted(found, key=_likeliness, reverse=True))

    def _days_of(self, number: str) -> list[tuple[list[Held], list[int]]]:
        """The rules that ever had a number: their spans under it, and the indexes of the versions that have it."""
        known = self._days.get(number)
        if known is None:
            known = []
            for spans in self._rules.identities(number):
                days = [i for i, day in enumerate(self._rules.days) if any(s.since <= day < s.until for s in spans)]
                if days:
                    known.append((spans, days))
            self._days[number] = known
        return known

    def _shares_of(self, near: frozenset[str]) -> list[float]:
        """For each version the share of these numbers that existed in it."""
        known = self._shares.get(near)
        if known is None:
            counts = [0] * len(self._rules.days)
            for number in near:
                for _, days in self._days_of(number):
                    for at in days:
                        counts[at] += 1
            known = self._shares[near] = [min(1.0, count / len(near)) for count in counts]
        return known


def _likeliness(one: Candidate) -> tuple[object, ...]:
    return (one.quoted, one.words >= BESIDE_SPEAKS, one.nearby, one.committed is not None, one.day)


def spans_of(rules: RulesThroughTime, one: Candidate) -> list[Held]:
    """When the rule of a candidate had the number."""
    return [span for span in rules.by_rule[one.held.rule] if span.number == one.held.number]


def decided(found: Sequence[Candidate]) -> Candidate | None:
    """The one that is meant, or ``None`` where that is open.

    It is the only one; or the one that is quoted; or the one for which alone the words speak; or, where nothing else
    tells, the one without which the citations nearby could not all have been right.
    """
    if len(found) == 1:
        return found[0]
    quoted = [one for one in found if one.quoted]
    if len(quoted) == 1:
        return quoted[0]
    most = max(found, key=lambda one: one.words)
    others = max(one.words for one in found if one is not most)
    if most.words >= BESIDE_SPEAKS:
        return most if most.words >= BESIDE_MARGIN * others else None
    nearest = max(found, key=lambda one: one.nearby)
    apart = max(one.nearby for one in found if one is not nearest)
    return nearest if nearest.nearby == 1 and apart <= NEARBY_WRONG and most is nearest else None
