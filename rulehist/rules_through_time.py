"""Chosen rules in every version of the store, read in a few queries: for questions that are put to all versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from rulehist.engine.rules import RuleText
from rulehist.engine.said import CopyingClauses, Reading
from rulehist.folding import fold
from rulehist.rules_at import StoredRules, days_of_full_texts, named_rules
from rulehist.when import When


@dataclass(frozen=True, slots=True)
class _Span:
    rule: str
    number: str
    text: str
    since: str
    until: str | None

    def is_in_force(self, day: str) -> bool:
        return self.since <= day and (self.until is None or day < self.until)


class RulesThroughTime:
    """The rules that ``addresses`` (``NUMBER@DATE``) name, through all versions that have a date and a whole text."""

    def __init__(self, connection: sqlite3.Connection, addresses: Sequence[str]) -> None:
        self.connection = connection
        self.days = days_of_full_texts(connection)
        self.rule_of = named_rules(connection, addresses)
        self.spans: dict[int, list[_Span]] = {}
        rule_ids = sorted(set(self.rule_of.values()))
        for rule_id, *span in connection.execute(
            "SELECT spans.rule_id, rules.name, spans.number, texts.published, spans.valid_from, spans.valid_until"
            " FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
            f" WHERE spans.valid_from IS NOT NULL AND spans.rule_id IN ({', '.join('?' * len(rule_ids))})"
            " ORDER BY spans.valid_from, spans.place DESC",
            rule_ids,
        ):
            self.spans.setdefault(rule_id, []).append(_Span(*span))
        self._containing: dict[tuple[str, ...], list[_Span]] = {}

    def containing(self, words: Sequence[str]) -> Sequence[_Span]:
        """Every text of every rule that has all of ``words``, in the order of the rules."""
        wanted = tuple(fold(word).casefold() for word in words)
        if wanted not in self._containing:
            self._containing[wanted] = [span for span, folded in self._whole if all(word in folded for word in wanted)]
        return self._containing[wanted]

    @cached_property
    def _whole(self) -> Sequence[tuple[_Span, str]]:
        """The texts of all rules, each with its form without regard to case and typography."""
        rows = self.connection.execute(
            "SELECT rules.name, spans.number, texts.published, spans.valid_from, spans.valid_until, texts.folded"
            " FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
            " WHERE spans.valid_from IS NOT NULL AND spans.kind IN ('section', 'rule', 'subrule')"
            " ORDER BY spans.sort_key, spans.place"
        )
        return [(_Span(*span), folded.casefold()) for *span, folded in rows]

    def __iter__(self) -> Iterator[RulesOfADay]:
        """The rules of each version, oldest first."""
        return (RulesOfADay(self, day) for day in self.days)


class RulesOfADay:
    """The chosen rules as they stood in one version; implements ``engine.rules.RulesAt``."""

    def __init__(self, through: RulesThroughTime, day: str) -> None:
        self._through = through
        self.label = day
        self.effective: date | None = date.fromisoformat(day)
        self.complete = self.published = True
        self._stored: StoredRules | None = None
        self._in_force = {
            rule_id: RuleText(span.rule, span.number, day, span.text)
            for rule_id, spans in through.spans.items()
            for span in spans
            if span.is_in_force(day)
        }

    def named(self, addresses: Sequence[str]) -> Mapping[str, RuleText | None]:
        """The rules that ``addresses`` name, of those that were chosen."""
        rule_of, days = self._through.rule_of, self._through.days
        return {
            address: self._in_force.get(rule_of.get(address, 0))
            for address in addresses
            if address in rule_of or address[-10:] in days
        }

    def earlier(self, addresses: Sequence[str]) -> Sequence[RuleText]:
        """The texts that these rules had before, oldest first."""
        rule_of = self._through.rule_of
        rules = dict.fromkeys(rule_of[address] for address in addresses if address in rule_of)
        spans = [span for rule in rules for span in self._through.spans.get(rule, ()) if span.since < self.label]
        spans.sort(key=lambda span: span.since)
        return [RuleText(span.rule, span.number, self.label, span.text) for span in spans]

    def find(self, addresses: Sequence[str]) -> RuleText | None:
        """The rule that the first known one of ``addresses`` names."""
        known = next((address for address in addresses if address in self._through.rule_of), None)
        return self._whole().find(addresses) if known is None else self.named([known])[known]

    def read_switch(self, name: str) -> Reading | None:  # noqa: ARG002 - the text itself is at hand
        """None: the text itself is at hand."""
        return None

    def read_copying(self) -> CopyingClauses | None:
        """None: the text itself is at hand."""
        return None

    def containing(self, words: Sequence[str]) -> Sequence[RuleText]:
        """The rules of the whole version that have all of ``words``."""
        return [
            RuleText(span.rule, span.number, self.label, span.text)
            for span in self._through.containing(words)
            if span.is_in_force(self.label)
        ]

    def _whole(self) -> StoredRules:
        if self._stored is None:
            self._stored = StoredRules(self._through.connection, When(self.label, self.label))
        return self._stored
