"""The objects of a game while a scenario is played: what is on them, and what has happened to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulehist.engine.characteristics import CHARACTERISTICS, Value, Values, colors_of
from rulehist.engine.effects import Ability, Effect, Exceptions
from rulehist.engine.scenario import GameObject, Scenario, Sticker
from rulehist.engine.semantics import Refusal


@dataclass(frozen=True, slots=True)
class CopiableEffect:
    """Something that changes copiable values: a copy effect, a merger, or what an ability set as its object entered.

    ``faces`` are the values of each face that it gives; an empty mapping with ``sets`` changes those that are there.
    ``called`` is the name under which a step can end it. ``result`` are the values of each face with it and all effects
    before it, for a copy effect that does not end.
    """

    kind: str
    timestamp: int
    of: str = ""
    faces: Mapping[str, Values] = field(default_factory=dict)
    sets: Values = field(default_factory=dict)
    exceptions: Exceptions = field(default_factory=Exceptions)
    unsaid: Mapping[str, Refusal] = field(default_factory=dict)
    called: str = ""
    result: Mapping[str, Values] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A continuous effect from a spell or ability that has resolved, with the objects that it affects."""

    effect: Effect
    affected: tuple[str, ...] | None
    timestamp: int
    source: str
    called: str
    spliced: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Being:
    """An object in the game. ``faces`` are its printed values, ``front`` among them; ``listed`` what it is face down.

    ``counters`` have each number with its timestamp; ``chosen`` the choices made, under the link of the ability that
    made them. ``copied_from`` names the object that it last became a copy of. ``known`` are its copiable values with
    the state in which they were found.
    """

    name: str
    kind: str
    zone: str
    faces: dict[str, Values]
    timestamp: int
    owner: str = "you"
    controller: str = "you"
    modal: bool = False
    face: str = "front"
    prototyped: bool = False
    listed: Values | None = None
    status: set[str] = field(default_factory=set)
    counters: dict[str, tuple[int, int]] = field(default_factory=dict)
    stickers: tuple[Sticker, ...] = ()
    attached_to: str = ""
    chosen: dict[str, tuple[str, str]] = field(default_factory=dict)
    choices: dict[str, Value] = field(default_factory=dict)
    copiable: list[CopiableEffect] = field(default_factory=list)
    unsaid: dict[str, Refusal] = field(default_factory=dict)
    set_by: dict[str, Values] = field(default_factory=dict)
    copied_from: str = ""
    made_by: str = ""
    triggered: tuple[str, ...] = ()
    ability_kind: str = ""
    source: str = ""
    exists: bool = True
    entered: bool = False
    known: tuple[object, Values] | None = None

    @property
    def face_down(self) -> bool:
        """Whether it is face down."""
        return "face down" in self.status

    def put(self, kind: str, number: int, timestamp: int) -> None:
        """Put (or, with a negative number, remove) counters."""
        have = self.counters.get(kind, (0, 0))
        total = max(0, have[0] + number)
        if total:
            self.counters[kind] = (total, timestamp if number > 0 else have[1])
        else:
            self.counters.pop(kind, None)


@dataclass(slots=True, eq=False, repr=False)
class Game:
    """Every object, the effects that have resolved, and the numbers that the scenario gives.

    ``grants``: some static ability of the scenario gives abilities to objects.
    """

    source: str
    beings: dict[str, Being] = field(default_factory=dict)
    resolved: list[Resolved] = field(default_factory=list)
    facts: dict[str, int] = field(default_factory=dict)
    clock: int = 0
    grants: bool = False

    def tick(self) -> int:
        """The next timestamp."""
        self.clock += 1
        return self.clock


def own_values(printed: Mapping[str, Any], link: str) -> Values:
    """Printed values with the colors that follow from them; linked abilities are linked to one another by ``link``."""
    values = dict(printed)
    values["color"] = values.get("color") or colors_of(values)
    abilities = values.get("rules text", ())
    if abilities:
        values["rules text"] = linked(abilities, link)
    return {key: values[key] for key in CHARACTERISTICS if key in values}


def linked(abilities: Any, link: str) -> Any:
    """Abilities of one object, or of one effect, that refer to a choice, linked to the ability that makes it."""
    if not any(each.choose or each.chosen for each in abilities):
        return abilities
    return tuple(replace(each, linked=link) if each.choose or each.chosen else each for each in abilities)


def begin(scenario: Scenario) -> Game:
    """The game as a scenario begins; objects have the timestamps of their order in the file."""
    game = Game(scenario.source, facts=dict(scenario.facts), grants=_grants(scenario))
    for name, each in scenario.objects.items():
        game.beings[name] = being(each, game)
    for name, each in scenario.objects.items():
        for effect in each.effects:
            game.resolved.append(Resolved(effect, (name,), game.tick(), "", ""))
    return game


def being(each: GameObject, game: Game) -> Being:
    """An object of the scenario in the game."""
    faces = {"front": own_values(each.printed, each.name)}
    for face, values in each.faces.items():
        whole = {**each.printed, **values} if face == "prototype" else dict(values)
        if face == "prototype" and "mana cost" in values:
            whole.pop("color", None)
        faces[face] = own_values(whole, f"{each.name} {face}")
    timestamp = game.tick()
    made = Being(
        name=each.name,
        kind=each.kind,
        zone=each.zone,
        faces=faces,
        timestamp=timestamp,
        owner=each.owner,
        controller=each.controller or each.owner,
        modal=each.modal,
        face=each.face,
        prototyped=each.prototyped,
        listed=None if each.face_down_as is None else own_values(each.face_down_as, f"{each.name} face down"),
        status=set(each.status),
        stickers=each.stickers,
        attached_to=each.attached_to,
        choices=dict(each.choices),
        set_by=dict(each.set_by),
        ability_kind=each.ability_kind,
        source=each.source,
    )
    for kind, number in each.counters.items():
        made.counters[kind] = (number, game.tick())
    for word, value in each.chosen.items():
        made.chosen[each.name] = (word, value)
    return made


def _grants(scenario: Scenario) -> bool:
    """Whether a static ability anywhere in the scenario gives abilities to objects."""
    waiting: list[Any] = [each.printed for each in scenario.objects.values()]
    waiting += [each.faces for each in scenario.objects.values()]
    waiting += [each.set_by for each in scenario.objects.values()]
    waiting += [step.given for step in scenario.steps]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, tuple):
            waiting += value
        elif isinstance(value, Ability):
            if any(effect.abilities for effect in value.static):
                return True
        elif isinstance(value, Effect):
            waiting += value.abilities
        elif isinstance(value, Exceptions):
            waiting += [value.abilities, *(more for _, more in value.when)]
    return False
