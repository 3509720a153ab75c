"""What each part of a continuous effect does to an object, in the layer in which it applies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rulehist.engine import layer_plan as plans
from rulehist.engine import subtypes
from rulehist.engine.characteristics import names_of
from rulehist.engine.effects import ALL_CREATURE_TYPES, BASIC_LAND_TYPES, Effect
from rulehist.engine.held import Active, Held
from rulehist.engine.power import number_used
from rulehist.engine.questions import Question
from rulehist.engine.seen import Seen

LAND_TYPE_REMOVES: Final = Question(
    "basic-land-type-removes",
    (
        "those of its rules text and old land types",
        "those of its rules text, old land types and copy effects",
        "those of its rules text, old land types and copiable effects",
        "all but the mana ability",
    ),
)


def change(part: str, seen: Seen, active: Active, name: str) -> None:
    """Apply one part of an effect to one object. Raises ``Refused``."""
    _PARTS[part](seen, active, name)


def _control(seen: Seen, active: Active, name: str) -> None:
    """Layer 2."""
    seen.has[name].controller = controller_given(seen, active)


def controller_given(seen: Seen, active: Active) -> str:
    """The player to whom an effect gives control: ``you`` is who controls the object that it comes from."""
    player = active.effect.controller
    return seen.has[active.holder].controller if player == "you" and active.holder in seen.has else player


def _text(seen: Seen, active: Active, name: str) -> None:
    """Layer 3: words in types and rules text, and names."""
    has = seen.has[name]
    if "name" in active.effect.set:
        has.values["name"] = active.effect.set["name"]
    if "name" in active.effect.add:
        has.values["name"] = _with(names_of(has.values), active.effect.add["name"])
    words = dict(active.effect.words)
    if words:
        from rulehist.engine.text_changes import Rewording  # few scenarios need it

        rewording = Rewording(words)
        has.values["subtypes"] = rewording.each(has.values.get("subtypes", ()))
        has.abilities = [held._replace(ability=rewording.ability(held.ability)) for held in has.abilities]


def _types(seen: Seen, active: Active, name: str) -> None:
    """Layer 4."""
    effect, has = active.effect, seen.has[name]
    before = has.values.get("card types", ())
    given = effect.set.get("subtypes")
    if isinstance(given, tuple):
        effect = effect._replace(set={key: value for key, value in effect.set.items() if key != "subtypes"})
    for key in plans.TYPES:
        if key == "subtypes":
            effect = _fitting(seen, effect, name)
            effect = _creature_types_gone(seen, effect, name)
            if isinstance(given, tuple):
                types = has.values.get("card types", ())
                has.values[key] = subtypes.with_set(has.values.get(key, ()), given, types, seen.rulings)
        _change_list(has.values, key, effect)
    if given is not None:
        has.unsure -= {"subtypes"}
    if effect.land_types or not set(BASIC_LAND_TYPES).isdisjoint(effect.add.get("subtypes", ())):  # type: ignore[arg-type]
        has.stripped = False  # with the basic land type comes its mana ability, whatever was lost before
    if set(before) != set(has.values.get("card types", ())):
        subtypes.after_losing(has, before, seen.rulings)
    if effect.land_types:
        if "land" not in {word.casefold() for word in has.values.get("card types", ())}:
            raise seen.rulings.refuse(f"{name} is no land: what it is to set its basic land types is not modelled")
        _land_types(seen, effect.land_types, name)


def _fitting(seen: Seen, effect: Effect, name: str) -> Effect:
    """An effect without the subtypes that an object cannot gain from it."""
    gained: Any = effect.add.get("subtypes")
    if not gained:
        return effect
    fit = subtypes.fitting(gained, seen.has[name].values.get("card types", ()), seen.rulings)
    return effect._replace(add={**effect.add, "subtypes": fit})


def _creature_types_gone(seen: Seen, effect: Effect, name: str) -> Effect:
    """An effect that takes "all creature types", with those that an object has in the place of these words."""
    removed: Any = effect.remove.get("subtypes", ())
    if not {"all creature types", "creature types"} & {word.casefold() for word in removed}:
        return effect
    have = seen.has[name].values.get("subtypes", ())
    gone = tuple(word for word in have if subtypes.kind_of(word, seen.rulings) == subtypes.CREATURE)
    return effect._replace(remove={**effect.remove, "subtypes": (*removed, *gone, ALL_CREATURE_TYPES)})


def _land_types(seen: Seen, lands: tuple[str, ...], name: str) -> None:
    """The subtype of a land is set to basic land types: its old land types and abilities go."""
    has = seen.has[name]
    removes = seen.rulings.ask(LAND_TYPE_REMOVES)
    kept = tuple(
        word for word in has.values.get("subtypes", ()) if subtypes.kind_of(word, seen.rulings) != subtypes.LAND
    )
    has.values["subtypes"] = (*lands, *kept)
    if removes == "all but the mana ability":
        has.abilities = []
        return
    gone = {"text"} if removes.endswith("old land types") else {"text", "exception"}
    if not removes.endswith("copiable effects") and any(held.origin == "merged" for held in has.abilities):
        raise seen.rulings.refuse(
            f"the rules of {seen.rulings.label} did not say whether {name} loses the abilities of a merger"
        )
    has.abilities = [held for held in has.abilities if held.origin not in {*gone, "merged"}]


def _color(seen: Seen, active: Active, name: str) -> None:
    """The layer of colors."""
    _change_list(seen.has[name].values, "color", active.effect)


def _abilities(seen: Seen, active: Active, name: str) -> None:
    """The layer of abilities."""
    has, effect = seen.has[name], active.effect
    if effect.every_ability:
        has.abilities = []
        has.stripped = True
    for word in effect.lost:
        has.abilities = [held for held in has.abilities if not held.ability.called(word)]
    for place, ability in enumerate(effect.abilities):
        if any(ability.called(word) for word in has.forbidden):
            continue
        key = (*active.key, name, place)
        has.abilities.append(Held(ability, key, active.timestamp, active.source or active.holder, "granted"))


def _cannot(seen: Seen, active: Active, name: str) -> None:
    """Effects that say an object can't have an ability."""
    has = seen.has[name]
    has.forbidden = (*has.forbidden, *active.effect.no_abilities)
    has.abilities = [
        held for held in has.abilities if not any(held.ability.called(word) for word in active.effect.no_abilities)
    ]


def _set(seen: Seen, active: Active, name: str) -> None:
    """Effects that set power or toughness."""
    values = seen.has[name].values
    for key, amount in active.effect.base:
        values[key] = number_used(seen, amount, name, active)


def _modify(seen: Seen, active: Active, name: str) -> None:
    """Effects and counters that modify power or toughness."""
    values = seen.has[name].values
    for key, amount in active.effect.modify:
        if key not in values:
            continue
        if not isinstance(values[key], int):
            raise seen.rulings.refuse(
                f'{name} has the {key} "{values[key]}", and no ability under "defines" says what that is'
            )
        values[key] += number_used(seen, amount, name, active)


def _switch(seen: Seen, _: Active, name: str) -> None:
    """Effects that switch power and toughness."""
    values = seen.has[name].values
    if "power" in values and "toughness" in values:
        values["power"], values["toughness"] = values["toughness"], values["power"]


_PARTS: Final[Mapping[str, Callable[[Seen, Active, str], None]]] = {
    plans.CONTROL: _control,
    plans.TEXT: _text,
    plans.TYPE: _types,
    plans.COLOR: _color,
    plans.ABILITIES: _abilities,
    plans.CANNOT: _cannot,
    plans.SET: _set,
    plans.MODIFY: _modify,
    plans.SWITCH: _switch,
}


def _change_list(values: dict[str, Any], key: str, effect: Effect) -> None:
    if key in effect.set:
        values[key] = effect.set[key]
    if key in effect.add:
        values[key] = _with(values.get(key, ()), effect.add[key])
    if key in effect.remove:
        gone = {str(word).casefold() for word in effect.remove[key]}  # type: ignore[union-attr]
        values[key] = tuple(word for word in values.get(key, ()) if word.casefold() not in gone and "all" not in gone)


def _with(have: tuple[str, ...], more: Any) -> tuple[str, ...]:
    return (*have, *(word for word in more if word not in have))
