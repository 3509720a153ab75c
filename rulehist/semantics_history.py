"""The semantic switches through all versions of the store: what each said from when until when, and what is unread."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulehist.engine.known_words import COLUMNS, mark_of, words_of
from rulehist.engine.readings import read_switch, texts_of
from rulehist.engine.said import Reading, Refusal, SwitchValue
from rulehist.engine.semantics import Semantics, compile_semantics
from rulehist.engine.switches import Switch, switches
from rulehist.engine.text_reading import switch_addresses
from rulehist.folding import fold
from rulehist.rules_through_time import RulesThroughTime

_KNOWN_WORDS_HEAD = (
    "# The sentences that decide each switch, as far as somebody has looked at them: their words, and a mark of each,",
    "# which tells it from the same words in another order. Any other sentence is unread, and is named by:",
    "# rulehist semantics --unread. Where it means what it meant, write this file anew with: --known-words",
)


@dataclass(frozen=True, slots=True)
class Held:
    """A value that a switch had from the version of ``since`` until that of ``until`` (ISO dates; ``None``: still).

    ``value`` is ``None`` where the rules did not say. ``unread`` is the reason where nobody has explained the words
    to the program; then ``value`` says nothing. ``rule``, ``number`` and ``quote`` are those of the first version.
    ``rows`` are the rows of the list of semantic changes with which the value began or ended.
    """

    switch: str
    rows: tuple[str, ...]
    rule: str
    number: str
    value: SwitchValue
    since: str
    until: str | None
    quote: str
    unread: str = ""

    def same_as(self, other: Held) -> bool:
        """Whether both say the same, or are unread for the same words."""
        if bool(self.unread) != bool(other.unread):
            return False
        return fold(self.quote) == fold(other.quote) if self.unread else self.value == other.value

    def as_json(self) -> dict[str, Any]:
        """``{switch, rows, rule, number, value, from, until, quote}``, and ``unread`` where it is."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        shown: dict[str, Any] = {
            "switch": self.switch, "rows": list(self.rows), "rule": self.rule, "number": self.number, "value": value,
            "from": self.since, "until": self.until, "quote": self.quote,
        }  # fmt: skip
        return shown | {"unread": self.unread} if self.unread else shown


def semantics_through_time(connection: sqlite3.Connection) -> list[Semantics]:
    """The semantics of every version that has a date and a whole text, oldest first."""
    return [compile_semantics(rules) for rules in RulesThroughTime(connection, switch_addresses())]


def history(connection: sqlite3.Connection, chosen: Iterable[Switch] | None = None) -> list[Held]:
    """What every switch (or each of ``chosen``) said through all dated versions, in the order of the data files."""
    compiled = semantics_through_time(connection)
    return [held for switch in chosen or switches().values() for held in _history(switch, compiled)]


def unread(connection: sqlite3.Connection, chosen: Iterable[Switch] | None = None) -> list[Held]:
    """The wordings of the store that no entry of the data files reads, each with the version in which it appeared."""
    return [held for held in history(connection, chosen) if held.unread]


def sentences_in(connection: sqlite3.Connection) -> dict[str, dict[str, None]]:
    """The sentences that decided each switch in some version of the store, oldest first."""
    found: dict[str, dict[str, None]] = {}
    for rules in RulesThroughTime(connection, switch_addresses()):
        for switch in switches().values():
            texts = texts_of(switch, rules.named(switch.rules))
            read = None if switch.list_of else read_switch(switch, texts, rules.label)
            if isinstance(read, Reading) and read.text is not None:
                found.setdefault(switch.name, {})[read.quote] = None
    return {name: found[name] for name in switches() if name in found}


def words_in(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The words of every sentence that decided a switch in some version of the store, for each switch."""
    return {name: _words(found) for name, found in sentences_in(connection).items()}


def _words(sentences: Iterable[str]) -> list[str]:
    return sorted(set().union(*map(words_of, sentences)))


def known_words_table(sentences: Mapping[str, Iterable[str]]) -> str:
    """``data/semantics/known-words.tsv`` with the words of each switch and the marks of its sentences."""
    lines = [
        f"{name}\t{' '.join(_words(each))}\t{' '.join(dict.fromkeys(map(mark_of, each)))}"
        for name, each in sentences.items()
    ]
    return "\n".join([*_KNOWN_WORDS_HEAD, "\t".join(COLUMNS), *lines]) + "\n"


def _history(switch: Switch, compiled: Sequence[Semantics]) -> Iterator[Held]:
    held: Held | None = None
    for semantics in compiled:
        here = _held(switch, semantics.rules.label, semantics.read(switch.name))
        if held is not None and held.same_as(here):
            continue
        if held is not None:
            yield replace(held, until=here.since, rows=_rows(switch, held.value, here.value))
        held = here
    if held is not None:
        yield held


def _rows(switch: Switch, *values: SwitchValue) -> tuple[str, ...]:
    """The rows of the list of semantic changes that brought one of ``values``."""
    return tuple(row for row, value in switch.rows.items() if value in values)


def _held(switch: Switch, day: str, read: Reading | Refusal) -> Held:
    if isinstance(read, Reading):
        rows = _rows(switch, read.value)
        return Held(switch.name, rows, read.rule, read.number, read.value, day, None, read.quote)
    rule, number = (read.rule.rule, read.rule.number) if read.rule else ("", "")
    return Held(switch.name, (), rule, number, None, day, None, read.quote, read.reason)
