"""The interaction of continuous effects: what every object has when all of them are applied, layer by layer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from rulehist.engine import layer_plan as plans
from rulehist.engine.characteristics import Value, Values
from rulehist.engine.dependency import Order
from rulehist.engine.effects import ALL_CREATURE_TYPES, Ability, Amount, Effect, Filter, Number, plain_ability
from rulehist.engine.game import Being, Game
from rulehist.engine.questions import Question, Rulings
from rulehist.engine.semantics import Refusal
from rulehist.thresholds import CONTINUOUS_EFFECTS

STATIC_TIMESTAMP: Final = Question(
    "static-timestamp",
    ("that of the object", "that of the object or of the effect that created the ability, the later"),
)
RELATIVE_ORDER: Final = Question("static-relative-order", ("kept", "left open"))
AFFECTED_SET: Final = Question("affected-set", ("those to which it first applied", "found anew in each layer"))
CONTINUES: Final = Question("continues-when-ability-lost", ("it goes on", "it ends"))
LAND_TYPE_REMOVES: Final = Question(
    "basic-land-type-removes",
    (
        "those of its rules text and old land types",
        "those of its rules text, old land types and copy effects",
        "those of its rules text, old land types and copiable effects",
        "all but the mana ability",
    ),
)
GRANTED_NAME: Final = Question("granted-ability-name", ("the source of the granting ability", "the granting object"))
BASIC_LAND_TYPES: Final = ("Plains", "Island", "Swamp", "Mountain", "Forest")
KEYWORD_COUNTERS: Final = (
    "decayed",
    "deathtouch",
    "double strike",
    "exalted",
    "first strike",
    "flying",
    "haste",
    "hexproof",
    "indestructible",
    "lifelink",
    "menace",
    "reach",
    "shadow",
    "trample",
    "vigilance",
)
_POWER_COUNTER = re.compile(r"([+-]\d{1,3})/([+-]\d{1,3})")


@dataclass(frozen=True, slots=True)
class Held:
    """An ability that an object has. ``key`` tells it from all others; ``since`` is when an effect gave it, else 0.

    ``source`` is the object whose ability or spell gave it, for names in it; ``origin`` is ``text``, ``exception`` (of
    a copy effect) or ``granted``.
    """

    ability: Ability
    key: tuple[object, ...]
    since: int = 0
    source: str = ""
    origin: str = "text"


@dataclass(slots=True)
class Has:
    """What an object has while effects are applied. ``values`` has no rules text: that is ``abilities``."""

    values: dict[str, Any]
    abilities: list[Held]
    controller: str
    forbidden: tuple[str, ...] = ()

    def copy(self) -> Has:
        """Another one, to try an effect on."""
        return Has(dict(self.values), list(self.abilities), self.controller, self.forbidden)


@dataclass(frozen=True, slots=True)
class Active:
    """A continuous effect that exists. ``affected`` is fixed for one that resolved; ``holder`` has the static ability."""

    key: tuple[object, ...]
    effect: Effect
    timestamp: int
    holder: str = ""
    source: str = ""
    affected: tuple[str, ...] | None = None
    cda: bool = False
    static: bool = False
    counters: bool = False
    keyword: bool = False
    called: str = ""
    order: int = 0


@dataclass(frozen=True, slots=True)
class Applied:
    """One line of a derivation: in which layer what was applied to which objects, and why at that place."""

    layer: str
    effect: str
    parts: tuple[str, ...]
    objects: tuple[str, ...]
    why: str
    switch: str = "layers"


class Continuous:
    """Applies every continuous effect to the objects of a game. ``copiable`` gives the copiable values of an object."""

    def __init__(
        self,
        game: Game,
        rulings: Rulings,
        copiable: Callable[[Being], Values],
        log: list[Applied] | None = None,
    ) -> None:
        self.game = game
        self.rulings = rulings
        self.log = log
        self.has: dict[str, Has] = {}
        self.started: dict[tuple[object, ...], tuple[str, ...]] = {}
        self.running: dict[tuple[object, ...], Active] = {}
        self.placed: dict[tuple[object, ...], dict[int, list[str]]] = {}
        for name, each in game.beings.items():
            if not each.exists:
                continue
            values = dict(copiable(each))
            abilities: Any = values.pop("rules text", ())
            self.has[name] = Has(
                values,
                [Held(ability, (name, place), *_origin(each, ability)) for place, ability in enumerate(abilities)],
                each.controller,
            )

    # --- which effects there are

    def run(self) -> dict[str, Has]:
        """What every object has. Raises ``Refused``."""
        fixed = self._resolved() + self._counters() + self._stickers()
        static = self._static()
        if not fixed and not static:
            return self.has
        if len(fixed) + len(static) > CONTINUOUS_EFFECTS:
            raise self.rulings.refuse(
                f"there are more than {CONTINUOUS_EFFECTS} continuous effects at once; divide the scenario"
            )
        plan = plans.plan(self.rulings, [*fixed, *static])
        for place, slot in enumerate(plan.slots):
            done: set[tuple[object, ...]] = set()
            order = Order(self, lambda each, place=place: self._places(each, plan).get(place, []))  # type: ignore[misc]
            while True:
                dirty = False
                pending = self._pending(fixed, static, plan, place, done)
                if not pending:
                    break
                active, why = order.next(pending, lambda each: self._rank(each, plan, place))
                parts = self._places(active, plan)[place]
                before = len(done)
                touched = self._apply(active, parts)
                done.add(active.key)
                if self.log is not None and touched:
                    self.log.append(Applied(slot.number, self.describe(active), tuple(parts), touched, why))
                dirty = bool({plans.TYPE, plans.ABILITIES, plans.CANNOT, plans.TEXT} & set(parts))
                if dirty:
                    static = self._static()
                assert len(done) > before  # noqa: S101 - each turn applies one effect, so this ends
        return self.has

    def untouched(self, name: str) -> bool:
        """Whether no effect can apply to an object, whatever the order of effects is."""
        every = self._resolved() + self._counters() + self._stickers() + self._static()
        return all(each.affected is not None and name not in each.affected for each in every)

    def _pending(
        self, fixed: list[Active], static: list[Active], plan: plans.Plan, place: int, done: set[tuple[object, ...]]
    ) -> list[Active]:
        found = [each for each in fixed if each.key not in done and place in self._places(each, plan)]
        found += [each for each in static if each.key not in done and place in self._places(each, plan)]
        there = {each.key for each in static}
        for key, active in self.running.items():
            if key in there or key in done or place not in self._places(active, plan):
                continue
            if self.rulings.ask(CONTINUES) == "it goes on":
                found.append(active)
        return found

    def _places(self, active: Active, plan: plans.Plan) -> dict[int, list[str]]:
        """The slots in which an effect applies, each with its parts."""
        known = self.placed.get(active.key)
        if known is not None:
            return known
        found: dict[int, list[str]] = {}
        for part in plans.parts(active.effect):
            place = plan.place(
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
        if len(found) > 1 and not active.cda:
            types = next((place for place, parts in found.items() if plans.TYPE in parts), None)
            if types is not None and self._wholly():
                found = {types: [part for parts in found.values() for part in parts]}
        self.placed[active.key] = found
        return found

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

    def _rank(self, active: Active, plan: plans.Plan, place: int) -> int:
        """What comes first in a layer whatever its timestamp: characteristic-defining abilities, once counters next."""
        if active.cda:
            if plans.CDA in plan.slots[place].kinds:
                return 0
            self.rulings.ask(plans.CDA_FIRST)
            return 0
        if active.counters and plans.POWER in plan.slots[place].kinds:
            return 1 if self.rulings.ask(plans.COUNTERS_AFTER_CDA) == "after them" else 2
        return 2

    def _resolved(self) -> list[Active]:
        found = []
        for number, each in enumerate(self.game.resolved):
            found.append(
                Active(
                    ("resolved", number),
                    each.effect,
                    each.timestamp,
                    holder=each.source,
                    source=each.source,
                    affected=each.affected,
                    called=each.called,
                )
            )
        return found

    def _counters(self) -> list[Active]:
        found = []
        for name, being in self.game.beings.items():
            if not being.exists or being.zone != "battlefield":
                continue
            for kind, (number, timestamp) in being.counters.items():
                match = _POWER_COUNTER.fullmatch(kind)
                if match:
                    effect = Effect(
                        modify=(("power", int(match[1]) * number), ("toughness", int(match[2]) * number)),
                        label=f"{number} {kind} counter{'s' if number > 1 else ''}",
                    )
                elif kind.lower() in KEYWORD_COUNTERS:
                    effect = Effect(abilities=(plain_ability(kind),), label=f"{kind} counter")
                else:
                    continue
                keyword = match is None
                found.append(
                    Active(
                        ("counter", name, kind),
                        effect,
                        timestamp,
                        affected=(name,),
                        counters=True,
                        keyword=keyword,
                    )
                )
        return found

    def _stickers(self) -> list[Active]:
        return [
            Active(("sticker", name, place), sticker.effect, being.timestamp, affected=(name,), called=sticker.text)
            for name, being in self.game.beings.items()
            for place, sticker in enumerate(being.stickers)
            if sticker.effect is not None and being.exists
        ]

    def _static(self) -> list[Active]:
        """The effects of the static abilities that objects have now."""
        found: list[Active] = []
        for name, has in self.has.items():
            being = self.game.beings[name]
            for held in has.abilities:
                ability = held.ability
                if ability.defines is not None:
                    key = (*held.key, "defines")
                    found.append(
                        self.running.get(key)
                        or Active(key, ability.defines, being.timestamp, name, held.source or name, (name,), cda=True)
                    )
                if not ability.static or being.zone != "battlefield" or "phased out" in being.status:
                    continue
                timestamp = self._since(being, held)
                turned = self._left_open(being, held, has)
                for place, effect in enumerate(ability.static):
                    key = (*held.key, place)
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
        return found

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
        if started is not None:
            fixed = active.affected is not None
            if fixed or self.rulings.ask(AFFECTED_SET) == "those to which it first applied":
                return started
        if active.affected is not None:
            return tuple(name for name in active.affected if name in self.has)
        wanted = active.effect.affects
        if not isinstance(wanted, Filter):
            return ()
        return tuple(name for name in self.has if self.matches(name, wanted, active.holder))

    def matches(self, name: str, wanted: Filter, holder: str) -> bool:
        """Whether an object is what a filter describes."""
        being, has = self.game.beings[name], self.has[name]
        if being.zone != wanted.zone or (wanted.others and name == holder) or "phased out" in being.status:
            return False
        if wanted.tokens and (being.kind == "token") != (wanted.tokens == "yes"):
            return False
        if wanted.control and not self._controls(wanted.control, has.controller, holder):
            return False
        for key in ("card_types", "subtypes", "supertypes", "color"):
            needed = getattr(wanted, key)
            if needed:
                self._said(being, key.replace("_", " "))
                have = has.values.get(key.replace("_", " "), ())
                if not all(_in(word, have, key) for word in needed):
                    return False
        if wanted.name and wanted.name.casefold() != str(has.values.get("name", "")).casefold():
            return False
        if any(not any(held.ability.called(word) for held in has.abilities) for word in wanted.abilities):
            return False
        power = has.values.get("power")
        if wanted.power_at_least is not None and not (isinstance(power, int) and power >= wanted.power_at_least):
            return False
        if wanted.power_at_most is not None and not (isinstance(power, int) and power <= wanted.power_at_most):
            return False
        return wanted.without is None or not self.matches(name, replace(wanted.without, zone=wanted.zone), holder)

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
        if amount.of == "none":
            return 0
        if amount.of == "fact":
            if amount.word not in self.game.facts:
                raise self.rulings.refuse(f'the scenario gives no fact "{amount.word}"; give it under facts')
            return self.game.facts[amount.word]
        if amount.of == "count" and amount.filter is not None:
            return sum(1 for other in self.has if self.matches(other, amount.filter, active.holder or name))
        if amount.of == "chosen":
            raise self.rulings.refuse("numbers that are chosen are not modelled")
        on = {"self": name, "source": active.source}.get(amount.on, amount.on)
        if amount.on == "self" and active.static:
            on = active.holder
        if amount.on == "attached":
            on = self.game.beings[active.holder].attached_to
        if amount.on == "source" and active.source != name:
            self.rulings.ask(GRANTED_NAME)
        being = self.game.beings.get(on)
        if being is None:
            return None
        if amount.of == "counters":
            return being.counters.get(amount.word, (0, 0))[0]
        if amount.of == "mana value":
            from rulehist.engine.faces import mana_value_of

            return mana_value_of(str(self.has[on].values.get("mana cost", "")))
        value = self.has[on].values.get(amount.of) if on in self.has else None
        return value if isinstance(value, int) else None

    def outcome(self, active: Active, parts: Iterable[str]) -> tuple[object, ...]:
        """What an effect would do now: the objects that it applies to, and the numbers that it gives them."""
        names = self.affected(active)
        numbers: list[object] = []
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
        if not (active.static or active.cda) or active.key in self.started:
            return True
        return any(active.key[:-1] == held.key for held in self.has[active.holder].abilities)

    # --- applying one effect

    def _apply(self, active: Active, parts: list[str]) -> tuple[str, ...]:
        names = self.affected(active)
        self.started[active.key] = names
        if active.static or active.cda:
            self.running[active.key] = active
        for name in names:
            for part in parts:
                self.change(part, active, name)
        return names

    def try_out(self, active: Active, parts: Iterable[str]) -> None:
        """Apply an effect without noting that it has started; the caller puts everything back."""
        for name in self.affected(active):
            for part in parts:
                self.change(part, active, name)

    def change(self, part: str, active: Active, name: str) -> None:
        """Apply one part of an effect to one object."""
        _PARTS[part](self, active, name)

    def control(self, active: Active, name: str) -> None:
        """Layer 2."""
        player = active.effect.controller
        if player == "you" and active.holder in self.has:
            player = self.has[active.holder].controller
        self.has[name].controller = player

    def text(self, active: Active, name: str) -> None:
        """Layer 3: words in types and rules text, and names."""
        has = self.has[name]
        if "name" in active.effect.set:
            has.values["name"] = active.effect.set["name"]
        words = dict(active.effect.words)
        if words:
            has.values["subtypes"] = tuple(words.get(word, word) for word in has.values.get("subtypes", ()))
            has.abilities = [replace(held, ability=_reworded(held.ability, words)) for held in has.abilities]

    def types(self, active: Active, name: str) -> None:
        """Layer 4."""
        effect, has = active.effect, self.has[name]
        for key in plans.TYPES:
            _change_list(has.values, key, effect)
        if "subtypes" in effect.set and active.cda:
            has.values["subtypes"] = effect.set["subtypes"]
        if effect.land_types:
            self._land_types(effect.land_types, name)

    def _land_types(self, lands: tuple[str, ...], name: str) -> None:
        """The subtype of a land is set to basic land types: its old land types and abilities go."""
        has = self.has[name]
        removes = self.rulings.ask(LAND_TYPE_REMOVES)
        known = {*BASIC_LAND_TYPES, "Desert", "Gate", "Lair", "Locus", "Mine", "Power-Plant", "Tower", "Urza's"}
        kept = tuple(word for word in has.values.get("subtypes", ()) if word not in known)
        has.values["subtypes"] = (*lands, *kept)
        if removes == "all but the mana ability":
            has.abilities = []
            return
        gone = {"text"} if removes.endswith("old land types") else {"text", "exception"}
        if not removes.endswith("copiable effects") and any(held.origin == "merged" for held in has.abilities):
            raise self.rulings.refuse(
                f"the rules of {self.rulings.label} did not say whether {name} loses the abilities of a merger"
            )
        has.abilities = [held for held in has.abilities if held.origin not in {*gone, "merged"}]

    def color(self, active: Active, name: str) -> None:
        """The layer of colors."""
        _change_list(self.has[name].values, "color", active.effect)

    def abilities(self, active: Active, name: str) -> None:
        """The layer of abilities."""
        has, effect = self.has[name], active.effect
        if effect.every_ability:
            has.abilities = []
        for word in effect.lost:
            has.abilities = [held for held in has.abilities if not held.ability.called(word)]
        for place, ability in enumerate(effect.abilities):
            if any(ability.called(word) for word in has.forbidden):
                continue
            key = (*active.key, name, place)
            has.abilities.append(Held(ability, key, active.timestamp, active.source or active.holder, "granted"))

    def cannot(self, active: Active, name: str) -> None:
        """Effects that say an object can't have an ability."""
        has = self.has[name]
        has.forbidden = (*has.forbidden, *active.effect.no_abilities)
        has.abilities = [
            held for held in has.abilities if not any(held.ability.called(word) for word in active.effect.no_abilities)
        ]

    def set_power(self, active: Active, name: str) -> None:
        """Effects that set power or toughness."""
        values = self.has[name].values
        for key, amount in active.effect.base:
            found = self.amount(amount, name, active)
            if found is not None:
                values[key] = found

    def modify(self, active: Active, name: str) -> None:
        """Effects and counters that modify power or toughness."""
        values = self.has[name].values
        for key, amount in active.effect.modify:
            found = self.amount(amount, name, active)
            if found is None or key not in values:
                continue
            if not isinstance(values[key], int):
                raise self.rulings.refuse(
                    f'{name} has the {key} "{values[key]}", and no ability under "defines" says what that is'
                )
            values[key] += found

    def switch(self, active: Active, name: str) -> None:
        """Effects that switch power and toughness."""
        values = self.has[name].values
        if "power" in values and "toughness" in values:
            values["power"], values["toughness"] = values["toughness"], values["power"]

    def describe(self, active: Active) -> str:
        """An effect as a derivation calls it."""
        if active.effect.label:
            return active.effect.label
        if active.called:
            return f"{active.called} ({active.holder})" if active.holder else active.called
        return f"ability of {active.holder}" if active.holder else "effect"


_PARTS: Final[Mapping[str, Callable[[Continuous, Active, str], None]]] = {
    plans.CONTROL: Continuous.control,
    plans.TEXT: Continuous.text,
    plans.TYPE: Continuous.types,
    plans.COLOR: Continuous.color,
    plans.ABILITIES: Continuous.abilities,
    plans.CANNOT: Continuous.cannot,
    plans.SET: Continuous.set_power,
    plans.MODIFY: Continuous.modify,
    plans.SWITCH: Continuous.switch,
}


def _origin(being: Being, ability: Ability) -> tuple[int, str, str]:
    """Since when an object has an ability of its copiable values, from which object, and how it got it."""
    for effect in reversed(being.copiable):
        if effect.kind == "copy":
            origin = "exception" if ability in effect.exceptions.abilities else "text"
            return effect.timestamp, being.made_by, origin
        if effect.kind == "merge" and any(ability in values.get("rules text", ()) for values in effect.faces.values()):  # type: ignore[operator]
            return effect.timestamp, being.made_by, "merged"
    return 0, being.made_by, "text"


def _in(word: str, have: Value, key: str) -> bool:
    if not isinstance(have, tuple):
        return False
    if key == "subtypes" and ALL_CREATURE_TYPES in have:
        return True
    return any(word.casefold() == each.casefold() for each in have)


def _change_list(values: dict[str, Any], key: str, effect: Effect) -> None:
    if key in effect.set:
        values[key] = effect.set[key]
    if key in effect.add:
        values[key] = _with(values.get(key, ()), effect.add[key])
    if key in effect.remove:
        gone = {str(word).casefold() for word in effect.remove[key]}  # type: ignore[union-attr]
        values[key] = tuple(word for word in values.get(key, ()) if word.casefold() not in gone)


def _with(have: tuple[str, ...], more: Any) -> tuple[str, ...]:
    return (*have, *(word for word in more if word not in have))


def _reworded(ability: Ability, words: Mapping[str, str]) -> Ability:
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, words)) + r")\b")
    return replace(
        ability,
        text=pattern.sub(lambda match: words[match[0]], ability.text),
        static=tuple(_reworded_effect(effect, words) for effect in ability.static),
        defines=None if ability.defines is None else _reworded_effect(ability.defines, words),
    )


def _reworded_effect(effect: Effect, words: Mapping[str, str]) -> Effect:
    affects = effect.affects
    if isinstance(affects, Filter):
        affects = _reworded_filter(affects, words)
    return replace(effect, affects=affects, land_types=tuple(words.get(word, word) for word in effect.land_types))


def _reworded_filter(wanted: Filter, words: Mapping[str, str]) -> Filter:
    return replace(
        wanted,
        subtypes=tuple(words.get(word, word) for word in wanted.subtypes),
        color=tuple(words.get(word, word) for word in wanted.color),
        without=None if wanted.without is None else _reworded_filter(wanted.without, words),
    )


__all__ = ["Active", "Applied", "Continuous", "Has", "Held", "Refusal"]
