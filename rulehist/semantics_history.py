"""The semantic switches through all versions of the store: what each said from when until when, and what is unread."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulehist.engine.clauses import CopyingClauses, vocabulary
from rulehist.engine.rules import RuleText
from rulehist.engine.semantics import Reading, Refusal, SwitchValue, read_copying, read_switch
from rulehist.engine.switches import Switch, switches
from rulehist.rules_at import named_rules


@dataclass(frozen=True, slots=True)
class Held:
    """A value that a switch had from the version of ``since`` until that of ``until`` (ISO dates; ``None``: still).

    ``value`` is ``None`` where the rules did not say. ``unread`` is the reason where nobody has explained the words
    to the program; then ``value`` says nothing. ``rule``, ``number`` and ``quote`` are those of the first version.
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

    def as_json(self) -> dict[str, Any]:
        """``{switch, rows, rule, number, value, from, until, quote}``, and ``unread`` where it is."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        shown: dict[str, Any] = {
            "switch": self.switch, "rows": list(self.rows), "rule": self.rule, "number": self.number, "value": value,
            "from": self.since, "until": self.until, "quote": self.quote,
        }  # fmt: skip
        return shown | {"unread": self.unread} if self.unread else shown


def history(connection: sqlite3.Connection) -> list[Held]:
    """What every switch said through all dated versions, in the order of the data files, oldest first."""
    texts = _Texts(connection)
    return [held for switch in switches().values() for held in texts.history(switch)]


def unread(connection: sqlite3.Connection) -> list[Held]:
    """The wordings of the store that no entry of the data files reads, each with the version in which it appeared."""
    return [held for held in history(connection) if held.unread]


@dataclass(frozen=True, slots=True)
class _Span:
    rule: str
    number: str
    text: str
    since: str
    until: str | None

    def holds(self, day: str) -> bool:
        return self.since <= day and (self.until is None or day < self.until)


class _Texts:
    """The texts of all rules that switches name, through time, in two queries."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.days = [
            day
            for (day,) in connection.execute(
                "SELECT effective FROM versions WHERE effective IS NOT NULL AND EXISTS (SELECT 1 FROM documents"
                " WHERE documents.version_id = versions.id AND coverage = 'full') ORDER BY effective"
            )
        ]
        copying = tuple(vocabulary()["rule"])
        addresses = dict.fromkeys([*copying, *(address for each in switches().values() for address in each.rules)])
        self.rule_of, self.spans = _spans(connection, tuple(addresses))
        self.copying_rules = copying
        self._read: dict[tuple[str, tuple[str, ...]], Reading | Refusal] = {}
        self._copying: dict[str, CopyingClauses | Refusal] = {}

    def history(self, switch: Switch) -> Iterator[Held]:
        before: Held | None = None
        for day in self.days:
            here = self._held(switch, day)
            if before is not None and (here.value, here.unread) == (before.value, before.unread):
                continue
            if before is not None:
                yield replace(before, until=day)
            before = here
        if before is not None:
            yield before

    def _held(self, switch: Switch, day: str) -> Held:
        read = self._reading(switch, day)
        if isinstance(read, Refusal):
            rule = read.rule
            return Held(
                switch.name, switch.rows, rule.rule if rule else "", rule.number if rule else "", None, day, None,
                read.quote, read.quote or read.reason,
            )  # fmt: skip
        return Held(switch.name, switch.rows, read.rule, read.number, read.value, day, None, read.quote)

    def _reading(self, switch: Switch, day: str) -> Reading | Refusal:
        texts = self._in_force(switch.rules, day)
        key = (switch.name, tuple(text.text for text in texts))
        known = self._read.get(key)
        if known is None:
            known = self._read[key] = read_switch(switch, texts, day, lambda: self._copying_on(day))
        if isinstance(known, Reading) and known.text is not None:
            now = next(text for text in texts if text.text == known.text.text)
            return replace(known, number=now.number, rule=now.rule)
        return known

    def _in_force(self, addresses: Sequence[str], day: str) -> tuple[RuleText, ...]:
        rules = dict.fromkeys(self.rule_of[address] for address in addresses if address in self.rule_of)
        found = (span for rule in rules for span in self.spans[rule] if span.holds(day))
        return tuple({span.rule: RuleText(span.rule, span.number, day, span.text) for span in found}.values())

    def _copying_on(self, day: str) -> CopyingClauses | Refusal:
        texts = self._in_force(self.copying_rules, day)
        if not texts:
            return Refusal(f"the text of the rule on copiable values is not known for {day}")
        known = self._copying.get(texts[0].text)
        if known is None:
            known = self._copying[texts[0].text] = read_copying(texts[0])
        return known


def _spans(
    connection: sqlite3.Connection, addresses: Sequence[str]
) -> tuple[Mapping[str, int], Mapping[int, list[_Span]]]:
    rule_of = named_rules(connection, addresses)
    marks = ", ".join("?" * len(set(rule_of.values())))
    spans: dict[int, list[_Span]] = {}
    for rule_id, *span in connection.execute(
        "SELECT spans.rule_id, rules.name, spans.number, texts.published, spans.valid_from, spans.valid_until"
        " FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
        f" WHERE spans.valid_from IS NOT NULL AND spans.rule_id IN ({marks}) ORDER BY spans.valid_from, spans.place",
        list(set(rule_of.values())),
    ):
        spans.setdefault(rule_id, []).append(_Span(*span))
    return rule_of, spans
