"""What the rules of a version say: on a switch, or on copying; or why that cannot be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rulehist.engine.rules import RuleText

FACE_DOWN_RULE: Final = "rule on face-down objects"
"""What that rule is called among the switches that are asked: it is taken whole, and has no other reading."""

SwitchValue = str | tuple[str, ...] | None
"""A word of the data file, a list of such words, or ``None``: the rules did not say."""


class Refusal(NamedTuple):
    """Why there is no answer; with the rule and its words, where some text was the reason."""

    reason: str
    rule: RuleText | None = None
    quote: str = ""


class Reading(NamedTuple):
    """What the rules of a version say on a switch; ``rule`` is the rule's identity, ``quote`` the words that decided.

    ``value`` is ``None`` where the rules did not say; then ``rule``, ``number``, ``quote`` and ``text`` are empty,
    unless some words are known to leave the question open.
    """

    switch: str
    value: SwitchValue
    rule: str
    number: str
    version: str
    quote: str
    text: RuleText | None = None

    @property
    def said(self) -> bool:
        """Whether the rules did say."""
        return self.value is not None

    def as_json(self) -> dict[str, Any]:
        """``{switch, value, rule, number, version, quote}``; ``value`` is null where the rules did not say."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {
            "switch": self.switch,
            "value": value,
            "rule": self.rule,
            "number": self.number,
            "version": self.version,
            "quote": self.quote,
        }


class CopyingClauses(NamedTuple):
    """What a copy acquires. ``subject`` is what it copies: ``object``, ``permanent``.

    Each mapping leads from a thing to the clause that names it, folded. ``modifiers`` has ``copy effects``,
    ``face down``, ``as it enters``, ``as it is turned face up``; ``must_set`` tells what abilities of the latter two
    kinds must set to be copied.
    """

    rule: RuleText
    subject: str
    characteristics: Mapping[str, str]
    basis: str
    basis_clause: str
    modifiers: Mapping[str, str]
    must_set: str
    choices: Mapping[str, str]
    not_copied: Mapping[str, str]

    def quote(self, clause: str) -> str:
        """``clause`` as the rule's text has it, with its own typography."""
        from rulehist.engine.wording import published

        return published(clause, self.rule.text)
