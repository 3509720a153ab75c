"""The interaction of continuous effects: what every object has when all of them are applied, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from rulehist.engine import effects_there, power
from rulehist.engine import layer_plan as plans
from rulehist.engine.characteristics import Values
from rulehist.engine.dependency import Order
from rulehist.engine.effects import CHOSEN, Ability, Effect, Filter, Number, with_choice
from rulehist.engine.game import Being, Game
from rulehist.engine.held import Active, Applied, Has, Held
from rulehist.engine.layer_changes import change, controller_given
from rulehist.engine.questions import Question, Rulings
from rulehist.engine.seen import CHOICE_UNDEFINED, Seen, choice
from rulehist.thresholds import CONTINUOUS_EFFECTS

STATIC_TIMESTAMP: Final = Question(
    "static-timestamp",
    ("that of the object", "that of the object or of the effect that created the ability, the later"),
)
RELATIVE_ORDER: Final = Question("static-relative-order", ("kept", "left open"))
AFFECTED_SET: Final = Question("affected-set", ("those to which it first applied", "found anew in each layer"))
GRANTED_DEFINES: Final = Question("granted-defining", ("it is not", "it is"))
EMBLEMS: Final = Question("emblem-abilities", ("in the command zone",))
CONTINUES: Final = Question("continues-when-ability-lost", ("it goes on", "it ends"))


_CHANGE_ABILITIES: Final = frozenset({plans.TYPE, plans.ABILITIES, plans.CANNOT, plans.TEXT})


def _reason(active: Active, why: str) -> str:
    """The switch whose rule tells why an effect comes where it does: that on its timestamp, or on another order."""
    if "depend" in why:
        return "dependency-loop" if "loop" in why else "dependency-order"
    if active.cda:
        return "cda-first"
    if active.counters:
        return "counter-timestamp"
    if active.static:
        return "static-timestamp"
    return "sticker-timestamp" if active.key[0] == "sticker" else "resolving-timestamp"


def _affects(active: Active) -> tuple[object, ...]:
    """What is the same for parts of one effect that affect the same objects."""
    return (active.key[:-1], active.effect.affects, active.effect.condition)


class Continuous(Seen):
    """Applies every continuous effect to the objects of a game. ``copiable`` gives the copiable values of an object."""

    def __init__(
        self,
        game: Game,
        rulings: Rulings,
        copiable: Callable[[Being], Values],
        log: list[Applied] | None = None,
    ) -> None:
        super().__init__(game, rulings)
        self.log = log
        self.started: dict[tuple[object, ...], tuple[str, ...]] = {}
        self.running: dict[tuple[object, ...], Active] = {}
        self.together: dict[tuple[object, ...], list[Active]] = {}
        self.began: dict[tuple[object, ...], int] = {}
        self.alike: dict[tuple[object, ...], tuple[tuple[str, ...], int]] = {}
        self.now = 0
        self.placed: dict[tuple[object, ...], dict[int, list[str]]] = {}
        rulings.look(len(game.beings))
        for name, each in game.beings.items():
            if not each.exists:
                continue
            values = dict(copiable(each))
            abilities: Any = values.pop("rules text", ())
            self.own[name] = abilities
            self.has[name] = Has(
                values,
                [
                    Held(ability, (name, place), *effects_there.origin(each, ability))
                    for place, ability in enumerate(abilities)
                ],
                each.controller,
            )

    # --- which effects there are

    def run(self) -> dict[str, Has]:
        """What every object has. Raises ``Refused``."""
        fixed = self._fixed_effects()
        if any(each.effect.of_choice for each in fixed):
            raise self.rulings.refuse(f'"{CHOSEN}" stands for the choice of an ability; name what the effect gives')
        static = self._static()
        if not fixed and not static:
            power.settle(self)
            return self.has
        if len(fixed) + len(static) > CONTINUOUS_EFFECTS:
            raise self.rulings.refuse(
                f"there are more than {CONTINUOUS_EFFECTS} continuous effects at once; divide the scenario"
            )
        self.rulings.look(len(fixed) + len(static))
        self.plan = plan = plans.plan(self.rulings, [*fixed, *static])
        self.fixed, self.static = self._by_place(fixed), self._by_place(static)
        for place, slot in enumerate(plan.slots):
            if not plans.POWER_KINDS.isdisjoint(slot.kinds):
                power.stars_left(self)
            self._apply_all(place)
        power.settle(self)
        return self.has

    def _apply_all(self, place: int) -> None:
        """Apply the effects of one layer or sublayer."""
        self.now = place
        done: set[tuple[object, ...]] = set()
        pending = self._pending(place, done)
        if not pending:
            return
        order = Order(self, partial(self._parts_in, place))
        while pending:
            self._apply_some(place, pending, order, done)
            pending = self._pending(place, done)

    def _apply_some(self, place: int, pending: list[Active], order: Order, done: set[tuple[object, ...]]) -> None:
        """Apply the next effect; of effects that leave each other alone as many as do not change any ability."""
        rank = partial(self._rank, place)
        for active, why in order.next(pending, rank):
            parts = self._places(active)[place]
            self.began.setdefault(active.key[:-1], place)
            touched = self._apply(active, parts)
            done.add(active.key)
            if self.log is not None and touched:
                self.log.append(self._line(active, place, touched, why))
            if _CHANGE_ABILITIES & set(parts):
                self.static = self._by_place(self._static())
                break

    def _line(self, active: Active, place: int, touched: tuple[str, ...], order: str) -> Applied:
        """The line of a derivation on an effect that was just applied."""
        why = order or ("characteristic-defining ability" if active.cda else f"timestamp {active.timestamp}")
        parts = tuple(self._places(active)[place])
        return Applied(self.plan.slots[place].number, self.describe(active), parts, touched, why, _reason(active, why))

    def _by_place(self, effects: list[Active]) -> dict[int, list[Active]]:
        found: dict[int, list[Active]] = {}
        for active in effects:
            for place in self._places(active):
                found.setdefault(place, []).append(active)
        return found

    def untouched(self, name: str) -> bool:
        """Whether no effect can apply to an object, whatever the order of effects is."""
        every = self._fixed_effects() + self._static()
        return all(each.affected is not None and name not in each.affected for each in every)

    def _fixed_effects(self) -> list[Active]:
        game = self.game
        return [*effects_there.resolved(game), *effects_there.counters(game), *effects_there.stickers(game)]

    def _pending(self, place: int, done: set[tuple[object, ...]]) -> list[Active]:
        static = self.static.get(place, [])
        found = [each for each in (*self.fixed.get(place, []), *static) if each.key not in done]
        if not self.running:
            return found
        there = {each.key for each in static}
        for key, active in self.running.items():
            if key in there or key in done or place not in self._places(active):
                continue
            if self.began[key[:-1]] == place or self.rulings.ask(CONTINUES) == "it goes on":
                found.append(active)
        return found

    def _places(self, active: Active) -> dict[int, list[str]]:
        """The slots in which an effect applies, each with its parts."""
        known = self.placed.get(active.key)
        if known is not None:
            return known
        found: dict[int, list[str]] = {}
        for part in plans.parts(active.effect):
            place = self.plan.place(
                part, cda=active.cda, counters=active.counters, static=active.static, keyword=active.keyword
            )
            if place is None:
                if active.keyword:
                    continue  # such counters had no meaning under these rules
                raise self.rulings.refuse(
                    f"the rules of {self.rulings.label} name no layer for effects of this kind: {part}"
                )
            self.rulings.parts[self._kind(active, part)] = None
            found.setdefault(place, []).append(part)
        if found and not active.cda:
            types = self._type_layer(active)
            if types is not None and set(found) != {types} and self._wholly():
                found = {types: [part for parts in found.values() for part in parts]}
        self.placed[active.key] = found
        return found

    def _type_layer(self, active: Active) -> int | None:
        """The layer in which an effect, or a part of it that affects the same, changes types; ``None``: none does."""
        for each in (active, *self.together.get(active.key[:-1], ())):
            if plans.TYPE in plans.parts(each.effect) and each.effect.affects == active.effect.affects:
                return self.plan.place(plans.TYPE, cda=False, counters=False, static=each.static)
        return None

    def _parts_in(self, place: int, active: Active) -> list[str]:
        return self._places(active).get(place, [])

    def _kind(self, active: Active, part: str) -> str:
        """What a part is called among the kinds of the layers."""
        if active.cda and part in plans.OF_POWER:
            return plans.CDA
        if active.counters and not active.keyword:
            return plans.COUNTERS
        return plans.STATIC if part == plans.MODIFY and active.static else part

    def _wholly(self) -> bool:
        """Whether an effect that changes types applies in their layer with all that it does."""
        if (
            self.rulings.read(plans.MULTI_LAYER.switch).value is None
            and self.rulings.read(plans.WHOLE_TYPES.switch).said
        ):
            return self.rulings.ask(plans.WHOLE_TYPES) == "wholly with types"
        return self.rulings.ask(plans.MULTI_LAYER).endswith("wholly in layer 4")

    def _rank(self, place: int, active: Active) -> int:
        """What comes first in a layer whatever its timestamp: characteristic-defining abilities, once counters next."""
        if active.cda:
            if plans.CDA in self.plan.slots[place].kinds:
                return 0
            self.rulings.ask(plans.CDA_FIRST)
            return 0
        if active.counters and plans.POWER in self.plan.slots[place].kinds:
            return 1 if self.rulings.ask(plans.COUNTERS_AFTER_CDA) == "after them" else 2
        return 2

    def _static(self) -> list[Active]:
        """The effects of the static abilities that objects have now."""
        found: list[Active] = []
        for name, has in self.has.items():
            being = self.game.beings[name]
            for held in has.abilities:
                ability = held.ability
                if ability.defines is not None:
                    key = (*held.key, "defines")
                    found.append(self.running.get(key) or self._defining(key, held, being))
                if not ability.static or not self._functions(ability, being):
                    continue
                timestamp = self._since(being, held)
                turned = self._left_open(being, held, has)
                for place, written in enumerate(ability.static):
                    key = (*held.key, place)
                    effect = self._of_choice(written, ability, being) if written.of_choice else written
                    found.append(
                        self.running.get(key)
                        or Active(
                            key,
                            effect,
                            timestamp,
                            name,
                            held.source or name,
                            self._fixed(effect, being),
                            static=True,
                            called=ability.text,
                            order=-len(found) - 1 if turned else len(found),
                        )
                    )
                if len(ability.static) > 1:
                    self.together[held.key] = found[-len(ability.static) :]
        return found

    def _defining(self, key: tuple[object, ...], held: Held, being: Being) -> Active:
        """The effect of an ability that defines characteristics; one that an effect gave is no such ability."""
        effect, source = held.ability.defines or Effect(), held.source or being.name
        if held.origin == "granted" and self.rulings.ask(GRANTED_DEFINES) == "it is not":
            since = self._since(being, held)
            return Active(key, effect, since, being.name, source, (being.name,), static=True, called=held.ability.text)
        return Active(key, effect, being.timestamp, being.name, source, (being.name,), cda=True)

    def _functions(self, ability: Ability, being: Being) -> bool:
        """Whether a static ability functions in the zone in which its object is."""
        if being.kind == "emblem":
            return self.rulings.ask(EMBLEMS) == "in the command zone"
        return being.zone == ability.zone and "phased out" not in being.status

    def _of_choice(self, effect: Effect, ability: Ability, being: Being) -> Effect:
        """The effect with what was chosen; one that refers to a choice that was not made does nothing."""
        if not ability.chosen:
            raise self.rulings.refuse(
                f'"{ability.text}" refers to a choice: say under its key chosen which it is (chosen: color)'
            )
        chosen = choice(being, ability, ability.chosen, self.rulings)
        if chosen is not None:
            return with_choice(effect, chosen)
        self.rulings.ask(CHOICE_UNDEFINED)
        return Effect(affects=())

    def _since(self, being: Being, held: Held) -> int:
        if held.since > being.timestamp:
            wording = self.rulings.ask(STATIC_TIMESTAMP)
            return held.since if wording.endswith("the later") else being.timestamp
        return being.timestamp

    def _left_open(self, being: Being, held: Held, has: Has) -> bool:
        """Whether to play a granted ability before the object's own, which have the same timestamp as it."""
        granted = 0 < held.since <= being.timestamp and held.origin == "granted"
        if not granted or not any(each.ability.static for each in has.abilities if each is not held):
            return False
        return self.rulings.ask(RELATIVE_ORDER) == "left open"

    def _fixed(self, effect: Effect, being: Being) -> tuple[str, ...] | None:
        if isinstance(effect.affects, Filter):
            return None
        if effect.affects == "self":
            return (being.name,)
        if effect.affects == "attached":
            return (being.attached_to,) if being.attached_to in self.has else ()
        return tuple(effect.affects)

    # --- what an effect applies to, and what it does

    def affected(self, active: Active) -> tuple[str, ...]:
        """The objects that an effect applies to now."""
        started = self.started.get(active.key)
        if started is None and active.key[:-1] in self.together:
            started, place = self.alike.get(_affects(active), (None, -1))
            if started is not None and place == self.now:
                return started
        if started is not None:
            fixed = active.affected is not None
            if fixed or self.rulings.ask(AFFECTED_SET) == "those to which it first applied":
                return started
        if active.effect.condition is not None and not self.holds(active.effect.condition, active):
            return ()
        if active.affected is not None:
            return tuple(name for name in active.affected if name in self.has)
        wanted = active.effect.affects
        if not isinstance(wanted, Filter):
            return ()
        return tuple(name for name in self.has if self.matches(name, wanted, active.holder))

    def outcome(self, active: Active, parts: Iterable[str]) -> tuple[object, ...]:
        """What an effect would do now: the objects that it applies to, and the numbers that it gives them."""
        names = self.affected(active)
        numbers: list[object] = [controller_given(self, active)] if plans.CONTROL in parts else []
        for part in parts:
            amounts = active.effect.base if part == plans.SET else active.effect.modify if part == plans.MODIFY else ()
            numbers += [
                (name, key, self.amount(amount, name, active))
                for name in names
                for key, amount in amounts
                if isinstance(amount, Number)
            ]
        return (names, tuple(numbers))

    def exists(self, active: Active) -> bool:
        """Whether the ability that generates an effect is still there, or the effect has started or needs none."""
        if not (active.static or active.cda) or active.key in self.running:
            return True
        return any(active.key[:-1] == held.key for held in self.has[active.holder].abilities)

    # --- applying one effect

    def _apply(self, active: Active, parts: list[str]) -> tuple[str, ...]:
        names = self.affected(active)
        self.started[active.key] = names
        if active.static or active.cda:
            self.running[active.key] = active
            if active.key[:-1] in self.together:  # parts of one effect: all of it has begun
                self.alike.setdefault(_affects(active), (names, self.now))
                for each in self.together[active.key[:-1]]:
                    self.running.setdefault(each.key, each)
        for name in names:
            for part in parts:
                change(part, self, active, name)
        return names

    def try_out(self, active: Active, parts: Iterable[str]) -> None:
        """Apply an effect without noting that it has started; the caller puts everything back."""
        for name in self.affected(active):
            for part in parts:
                change(part, self, active, name)

    def describe(self, active: Active) -> str:
        """An effect as a derivation calls it."""
        if active.effect.label:
            return active.effect.label
        if active.called:
            return f"{active.called} ({active.holder})" if active.holder else active.called
        return f"ability of {active.holder}" if active.holder else "effect"


__all__ = ["Active", "Applied", "Continuous", "Has", "Held"]
