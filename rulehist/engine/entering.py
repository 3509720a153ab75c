"""How an object enters the battlefield: what replaces the event, in which order, and what it looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rulehist.engine.characteristics import Values, names_of
from rulehist.engine.continuous import Active, Continuous
from rulehist.engine.copying import become_copy, faces_of, values_there
from rulehist.engine.effects import Ability, Effect, Exceptions
from rulehist.engine.exceptions import counters_of
from rulehist.engine.faces import face_up
from rulehist.engine.game import Being, CopiableEffect, own_values
from rulehist.engine.loose_words import changes_entering, changes_others_entering
from rulehist.engine.play import Play
from rulehist.engine.power import number_used
from rulehist.engine.questions import Question
from rulehist.engine.semantics import Refusal

LOOKS_AT: Final = Question("enter-effects-look-at", ("none", "those that exist already"))
COPY_FIRST: Final = Question("enter-copy-first", ("those that make it a copy", "any, as its controller chooses"))
COPIED_AT_ENTER: Final = Question("copied-at-enter", ("they take effect",))
OWN_CHOICE: Final = Question("copy-own-choice", ("the copy's controller, anew",))
DEFENSE: Final = Question("battle-enters-with-defense", ("its printed defense",))
LOYALTY: Final = Question("planeswalker-enters-with-loyalty", ("its printed loyalty",))
ADDITIONAL: Final = Question("copy-additional-effect-exception", ("it doesn't happen", "it happens"))
FACE_DOWN_DEFAULT: Final = Question("face-down-default", ("2/2 creature", "nothing but what is listed"))
DEFAULT_FACE_DOWN: Final = {"card types": ("Creature",), "power": 2, "toughness": 2}


def enter(
    play: Play,
    being: Being,
    given: Mapping[str, Any],
    line: int,
    *,
    copy_of: Being | None = None,
    both_faces: bool = False,
) -> None:
    """Put an object onto the battlefield. ``copy_of``: an effect makes it enter as a copy of this object."""
    _arrive(play, being, given)
    if being.face_down and copy_of is None:
        being.timestamp = being.since = play.game.tick()
        return  # its own abilities have no effect as it enters
    entering = _Entering(play, being, given, line)
    entering.replace(copy_of, given.get("except") or Exceptions(), both_faces)
    entering.finish()


def _arrive(play: Play, being: Being, given: Mapping[str, Any]) -> None:
    if being.zone == "battlefield" and (being.copiable or being.counters):
        being.copiable = []
    if being.zone != "stack":  # what was done to it in another zone, or before it left, was done to another object
        play.game.forget(being.name)
    being.zone = "battlefield"
    being.entered = True
    being.timestamp = being.since = play.game.tick()
    being.counters.clear()
    being.chosen.clear()
    being.linked = ()
    being.status.clear()
    if being.cast.endswith("half"):
        from rulehist.engine.halves import ROOM_ENTERS

        play.rulings.ask(ROOM_ENTERS)
        being.unlocked = {being.cast}
    being.attached_to = being.cast = being.cast_from = ""
    being.face = given.get("face", "front")
    being.prototyped = bool(given.get("prototyped", being.prototyped))
    being.controller = given.get("controller") or being.controller
    if "x" in given:
        being.choices["x"] = given["x"]
    if "face down as" in given:
        being.status.add("face down")
        listed = dict(given["face down as"])
        if not listed and play.rulings.ask(FACE_DOWN_DEFAULT) == "2/2 creature":
            listed = dict(DEFAULT_FACE_DOWN)
        being.listed = own_values(listed, f"{being.name} face down")
        being.known = None


class _Entering:
    def __init__(self, play: Play, being: Being, given: Mapping[str, Any], line: int) -> None:
        self.play = play
        self.being = being
        self.given = given
        self.line = line
        self.extra: list[tuple[Exceptions, Values]] = []
        self.linked: list[str] = []
        self.tapped_first = False
        self.counters_first: list[tuple[str, int]] = []

    def replace(self, copy_of: Being | None, exceptions: Exceptions, both_faces: bool) -> None:
        """Apply the replacement effects that make it a copy, in the order that the rules of the day give."""
        if copy_of is None and "except" in self.given:
            raise self.play.error(
                self.line, "exceptions of an own ability are said there: {ability: ..., enters as a copy: {add: ...}}"
            )
        if copy_of is not None:
            if self.being.kind != "token" and not exceptions.counters:
                self._own_before_copy()
            self.copy(copy_of, exceptions, both_faces=both_faces)
        for chosen in self.given.get("choosing", ()):
            ability = next((each for each in self.abilities() if each.copy is not None), None)
            if ability is None or ability.copy is None:
                self._can_copy(chosen)
                break  # it does not have the ability as it would enter
            self.copy(self.play.being(chosen), ability.copy)

    def _might_choose(self, words: Iterable[str]) -> bool:
        """Whether it, or what it was to copy, has an ability to choose what is said, even where that is lost."""
        there = [self.being, *(self.play.being(name) for name in self.given.get("choosing", ()))]
        asks = {ability.choose for each in there for ability in _rules_text(self.play, each)}
        return set(words) <= asks

    def _can_copy(self, chosen: str) -> None:
        """An object that copies what is chosen must have said so, even where the ability is lost as it enters."""
        own: Any = values_there(self.play, self.being).get("rules text", ())
        if not self.being.copied_from and not any(each.copy is not None for each in own):
            raise self.play.error(
                self.line,
                f"{self.being.name} is choosing {chosen}, and has no ability for it; give it one in its rules text: "
                '{ability: enters as a copy, enters as a copy: yes}, or use the step "enters as a copy"',
            )

    def _own_before_copy(self) -> None:
        """Where copy effects need not come first, its own abilities may have been applied before them."""
        own = [each for each in self.abilities() if each.tapped or each.counters]
        if not own:
            return
        if self.play.rulings.ask(COPY_FIRST) == "those that make it a copy":
            return
        if "first" not in self.given:
            raise self.play.refuse(
                f'its controller chooses what applies first as {self.being.name} enters; say it with the key "first"'
            )
        if self.given["first"] == "own ability":
            self._apply(own)

    def _apply(self, abilities: Sequence[Ability]) -> None:
        for ability in abilities:
            if ability.tapped:
                self.being.status.add("tapped")
            for kind, amount in ability.counters:
                number = self._number(amount)
                self.being.put(kind, number, self.being.timestamp)

    def _number(self, amount: Any) -> int:
        if isinstance(amount, int):
            return amount
        if amount.of == "none" or amount.word == "x":
            x: Any = self.being.choices.get("x", 0)
            return int(x) * int(amount.times) + int(amount.plus)
        effects = Continuous(self.play.game, self.play.rulings, lambda each: values_there(self.play, each))
        effects.run()
        active = Active((), Effect(), 0, self.being.name, self.being.name)
        return number_used(effects, amount, self.being.name, active)

    def copy(self, original: Being, exceptions: Exceptions, *, both_faces: bool = False) -> None:
        """One replacement effect that makes it enter as a copy."""
        if original.name == self.being.name and not original.copiable:
            return  # it acquires what it has
        additional = any(_counts(earlier) for earlier, _ in self.extra)
        if additional and self.play.rulings.ask(ADDITIONAL) == "it doesn't happen":
            self.extra = []
        if original.set_by and not original.face_down and not original.copied_from and not self._sets():
            raise self.play.refuse(
                f"{original.name} has an ability that sets characteristics as it enters or is turned face up; say what "
                f'{self.being.name} gets, with the key "as it enters"'
            )
        become_copy(self.play, self.being, original, exceptions, self.given.get("called", ""), both_faces=both_faces)
        if original.face == "back" and both_faces:
            self.being.face = "back"
        faces = faces_of(self.play, self.being)
        self.extra.append((exceptions, faces[face_up(self.being, faces)]))
        self.linked.append(exceptions.trigger)

    def _loose(self, abilities: Sequence[Ability]) -> None:
        """An ability given as words that changes how its object enters leaves open what it does."""
        found = next((each for each in abilities if changes_entering(each)), None) or self._loose_of_others()
        if found is not None:
            why = Refusal(
                f'the ability "{found.text}" may change how {self.being.name} enters; abilities given as words are '
                'recorded, not applied: say it with "enters tapped" or "enters with counters"'
            )
            self.being.unsaid |= dict.fromkeys(("counters", "status", "tapped"), why)
            if "tapped" not in found.text or "counter" in found.text:
                self.being.unsaid |= dict.fromkeys(("power", "toughness"), why)

    def _loose_of_others(self) -> Ability | None:
        """An ability given as words, of something else on the battlefield, that may change how this object enters."""
        for other in self.play.game.beings.values() if self.play.game.words_on_entering else ():
            if other is self.being or other.zone != "battlefield" or not other.exists or other.face_down:
                continue
            values: Any = values_there(self.play, other)
            for ability in values.get("rules text", ()):
                if changes_others_entering(ability, names_of(values)[0] if names_of(values) else ""):
                    return ability  # type: ignore[no-any-return]
        return None

    def _sets(self) -> bool:
        return "as it enters" in self.given

    def abilities(self) -> tuple[Ability, ...]:
        """The abilities that it would have on the battlefield, as replacement effects look at them."""
        play, being = self.play, self.being
        own: Any = values_there(play, being).get("rules text", ())
        replaces = any(each.tapped or each.counters or each.choose or each.copy for each in own)
        if not replaces and not play.game.grants:
            return tuple(own)
        would_have = tuple(held.ability for held in play.of(being).abilities)
        if would_have == tuple(own):
            return tuple(own)
        return tuple(own) if play.rulings.ask(LOOKS_AT) == "none" else would_have

    def finish(self) -> None:
        """What its abilities do as it enters: tapped, counters, choices, values that they set."""
        play, being = self.play, self.being
        abilities = self.abilities()
        replacing = [each for each in abilities if each.tapped or each.counters or each.choose]
        if replacing and being.copied_from:
            play.rulings.ask(COPIED_AT_ENTER)
        self._apply(abilities)
        self._loose(abilities)
        chosen = dict(self.given.get("choose", {}))
        for ability in abilities:
            if ability.choose and ability.choose in chosen:
                if being.copied_from:
                    play.rulings.ask(OWN_CHOICE)
                being.chosen[ability.linked] = (ability.choose, chosen.pop(ability.choose))
        if chosen and not being.face_down and not self._might_choose(chosen):
            asks = ", ".join(ability.choose for ability in abilities if ability.choose) or "nothing"
            raise play.error(
                self.line,
                f"{being.name} has no ability to choose {next(iter(chosen))} as it enters (it chooses {asks}); "
                "leave it out",
            )
        for exceptions, values in self.extra:
            for kind, number in counters_of(play, exceptions, values):
                being.put(kind, number, being.timestamp)
        for kind, number in self.given.get("counters", {}).items():
            being.put(kind, number, being.timestamp)
        if self.given.get("tapped"):
            being.status.add("tapped")
        self._loyalty_or_defense()
        sets = self.given.get("as it enters")
        if sets:
            _set_as_it_enters(play, being, sets)
        if any(self.linked):
            from rulehist.engine.linked_triggers import that_trigger

            being.linked = tuple(that_trigger(play, being, self.linked))
        note_triggers(play, being)

    def _loyalty_or_defense(self) -> None:
        """A planeswalker or battle enters with counters; those that the scenario gives count before them."""
        values: Any = values_there(self.play, self.being)
        for card_type, kind, question in (("Planeswalker", "loyalty", LOYALTY), ("Battle", "defense", DEFENSE)):
            if card_type not in values.get("card types", ()) or kind in self.given.get("counters", {}):
                continue
            number = values.get(kind)
            if kind in self.being.unsaid:
                self.being.unsaid["counters"] = self.being.unsaid[kind]
            if isinstance(number, int) and self.play.rulings.ask(question):
                self.being.put(kind, number, self.being.timestamp)


def note_triggers(play: Play, being: Being) -> None:
    """Note which abilities of an object trigger as it enters: those that it has when it is on the battlefield."""
    own: Any = values_there(play, being).get("rules text", ())
    if play.game.grants or any(ability.on_entering for ability in own):
        being.triggered = tuple(held.ability.text for held in play.of(being).abilities if held.ability.on_entering)
    if being.linked:
        being.triggered = (*(each for each in being.triggered if each not in being.linked), *being.linked)


def _set_as_it_enters(play: Play, being: Being, sets: Values) -> None:
    """Note what an ability has set as the object entered."""
    clauses = play.clauses()
    if "as it enters" not in clauses.modifiers:
        raise play.refuse(
            f"the rules of {play.rulings.label} did not say what an ability is that sets characteristics as its object "
            "enters",
            clauses.rule,
            clauses.quote(clauses.basis_clause),
        )
    if clauses.must_set != "characteristics" and not {"power", "toughness"} <= set(sets):
        raise play.refuse(
            "what an ability sets as its object enters, without power and toughness, is not modelled beyond copies"
        )
    being.copiable.append(CopiableEffect("set", play.game.tick(), sets=own_sets(sets)))


def own_sets(sets: Values) -> Values:
    """The values that an ability sets, each as written."""
    return dict(sets)


def _counts(exceptions: Exceptions) -> bool:
    return bool(exceptions.counters) or any(more.counters for _, more in exceptions.when)


def _rules_text(play: Play, being: Being) -> tuple[Ability, ...]:
    """The abilities among the copiable values of an object."""
    found: Any = values_there(play, being).get("rules text", ())
    return tuple(found)
