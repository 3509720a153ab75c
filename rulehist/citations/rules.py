"""Which rule a number named on a day, and where that rule went: asked of the store once, answered from memory.

Ninety thousand citations ask for a few thousand numbers, so all spans are read in one query; texts come when asked.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from rulehist import numbers
from rulehist.dated_versions import version_at
from rulehist.folding import fold
from rulehist.references import masked
from rulehist.releases import known_releases
from rulehist.thresholds import CITED_LINK_SURE
from rulehist.when import When

_NEVER = "9999-12-31"


@dataclass(frozen=True, slots=True)
class Moment:
    """A version of the rules: ``day`` is its effective date (ISO), ``whole`` whether the store has its full text.

    ``missing`` are known releases after ``day``, up to the day that was asked, whose texts the store has not.
    """

    day: str
    whole: bool = True
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """A rule under one number with one text, from ``since`` until before ``until`` (ISO dates)."""

    rule: int
    number: str
    kind: str
    text_id: int
    since: str
    until: str = _NEVER

    @property
    def ended(self) -> str | None:
        """The day from which it was no longer so; ``None`` while it is."""
        return None if self.until == _NEVER else self.until


@dataclass(frozen=True, slots=True)
class Event:
    """A split or merge that took effect on ``day``: words of ``old`` became ``new``, or ``old`` went into ``new``."""

    kind: str
    day: str
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Passage:
    """The way of one rule from a moment to another. ``then`` is ``None`` where it is gone.

    ``doubts`` says why a citation cannot be moved by the program alone; empty where it can. ``others`` are the rules
    that it was split into, or merged into, as they stand at the other moment.
    """

    first: Held
    then: Held | None
    relation: str = "same"
    others: tuple[Held, ...] = ()
    doubts: tuple[str, ...] = ()
    reworded: bool = False


@dataclass(slots=True)
class RulesThroughTime:
    """All rules, subrules and sections of a store, by number and day."""

    connection: sqlite3.Connection
    by_number: dict[str, list[Held]] = field(default_factory=lambda: defaultdict(list))
    by_rule: dict[int, list[Held]] = field(default_factory=lambda: defaultdict(list))
    days: list[str] = field(default_factory=list)
    _whole: dict[str, bool] = field(default_factory=dict)
    _events: dict[int, list[Event]] = field(default_factory=lambda: defaultdict(list))
    _weak: dict[int, list[tuple[str, float]]] = field(default_factory=lambda: defaultdict(list))
    _texts: dict[int, tuple[str, str]] = field(default_factory=dict)
    _at: dict[str, dict[str, list[Held]]] = field(default_factory=dict)
    _passages: dict[tuple[int, str, str], Passage] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule, number, kind, text_id, since, until, known in self.connection.execute(
            "SELECT rule_id, number, kind, text_id, valid_from, valid_until, until_known FROM spans"
            " WHERE kind IN ('section', 'rule', 'subrule') AND valid_from IS NOT NULL ORDER BY valid_from, place"
        ):
            held = Held(rule, number, kind, text_id, since, until or (_NEVER if known else since))
            self.by_number[number].append(held)
            self.by_rule[rule].append(held)
        for day, whole in self.connection.execute(
            "SELECT versions.effective, max(documents.coverage = 'full') FROM versions JOIN documents"
            " ON documents.version_id = versions.id WHERE versions.effective IS NOT NULL GROUP BY 1 ORDER BY 1"
        ):
            self.days.append(day)
            self._whole[day] = bool(whole)
        self._read_links()

    def _read_links(self) -> None:
        for relation, score, day, new, old in self.connection.execute(
            "SELECT links.relation, links.score, versions.effective, newer.rule_id, older.rule_id FROM links"
            " JOIN documents ON documents.id = links.newer_document_id"
            " JOIN versions ON versions.id = documents.version_id"
            " JOIN placements AS newer ON newer.document_id = links.newer_document_id"
            " AND newer.place = links.newer_place"
            " JOIN placements AS older ON older.document_id = links.older_document_id"
            " AND older.place = links.older_place"
            " WHERE versions.effective IS NOT NULL AND (links.relation <> 'same' OR links.score < ?)",
            [CITED_LINK_SURE],
        ):
            if relation == "same":
                self._weak[new].append((day, score))
            else:
                event = Event(relation, day, old, new)
                for rule in {old, new}:
                    self._events[rule].append(event)

    def moment(self, when: When) -> Moment:
        """The version in force at ``when``. Raises ``QueryError`` where there is none."""
        version = version_at(self.connection, when)
        day = version.effective or (self.days[-1] if self.days else "")
        return self._moment(day, when.day or day)

    def moment_on(self, day: str) -> Moment | None:
        """The version in force on an ISO date; ``None`` before the first."""
        place = bisect_right(self.days, day)
        return self._moment(self.days[place - 1], day) if place else None

    def _moment(self, day: str, asked: str) -> Moment:
        have = set(self.days)
        missing = tuple(
            release.effective for release in known_releases()
            if day < release.effective <= asked and release.effective not in have
        )  # fmt: skip
        return Moment(day, self._whole.get(day, False), missing)

    def is_whole(self, day: str) -> bool:
        """Whether the store has the full text of the version of that day."""
        return self._whole.get(day, False)

    def following(self, moment: Moment) -> Moment | None:
        """The version after a moment, where there is one."""
        place = bisect_right(self.days, moment.day)
        return self._moment(self.days[place], self.days[place]) if place < len(self.days) else None

    def in_force(self, day: str) -> dict[str, list[Held]]:
        """All that was in force on a version's day, by number; a number can stand twice in a faulty source."""
        known = self._at.get(day)
        if known is None:
            known = {}
            for number, spans in self.by_number.items():
                held = [span for span in spans if span.since <= day < span.until]
                if held:
                    known[number] = held
            self._at[day] = known
        return known

    def at(self, number: str, moment: Moment) -> list[Held]:
        """The rules with that number at a moment: one, none, or by a fault of the source several."""
        return self.in_force(moment.day).get(number, [])

    def of_rule(self, rule: int, moment: Moment) -> Held | None:
        """The rule as it stood at a moment."""
        return next((span for span in self.by_rule[rule] if span.since <= moment.day < span.until), None)

    def text(self, held: Held) -> str:
        """Its words as published."""
        return self._both(held.text_id)[0]

    def folded(self, held: Held) -> str:
        """Its words in the form of comparisons."""
        return self._both(held.text_id)[1]

    def _both(self, text_id: int) -> tuple[str, str]:
        found = self._texts.get(text_id)
        if found is None:
            row = self.connection.execute("SELECT published, folded FROM texts WHERE id = ?", [text_id]).fetchone()
            found = self._texts[text_id] = (row[0], row[1])
        return found

    def titles(self, held: Held, moment: Moment | None = None) -> tuple[str, ...]:
        """The titles above a rule and its own, nearest first, in comparison form: ``("Trample", "Keyword Abilities")``.

        They are read on the day on which it began to be so, or at the moment given.
        """
        day = moment.day if moment is not None else held.since
        found: list[str] = []
        number: str | None = held.number
        while number is not None and len(number) > 2:
            spans = [held] if number == held.number else self._on(number, day)
            found += [self.folded(span) for span in spans[:1] if is_title(self.folded(span))]
            number = numbers.parent(number)
        return tuple(found)

    def _on(self, number: str, day: str) -> list[Held]:
        return [span for span in self.by_number.get(number, []) if span.since <= day < span.until]

    def between(self, first: str, last: str, moment: Moment) -> list[str]:
        """The numbers of a range as it stood: rules of one section, or subrules of one rule, both ends included."""
        low, high = numbers.sort_key(first), numbers.sort_key(last)
        one, other = numbers.parse(first), numbers.parse(last)
        lettered = bool(one and one.letters) or bool(other and other.letters)
        found = [
            number for number in self.in_force(moment.day)
            if low <= numbers.sort_key(number) <= high and bool(re.search(r"\d[a-z]+$", number)) == lettered
        ]  # fmt: skip
        return sorted(found, key=numbers.sort_key)

    def passage(self, held: Held, begin: Moment, end: Moment) -> Passage:
        """Where the rule of ``held``, in force at ``begin``, stood at ``end``; time may run either way."""
        key = (held.rule, begin.day, end.day)
        known = self._passages.get(key)
        if known is None:
            known = self._passages[key] = self._way(held, begin, end)
        return known

    def _way(self, held: Held, begin: Moment, end: Moment) -> Passage:
        then = self.of_rule(held.rule, end)
        low, high = sorted((begin.day, end.day))
        events = [event for event in self._events.get(held.rule, ()) if low < event.day <= high]
        doubts: list[str] = []
        others = self._others(held.rule, events, end)
        relation = "same"
        if events and others:
            split = any((event.kind == "split") == (begin.day <= end.day) for event in events)
            relation = "split" if split else "merged"
            doubts.append(f"the rule was {relation} on {events[-1].day}")
        if then is None:
            return Passage(held, None, relation if others else "gone", others, tuple(doubts or ["the rule is gone"]))
        reworded = masked(self.folded(held)) != masked(self.folded(then))
        doubts += self._weaknesses(held, then, low, high)
        doubts += self._number_faults(held, then, begin, end)
        doubts += self._gaps(held, begin)
        return Passage(held, then, relation, others, tuple(doubts), reworded)

    def _others(self, rule: int, events: list[Event], end: Moment) -> tuple[Held, ...]:
        """The other rules of its splits and merges, as they stand at the end."""
        found = dict.fromkeys(event.new if event.old == rule else event.old for event in events)
        return tuple(held for other in found if other != rule and (held := self.of_rule(other, end)) is not None)

    def _weaknesses(self, held: Held, then: Held, low: str, high: str) -> list[str]:
        doubts = []
        weak = [score for day, score in self._weak.get(held.rule, ()) if low < day <= high]
        if weak and self._alike(held, then) < CITED_LINK_SURE:
            doubts.append("the rule was reworded so much that what was cited may be gone from it")
        way = sorted((held, then), key=lambda span: span.since)
        spans = [span for span in self.by_rule[held.rule] if way[0].since <= span.since <= way[1].since]
        if any(before.until != after.since for before, after in pairwise(spans)):
            doubts.append("the rule was gone for some time in between")
        return doubts

    def _alike(self, held: Held, then: Held) -> float:
        from rapidfuzz.distance import LCSseq

        return LCSseq.normalized_similarity(masked(self.folded(held)).split(), masked(self.folded(then)).split())

    def _number_faults(self, held: Held, then: Held, begin: Moment, end: Moment) -> list[str]:
        return [
            f"{number} stands more than once in the rules of {moment.day}"
            for number, moment in ((held.number, begin), (then.number, end))
            if len(self.at(number, moment)) > 1
        ]

    def _gaps(self, held: Held, begin: Moment) -> list[str]:
        """Whether a release that the store has not may have given the number to another rule."""
        if not begin.missing:
            return []
        after = self.following(begin)
        if after is None or [other.rule for other in self.at(held.number, after)] == [held.rule]:
            return []
        return [f"the store has no text of {', '.join(begin.missing)}, and the number was another rule's after it"]

    def identities(self, number: str) -> list[list[Held]]:
        """Every rule that ever had the number: its spans under it, in order of time; rules in order of their first."""
        found: dict[int, list[Held]] = {}
        for span in self.by_number.get(number, ()):
            found.setdefault(span.rule, []).append(span)
        return list(found.values())


def is_title(folded: str) -> bool:
    """Whether a text is a title rather than a sentence: "Trample", "Tap and Untap"."""
    return 0 < len(folded) < 60 and folded.count(" ") < 7 and not folded.rstrip('"').endswith((".", ":", "!", "?"))


def plain(words: str) -> str:
    """Words in the form in which quotations are compared: folded, without regard to case."""
    return fold(words).casefold()
