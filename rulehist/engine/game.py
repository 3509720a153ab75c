"""The objects of a game while a scenario is played: what is on them, and what has happened to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rulehist.engine.characteristics import CHARACTERISTICS, EMPTY, UNFLIPPED, Value, Values, colors_of
from rulehist.engine.effects import Effect, Exceptions, of_its_own
from rulehist.engine.scenario import GameObject, Scenario, Sticker
from rulehist.engine.semantics import Refusal

GONE: Final = ", which has left"
"""What follows the name of an object that a name in an ability means, once that object has changed zones."""


class CopiableEffect(NamedTuple):
    """Something that changes copiable values: a copy effect, a merger, or what an ability set as its object entered.

    ``faces`` are the values of each face that it gives; an empty mapping with ``sets`` changes those that are there.
    ``called`` is the name under which a step can end it. ``result`` are the values of each face with it and all effects
    before it, for a copy effect that does not end.
    """

    kind: str
    timestamp: int
    of: str = ""
    faces: Mapping[str, Values] = EMPTY
    sets: Values = EMPTY
    exceptions: Exceptions = Exceptions()
    unsaid: Mapping[str, Refusal] = EMPTY
    called: str = ""
    result: Mapping[str, Values] = EMPTY


class Resolved(NamedTuple):
    """A continuous effect from a spell or ability that has resolved, with the objects that it affects."""

    effect: Effect
    affected: tuple[str, ...] | None
    timestamp: int
    source: str
    called: str
    spliced: bool = False


class Being:
    """An object in the game. ``faces`` are its printed values, ``front`` among them; ``listed`` what it is face down.

    ``counters`` have each number with its timestamp; ``chosen`` the choices made, under the link of the ability that
    made them. ``made_by`` is the object that a name in an ability granted to it means (with ``GONE``, once that left
    its zone). ``copied_from`` names the object that it last became a copy of. ``known`` are its copiable values with
    the state in which they were found. ``cast`` is the part as which a spell was cast, such as ``adventure``.
    ``parts`` are the objects whose cards represent it together, the topmost first: of a merged permanent with itself,
    whose own component was of ``own_kind``, of a ``melded`` one without. ``unlocked`` are halves of a Room.
    ``since`` is when it entered its zone: one moment for all that enter together, while their timestamps follow each
    other. ``changed`` is when it was last turned, transformed or flipped or a copy effect on it ended. ``lost_host``:
    what it was attached to has left.
    """

    __slots__ = (
        "ability_kind", "attached_to", "cast", "cast_from", "changed", "choices", "chosen", "controller", "copiable",
        "copied_from", "counters", "designations", "entered", "exists", "face", "faces", "kind", "known", "level",
        "linked", "listed", "lost_host", "made_by", "melded", "modal", "name", "own_kind", "owner", "parts",
        "prototyped", "set_by", "since", "source", "status", "stickers", "timestamp", "triggered", "unlocked",
        "unsaid", "zone",
    )  # fmt: skip

    def __init__(self, name: str, kind: str, zone: str, faces: dict[str, Values], timestamp: int) -> None:
        self.name = name
        self.kind = kind
        self.zone = zone
        self.faces = faces
        self.timestamp = timestamp
        self.owner = "you"
        self.controller = "you"
        self.modal = False
        self.face = "front"
        self.prototyped = False
        self.cast = ""
        self.cast_from = ""
        self.parts: list[Being] = []
        self.melded = False
        self.own_kind = ""
        self.unlocked: set[str] = set()
        self.designations: set[str] = set()
        self.level = 0
        self.listed: Values | None = None
        self.status: set[str] = set()
        self.counters: dict[str, tuple[int, int]] = {}
        self.stickers: tuple[Sticker, ...] = ()
        self.attached_to = ""
        self.lost_host = False
        self.chosen: dict[str, tuple[str, str]] = {}
        self.choices: dict[str, Value] = {}
        self.copiable: list[CopiableEffect] = []
        self.unsaid: dict[str, Refusal] = {}
        self.set_by: dict[str, Values] = {}
        self.copied_from = ""
        self.made_by = ""
        self.triggered: tuple[str, ...] = ()
        self.ability_kind = ""
        self.source = ""
        self.exists = True
        self.entered = False
        self.known: tuple[object, Values] | None = None
        self.since = timestamp
        self.changed = 0
        self.linked: tuple[str, ...] = ()

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


class Game:
    """Every object, the effects that have resolved, and the numbers that the scenario gives.

    ``grants``: some static ability of the scenario gives abilities to objects. ``active`` is the active player and
    ``turn_order`` the players in turn order, where the scenario says so. ``locked_facts`` are those to which an effect
    that has resolved has set power or toughness. ``interchangeable`` leads from a name to one that is the same, both in
    small letters. ``words_on_entering``: some ability of the scenario, given as words, may change how others enter.
    """

    __slots__ = (
        "active",
        "beings",
        "clock",
        "facts",
        "grants",
        "interchangeable",
        "locked_facts",
        "resolved",
        "source",
        "turn_order",
        "words_on_entering",
    )

    def __init__(self, source: str, facts: Mapping[str, int], *, grants: bool) -> None:
        self.source = source
        self.beings: dict[str, Being] = {}
        self.resolved: list[Resolved] = []
        self.facts = dict(facts)
        self.locked_facts: set[str] = set()
        self.interchangeable: dict[str, str] = {}
        self.clock = 0
        self.grants = grants
        self.words_on_entering = True
        self.active = ""
        self.turn_order: tuple[str, ...] = ()

    def forget(self, name: str) -> None:
        """End what effects do to an object, which becomes a new one."""
        self.resolved = [
            each._replace(affected=tuple(other for other in each.affected or () if other != name))
            if name in (each.affected or ())
            else each
            for each in self.resolved
        ]

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
        name = str(values.get("name", ""))
        values["rules text"] = linked(tuple(of_its_own(each, name) for each in abilities), link)
    return {key: values[key] for key in CHARACTERISTICS if key in values}


def linked(abilities: Any, link: str) -> Any:
    """Abilities of one object, or of one effect, that refer to a choice, linked to the ability that makes it."""
    if not any(each.choose or each.chosen for each in abilities):
        return abilities
    return tuple(each._replace(linked=link) if each.choose or each.chosen else each for each in abilities)


def begin(scenario: Scenario) -> Game:
    """The game as a scenario begins; objects have the timestamps of their order in the file."""
    game = Game(scenario.source, scenario.facts, grants=scenario.grants)
    game.interchangeable = {one.casefold(): other.casefold() for one, other in scenario.interchangeable.items()}
    game.words_on_entering = scenario.words_on_entering
    game.active, game.turn_order = scenario.active, scenario.turn_order
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
        whole = {**each.printed, **values} if face in ("prototype", "left half", "right half") else dict(values)
        if face == "prototype" and "mana cost" in values:
            whole.pop("color", None)
        if face == "flipped":
            # The lower half of a flip card has none of these: they "don't change if the permanent is flipped".
            whole |= {key: each.printed[key] for key in UNFLIPPED if key in each.printed}
        faces[face] = own_values(whole, f"{each.name} {face}")
    if "left half" in faces:
        from rulehist.engine.halves import of_both

        faces["front"] = of_both(faces["left half"], faces["right half"])
    made = Being(each.name, each.kind, each.zone, faces, game.tick())
    made.owner = each.owner
    made.controller = each.controller or each.owner
    made.modal = each.modal
    made.face = each.face
    made.prototyped = each.prototyped
    made.cast = each.cast
    made.unlocked = set(each.unlocked)
    made.designations, made.level = set(each.designations), each.level
    if each.face_down_as is not None:
        made.listed = own_values(each.face_down_as, f"{each.name} face down")
    made.status = set(each.status)
    made.stickers = each.stickers
    made.attached_to = each.attached_to
    made.choices = dict(each.choices)
    made.set_by = dict(each.set_by)
    made.ability_kind = each.ability_kind
    made.source = each.source
    for kind, number in each.counters.items():
        made.counters[kind] = (number, game.tick())
    for word, value in each.chosen.items():
        made.chosen[each.name] = (word, value)
    return made
