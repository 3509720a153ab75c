"""One play of a scenario under one version: the game, what the rules said, and the claims made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rulehist.engine.characteristics import Value, Values
from rulehist.engine.continuous import Applied, Continuous, Has
from rulehist.engine.game import Being, Game
from rulehist.engine.questions import Refused, Rulings
from rulehist.engine.rules import RuleText
from rulehist.engine.said import CopyingClauses
from rulehist.engine.semantics import Refusal
from rulehist.errors import ScenarioError


class Because(NamedTuple):
    """A claim and the words of a rule that bear it; ``rule`` is the rule's identity."""

    claim: str
    rule: str
    number: str
    version: str
    quote: str

    def as_json(self) -> dict[str, str]:
        """The claim as ``eval --json`` prints it."""
        return {
            "claim": self.claim,
            "rule": self.rule,
            "number": self.number,
            "version": self.version,
            "quote": self.quote,
        }


class Play:
    """The state of one play. ``log`` collects the derivation where it is wanted; ``copies`` tells whether the rule on
    copiable values was asked."""

    __slots__ = ("because", "copies", "game", "log", "rulings")

    def __init__(self, game: Game, rulings: Rulings, log: list[Applied] | None = None) -> None:
        self.game = game
        self.rulings = rulings
        self.because: list[Because] = []
        self.log = log
        self.copies = False

    def claim(self, claim: str, rule: RuleText, quote: str) -> None:
        """Note a claim with the words that bear it."""
        self.because.append(Because(claim, rule.rule, rule.number, rule.version, quote))

    def clauses(self) -> CopyingClauses:
        """The rule on copiable values. Raises ``Refused`` where it is not known or not read."""
        self.copies = True
        copying = self.rulings.semantics.copying
        if isinstance(copying, Refusal):
            raise Refused(copying)
        return copying

    def refuse(self, reason: str, rule: RuleText | None = None, quote: str = "") -> Refused:
        """A refusal, to be raised."""
        return self.rulings.refuse(reason, rule, quote)

    def error(self, line: int, message: str) -> ScenarioError:
        """An error in the scenario's own steps, to be raised."""
        return ScenarioError(f"{self.game.source}, line {line}: {message}")

    def being(self, name: str) -> Being:
        """An object by its name."""
        return self.game.beings[name]

    def characteristics(self, log: list[Applied] | None = None) -> Mapping[str, Has]:
        """What every object has now, with all continuous effects applied."""
        from rulehist.engine.copying import values_there

        return Continuous(self.game, self.rulings, lambda being: values_there(self, being), log).run()

    def of(self, being: Being) -> Has:
        """What one object has; known of one that no effect touches even where the order of effects is not."""
        try:
            return self.characteristics()[being.name]
        except Refused:
            return self.untouched(being)

    def untouched(self, being: Being) -> Has:
        """What an object has that no effect touches. Raises the ``Refused`` that is being handled for any other."""
        from rulehist.engine.copying import values_there

        plain = Continuous(self.game, self.rulings, lambda each: values_there(self, each))
        if plain.untouched(being.name):
            return plain.has[being.name]
        raise  # noqa: PLE0704 - the refusal that led here


def said(value: Value) -> str:
    """A value as a claim says it."""
    from rulehist.engine.effects import texts

    return ", ".join(texts(value)) if isinstance(value, tuple) else str(value)


__all__ = ["Because", "Play", "Refused", "Values", "said"]
