"""Renumbered rules as ranges: ``702.5-702.38`` became ``702.6-702.39``.

A subrule goes along with its rule and a rule with its section, where they keep their letter and number; so a section
that moved as a whole is one range, and sections behind an inserted one are one range together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from rulehist.changes import RENUMBERED, Change
from rulehist.numbers import RuleNumber, parse
from rulehist.thresholds import RANGE_GAP

_LETTERS = "abcdefghijkmnpqrstuvwxyz"  # a subrule never has l or o

_Move = tuple[RuleNumber, RuleNumber]


class Range(NamedTuple):
    """Rules that moved together, by their first and last numbers; ``rules`` of them, what goes along included.

    ``changes`` are theirs. A number between first and last that is not among them went elsewhere, or is new.
    """

    old_first: str
    old_last: str
    new_first: str
    new_last: str
    changes: tuple[Change, ...]

    @property
    def rules(self) -> int:
        """How many rules moved."""
        return len(self.changes)

    @property
    def old(self) -> str:
        """The numbers before: ``702.5–702.38``, or one."""
        return self.old_first if self.old_first == self.old_last else f"{self.old_first}–{self.old_last}"

    @property
    def new(self) -> str:
        """The numbers now: ``702.6–702.39``, or one."""
        return self.new_first if self.old_first == self.old_last else f"{self.new_first}–{self.new_last}"


class SectionMoves(NamedTuple):
    """Where the moved rules of one section (or a run of them) went: sections now, each with how many of them."""

    section: str
    went: tuple[tuple[str, int], ...]
    ranges: tuple[Range, ...]

    @property
    def words(self) -> str:
        """The moves for people: ``502 -> 702 (85 rules), 112 (1)``."""
        if [section for section, _ in self.went] == [self.section]:
            return f"within {self.section} ({_counted(self.went[0][1])})"
        (first, count), *others = self.went
        told = [f"{first} ({_counted(count)})", *(f"{section} ({number})" for section, number in others)]
        return f"{self.section} -> {', '.join(told)}"


def ranges(changes: Iterable[Change]) -> tuple[Range, ...]:
    """The rules of ``changes`` that have another number now, as ranges in the order of the old text."""
    moved: dict[_Move, list[Change]] = {}
    for change in changes:
        if change.part == "rule" and change.old is not None and change.new is not None and change.kind in RENUMBERED:
            old, new = parse(change.old.number), parse(change.new.number)
            if old is not None and new is not None:
                moved.setdefault((old, new), []).append(change)
    moves = sorted(moved, key=lambda move: (_order(move[0]), _order(move[1])))
    sections = {old.section: new.section for old, new in moves if old.rule is None}
    rules = {(old.section, old.rule): (new.section, new.rule) for old, new in moves if not old.letters}
    runs: list[tuple[list[_Move], list[Change]]] = []
    run_of: dict[tuple[int, int | None], int] = {}
    for move in moves:
        old, new = move
        same = old.letters == new.letters
        leader: tuple[int, int | None] | None = None
        if same and old.rule is not None and old.rule == new.rule and sections.get(old.section) == new.section:
            leader = old.section, None
        elif same and old.letters and rules.get((old.section, old.rule)) == (new.section, new.rule):
            leader = old.section, old.rule
        at = run_of.get(leader) if leader is not None else None
        if at is None:
            if not runs or not _goes_on(runs[-1][0][-1], move):
                runs.append(([], []))
            at = len(runs) - 1
            runs[at][0].append(move)
        runs[at][1].extend(moved[move])
        if not old.letters:
            run_of[old.section, old.rule] = at
    return tuple(_range(named, every) for named, every in runs)


def by_section(found: Sequence[Range]) -> tuple[SectionMoves, ...]:
    """Ranges by the section that they left; sections that moved on in a run stay together."""
    made = []
    for sections, run in groupby(found, key=lambda one: _span(one.old_first, one.old_last)):
        together = tuple(run)
        went: Counter[str] = Counter()
        for one in together:
            if "-" in sections:
                went[_span(one.new_first, one.new_last)] += one.rules
            else:
                went.update(_section(change.number) for change in one.changes)
        made.append(SectionMoves(sections, tuple(went.most_common()), together))
    return tuple(made)


def _span(first: str, last: str) -> str:
    """The section of a range, or its first and last."""
    return "-".join(dict.fromkeys((_section(first), _section(last))))


def _counted(rules: int) -> str:
    return f"{rules:,} {'rule' if rules == 1 else 'rules'}"


def _section(number: str) -> str:
    return number.split(".", maxsplit=1)[0]


def _order(number: RuleNumber) -> tuple[int, int, int, str]:
    return number.section, number.rule or 0, len(number.letters), number.letters


def _goes_on(last: _Move, now: _Move) -> bool:
    """Whether a move goes on from the last: the next section, the next rule of one section, the next subrule."""
    (old, new), (old_now, new_now) = last, now
    if old_now.rule is None or new_now.rule is None or old.rule is None or new.rule is None:
        sections = old_now.rule is new_now.rule is old.rule is new.rule is None
        return sections and old_now.section - old.section == new_now.section - new.section == 1
    if (old.section, new.section) != (old_now.section, new_now.section):
        return False
    if not (old.letters or new.letters or old_now.letters or new_now.letters):
        return 0 < old_now.rule - old.rule == new_now.rule - new.rule <= RANGE_GAP
    if (old.rule, new.rule) != (old_now.rule, new_now.rule):
        return False
    if any(len(number.letters) != 1 for number in (*last, *now)):
        return False
    steps = [
        _LETTERS.find(after.letters) - _LETTERS.find(before.letters) for before, after in zip(last, now, strict=True)
    ]
    return 0 < steps[0] == steps[1] <= RANGE_GAP


def _range(named: Sequence[_Move], every: Sequence[Change]) -> Range:
    (old_first, new_first), (old_last, new_last) = named[0], named[-1]
    return Range(_written(old_first), _written(old_last), _written(new_first), _written(new_last), tuple(every))


def _written(number: RuleNumber) -> str:
    return str(number.section) if number.rule is None else f"{number.section}.{number.rule}{number.letters}"
