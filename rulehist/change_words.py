"""What people are told of a change: the word for its kind, and which rules have a share in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulehist.changes import Change, ChangeKind, ChangePart

KIND_WORDS: Mapping[str, str] = {
    "added": "added",
    "removed": "removed",
    "reworded": "reworded",
    "renumbered+reworded": "renumbered and reworded",
    "renumbered": "renumbered",
    "references": "references",
    "typography": "typography",
}
"""What a report calls each kind, of a rule."""

_MOVED: Mapping[ChangePart, str] = {"glossary": "renamed", "example": "moved"}


def kind_words(kind: str, part: ChangePart = "rule") -> str:
    """The word for a kind: what is ``renumbered`` of a rule is ``renamed`` of a glossary entry."""
    return KIND_WORDS.get(kind, kind).replace("renumbered", _MOVED.get(part, "renumbered"))


def shares(change: Change) -> str:
    """The rules that have a share in a new or removed one, so that nobody looks for them under a wrong number.

    ``words from the old 500.5, now 500.5a``; ``its words went to 603.2d``; empty where there are none.
    """
    pairs = list(dict.fromkeys(zip(change.related, change.counterparts or change.related, strict=True)))
    if not pairs:
        return ""
    if change.kind is ChangeKind.REMOVED:
        return f"its words went to {listed([_target(*pair) for pair in pairs])}"
    return f"words from {listed([_origin(*pair) for pair in pairs])}"


def _origin(old: str, new: str) -> str:
    if old == new:
        return old
    return f"the old {old}, now {new}" if new else f"the old {old}, which is gone"


def _target(new: str, old: str) -> str:
    if old == new:
        return new
    return f"{new}, formerly {old}" if old else f"the new {new}"


def plural(count: int, one: str, many: str = "") -> str:
    """``1 rule``, ``12,345 rules``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``; with ``;`` where an item has a comma; ``last`` stands before the last."""
    if len(items) < 2:
        return "".join(items)
    comma = "; " if any(", " in item for item in items) else ", "
    return f"{comma.join(items[:-1])}{';' if comma == '; ' else ''} {last} {items[-1]}"
