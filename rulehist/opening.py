"""The opening of a report: what changed, in plain words made from the data."""

from __future__ import annotations

from collections.abc import Sequence

from rulehist.change_words import listed, plural
from rulehist.counts import Counts, counts, parts_words
from rulehist.patterns import Pattern
from rulehist.reader_order import Arranged


def opening(arranged: Arranged) -> tuple[str, ...]:
    """The opening paragraph, sentence by sentence. Its numbers are those that stand over the groups."""
    count = counts(arranged)
    told = [
        _rules(count),
        _mass(count, arranged.patterns),
        f"{plural(count.of('examples'), 'example')} changed." if count.of("examples") else "",
        _glossary(count),
        _moved(count),
        _quiet(count.of("references"), "only follows a number that moved", "only follow numbers that moved"),
        _quiet(count.of("typography"), "is nothing but typography", "are nothing but typography"),
    ]
    return tuple(sentence for sentence in told if sentence) or ("No rule differs between these two versions.",)


def _rules(count: Counts) -> str:
    numbers = [(count.of(key), key) for key in ("added", "removed", "reworded")]
    told = [f"{number:,} {verb}" for number, verb in numbers if number]
    listing = count.of("lists")
    lists = f"{listing:,} {'list' if listing == 1 else 'lists'} changed" if listing else ""
    if not told:
        return f"{lists}." if lists else ""
    first, verb = told[0].split()
    told[0] = f"{first} {'rule' if first == '1' else 'rules'} {verb}"
    return f"{listed(told)}{f'; {lists}' if lists else ''}."


def _mass(count: Counts, patterns: Sequence[Pattern]) -> str:
    if not patterns:
        return ""
    first = patterns[0]
    what = f"“{first.from_}” became “{first.to}”" if first.to else f"“{first.from_}” was left out"
    others = len(patterns) - 1
    more = f", beside {plural(others, 'other replacement')} like it" if others else ""
    alone = parts_words(count.groups.get("mass", {}))
    rest = f"; nothing else changed in {alone}" if alone else ""
    return f"{what} in {parts_words(first.parts)}{more}{rest}."


def _glossary(count: Counts) -> str:
    numbers = [(count.glossary[what], what) for what in ("new", "gone", "renamed", "reworded")]
    told = [f"{number:,} {what}" for number, what in numbers if number]
    return f"Glossary entries: {listed(told)}." if told else ""


def _moved(count: Counts) -> str:
    only = count.of("renumbered")
    if not count.moved:
        return ""
    rules = f"{plural(count.moved, 'rule')} took another number"
    if only == count.moved:
        return f"{rules}, and nothing else changed in {'it' if only == 1 else 'them'}."
    return f"{rules}, {only:,} of them without another change."


def _quiet(number: int, one: str, many: str) -> str:
    return f"{plural(number, 'change')} {one if number == 1 else many}." if number else ""
