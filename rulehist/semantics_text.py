"""What ``semantics`` prints: readings, changes and histories of switches, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from rulehist.engine.semantics import Reading, Refusal, SwitchValue
from rulehist.engine.switches import Switch
from rulehist.semantics_history import Held
from rulehist.thresholds import TEXT_WIDTH


@dataclass(frozen=True, slots=True)
class SwitchChange:
    """A switch that two versions answer differently, or that one of them leaves unread."""

    switch: Switch
    old: Reading | Refusal
    new: Reading | Refusal


def changed(
    switches: Iterable[Switch], old: Iterable[Reading | Refusal], new: Iterable[Reading | Refusal]
) -> list[SwitchChange]:
    """The switches whose readings differ, in order; all three sequences go together."""
    return [
        SwitchChange(switch, before, after)
        for switch, before, after in zip(switches, old, new, strict=True)
        if _told(before) != _told(after)
    ]


def _told(read: Reading | Refusal) -> tuple[SwitchValue, str]:
    return (read.value, "") if isinstance(read, Reading) else (None, read.quote or read.reason)


def reading_json(switch: Switch, read: Reading | Refusal) -> dict[str, Any]:
    """``{switch, rows, question, value, rule, number, version, quote}``; ``unread``: why there is no value."""
    shown: dict[str, Any] = {"switch": switch.name, "rows": list(switch.rows), "question": switch.question}
    if isinstance(read, Reading):
        return shown | read.as_json()
    rule = read.rule
    return shown | {
        "value": None,
        "rule": rule.rule if rule else "",
        "number": rule.number if rule else "",
        "version": rule.version if rule else "",
        "quote": read.quote,
        "unread": read.reason,
    }


def change_json(change: SwitchChange) -> dict[str, Any]:
    """``{switch, rows, question, old, new}``, both as in ``reading_json``."""
    old, new = (reading_json(change.switch, read) for read in (change.old, change.new))
    kept = {key: old[key] for key in ("switch", "rows", "question")}
    return kept | {"old": _without(old, kept), "new": _without(new, kept)}


def _without(shown: dict[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    return {key: value for key, value in shown.items() if key not in keys}


def readings_text(switches: Iterable[Switch], reads: Sequence[Reading | Refusal], width: int = TEXT_WIDTH) -> str:
    """Every switch with its question, value, rule and the words that decided."""
    blocks = [
        f"{switch.name}: {switch.question}\n{_reading(read, width)}"
        for switch, read in zip(switches, reads, strict=True)
    ]
    unread = sum(isinstance(read, Refusal) for read in reads)
    silent = sum(isinstance(read, Reading) and not read.said for read in reads)
    blocks.append(f"{len(reads)} switches: {silent} on which the rules did not say, {unread} unread")
    return "\n\n".join(blocks)


def changes_text(changes: Sequence[SwitchChange], width: int = TEXT_WIDTH) -> str:
    """Each changed switch with what it was and what it is."""
    if not changes:
        return "no switch changed"
    blocks = [
        "\n".join(
            (
                f"{_title(change.switch)}: {change.switch.question}",
                f"- {_reading(change.old, width)[2:]}",
                f"+ {_reading(change.new, width)[2:]}",
            )
        )
        for change in changes
    ]
    blocks.append(f"{len(changes)} changed")
    return "\n\n".join(blocks)


def history_text(history: Sequence[Held], width: int = TEXT_WIDTH) -> str:
    """Every switch with its values: since when, the rule's number then, and the rows that it began or ended with."""
    lines: list[str] = []
    last = ""
    for held in history:
        if held.switch != last:
            last = held.switch
            lines += [*([""] if lines else []), held.switch]
        number = f"  {held.number}" if held.number else ""
        value = f"unread: {held.unread}" if held.unread else value_text(held.value)
        lines.append(
            fill(
                f"{held.since}{number}  {value}{_rows(held.rows)}",
                width,
                initial_indent="  ",
                subsequent_indent="      ",
            )
        )
    return "\n".join(lines)


def unread_text(unread: Sequence[Held], width: int = TEXT_WIDTH) -> str:
    """Each wording that is not read, with the version in which it appeared."""
    if not unread:
        return "every wording in the store is read"
    blocks = [
        fill(f"{held.since}  {held.unread}", width, subsequent_indent="  ", break_on_hyphens=False) for held in unread
    ]
    blocks.append(f"{len(unread)} unread; docs/semantics.md tells how to add a wording")
    return "\n\n".join(blocks)


def value_text(value: SwitchValue) -> str:
    """A value in one line; silence is said in words."""
    if value is None:
        return "the rules did not say"
    return ", ".join(value) if isinstance(value, tuple) else value


def _title(switch: Switch) -> str:
    return f"{switch.name}{_rows(switch.rows)}"


def _rows(rows: Iterable[str]) -> str:
    return f" ({', '.join(rows)})" if rows else ""


def _reading(read: Reading | Refusal, width: int) -> str:
    if isinstance(read, Refusal):
        return fill(f"unread: {read.reason}", width, initial_indent="  ", subsequent_indent="  ")
    lines = [fill(value_text(read.value), width, initial_indent="  ", subsequent_indent="  ")]
    if read.number:
        words = f"rule {read.number} ({read.version}): {read.quote}"
        lines.append(fill(words, width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False))
    return "\n".join(lines)
