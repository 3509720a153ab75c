"""Where each part of a continuous effect applies, in the layers as the rules of a day number them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol

from rulehist.engine.effects import Effect
from rulehist.engine.questions import LAYERS, Question, Rulings

CONTROL, TEXT, TYPE, COLOR, ABILITIES, CANNOT, SET, MODIFY, SWITCH = (
    "control",
    "text",
    "type",
    "color",
    "abilities",
    "can't have an ability",
    "set",
    "modify",
    "switch",
)
OF_POWER: Final = (SET, MODIFY, SWITCH)
TYPES: Final = ("card types", "subtypes", "supertypes")
CDA, COUNTERS, STATIC = "characteristic-defining abilities", "counters", "modify by static abilities"
OTHER_POWER, POWER, OTHER = "other power and toughness", "power and toughness", "other"
POWER_KINDS: Final = frozenset({*OF_POWER, CDA, COUNTERS, STATIC, OTHER_POWER, POWER})

PARTS_IN: Final = {
    CONTROL: (CONTROL, OTHER),
    TEXT: (TEXT, OTHER),
    TYPE: (TYPE, OTHER),
    COLOR: (COLOR, OTHER),
    ABILITIES: (ABILITIES, OTHER),
    SET: (SET, OTHER_POWER, POWER, OTHER),
    MODIFY: (MODIFY, OTHER_POWER, POWER, OTHER),
    STATIC: (STATIC, MODIFY, OTHER_POWER, POWER, OTHER),
    COUNTERS: (COUNTERS, MODIFY, POWER, OTHER),
    SWITCH: (SWITCH, OTHER_POWER, POWER, OTHER),
}
"""For each part of an effect, the kinds of layers that may have it, the nearest first."""

MULTI_LAYER: Final = Question(
    "multi-layer-effects",
    ("each part in its layer", "each part in its layer, but type-changing effects wholly in layer 4"),
)
WHOLE_TYPES: Final = Question("type-changing-abilities-whole", ("wholly with types",))
CDA_FIRST: Final = Question("cda-first", ("first", "first in layers 2 to 6", "in a layer of their own"))
COUNTERS_AFTER_CDA: Final = Question("counters-after-cda", ("after them", "in timestamp order"))


class Slot(NamedTuple):
    """A layer or sublayer: its number as printed (``7c``) and what kinds of effects it has."""

    number: str
    kinds: tuple[str, ...]


class Plan(NamedTuple):
    """The layers of a version in order. ``places`` leads from a kind to the index of its slot."""

    slots: tuple[Slot, ...]
    places: Mapping[str, int]

    def place(self, part: str, *, cda: bool, counters: bool, static: bool, keyword: bool = False) -> int | None:
        """The index of the slot in which a part of an effect applies; ``None``: the rules name none."""
        places = self.places
        if counters and keyword:
            return places.get("keyword counters")
        wanted: list[str] = []
        if cda:
            own = places.get(CDA)
            if own is not None and (part in OF_POWER or POWER not in self._sublayered()):
                wanted.append(CDA)
        if counters:
            wanted.append(COUNTERS)
        elif part == MODIFY and static:
            wanted.append(STATIC)
        wanted.append(part)
        if part in OF_POWER:
            wanted += [OTHER_POWER, POWER]
        if part not in OF_POWER or POWER not in places:
            wanted.append(OTHER)
        return next((places[kind] for kind in wanted if kind in places), None)

    def _sublayered(self) -> tuple[str, ...]:
        """``POWER`` where layers number sublayers for power and toughness."""
        return (POWER,) if any(not slot.number.isdigit() for slot in self.slots) else ()


_PLANS: dict[tuple[str, ...], Plan] = {}


class PlacedEffect(Protocol):
    """What the plan has to know of an effect."""

    @property
    def effect(self) -> Effect:
        """What it does."""


def plan(rulings: Rulings, effects: Iterable[PlacedEffect]) -> Plan:
    """The layers as the rules of the day have them.

    Before there were any, effects of one kind still had their timestamps; of several kinds there is no order then,
    which raises ``Refused``, as do layers that are not read.
    """
    listed = rulings.listed(LAYERS)
    if not listed:
        kinds = {part for each in effects for part in parts(each.effect)}
        if len(kinds) > 1:
            raise rulings.refuse(
                f"the rules of {rulings.label} did not say in what order effects of several kinds apply: "
                f"{', '.join(sorted(kinds))}"
            )
        return _made(tuple(f" {kind}" for kind in kinds))
    found = _PLANS.get(listed)
    if found is None:
        found = _PLANS[listed] = _made(listed)
    return found


def _made(listed: tuple[str, ...]) -> Plan:
    kinds: dict[str, list[str]] = {}
    for entry in listed:
        number, _, kind = entry.partition(" ")
        kinds.setdefault(number, []).append(kind)
    # a layer that is divided stands for its sublayers
    numbers = [n for n in kinds if not any(other != n and other.startswith(n) for other in kinds)]
    slots = tuple(Slot(number, tuple(kinds[number])) for number in sorted(numbers))
    places = {kind: place for place, slot in enumerate(slots) for kind in slot.kinds}
    return Plan(slots, places)


def parts(effect: Effect) -> tuple[str, ...]:
    """The parts of an effect, in the order of the layers of any day."""
    found = []
    if effect.controller:
        found.append(CONTROL)
    if effect.words or "name" in effect.set or "name" in effect.add:
        found.append(TEXT)
    if effect.land_types or any(key in each for each in (effect.set, effect.add, effect.remove) for key in TYPES):
        found.append(TYPE)
    if any("color" in each for each in (effect.set, effect.add, effect.remove)):
        found.append(COLOR)
    if effect.abilities or effect.every_ability or effect.lost:
        found.append(ABILITIES)
    if effect.no_abilities:
        found.append(CANNOT)
    if effect.base:
        found.append(SET)
    if effect.modify:
        found.append(MODIFY)
    if effect.switch:
        found.append(SWITCH)
    return tuple(found)
