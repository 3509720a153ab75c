"""Which edition a citation without a date may be of: every rule that had its number, with what speaks for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rulehist.citation_rules import Held, RulesThroughTime
from rulehist.citation_words import Witness, beside
from rulehist.citations import Citation
from rulehist.thresholds import BESIDE_MARGIN, BESIDE_SPEAKS, NEARBY_WRONG

_NEARBY = 20
"""Citations on each side whose numbers are asked for the time in which all of them existed."""


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


def candidates(
    rules: RulesThroughTime,
    witness: Witness,
    text: str,
    citations: Sequence[Citation],
    index: int,
    *,
    committed: Callable[[], str | None] = lambda: None,
) -> tuple[Candidate, ...]:
    """The rules that ever had the number of a citation, the likeliest first.

    ``committed`` is asked for the date of the line's last commit, where there are several.
    """
    citation = citations[index]
    words = beside(text, citations, index)
    near = {other.number for other in citations[max(0, index - _NEARBY) : index + _NEARBY + 1]}
    shares = _shares(rules, near)
    found: list[Candidate] = []
    for spans in rules.identities(citation.number):
        days = [at for at, day in enumerate(rules.days) if any(span.since <= day < span.until for span in spans)]
        if not days:
            continue
        best = max(days, key=lambda at: (shares[at], at))
        day = rules.days[best]
        held = next(span for span in spans if span.since <= day < span.until)
        quoted = witness.own_run(words, held)
        found.append(
            Candidate(
                held, spans[0].since, spans[-1].ended, witness.support(words, held), len(quoted), shares[best], day
            )
        )
    on = committed() if len(found) > 1 else None
    if on is not None:
        found = [
            replace(one, committed=on) if any(span.since <= on < span.until for span in spans_of(rules, one)) else one
            for one in found
        ]
    return tuple(
        sorted(
            found,
            key=lambda one: (
                one.quoted, one.words >= BESIDE_SPEAKS, one.nearby, one.committed is not None, one.day,
            ),
            reverse=True,
        )
    )  # fmt: skip


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


def _shares(rules: RulesThroughTime, near: set[str]) -> list[float]:
    """For each version the share of the numbers nearby that existed in it."""
    counts = [0] * len(rules.days)
    for number in near:
        for at, day in enumerate(rules.days):
            counts[at] += any(span.since <= day < span.until for span in rules.by_number.get(number, ()))
    return [count / len(near) for count in counts]
