"""The opening of a report: what changed, in plain words made from the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulehist.changes import Change, ChangeKind, ChangePart
from rulehist.patterns import REWORDED, Pattern
from rulehist.reader_order import Arranged


def opening(changes: Sequence[Change], arranged: Arranged) -> tuple[str, ...]:
    """The opening paragraph, sentence by sentence."""
    count = Counter((change.part, change.kind) for change in changes)
    only = Counter(change.part for change in arranged.group("mass"))
    told = [
        _rules(count, only["rule"], arranged.patterns),
        _examples(count, only["example"], told_why=only["rule"] > 0, patterns=arranged.patterns),
        _glossary(count),
    ]
    moved = count["rule", ChangeKind.RENUMBERED]
    if moved:
        told.append(f"{plural(moved, 'rule')} only took another number.")
    for kind, one, many in (
        (ChangeKind.REFERENCES, "only follows a number that moved", "only follow numbers that moved"),
        (ChangeKind.TYPOGRAPHY, "is nothing but typography", "are nothing but typography"),
    ):
        quiet = sum(number for (_, found), number in count.items() if found is kind)
        if quiet:
            told.append(f"{plural(quiet, 'change')} {one if quiet == 1 else many}.")
    return tuple(sentence for sentence in told if sentence) or ("No rule differs between these two versions.",)


def plural(count: int, one: str, many: str = "") -> str:
    """``1 rule``, ``12,345 rules``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(items: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


_Count = Counter[tuple[ChangePart, ChangeKind]]


def _reworded(count: _Count, part: ChangePart) -> int:
    return sum(count[part, kind] for kind in REWORDED)


def _rules(count: _Count, only: int, patterns: Sequence[Pattern]) -> str:
    numbers = [
        (count["rule", ChangeKind.ADDED], "added"),
        (count["rule", ChangeKind.REMOVED], "removed"),
        (_reworded(count, "rule"), "reworded"),
    ]
    told = [f"{number:,} {verb}" for number, verb in numbers if number]
    if not told:
        return ""
    first, verb = told[0].split()
    told[0] = f"{first} {'rule' if first == '1' else 'rules'} {verb}"
    sentence = listed(told)
    return f"{sentence}{_of_them(only, patterns)}." if only else f"{sentence}."


def _of_them(only: int, patterns: Sequence[Pattern]) -> str:
    first = patterns[0]
    why = f"“{first.from_}” became “{first.to}”" if first.to else f"“{first.from_}” went"
    others = len(patterns) - 1
    more = f" or for {plural(others, 'other replacement')} like it" if others else ""
    return f", {only:,} of those only because {why}{more}"


def _examples(count: _Count, only: int, *, told_why: bool, patterns: Sequence[Pattern]) -> str:
    changed = sum(number for (part, kind), number in count.items() if part == "example" and _matters(kind))
    if not changed:
        return ""
    sentence = f"{plural(changed, 'example')} changed"
    if only and told_why:
        sentence += f", {only:,} of those for the same reason"
    elif only:
        sentence += _of_them(only, patterns)
    return sentence + "."


def _glossary(count: _Count) -> str:
    numbers = [
        (count["glossary", ChangeKind.ADDED], "new"),
        (count["glossary", ChangeKind.REMOVED], "gone"),
        (_reworded(count, "glossary") + count["glossary", ChangeKind.RENUMBERED], "changed"),
    ]
    told = [f"{number:,} {verb}" for number, verb in numbers if number]
    return f"Glossary entries: {listed(told)}." if told else ""


def _matters(kind: ChangeKind) -> bool:
    return kind not in {ChangeKind.REFERENCES, ChangeKind.TYPOGRAPHY}
