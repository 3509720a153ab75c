"""Effects that change words in the text of an object: in its subtypes, in its abilities and in all that these do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rulehist.engine.effects import Ability, Amount, Condition, Effect, Exceptions, Filter, Number


class Rewording:
    """Words and what stands in their place, such as Swamp and Forest; large and small letters stay as they were.

    In a text, a word counts with a plural s and before "walk" too. Proper nouns are not told apart from other words:
    the name of an object is not in its abilities here.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = {word.casefold(): other for word, other in words.items()}
        self._pattern = re.compile(
            r"\b(" + "|".join(map(re.escape, self.words)) + r")(?=s?\b|walk\b|cycling\b)", re.IGNORECASE
        )

    def word(self, word: str) -> str:
        """What stands in the place of a word."""
        other = self.words.get(word.casefold())
        return word if other is None else _as_written(word, other)

    def each(self, words: tuple[Any, ...]) -> tuple[Any, ...]:
        """What stands in the place of each of some words."""
        return tuple(self.word(each) if isinstance(each, str) else each for each in words)

    def text(self, text: str) -> str:
        """A text with the other words."""
        return self._pattern.sub(lambda match: _as_written(match[1], self.words[match[1].casefold()]), text)

    def ability(self, ability: Ability) -> Ability:
        """An ability with the other words."""
        return ability._replace(
            text=self.text(ability.text),
            static=tuple(map(self.effect, ability.static)),
            defines=None if ability.defines is None else self.effect(ability.defines),
            copy=None if ability.copy is None else self._exceptions(ability.copy),
        )

    def effect(self, effect: Effect) -> Effect:
        """What an effect does with the other words."""
        affects = effect.affects
        return effect._replace(
            affects=self.filter(affects) if isinstance(affects, Filter) else affects,
            set=self._values(effect.set),
            add=self._values(effect.add),
            remove=self._values(effect.remove),
            land_types=self.each(effect.land_types),
            abilities=tuple(map(self.ability, effect.abilities)),
            lost=tuple(map(self.text, effect.lost)),
            no_abilities=tuple(map(self.text, effect.no_abilities)),
            base=tuple((key, self._amount(amount)) for key, amount in effect.base),
            modify=tuple((key, self._amount(amount)) for key, amount in effect.modify),
            condition=None if effect.condition is None else self._condition(effect.condition),
        )

    def filter(self, wanted: Filter) -> Filter:
        """Which objects a filter describes with the other words."""
        return wanted._replace(
            subtypes=self.each(wanted.subtypes),
            color=self.each(wanted.color),
            abilities=tuple(map(self.text, wanted.abilities)),
            any_of=tuple(map(self.filter, wanted.any_of)),
            without=None if wanted.without is None else self.filter(wanted.without),
        )

    def _values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {
            key: self.each(value) if key in ("subtypes", "color") and isinstance(value, tuple) else value
            for key, value in values.items()
        }

    def _exceptions(self, exceptions: Exceptions) -> Exceptions:
        return exceptions._replace(
            set=self._values(exceptions.set),
            add=self._values(exceptions.add),
            abilities=tuple(map(self.ability, exceptions.abilities)),
            when=tuple((self.filter(wanted), self._exceptions(more)) for wanted, more in exceptions.when),
        )

    def _amount(self, amount: Amount) -> Amount:
        if isinstance(amount, Number) and amount.filter is not None:
            return amount._replace(filter=self.filter(amount.filter))
        return amount

    def _condition(self, condition: Condition) -> Condition:
        number: Any = condition.number
        if number is not None:
            number = self._amount(number)
        return condition._replace(
            number=number,
            own=None if condition.own is None else self.filter(condition.own),
        )


def _as_written(word: str, other: str) -> str:
    """``other`` with a large or a small first letter, as ``word`` has it."""
    return other.lower() if word.islower() else other[:1].upper() + other[1:]
