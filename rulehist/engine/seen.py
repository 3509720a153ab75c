"""Objects as effects see them: which of them a filter describes, and what a number is now."""

from __future__ import annotations

from typing import Final

from rulehist.engine.characteristics import Value, Values, colored, names_of
from rulehist.engine.effects import ALL_CREATURE_TYPES, Ability, Amount, Condition, Filter, Number
from rulehist.engine.faces import mana_values
from rulehist.engine.game import GONE, Being, Game
from rulehist.engine.held import Active, Has
from rulehist.engine.questions import Question, Rulings
from rulehist.engine.subtypes import among_every_creature_type

GRANTED_NAME: Final = Question("granted-ability-name", ("the source of the granting ability", "the granting object"))
NONCREATURE: Final = Question("noncreature-power", ("none", "what it would have as a creature"))
CHOICE_UNDEFINED: Final = Question("choice-undefined", ("nothing", "zero or undefined"))
OTHER_LINKED: Final = Question("choice-other-linked", ("not remembered", "remembered"))
_LISTS: Final = ("card types", "subtypes", "supertypes", "color")


INTERCHANGEABLE: Final = Question("interchangeable-names", ("they have", "they have not"))


def known_names(game: Game, rulings: Rulings, values: Values) -> frozenset[str]:
    """The names among values, in small letters; one for both of two that the rules let be interchangeable."""
    found = frozenset(each.casefold() for each in names_of(values))
    changed = [each for each in found if each in game.interchangeable]
    if not changed or rulings.ask(INTERCHANGEABLE) != "they have":
        return found
    return found.difference(changed).union(game.interchangeable[each] for each in changed)


class Seen:
    """The objects of a game with what they have at a moment (``has``), and their copiable abilities (``own``)."""

    def __init__(self, game: Game, rulings: Rulings) -> None:
        self.game = game
        self.rulings = rulings
        self.has: dict[str, Has] = {}
        self.own: dict[str, tuple[Ability, ...]] = {}

    def matches(self, name: str, wanted: Filter, holder: str) -> bool:
        """Whether an object is what a filter describes."""
        self.rulings.look()
        being, has = self.game.beings[name], self.has[name]
        if not _is_there(being, wanted) or (wanted.others and name == holder):
            return False
        if not self._belongs(being, has, wanted, holder):
            return False
        if wanted.name and not self.names({"name": wanted.name}) & self.names(has.values):
            return False
        if not (self._has_words(being, has, wanted) and self._has_power(name, wanted)):
            return False
        if not (self._has_mana_value(being, has, wanted) and self._is_designated(being, wanted)):
            return False
        others = [each._replace(zone=wanted.zone) for each in wanted.any_of]
        return (not others or any(self.matches(name, each, holder) for each in others)) and self._is_not(
            name, wanted, holder
        )

    def _belongs(self, being: Being, has: Has, wanted: Filter, holder: str) -> bool:
        """Whether an object has the controller of a filter, and is attached to what it says."""
        if wanted.control and not self._controls(wanted.control, has.controller, holder):
            return False
        if not wanted.attached_to:
            return True
        host = self._host(wanted.attached_to, holder)
        return bool(host) and being.attached_to == host

    def _host(self, where: str, holder: str) -> str:
        """The object that a filter means to which something is attached; empty: there is none."""
        if where in ("self", "source"):
            return holder
        if where == "attached":
            return self.game.beings[holder].attached_to if holder else ""
        return where

    def holds(self, condition: Condition, active: Active) -> bool:
        """Whether an effect is there now, as far as its condition goes."""
        holder = active.holder
        if condition.own is not None:
            if holder and holder not in self.has:
                raise self.rulings.refuse(f"{holder} is gone: last known information is not modelled")
            own = condition.own._replace(zone=self.game.beings[holder].zone) if holder else condition.own
            if not (holder and self.matches(holder, own, holder)):
                return False
        if condition.number is None:
            return True
        number = self.amount(condition.number, holder, active)
        if number is None:
            return False
        return (condition.least is None or number >= condition.least) and (
            condition.most is None or number <= condition.most
        )

    def names(self, values: Values) -> frozenset[str]:
        """The names among values, in small letters; of two that are interchangeable one."""
        return known_names(self.game, self.rulings, values)

    def _powerless(self, name: str) -> bool:
        """Whether an object is a permanent that has no power and toughness, being no creature."""
        on_battlefield = self.game.beings[name].zone == "battlefield"
        return on_battlefield and self.has[name].noncreature and self.rulings.ask(NONCREATURE) == "none"

    def _has_power(self, name: str, wanted: Filter) -> bool:
        return not wanted.of_power or (not self._powerless(name) and _has_power(self.has[name], wanted))

    def _is_not(self, name: str, wanted: Filter, holder: str) -> bool:
        return wanted.without is None or not self.matches(name, wanted.without._replace(zone=wanted.zone), holder)

    def _has_words(self, being: Being, has: Has, wanted: Filter) -> bool:
        """Whether types, colors and abilities are those of a filter."""
        for key in _LISTS:
            needed = getattr(wanted, key.replace(" ", "_"))
            if needed:
                self._said(being, key)
                if key in has.unsure:
                    raise self.rulings.refuse(unsure(being.name, key))
                have = has.values.get(key, ())
                if not all(self._in(word, have, key) for word in needed):
                    return False
        return all(any(held.ability.called(word) for held in has.abilities) for word in wanted.abilities)

    def _in(self, word: str, have: Value, key: str) -> bool:
        if key == "color":
            return colored(word, have)
        if not isinstance(have, tuple):
            return False
        if any(word.casefold() == each.casefold() for each in have):
            return True
        return key == "subtypes" and ALL_CREATURE_TYPES in have and among_every_creature_type(word, self.rulings)

    def _said(self, being: Being, key: str) -> None:
        why = being.unsaid.get(key)
        if why is not None:
            raise self.rulings.refuse(f"{being.name}.{key}: {why.reason}", why.rule, why.quote)

    def _controls(self, wanted: str, controller: str, holder: str) -> bool:
        you = self.has[holder].controller if holder in self.has else "you"
        if wanted == "you":
            return controller == you
        if wanted in ("opponents", "opponent", "an opponent"):
            return controller != you
        return controller == wanted

    def amount(self, amount: Amount, name: str, active: Active) -> int | None:
        """A number as it is now; ``None`` where there is none (an undefined choice, power of a non-creature)."""
        if isinstance(amount, int):
            return amount
        found = self._found(amount, name, active)
        return None if found is None else found * amount.times + amount.plus

    def _found(self, amount: Number, name: str, active: Active) -> int | None:
        if amount.of == "fact":
            if amount.word not in self.game.facts:
                raise self.rulings.refuse(f'the scenario gives no fact "{amount.word}"; give it under facts')
            return self.game.facts[amount.word]
        if amount.of == "count" and amount.filter is not None:
            return sum(1 for other in self.has if self.matches(other, amount.filter, active.holder or name))
        if amount.of in ("none", "chosen"):
            if amount.of == "chosen":
                raise self.rulings.refuse("numbers that are chosen are not modelled")
            return 0
        return self._of_object(amount, self._where(amount, name, active))

    def _where(self, amount: Number, name: str, active: Active) -> str:
        """The object that a number looks at."""
        if amount.on == "self":
            return active.holder or name
        if amount.on == "affected":
            return name
        if amount.on == "attached":
            return self.game.beings[active.holder].attached_to if active.holder else ""
        if amount.on == "source":
            if active.source != name:
                self.rulings.ask(GRANTED_NAME)
            return active.source
        return amount.on

    def _of_object(self, amount: Number, on: str) -> int | None:
        being = self.game.beings.get(on)
        if on.endswith(GONE) and amount.of == "counters":
            return 0
        if on.endswith(GONE):
            raise self.rulings.refuse(f"{on}: last known information is not modelled")
        if on and on not in self.has:
            raise self.rulings.refuse(f"{on} is gone: last known information is not modelled")
        if being is None:
            return None
        if amount.of == "counters":
            return being.counters.get(amount.word, (0, 0))[0]
        if amount.of == "mana value":
            return self._mana_value_used(being, self.has[on])
        if self._powerless(on):
            return None
        value = self.has[on].values.get(amount.of)
        return value if isinstance(value, int) else None

    def _mana_value_used(self, being: Being, has: Has) -> int:
        """The mana value of an object that a number uses; of a card with two halves that of both."""
        found = mana_values(being, has.values, self.rulings)
        if len(found) > 1:
            from rulehist.engine.halves import USED

            self.rulings.ask(USED)
        return sum(found)

    def _is_designated(self, being: Being, wanted: Filter) -> bool:
        """Whether an object has the designations and the level of a filter."""
        if wanted.designations:
            self._said(being, "designations")
        if wanted.class_level_at_least is not None:
            from rulehist.engine.designations import level_of

            self._said(being, "class level")
            if level_of(being, self.rulings) < wanted.class_level_at_least:
                return False
        return set(wanted.designations) <= being.designations

    def _has_mana_value(self, being: Being, has: Has, wanted: Filter) -> bool:
        if wanted.mana_value is wanted.mana_value_at_least is wanted.mana_value_at_most is None:
            return True
        self._said(being, "mana cost")
        found = mana_values(being, has.values, self.rulings, compared=True)
        bounds = (
            [number for number in found if wanted.mana_value in (None, number)],
            [number for number in found if wanted.mana_value_at_least is None or number >= wanted.mana_value_at_least],
            [number for number in found if wanted.mana_value_at_most is None or number <= wanted.mana_value_at_most],
        )
        if all(bounds) and not set.intersection(*map(set, bounds)):
            raise self.rulings.refuse(f"whether two halves of {being.name} may match two bounds is not modelled")
        return all(bounds)


def _is_there(being: Being, wanted: Filter) -> bool:
    """Whether an object is in the zone, has the status and is of the kind of a filter."""
    if being.zone != wanted.zone or "phased out" in being.status or not set(wanted.status) <= being.status:
        return False
    if not being.status.isdisjoint(wanted.not_status) or not all(kind in being.counters for kind in wanted.counters):
        return False
    return not wanted.tokens or (being.kind == "token") == (wanted.tokens == "yes")


def unsure(name: str, key: str) -> str:
    """Why a characteristic of an object is not known."""
    return f"{name} has lost a card type: which of its {key} go with it is not known; set them in the effect"


def _has_power(has: Has, wanted: Filter) -> bool:
    """Whether power is within the bounds of a filter."""
    power = has.values.get("power")
    if not isinstance(power, int):
        return False
    least = power if wanted.power_at_least is None else wanted.power_at_least
    most = power if wanted.power_at_most is None else wanted.power_at_most
    return least <= power <= most


def choice(being: Being, ability: Ability, word: str, rulings: Rulings) -> str | None:
    """The choice of a kind to which an ability of an object refers; ``None``: none was made for it."""
    made = being.chosen.get(ability.linked)
    if made is not None and made[0] == word:
        return made[1]
    if being.chosen and rulings.ask(OTHER_LINKED) == "remembered":
        return next((value for made, value in being.chosen.values() if made == word), None)
    return None
