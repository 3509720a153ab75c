"""The rules of one moment out of the store, in the form in which the engine asks for them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from rulehist.dated_versions import IN_FORCE, NEWEST, Version, version_at
from rulehist.document import Coverage
from rulehist.engine.rules import RuleText
from rulehist.engine.said import CopyingClauses, Reading
from rulehist.folding import fold
from rulehist.kept_readings import KeptReadings
from rulehist.when import When


def named_rules(connection: sqlite3.Connection, addresses: Sequence[str]) -> Mapping[str, int]:
    """The row of ``rules`` that each of ``addresses`` (``NUMBER@DATE``) names, in one query.

    An address counts only where the store has a text of exactly its date, as in ``StoredRules.find``.
    """
    if not addresses:
        return {}
    rows = connection.execute(
        f"WITH asked (value) AS (VALUES {', '.join(['(?)'] * len(addresses))})"
        " SELECT asked.value, spans.rule_id FROM asked"
        " JOIN versions ON versions.effective = substr(asked.value, -10)"
        " JOIN spans ON spans.lookup = substr(asked.value, 1, length(asked.value) - 11)"
        " AND spans.valid_from <= versions.effective"
        " AND (spans.valid_until IS NULL OR spans.valid_until > versions.effective)"
        " AND spans.kind IN ('section', 'rule', 'subrule') ORDER BY spans.place DESC",
        addresses,
    )
    return dict(rows.fetchall())


def days_of_full_texts(connection: sqlite3.Connection) -> dict[str, None]:
    """The dates of the versions whose whole text is in the store, oldest first."""
    rows = connection.execute(
        "SELECT effective FROM versions WHERE effective IS NOT NULL AND EXISTS (SELECT 1 FROM documents"
        " WHERE documents.version_id = versions.id AND coverage = 'full') ORDER BY effective"
    )
    return {day: None for (day,) in rows}


class StoredRules:
    """The rules as they stood at a moment; implements ``engine.rules.RulesAt`` over the store.

    Raises ``QueryError`` for a moment before the first text.
    """

    def __init__(self, connection: sqlite3.Connection, when: When) -> None:
        self._connection = connection
        self._when = when
        self._version = version_at(connection, when)
        self._kept: KeptReadings | None = None
        self._looked = False

    @property
    def version(self) -> Version:
        """The version in force at that moment."""
        return self._version

    @property
    def label(self) -> str:
        """The version as people call it: its date, or what is known of it."""
        return self._version.effective or self._version.label

    @property
    def effective(self) -> date | None:
        """The date from which the version is in force; ``None``: unknown."""
        return date.fromisoformat(self._version.effective) if self._version.effective else None

    @property
    def complete(self) -> bool:
        """Whether the version's whole text is in the store."""
        return self._version.coverage is Coverage.FULL

    @property
    def published(self) -> bool:
        """Always: the store has published texts alone."""
        return True

    def named(self, addresses: Sequence[str]) -> Mapping[str, RuleText | None]:
        """The rules that ``addresses`` name, whatever their numbers are at this moment, in one query.

        ``None`` where the rule is not in this version, or where that number was no rule's on that date; an address
        whose date is that of no whole text in the store has an entry only where the rule is known.
        """
        rule_of = named_rules(self._connection, addresses)
        moment = f"{IN_FORCE if self._when.day else NEWEST} ORDER BY spans.place DESC"
        texts = dict(self._texts_of(rule_of.values(), moment))
        days = days_of_full_texts(self._connection)
        return {
            address: texts.get(rule_of.get(address, 0))
            for address in addresses
            if address in rule_of or address[-10:] in days
        }

    def earlier(self, addresses: Sequence[str]) -> Sequence[RuleText]:
        """The texts that the rules which ``addresses`` name had before this version, oldest first."""
        rule_of = named_rules(self._connection, addresses)
        since = "spans.valid_from < :since ORDER BY spans.valid_from, spans.place"
        return [text for _, text in self._texts_of(rule_of.values(), since)] if self._version.effective else []

    def _texts_of(self, rule_ids: Iterable[int], condition: str) -> Iterator[tuple[int, RuleText]]:
        wanted = {f"rule_{rule_id}": rule_id for rule_id in rule_ids}
        rows = self._connection.execute(
            "SELECT spans.rule_id, rules.name, spans.number, texts.published FROM spans"
            " JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
            f" WHERE spans.rule_id IN ({', '.join(f':{name}' for name in wanted)}) AND {condition}",
            wanted | {"day": self._when.day, "since": self._version.effective},
        )
        return ((rule_id, RuleText(rule, number, self.label, text)) for rule_id, rule, number, text in rows)

    def find(self, addresses: Sequence[str]) -> RuleText | None:
        """The rule that any of ``addresses`` names, whatever its number is at this moment.

        An address counts only where the store has a text of exactly its date: on any other day the number may have
        been another rule's.
        """
        rule_of = named_rules(self._connection, addresses)
        known = next((address for address in addresses if address in rule_of), None)
        return None if known is None else self.named([known])[known]

    def read_switch(self, name: str) -> Reading | None:
        """What the store keeps of the engine's reading of a switch in this version, as far as it holds."""
        kept = self._readings()
        return None if kept is None else kept.switch(name)

    def read_copying(self) -> CopyingClauses | None:
        """What the store keeps of the engine's reading of the rule on copiable values, as far as it holds."""
        kept = self._readings()
        return None if kept is None else kept.copying()

    def _readings(self) -> KeptReadings | None:
        if not self._looked:
            self._kept = KeptReadings.of(self._connection, self._version, self._when)
            self._looked = True
        return self._kept

    def containing(self, words: Sequence[str]) -> Sequence[RuleText]:
        """The rules whose text has all of ``words``, without regard to case and typography, in order."""
        wanted = [fold(word).casefold() for word in words]
        rows = self._connection.execute(
            "SELECT rules.name, spans.number, texts.published, texts.folded FROM spans"
            " JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
            " WHERE spans.kind IN ('section', 'rule', 'subrule')"
            f" AND {IN_FORCE if self._when.day else NEWEST} ORDER BY spans.sort_key, spans.place",
            {"day": self._when.day},
        )
        return [
            RuleText(rule, number, self.label, text)
            for rule, number, text, folded in rows
            if not wanted or all(word in folded.casefold() for word in wanted)
        ]
