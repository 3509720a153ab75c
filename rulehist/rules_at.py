"""The rules of one moment out of the store, in the form in which the engine asks for them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date

from rulehist.engine.rules import RuleText
from rulehist.errors import QueryError
from rulehist.folding import fold
from rulehist.history import IN_FORCE, NEWEST, Version, find, version_at
from rulehist.when import When, parse_address


class StoredRules:
    """The rules as they stood at a moment; implements ``engine.rules.RulesAt`` over the store.

    Raises ``QueryError`` for a moment before the first text.
    """

    def __init__(self, connection: sqlite3.Connection, when: When) -> None:
        self._connection = connection
        self._when = when
        self._version = version_at(connection, when)

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

    def find(self, addresses: Sequence[str]) -> RuleText | None:
        """The rule that any of ``addresses`` names, whatever its number is at this moment.

        An address counts only where the store has a text of exactly its date: on any other day the number may have
        been another rule's.
        """
        for address in addresses:
            number, when = parse_address(address)
            if not self._connection.execute("SELECT 1 FROM versions WHERE effective = ?", [when.day]).fetchone():
                continue
            try:
                rule_id = find(self._connection, number, when)["rule_id"]
            except QueryError:
                continue
            texts = self._texts("spans.rule_id = :rule", {"rule": rule_id})
            return texts[0] if texts else None
        return None

    def containing(self, words: Sequence[str]) -> Sequence[RuleText]:
        """The rules whose text has all of ``words``, without regard to case and typography, in order."""
        wanted = [fold(word).casefold() for word in words]
        found = self._texts("spans.kind IN ('section', 'rule', 'subrule')", {})
        return [text for text in found if all(word in fold(text.text).casefold() for word in wanted)]

    def _texts(self, condition: str, values: dict[str, object]) -> list[RuleText]:
        rows = self._connection.execute(
            "SELECT rules.name, spans.number, texts.published FROM spans"
            " JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
            f" WHERE {condition} AND {IN_FORCE if self._when.day else NEWEST} ORDER BY spans.sort_key, spans.place",
            values | {"day": self._when.day},
        )
        return [RuleText(rule, number, self.label, text) for rule, number, text in rows]
