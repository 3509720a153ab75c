"""What a scenario asks of an object at the end: the value at a place, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rulehist.engine.characteristics import CHARACTERISTICS, Value, Values
from rulehist.engine.continuous import Has
from rulehist.engine.copying import copiable_values, faces_of, values_there
from rulehist.engine.effects import BASIC_LAND_TYPES, Ability, texts
from rulehist.engine.faces import double_faced, mana_values
from rulehist.engine.game import Being
from rulehist.engine.loose_words import may_change, may_trigger_entering
from rulehist.engine.names import different_names, same_name
from rulehist.engine.play import Play
from rulehist.engine.power import BOTH
from rulehist.engine.questions import Question, Refused
from rulehist.engine.scenario import Expectation
from rulehist.engine.seen import CHOICE_UNDEFINED, choice, unsure
from rulehist.engine.semantics import Refusal
from rulehist.engine.vocabulary import CHOICES, STATUSES

LOYALTY: Final = Question("planeswalker-loyalty", ("the number of its loyalty counters",))
DEFENSE: Final = Question("battle-defense", ("the number of its defense counters",))
BY_COUNTERS: Final = {"loyalty": ("planeswalker", LOYALTY), "defense": ("battle", DEFENSE)}
"""The characteristics that a permanent of a card type has by its counters."""
COPY_CAST: Final = Question("spell-copy-cast", ("a spell that was not cast",))
NAMED_CARD: Final = Question("card-name-choice", ("by its Oracle text",))


class Places:
    """Answers what is asked of the objects of a play; characteristics are found once, when first asked."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self._has: Mapping[str, Has] | Refusal | None = None
        self._loose: str | None = None

    def at(self, asked: Expectation) -> Value | Refusal:
        """The value at a place, or why there is none."""
        try:
            return self._at(asked)
        except Refused as refused:
            return refused.refusal

    def has(self) -> Mapping[str, Has]:
        """What every object has. Raises ``Refused``."""
        if self._has is None:
            try:
                self._has = self.play.characteristics(self.play.log)
            except Refused as refused:
                self._has = refused.refusal
        if isinstance(self._has, Refusal):
            raise Refused(self._has)
        return self._has

    def _at(self, asked: Expectation) -> Value | Refusal:
        being, place = self.play.being(asked.object), asked.place
        if place == "exists":
            return "yes" if being.exists else "no"
        if not being.exists:
            return Refusal(f"{being.name} does not exist any more, or never did")
        copiable = place.startswith("copiable.")
        place = place.removeprefix("copiable.")
        key = "rules text" if place == "abilities" else place
        if key in being.unsaid and not (key == "rules text" and not being.copiable):
            return being.unsaid[key]
        if key not in CHARACTERISTICS:
            return self._other(being, place, asked.rest)
        why = self._unknown(being, key, copiable)
        if why is not None:
            return why
        return self._copiable(being, key) if copiable else self._characteristic(being, key, asked.rest)

    def of(self, being: Being) -> Has:
        """What an object has; known of one that no effect touches even where the order of effects is not."""
        try:
            return self.has()[being.name]
        except Refused:
            return self.play.untouched(being)

    def _copiable(self, being: Being, key: str) -> Value:
        values = copiable_values(self.play, being)
        if key == "rules text" and _basic_land_type(values):
            from rulehist.engine.land_mana import check_copiable_text

            check_copiable_text(self.play, being.name)
        return self._cost(values) if key == "mana cost" else shown(values.get(key, ()))

    def _characteristic(self, being: Being, key: str, ability: str) -> Value:
        has = self.of(being)
        if key in has.unsure:
            raise self.play.refuse(unsure(being.name, key))
        if ability:
            return "yes" if self._has_ability(has, ability) else "no"
        if key in BOTH and isinstance(has.values.get(key), str):
            raise self.play.refuse(
                f'{being.name} has the {key} "{has.values[key]}", and no ability under "defines" says what that is'
            )
        counted = BY_COUNTERS.get(key)
        types = {word.casefold() for word in has.values.get("card types", ())}
        if counted is not None and being.zone == "battlefield" and counted[0] in types:
            return self._by_counters(being, has, key, *counted)
        if key == "rules text":
            return shown(self._texts(being, has))
        if key == "mana cost":
            return self._cost(has.values)
        return shown(has.values.get(key, ()))

    def _has_ability(self, has: Has, ability: str) -> bool:
        if any(held.ability.called(ability) for held in has.abilities):
            return True
        if not _basic_land_type(has.values):
            return False
        from rulehist.engine.land_mana import has_one

        return has_one(self.play, has, ability)

    def _texts(self, being: Being, has: Has) -> tuple[str, ...]:
        if not _basic_land_type(has.values):
            return texts(tuple(held.ability for held in has.abilities))
        from rulehist.engine.land_mana import with_text

        return with_text(self.play, being.name, has)

    def _cost(self, values: Values) -> Value:
        """A mana cost; that of a card with two halves as the rules of the day have it."""
        cost = values.get("mana cost", "")
        if isinstance(cost, tuple):
            from rulehist.engine.halves import cost_asked

            cost = cost_asked(cost, self.play.rulings)
        return shown(cost)

    def _by_counters(self, being: Being, has: Has, key: str, card_type: str, question: Question) -> Value:
        """The loyalty of a planeswalker, or the defense of a battle, on the battlefield: that of its counters."""
        if key in being.counters or being.entered:
            self.play.rulings.ask(question)
            return being.counters.get(key, (0, 0))[0]
        if being.copied_from:
            raise self.play.refuse(
                f"{being.name} has become a copy of a {card_type} and has no {key} counters; ask for "
                f"{being.name}.copiable.{key} or {being.name}.counters.{key}"
            )
        return shown(has.values.get(key, ()))

    def _unknown(self, being: Being, key: str, copiable: bool) -> Refusal | None:
        if any(sticker.effect is None for sticker in being.stickers) and not copiable:
            return Refusal(
                f"{being.name} has a sticker, and the scenario does not say under effect what it does: its {key} is "
                f"not answered; its copiable value is {being.name}.copiable.{key}"
            )
        if being.set_by and not being.face_down and not being.copied_from:
            return Refusal(f"what {being.name} copies of its own abilities shows only in a copy of it")
        if (not copiable or key == "color") and (ability := self._loose_ability()):
            return Refusal(
                f'the ability "{ability}" may change characteristics; abilities in rules text that are given as words '
                f"are recorded, not applied: {being.name}.{key} is not answered"
            )
        return None

    def _loose_ability(self) -> str:
        """An ability given as words alone that may change characteristics, or an empty text."""
        if self._loose is None:
            self._loose = next(
                (
                    ability.text
                    for being in self.play.game.beings.values()
                    if being.exists and being.zone == "battlefield"
                    for ability in _abilities(values_there(self.play, being))
                    if may_change(ability)
                ),
                "",
            )
        return self._loose

    def _other(self, being: Being, place: str, rest: str) -> Value:
        if place in STATUSES:
            return "yes" if place in being.status else "no"
        if place in CHOICES:
            return being.choices.get(place, "none")
        asked = _ASKED.get(place)
        if asked is not None:
            return asked(self, being, rest.strip())
        whole: dict[str, Value] = {
            "status": tuple(status for status in STATUSES if status in being.status) or "none",
            "stickers": tuple(sticker.text for sticker in being.stickers) or "none",
            "kind": being.kind,
            "zone": being.zone,
            "owner": being.owner,
            "face": being.face,
            "cast as": being.cast or "none",
            "designations": tuple(sorted(being.designations)) or "none",
            "unlocked": tuple(sorted(being.unlocked)) or "none",
            "attached to": being.attached_to or "none",
            "source": being.source or "none",
        }
        return whole[place]

    def triggered(self, being: Being, _: str) -> Value:
        """The abilities of an object that have triggered as it entered. Raises ``Refused`` for others that may have."""
        for held in self.play.of(being).abilities:
            if may_trigger_entering(held.ability):
                raise self.play.refuse(
                    f'whether the ability "{held.ability.text}" triggers as {being.name} itself enters is not read '
                    'from words; say so with "when it enters: yes"'
                )
        return being.triggered or "none"

    def has_adventure(self, being: Being, _: str) -> Value:
        """Whether an object has the alternative characteristics of an Adventure."""
        return "yes" if "adventure" in faces_of(self.play, being) else "no"

    def class_level(self, being: Being, _: str) -> Value:
        """The level of a Class."""
        from rulehist.engine.designations import level_of

        return level_of(being, self.play.rulings)

    def has_omen(self, being: Being, _: str) -> Value:
        """Whether an object has the alternative characteristics of an Omen."""
        return "yes" if "omen" in faces_of(self.play, being) else "no"

    def double_faced(self, being: Being, _: str) -> Value:
        """Whether an object has a front and a back face."""
        if being.parts and (being.melded or any(double_faced(part) for part in being.parts)):
            raise self.play.refuse(
                f"whether {being.name}, which several cards represent, is double-faced is not modelled"
            )
        return "yes" if double_faced(being) and not being.parts else "no"

    def counters(self, being: Being, kind: str) -> Value:
        """The counters of a kind on an object, or all of them."""
        types = {str(each).casefold() for each in copiable_values(self.play, being).get("card types", ())}  # type: ignore[union-attr]
        for counted, (card_type, _) in BY_COUNTERS.items():
            if card_type in types and kind in ("", counted) and not _counters_known(being, counted):
                raise self.play.refuse(f"{being.name} is a {card_type}: say under counters what {counted} it has")
        return being.counters.get(kind, (0, 0))[0] if kind else sum(number for number, _ in being.counters.values())

    def controller(self, being: Being, _: str) -> Value:
        """Who controls an object."""
        return self.of(being).controller

    def value(self, being: Being, _: str) -> Value:
        """The mana value of an object."""
        found = mana_values(being, values_there(self.play, being), self.play.rulings)
        return found if len(found) > 1 else found[0]

    def named_alike(self, being: Being, other: str) -> Value:
        """Whether two objects have the same name."""
        return "yes" if same_name(self.play, self.has(), being.name, other) else "no"

    def named_differently(self, being: Being, others: str) -> Value:
        """Whether every two objects of a group have different names."""
        group = [being.name, *(name.strip() for name in others.split(","))]
        return "yes" if different_names(self.play, self.has(), group) else "no"

    def cast(self, being: Being, _: str) -> Value:
        """Whether a spell was cast: a copy of one was not, where the rules of the day say so."""
        if being.zone != "stack":
            return "no"
        if being.kind == "copy":
            self.play.rulings.ask(COPY_CAST)
        return "yes" if being.kind == "card" else "no"

    def may_be_named(self, being: Being, word: str) -> Value:
        """Whether the name of a card may be chosen as that of a card with a type: its Oracle text decides."""
        self.play.rulings.ask(NAMED_CARD)
        types = being.faces["front"].get("card types", ())
        words = {str(each).casefold() for each in types} if isinstance(types, tuple) else set()
        return "yes" if word.strip().casefold() in words else "no"

    def turns_up(self, being: Being, _: str) -> Value:
        """The cost for which its own ability lets a face-down permanent be turned face up; ``none``: it has none."""
        if not being.face_down:
            return "none"
        values = faces_of(self.play, being)["front"]
        costs = [ability.turns_up for ability in _abilities(values) if ability.turns_up]
        return costs[0] if costs else "none"

    def chosen(self, being: Being, word: str) -> Value:
        """The choice to which an ability of the object refers: its value, or ``undefined``."""
        held = self.of(being).abilities
        referring = [each.ability for each in held if word in (each.ability.chosen, each.ability.choose)]
        if not referring:
            return "none"
        for ability in referring:
            made = choice(being, ability, word, self.play.rulings)
            if made is not None:
                return made
        number = word.casefold().startswith("number")
        zero = self.play.rulings.ask(CHOICE_UNDEFINED) == "zero or undefined" and number
        return "zero" if zero else "undefined"


_ASKED: Final[Mapping[str, Callable[[Places, Being, str], Value]]] = {
    "counters": Places.counters,
    "controller": Places.controller,
    "mana value": Places.value,
    "chosen": Places.chosen,
    "same name as": Places.named_alike,
    "different names with": Places.named_differently,
    "may be named as": Places.may_be_named,
    "cast": Places.cast,
    "turns face up for": Places.turns_up,
    "double-faced": Places.double_faced,
    "class level": Places.class_level,
    "has an adventure": Places.has_adventure,
    "has an omen": Places.has_omen,
    "triggered on entering": Places.triggered,
}


def _counters_known(being: Being, kind: str) -> bool:
    """Whether the loyalty counters of a planeswalker, or defense counters, are known: given, or that it has none."""
    return kind in being.counters or being.entered or bool(being.copied_from) or being.zone != "battlefield"


def _basic_land_type(values: Mapping[str, Any]) -> bool:
    """Whether an object has a basic land type, so that it may have a mana ability that no text of it says."""
    return not set(BASIC_LAND_TYPES).isdisjoint(values.get("subtypes", ()))


def _abilities(values: Values) -> tuple[Ability, ...]:
    found: Any = values.get("rules text", ())
    return tuple(found)


def shown(value: Value) -> Value:
    """A value as it is compared and printed: abilities by their texts, ``none`` for an empty text or list."""
    if isinstance(value, tuple):
        value = texts(value)
    return "none" if value in ("", ()) else value
