"""What became of a number that was cited: the verdict on a rule or range, whatever stands beside the citation."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rulehist.citations.rules import Held, Moment, RulesThroughTime


class Status(StrEnum):
    """How a citation stands, the worst first: that is the order in which they are shown."""

    ANOTHER = "another"  # the number exists and names another rule now
    WORDS = "words"  # the words beside it fit another rule than the one that it names
    SPLIT = "split"  # the rule's words are in several rules now
    MERGED = "merged"  # the rule went into another
    MOVED = "moved"  # the rule has another number now, and the old one is not used
    GONE = "gone"
    NEVER = "never"  # the number named no rule on the date of the citation
    UNKNOWN = "unknown"  # the date is unknown and the number named several rules, or the store cannot tell
    QUOTATION = "quotation"  # the number is right, and the words quoted beside it are no longer the rule's
    REWORDED = "reworded"  # the number is right, and the rule's words are others
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a number. ``held`` is the rule that it named, ``then`` that rule at the other moment.

    ``there`` is the rule that has the number then; ``others`` are the rules of a split or merger. ``new`` and
    ``new_last`` are the numbers to write; with ``certain`` they may be written without asking a person, and where
    they are those that stand there already, nothing needs to be written. ``why`` are the reasons against.
    """

    status: Status
    held: Held | None = None
    then: Held | None = None
    there: Held | None = None
    others: tuple[Held, ...] = ()
    new: str = ""
    new_last: str = ""
    certain: bool = False
    why: tuple[str, ...] = ()
    last: Held | None = None


@dataclass(slots=True)
class Judge:
    """Verdicts on numbers as cited at one moment, seen from the moment ``end``; each is found once."""

    rules: RulesThroughTime
    end: Moment
    _known: dict[tuple[str, str, str], Verdict] = field(default_factory=dict)

    def on(self, number: str, last: str, begin: Moment) -> Verdict:
        """The verdict on a number, or with ``last`` on a range."""
        key = (number, last, begin.day)
        known = self._known.get(key)
        if known is None:
            known = self._range(number, last, begin) if last else self._one(number, begin)
            self._known[key] = known
        return known

    def _one(self, number: str, begin: Moment) -> Verdict:
        found = self.rules.at(number, begin)
        there = next(iter(self.rules.at(number, self.end)), None)
        if not found:
            if not begin.whole:
                return Verdict(Status.UNKNOWN, why=(f"the store does not have the whole text of {begin.day}",))
            return Verdict(Status.NEVER, there=there, why=(self._when_it_was(number),))
        passage = self.rules.passage(found[0], begin, self.end)
        then = passage.then
        if then is None:
            if not self.end.whole and there is None:
                return Verdict(
                    Status.UNKNOWN, found[0], why=(f"the store does not have the whole text of {self.end.day}",)
                )
            status = Status.ANOTHER if there is not None else Status(passage.relation)
            return Verdict(status, found[0], None, there, passage.others, why=passage.doubts)
        if then.number != number:
            moved = Status.MOVED if passage.relation == "same" else Status(passage.relation)
            status = Status.ANOTHER if there is not None else moved
        elif passage.relation == "split":
            status = Status.SPLIT
        else:
            status = Status.REWORDED if passage.reworded else Status.RIGHT
        return Verdict(
            status, found[0], then, there, passage.others, then.number, "", not passage.doubts, passage.doubts
        )  # fmt: skip

    def _when_it_was(self, number: str) -> str:
        spans = self.rules.by_number.get(number)
        if not spans:
            return "no version in the store has this number"
        until = max(span.until for span in spans)
        return f"the number was in use from {spans[0].since}" + ("" if until >= "9999" else f" until {until}")

    def _range(self, first: str, last: str, begin: Moment) -> Verdict:
        """A range is right where each of its rules is; it moved where all moved together and nothing came between."""
        members = self.rules.between(first, last, begin)
        if first not in members or last not in members:
            missing = last if first in members else first
            return Verdict(Status.NEVER, why=(f"{missing} named no rule then", self._when_it_was(missing)))
        verdicts = [self._one(number, begin) for number in members]
        worst = min(verdicts, key=lambda verdict: list(Status).index(verdict.status))
        head, tail = verdicts[0], verdicts[-1]
        doubts = tuple(dict.fromkeys(reason for verdict in verdicts for reason in verdict.why))
        if head.then is None or tail.then is None:
            return Verdict(worst.status, head.held, head.then, head.there, worst.others, why=doubts, last=tail.then)
        ends = head.then.number, tail.then.number
        images = [verdict.then.number for verdict in verdicts if verdict.then is not None]
        together = images == self.rules.between(*ends, self.end)
        if not together:
            doubts = (*doubts, f"the rules of {first}-{last} no longer stand together")
        certain = together and all(verdict.certain for verdict in verdicts)
        status = worst.status
        if status in {Status.RIGHT, Status.REWORDED} and not together:
            status = Status.SPLIT
        return Verdict(
            status, head.held, head.then, worst.there, worst.others, *ends, certain, doubts, tail.then
        )  # fmt: skip
