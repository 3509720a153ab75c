"""What the rules of a version say on the engine's questions: kept since the text came, else read when asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulehist.engine.rules import RulesAt, RuleText
from rulehist.engine.said import FACE_DOWN_RULE, CopyingClauses, Reading, Refusal, SwitchValue

__all__ = ["Reading", "Refusal", "Semantics", "SwitchValue", "Unread", "compile_semantics"]


class Unread(Exception):  # noqa: N818 - turned into a refused answer where it is caught
    """A switch whose rule has words that nobody has explained to the program; carries the ``refusal``."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class Semantics:
    """The rules of one version as the engine reads them, each when it is first asked.

    ``kinds`` keeps what ``subtypes`` makes of their lists of subtypes, ``whole`` what ``text_reading`` makes of all
    rules where it has to look for words.
    """

    __slots__ = ("_copying", "_exchanged", "_named", "_read", "kinds", "rules", "whole")

    def __init__(self, rules: RulesAt, copying: CopyingClauses | Refusal | None = None) -> None:
        self.rules = rules
        self.kinds: dict[str, str] = {}
        self.whole: list[tuple[RuleText, str]] = []
        self._copying = copying
        self._exchanged = False
        self._named: Mapping[str, RuleText | None] | None = None
        self._read: dict[str, Reading | Refusal] = {}

    @property
    def copying(self) -> CopyingClauses | Refusal:
        """The rule on copiable values; a refusal where it cannot be read."""
        if self._copying is None:
            self._copying = self.rules.read_copying()
        if self._copying is None:
            from rulehist.engine.text_reading import read_copying_rule

            self._copying = read_copying_rule(self.rules)
        return self._copying

    @property
    def named(self) -> Mapping[str, RuleText | None]:
        """The rules that any switch has, by the addresses under which the engine looks for them."""
        if self._named is None:
            from rulehist.engine.text_reading import switch_addresses

            self._named = self.rules.named(switch_addresses())
        return self._named

    def value(self, switch: str) -> Reading:
        """What the rules say on a switch.

        Raises ``Unread`` where the rule has words that no wording of the switch reads or its text is not known, and
        ``QueryError`` for a name that is no switch's.
        """
        reading = self.read(switch)
        if isinstance(reading, Refusal):
            raise Unread(reading)
        return reading

    def read(self, switch: str) -> Reading | Refusal:
        """As ``value``, with the refusal given back instead of raised."""
        reading = self._read.get(switch)
        if reading is None:
            kept = None if self._exchanged else self.rules.read_switch(switch)
            reading = self._read[switch] = kept or self._from_text(switch)
        return reading

    def _from_text(self, switch: str) -> Reading | Refusal:
        from rulehist.engine.text_reading import read_text

        return read_text(self, switch)

    def exchanged(self, switch: str, other: Semantics) -> Semantics:
        """These with one reading of others, as if the rules said that much otherwise."""
        self.read(switch)
        made = self._with(self._copying)
        made._read[switch] = other.read(switch)
        return made

    def exchanged_copying(self, other: Semantics) -> Semantics:
        """These with the rule on copiable values of others."""
        return self._with(other.copying)

    def _with(self, copying: CopyingClauses | Refusal | None) -> Semantics:
        """Others, in which a reading may hang on one that is not what the text says."""
        made = Semantics(self.rules, copying)
        made._exchanged = True
        made._read |= self._read
        return made

    def texts(self, switch: str) -> Sequence[RuleText]:
        """The rules in which the engine looks for a switch, as they stand in this version."""
        from rulehist.engine.text_reading import asked_switch, texts_asked

        return texts_asked(self, asked_switch(switch))

    def face_down(self) -> RuleText | None:
        """The rule that a face-down object has only the characteristics listed, where it is known."""
        kept = self.rules.read_switch(FACE_DOWN_RULE)
        if kept is not None:
            return kept.text
        from rulehist.engine.text_reading import face_down_rule

        return face_down_rule(self.rules)


def compile_semantics(rules: RulesAt) -> Semantics:
    """Be ready to read what ``rules`` say: each switch is read once, when it is first asked, and kept.

    What reads a malformed file under ``data/semantics`` raises ``DataError``.
    """
    return Semantics(rules)
