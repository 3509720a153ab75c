"""The answers of the query commands, as text for people and as JSON for programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from rulehist.dated_versions import Version
from rulehist.errors import QueryError
from rulehist.export import paragraphs
from rulehist.history import RuleText
from rulehist.result_files import write_whole
from rulehist.text_search import Found
from rulehist.thresholds import TEXT_COLUMNS


def write_file(path: Path, text: str) -> None:
    """Write a result file, whole or not at all. Raises ``QueryError`` where that cannot be done."""
    try:
        write_whole(path, text)
    except OSError as error:
        raise QueryError(f"{path}: cannot be written ({error.strerror}); name another file") from error


def version_json(version: Version) -> dict[str, Any]:
    """``{effective, code, release, coverage}``; an undated version also has ``later_than``."""
    shape: dict[str, Any] = {
        "effective": version.effective,
        "code": version.code or None,
        "release": version.release or None,
        "coverage": str(version.coverage),
    }
    if version.effective is None:
        shape["later_than"] = version.later_than
    return shape


def show_json(answer: RuleText) -> dict[str, Any]:
    """``{rule, number, kind, text, examples, version, in_force: {from, until}}``, and warnings."""
    return {
        "rule": answer.rule,
        "number": answer.number,
        "kind": answer.kind,
        "text": answer.text,
        "examples": list(answer.examples),
        "version": version_json(answer.version),
        "in_force": {"from": answer.since, "until": answer.until, "until_known": answer.until_known},
        "warnings": list(answer.warnings),
    }


def in_force_words(since: str | None, until: str | None, *, until_known: bool) -> str:
    """``in force from 2021-07-23 until 2022-10-07``, honest about what is not known."""
    start = f"from {since}" if since else "from an unknown date"
    if until:
        return f"in force {start} until {until}"
    return f"in force {start}" if until_known else f"in force {start} until an unknown date"


def show_text(answer: RuleText, width: int = TEXT_COLUMNS) -> str:
    """The rule with its examples, the version it comes from, and how long it was in force."""
    lines = [
        _filled(
            f"{answer.number} {answer.text}" if answer.kind != "glossary" else f"{answer.number}\n\n{answer.text}",
            width,
        )
    ]
    lines += [_filled(f"Example: {example}", width, indent="  ") for example in answer.examples]
    lines += [_filled(f"{number} {text}", width, indent="  ") for number, text in answer.below]
    lines.append(f"Version: {answer.version.label}")
    lines.append(in_force_words(answer.since, answer.until, until_known=answer.until_known).capitalize() + ".")
    lines += [_filled(f"Note: {warning}.", width) for warning in answer.warnings]
    return "\n\n".join(lines[: -1 - len(answer.warnings)]) + "\n" + "\n".join(lines[-1 - len(answer.warnings) :])


def _filled(text: str, width: int, indent: str = "") -> str:
    return "\n".join(
        fill(paragraph.strip(), width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
        for paragraph in paragraphs(text)
    )


def search_json(found: Sequence[Found]) -> list[dict[str, Any]]:
    """``[{rule, number, kind, text, from, until}]`` in order of numbers."""
    return [
        {
            "rule": f.rule,
            "number": f.number,
            "kind": f.kind,
            "text": f.text,
            "from": f.since,
            "until": f.until,
        }
        for f in found
    ]


def search_text(found: Sequence[Found], words: str, *, ever: bool, width: int = TEXT_COLUMNS) -> str:
    """Each rule with the words around the first place, and since when and until when it had them."""
    if not found:
        return f"no rule has the words {words!r}{' at any time' if ever else ''}"
    lines = []
    for f in found:
        until = f" until {f.until}" if f.until else ""
        lines.append(f"{f.number}  ({f.kind}, from {f.since or 'an unknown date'}{until})")
        lines.append(fill(around(f.text, words), width, initial_indent="  ", subsequent_indent="  "))
    lines.append(f"{len(found)} found")
    return "\n".join(lines)


def around(text: str, words: str) -> str:
    """The words that were searched with those on either side, in a line."""
    flat = " ".join(text.split())
    # typography and punctuation between the words may differ from what was asked
    place = re.search(r"[\W_]+".join(map(re.escape, re.findall(r"[^\W_]+", words))), flat, re.IGNORECASE)
    at, end = place.span() if place else (0, len(words))
    start, end = max(at - 60, 0), end + 60
    return ("…" if start else "") + flat[start:end] + ("…" if end < len(flat) else "")
