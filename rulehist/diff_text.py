"""A diff for a terminal, as Markdown, and as data: the same groups in the same order in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulehist.changes import Change, ChangeKind, Diff
from rulehist.lists import ListChanges
from rulehist.marked_words import marked, marked_as, wrapped
from rulehist.news import News, news_json
from rulehist.patterns import Pattern
from rulehist.reader_order import Arranged, Range
from rulehist.worddiff import Op

_MARKDOWN: Mapping[str, tuple[str, str]] = {
    "equal": ("", ""),
    "delete": ("<del>", "</del>"),
    "insert": ("<ins>", "</ins>"),
}
_OPENED = frozenset({"Renumbered", "References only", "Typography only", "Mass rewordings only", "Lists"})


def diff_json(
    diff: Diff, old_version: Any, new_version: Any, arranged: Arranged | None = None, news: News | None = None
) -> dict[str, Any]:
    """The shape of ``diff --json``. What is given as a version stands there as it is.

    ``changes`` are all of the diff's, each with all its ops, in the order of the new text. ``news``,
    ``patterns`` and ``ranges`` are there where they were asked for.
    """
    shape: dict[str, Any] = {"old": old_version, "new": new_version, "summary": diff.summary}
    if news is not None:
        shape["news"] = news_json(news)
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
    """One mass rewording: ``{from, to, count, places}``."""
    return {"from": pattern.from_, "to": pattern.to, "count": pattern.count, "places": list(pattern.places)}


def range_json(moved: Range) -> dict[str, str]:
    """One run of renumbered rules: ``{old_first, old_last, new_first, new_last}``."""
    return {
        "old_first": moved.old_first,
        "old_last": moved.old_last,
        "new_first": moved.new_first,
        "new_last": moved.new_last,
    }


def heading(change: Change) -> str:
    """What a change is of, and where: ``702.5a, was 702.4a: renumbered and reworded``."""
    side = change.new or change.old
    number = change.number or (side.kind.value if side is not None else "")
    what = {"example": "example of ", "glossary": "glossary: "}.get(change.part, "") + number
    if change.moved and change.old is not None:
        what += f", was {change.old.number}"
    kind = change.kind.value.replace("+", " and ")
    related = f" (see {', '.join(dict.fromkeys(change.related))})" if change.related else ""
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
    for title, changes in arranged.groups():
        yield f"== {title} ({len(changes)}) =="
        yield ""
        yield from _aside(arranged, title, width)
        if title in _OPENED and not every:
            continue
        for change in changes:
            yield heading(change)
            short = change.kind not in {ChangeKind.ADDED, ChangeKind.REMOVED} and not every
            yield from wrapped(marked(change.ops, colour=colour, short=short), width, "    ", colour=colour)
            yield ""


def as_markdown(arranged: Arranged, news: News | None = None) -> Iterator[str]:
    """Lines of Markdown, with ``<del>`` and ``<ins>``, as no mark of Markdown's own tells insertions."""
    if news is not None:
        lines = list(_news_lines(news, 10**6))
        yield from (
            f"- {line}" if line and not line.startswith("==") else line.replace("==", "##", 1).rstrip("= ")
            for line in lines
        )
    for title, changes in arranged.groups():
        yield f"## {title} ({len(changes)})"
        yield ""
        aside = [line for line in _aside(arranged, title, 10**6) if line]
        yield from (f"- {_escaped(line)}" for line in aside)
        if aside:
            yield ""
        if title in _OPENED:
            continue
        for change in changes:
            ops: list[Op] = [(name, _escaped(text)) for name, text in change.ops]
            yield f"**{_escaped(heading(change))}**"
            yield ""
            yield marked_as(ops, _MARKDOWN, short=False).replace("\n", "  \n")
            yield ""


def _escaped(text: str) -> str:
    """Text that Markdown and HTML leave alone."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for sign in "\\`*_[]#|":
        text = text.replace(sign, "\\" + sign)
    return text


def _news_lines(news: News, width: int) -> Iterator[str]:
    told = list(news.subjects())
    if not told and not news.shifts and not news.notes:
        return
    yield "== News =="
    yield ""
    for subject, change in told:
        yield from wrapped(f"{subject}: {_joined_and_left(change)}", width, "")
    if news.shifts and len(news.shifts) <= 12:
        moves = "; ".join(_range_words(s.old_first, s.old_last, s.new_first, s.new_last) for s in news.shifts)
        yield from wrapped(f"sections renumbered: {moves}", width, "")
    elif news.shifts:
        yield f"sections renumbered: {sum(int(s.old_last) - int(s.old_first) + 1 for s in news.shifts)}"
    for note in news.notes:
        yield from wrapped(note, width, "")
    yield ""


def _joined_and_left(change: ListChanges) -> str:
    sides = [("new", change.joined), ("gone", change.left)]
    return "; ".join(f"{word} {', '.join(names)}" for word, names in sides if names)


def _range_words(old_first: str, old_last: str, new_first: str, new_last: str) -> str:
    if old_first == old_last:
        return f"{old_first} -> {new_first}"
    return f"{old_first}-{old_last} -> {new_first}-{new_last}"


def _aside(arranged: Arranged, title: str, width: int) -> Iterator[str]:
    """What is told of a group as a whole, before or instead of its changes one by one."""
    if title == "Mass rewordings only":
        for pattern in arranged.patterns:
            more = "" if len(pattern.places) <= 5 else ", ..."
            where = ", ".join(pattern.places[:5]) + more
            told = f'"{pattern.from_}" -> "{pattern.to}"'
            yield from wrapped(f"{told} in {pattern.count} places: {where}", width, "")
    elif title == "Lists":
        for entry in arranged.lists:
            yield from wrapped(f"{entry.change.number}: {_joined_and_left(entry.items)}", width, "")
    elif title == "Renumbered":
        for moved in arranged.ranges:
            yield _range_words(moved.old_first, moved.old_last, moved.new_first, moved.new_last)
    elif title in _OPENED:
        yield from wrapped(
            ", ".join(dict.fromkeys(change.number for change in arranged_of(arranged, title))), width, ""
        )
    else:
        return
    yield ""


def arranged_of(arranged: Arranged, title: str) -> Sequence[Change]:
    """The changes of the group with this title."""
    return dict(arranged.groups()).get(title, ())
