"""What the engine asks of the rules of a day, and that same question put to a plain list of rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Protocol

from rulehist.document import NUMBERED, Coverage, Document
from rulehist.folding import fold

if TYPE_CHECKING:
    from rulehist.engine.said import CopyingClauses, Reading


class RuleText(NamedTuple):
    """A rule as a version has it. ``rule`` is its identity; ``text`` is as published, without the number."""

    rule: str
    number: str
    version: str
    text: str


class RulesAt(Protocol):
    """The rules as they stood in one version."""

    @property
    def label(self) -> str:
        """The version as people call it: ``2022-10-07``, or ``date unknown, later than 2022-10-07``."""

    @property
    def effective(self) -> date | None:
        """The date from which the version is in force; ``None``: unknown."""

    @property
    def complete(self) -> bool:
        """Whether the whole text is known, so that a rule which is not found was not there."""

    @property
    def published(self) -> bool:
        """Whether this is a text as published, of which no sentence is read that nobody has looked at."""

    def named(self, addresses: Sequence[str]) -> Mapping[str, RuleText | None]:
        """The rules that ``addresses`` name, under whatever number; ``None``: not in this version.

        An address whose version is not known here has no entry.
        """

    def earlier(self, addresses: Sequence[str]) -> Sequence[RuleText]:
        """The texts that the rules which ``addresses`` name had before this version, as far as they are known."""

    def find(self, addresses: Sequence[str]) -> RuleText | None:
        """The rule that any of ``addresses`` (``NUMBER@DATE``) names, whatever its number is in this version.

        ``None`` where no address is known here, or where the rule is not in this version.
        """

    def containing(self, words: Sequence[str]) -> Sequence[RuleText]:
        """The rules whose text has all of ``words``, without regard to case and typography."""

    def read_switch(self, name: str) -> Reading | None:
        """What the engine has read in this version on a switch before; ``None``: nothing that is known to hold."""

    def read_copying(self) -> CopyingClauses | None:
        """What the engine has read in this version on copying before; ``None``: nothing that is known to hold."""


class ListedRules(NamedTuple):
    """Rules of one version from a list of numbers and texts; knows no identities, so finds rules by words alone."""

    label: str
    effective: date | None
    rules: tuple[tuple[str, str], ...]
    complete: bool = False
    published: bool = False

    @classmethod
    def of(
        cls, rules: Iterable[tuple[str, str]], effective: date | None, label: str = "", *, complete: bool = False
    ) -> ListedRules:
        """Rules from ``(number, text)`` pairs; without a label the version is called by its date."""
        label = label or (effective.isoformat() if effective else "date unknown")
        return cls(label, effective, tuple(rules), complete)

    @classmethod
    def of_document(cls, document: Document) -> ListedRules:
        """The numbered rules of a document, less what its source cut off in mid-sentence."""
        label = ""
        if document.effective is None:
            later = f", later than {document.later_than.isoformat()}" if document.later_than else ""
            label = f"date unknown{later}"
        parts = (part for part in document.parts if part.kind in NUMBERED and not part.truncated)
        complete = document.coverage is Coverage.FULL
        rules = ((part.number, part.text) for part in parts)
        return cls.of(rules, document.effective, label, complete=complete)._replace(published=True)

    def named(self, addresses: Sequence[str]) -> Mapping[str, RuleText | None]:  # noqa: ARG002 - a list has no history
        """Nothing: a list of rules knows nothing of other versions."""
        return {}

    def earlier(self, addresses: Sequence[str]) -> Sequence[RuleText]:  # noqa: ARG002 - a list has no history
        """None: a list of rules knows nothing of other versions."""
        return ()

    def find(self, addresses: Sequence[str]) -> RuleText | None:  # noqa: ARG002 - a list has no history
        """None: a list of rules knows nothing of other versions."""
        return None

    def read_switch(self, name: str) -> Reading | None:  # noqa: ARG002 - a list keeps nothing
        """None: a list of rules keeps nothing that was read."""
        return None

    def read_copying(self) -> CopyingClauses | None:
        """None: a list of rules keeps nothing that was read."""
        return None

    def containing(self, words: Sequence[str]) -> Sequence[RuleText]:
        """The rules that have all of ``words``."""
        wanted = [fold(word).lower() for word in words]
        found = []
        for number, text in self.rules:
            folded = fold(text).lower()
            if all(word in folded for word in wanted):
                found.append(RuleText(number, number, self.label, text))
        return found
