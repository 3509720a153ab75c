"""A move of citations as text for a terminal and as plain values for JSON."""

from __future__ import annotations

from typing import Any

from rulehist.citations.formats import counted
from rulehist.citations.move import Left, Move


def as_text(move: Move) -> str:
    """The unified diff first, then what is left to people, strings that tests assert on apart, then a summary."""
    lines = [made.diff() for made in move.files]
    for heading, found in (
        ("Left to a person", [one for one in move.left if not one.asserted]),
        ("In strings that tests assert on: code, left to a person", [one for one in move.left if one.asserted]),
    ):
        if found:
            lines += [f"\n{heading} ({len(found)})\n", *map(_left, found)]
    lines += [f"skipped {one.path}: {one.reason}\n" for one in move.skipped]
    verb = "moved" if move.done else "to move"
    after = "" if move.done or not move.files else "; write with --write"
    lines.append(
        f"{counted(len(move.moved), 'citation')} {verb} in {counted(len(move.files), 'file')} to {move.to},"
        f" {len(move.left)} left to a person{after}\n"
    )
    return "".join(lines)


def _left(one: Left) -> str:
    proposal = f" (perhaps {one.proposal})" if one.proposal and one.proposal != one.number else ""
    return f"  {one.file}:{one.line}:{one.column}: {one.citation}{proposal}: {one.reason}\n"


def as_values(move: Move) -> dict[str, Any]:
    """The shape that docs/citations.md describes."""
    return {
        "written": move.written,
        "to": move.to,
        "done": move.done,
        "diff": "".join(made.diff() for made in move.files),
        "moved": [
            {"file": one.file, "line": one.line, "column": one.column, "number": one.number, "to": one.to}
            for one in move.moved
        ],
        "left": [
            {
                "file": one.file,
                "line": one.line,
                "column": one.column,
                "citation": one.citation,
                "number": one.number,
                "reason": one.reason,
                "proposal": one.proposal or None,
                "asserted": one.asserted,
            }
            for one in move.left
        ],
        "skipped": [{"file": one.path.as_posix(), "reason": one.reason} for one in move.skipped],
    }
