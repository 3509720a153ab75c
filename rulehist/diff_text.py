"""A diff for a terminal and as data: the same groups in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulehist.change_words import kind_words, shares
from rulehist.changes import Change, ChangeKind, Diff
from rulehist.counts import counts, parts_words
from rulehist.lists import ListChanges
from rulehist.marked_words import marked, wrapped
from rulehist.news import News, is_marked_obsolete, news_json
from rulehist.number_ranges import Range, by_section
from rulehist.patterns import Pattern
from rulehist.reader_order import Arranged, Group
from rulehist.thresholds import PLACES_SHOWN, RANGES_SHOWN


def diff_json(
    diff: Diff, old_version: Any, new_version: Any, arranged: Arranged | None = None, news: News | None = None
) -> dict[str, Any]:
    """The shape of ``diff --json``. What is given as a version stands there as it is.

    ``changes`` are all of the diff's, each with all its ops, in the order of the new text. ``news`` is null where one
    of the two is known only in part; ``patterns`` and ``ranges`` are there where they were asked for.
    """
    shape: dict[str, Any] = {"old": old_version, "new": new_version, "summary": diff.summary}
    shape["news"] = news_json(news) if news is not None else None
    if arranged is not None:
        shape["patterns"] = [pattern_json(pattern) for pattern in arranged.patterns]
        shape["ranges"] = [range_json(moved) for moved in arranged.ranges]
    shape["changes"] = [change_json(change) for change in diff.changes]
    shape["notes"] = list(diff.notes)
    return shape


def change_json(change: Change) -> dict[str, Any]:
    """One change: ``{kind, part, old: {number, text} | null, new: ..., ops: [[op, words] ...]}``."""
    return {
        "kind": change.kind.value,
        "part": change.part,
        "old": change.old and {"number": change.old.number, "text": change.old.text},
        "new": change.new and {"number": change.new.number, "text": change.new.text},
        "ops": [list(op) for op in change.ops],
    }


def pattern_json(pattern: Pattern) -> dict[str, Any]:
    """One mass rewording: ``{from, to, count, places, parts}``; ``parts`` counts rules, examples and entries."""
    return {
        "from": pattern.from_,
        "to": pattern.to,
        "count": pattern.times,
        "places": list(pattern.places),
        "parts": dict(pattern.parts),
    }


def range_json(moved: Range) -> dict[str, str]:
    """One run of renumbered rules: ``{old_first, old_last, new_first, new_last}``."""
    return {name: getattr(moved, name) for name in ("old_first", "old_last", "new_first", "new_last")}


def range_words(moved: Range) -> str:
    """A range on a terminal: ``702.5-702.38 -> 702.6-702.39``."""
    return f"{moved.old} -> {moved.new}".replace("–", "-")


def heading(change: Change) -> str:
    """What a change is of, and where: ``702.5a, was 702.4a: renumbered and reworded``."""
    side = change.new or change.old
    number = change.number or (side.kind.value if side is not None else "")
    what = {"example": "example of ", "glossary": "glossary: "}.get(change.part, "") + number
    if change.moved and change.old is not None:
        what += f", was {change.old.number}"
    kind = kind_words(change.kind.value, change.part)
    related = f" ({told})" if (told := shares(change)) else ""
    return f"{what}: {kind}{related}"


def as_text(
    arranged: Arranged,
    news: News | None = None,
    *,
    colour: bool = False,
    width: int = 80,
    every: bool = False,
) -> Iterator[str]:
    """Lines for a terminal. Without ``every``, what is told as ranges or counts is not listed again."""
    if news is not None:
        yield from _news_lines(news, width)
    count = counts(arranged)
    for group in arranged.groups:
        yield f"== {group.title} ({count.size_words(group.key)}) =="
        yield ""
        if group.key != "contents" or not every:
            yield from _told_as_a_whole(arranged, group, width, every=every)
        if group.folded and not every:
            continue
        for change in group.changes:
            yield from wrapped(heading(change), width, "")
            short = change.kind not in {ChangeKind.ADDED, ChangeKind.REMOVED} and not every
            yield from wrapped(marked(change.ops, colour=colour, short=short), width, "    ", colour=colour)
            yield ""


def _news_lines(news: News, width: int) -> Iterator[str]:
    told = list(news.subjects())
    if not told and not news.shifts and not news.notes:
        return
    yield "== News =="
    yield ""
    for subject, change in told:
        yield from wrapped(f"{subject}: {_joined_and_left(change)}", width, "")
    if news.shifts and len(news.shifts) <= 12:
        moves = "; ".join(
            range_words(Range(shift.old_first, shift.old_last, shift.new_first, shift.new_last, ()))
            for shift in news.shifts
        )
        yield from wrapped(f"sections renumbered: {moves}", width, "")
    elif news.shifts:
        yield f"sections renumbered: {sum(int(s.old_last) - int(s.old_first) + 1 for s in news.shifts)}"
    for note in news.notes:
        yield from wrapped(note, width, "")
    yield ""


def _joined_and_left(change: ListChanges) -> str:
    obsolete = tuple(old for old, new in change.renamed if is_marked_obsolete(old, new))
    renamed = tuple(f"{old} -> {new}" for old, new in change.renamed if not is_marked_obsolete(old, new))
    sides = [("new", change.joined), ("gone", change.left), ("renamed", renamed), ("obsolete", obsolete)]
    return "; ".join(f"{word} {', '.join(names)}" for word, names in sides if names)


def pattern_words(pattern: Pattern, *, every: bool = False) -> str:
    """A mass rewording in a line: ``"his or her" -> "their" in 161 rules and 17 examples: 100.2, ...``."""
    shown = pattern.places if every else pattern.places[:PLACES_SHOWN]
    hidden = len(pattern.places) - len(shown)
    more = f" and {hidden} more (--all names them)" if hidden else ""
    became = f'"{pattern.from_}" -> "{pattern.to}"' if pattern.to else f'"{pattern.from_}" left out'
    return f"{became} in {parts_words(pattern.parts)}: {', '.join(shown)}{more}"


def patterns_text(found: Sequence[Pattern], width: int = 80) -> Iterator[str]:
    """Every mass rewording with all its places."""
    for pattern in found:
        yield from wrapped(pattern_words(pattern, every=True), width, "")
        yield ""
    if not found:
        yield "No words gave way to the same others in many rules."


def _told_as_a_whole(arranged: Arranged, group: Group, width: int, *, every: bool) -> Iterator[str]:
    """What is told of a group before or instead of its changes one by one."""
    if group.key == "mass":
        for pattern in arranged.patterns:
            yield from wrapped(pattern_words(pattern, every=every), width, "")
    elif group.key == "lists":
        for entry in arranged.lists:
            number = f" ({entry.change.number})" if entry.change.part != "glossary" else ""
            yield from wrapped(f"{entry.title}{number}: {_joined_and_left(entry.items)}", width, "")
    elif group.key == "renumbered":
        yield from _moves(arranged, width, every=every)
    elif group.key == "contents":
        yield "(they follow the titles of the sections; --all shows them)"
    elif group.folded:
        for part, said in (("rule", ""), ("example", "examples of "), ("glossary", "glossary: ")):
            names = dict.fromkeys(change.number for change in group.changes if change.part == part)
            if names:
                yield from wrapped(said + ", ".join(names), width, "")
    else:
        return
    yield ""


def _moves(arranged: Arranged, width: int, *, every: bool) -> Iterator[str]:
    if every or len(arranged.ranges) <= RANGES_SHOWN:
        for moved in arranged.ranges:
            yield f"{range_words(moved)}{f' ({moved.rules} rules)' if moved.rules > 1 else ''}"
        return
    for moves in by_section(arranged.ranges):
        yield from wrapped(moves.words, width, "")
    yield f"(by section; --all shows the {len(arranged.ranges)} ranges)"
