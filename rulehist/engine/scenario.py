"""Scenario files: objects, what happens to them, and what is expected, in a closed vocabulary.

A scenario is YAML::

    scenario: A creature with a sticker is copied
    objects:
      bear:
        name: Runeclaw Bear
        mana cost: "{1}{G}"
        card types: [Creature]
        power: 2
        toughness: 2
        stickers: [flying]
      clone: {name: Clone}
    steps:
      - enters as a copy: {object: clone, of: bear}
    expect:
      clone.power: 2
      clone.stickers: none

docs/engine.md lists every key. A word that is no key is a ``ScenarioError`` naming file, line, the keys that exist
and the nearest right one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from rulehist.engine import characteristics as ch
from rulehist.engine.characteristics import EMPTY, Value, Values
from rulehist.engine.effects import Ability, Effect, Exceptions, grants_abilities
from rulehist.engine.shapes import (
    NOTHING,
    Each,
    Either,
    Fields,
    Known,
    Made,
    Map,
    Named,
    Shape,
    Source,
    Text,
    Whole,
    Word,
    YesNo,
    written,
)
from rulehist.engine.vocabulary import (
    CHOICES,
    DESIGNATIONS,
    EFFECT_FIELDS,
    EFFECT_KINDS,
    FACES,
    KINDS,
    PARTS,
    SET_BY_ABILITY,
    SHAPES,
    STATUSES,
    ZONES,
    Names,
    Numbers,
    characteristics,
    effect_of,
)
from rulehist.engine.yaml_tree import Node, Scalar, read_yaml, read_yaml_file
from rulehist.errors import DataError, ScenarioError
from rulehist.resources import data_folder


class StepKind(StrEnum):
    """What can happen."""

    ENTERS = "enters"
    ENTERS_AS_COPY = "enters as a copy"
    BECOMES_COPY = "becomes a copy"
    CREATE_TOKEN = "create a token"  # noqa: S105 - a token of the game
    CREATE_TOKEN_COPY = "create a token copy"  # noqa: S105
    COPY_SPELL = "copy a spell"
    CAST = "cast"
    RESOLVES = "resolves"
    EFFECT = "effect"
    ENDS = "ends"
    PUT_COUNTERS = "put counters"
    REMOVE_COUNTERS = "remove counters"
    ATTACH = "attach"
    TURN_UP = "turn face up"
    TURN_DOWN = "turn face down"
    TRANSFORM = "transform"
    FLIP = "flip"
    TAP = "tap"
    UNTAP = "untap"
    UNATTACH = "unattach"
    DESIGNATIONS = "designations"
    UNLOCK = "unlock"
    LOCK = "lock"
    LEAVES = "leaves"
    MERGE = "merge"
    MELD = "meld"
    GAINS_ABILITIES = "gains abilities"
    SPLICE = "splice"
    STATE_BASED = "state-based actions"
    FACTS = "facts"
    BY_NAME = "by name"
    THAT_OBJECT = "that object"
    TOGETHER = "together"
    EXPECT = "expect"


HALVES: Final = ("left half", "right half")
BESIDE: Final = ("adventure", "omen")
ABILITY_KINDS: Final = ("activated", "triggered")
NEW_OBJECT: Final = (StepKind.MELD, StepKind.CREATE_TOKEN, StepKind.CREATE_TOKEN_COPY, StepKind.COPY_SPELL)
AT_ONCE: Final = (
    StepKind.ENTERS,
    StepKind.ENTERS_AS_COPY,
    StepKind.CREATE_TOKEN,
    StepKind.CREATE_TOKEN_COPY,
    StepKind.ATTACH,
    StepKind.TURN_UP,
    StepKind.TURN_DOWN,
    StepKind.TRANSFORM,
)
"""What can happen to several objects at the same time: each gives its object a timestamp."""


class Sticker(NamedTuple):
    """A sticker on an object: its text as the scenario calls it, and what it does where that is said."""

    text: str
    effect: Effect | None = None


class GameObject(NamedTuple):
    """An object as the scenario begins: what is printed on it, and its state.

    ``face_down_as`` are the characteristics that the rule or ability lists which lets it be face down; ``None``: the
    scenario does not say. ``set_by`` has what abilities set ``as it enters`` or ``as it is turned face up``.
    ``ability_kind`` and ``source`` are those of an ability on the stack.
    ``copy_of`` names the object that it already is a copy of. ``faces`` are its other faces: ``back``, ``flipped``,
    ``prototype``, halves, ``adventure``, ``omen``; ``cast`` is the one as which a spell was cast.
    ``melded`` are the two cards that represent a melded permanent, ``unlocked`` the halves of a Room; ``level`` is that
    of a Class, 0 where it was given none.
    """

    name: str
    line: int
    kind: str = "card"
    zone: str = "battlefield"
    printed: Values = EMPTY
    faces: Mapping[str, Values] = EMPTY
    modal: bool = False
    face: str = "front"
    prototyped: bool = False
    cast: str = ""
    melded: tuple[str, ...] = ()
    unlocked: tuple[str, ...] = ()
    designations: tuple[str, ...] = ()
    level: int = 0
    face_down_as: Values | None = None
    set_by: Mapping[str, Values] = EMPTY
    status: tuple[str, ...] = ()
    counters: Mapping[str, int] = EMPTY
    stickers: tuple[Sticker, ...] = ()
    effects: tuple[Effect, ...] = ()
    copy_of: str | None = None
    owner: str = "you"
    controller: str = ""
    attached_to: str = ""
    chosen: Mapping[str, str] = EMPTY
    choices: Values = EMPTY
    ability_kind: str = ""
    source: str = ""


class Step(NamedTuple):
    """Something that happens. ``object`` is what it happens to, ``of`` what is copied; ``given`` has the other keys."""

    kind: StepKind
    object: str
    of: str
    line: int
    given: Mapping[str, Any] = EMPTY

    @property
    def choices(self) -> Values:
        """New choices for a copied spell."""
        return {key: self.given[key] for key in CHOICES if key in self.given}

    @property
    def exceptions(self) -> Exceptions:
        """The exceptions of its copy effect."""
        found = self.given.get("except")
        return found if isinstance(found, Exceptions) else Exceptions()


class Expectation(NamedTuple):
    """What the scenario expects at a dotted path, such as ``clone.power`` or ``clone.counters.+1/+1``.

    ``object`` is the first part of the path, ``place`` what of it is asked, ``rest`` what follows (the kind of counter,
    the ability, the other object).
    """

    path: str
    expected: Value
    line: int
    object: str = ""
    place: str = ""
    rest: str = ""


class Scenario(NamedTuple):
    """A scenario file, read and checked. ``source`` is its name as given.

    ``examples`` are the identities of the rules' own examples that it states, ``since`` and ``until`` the versions for
    which its expectations are stated (``since`` is in, ``until`` is not). ``active`` is the active player, where that
    is said, and ``turn_order`` the players in the order of their turns. ``grants``: some static ability in it gives
    abilities to objects.
    """

    source: str
    title: str
    objects: Mapping[str, GameObject]
    steps: tuple[Step, ...]
    expectations: tuple[Expectation, ...]
    facts: Mapping[str, int] = EMPTY
    examples: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    as_of: tuple[str, ...] = ()
    active: str = ""
    turn_order: tuple[str, ...] = ()
    interchangeable: Mapping[str, str] = EMPTY
    grants: bool = True


class Day:
    """A date, ``YYYY-MM-DD``."""

    def read(self, node: Node, at: Source) -> str:
        """The date as a text."""
        text = at.text(node)
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            raise at.error(node.line, f'"{text[:40]}" is no date; write YYYY-MM-DD') from None

    def schema(self) -> dict[str, Any]:
        """A date."""
        return {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}


class Kicked:
    """Whether a spell was kicked, or how many times."""

    def read(self, node: Node, at: Source) -> str:
        """``yes``, ``no`` or a number."""
        text = at.text(node)
        if text.isdecimal() and len(text) < 4:
            return text
        return "yes" if YesNo("kicked, where it is no number of times,").read(node, at) else "no"

    def schema(self) -> dict[str, Any]:
        """Yes, no or a number."""
        return {"anyOf": [YesNo().schema(), Whole("a number").schema()]}


class Division:
    """How a spell's effect is divided: a table of targets and numbers."""

    def read(self, node: Node, at: Source) -> tuple[str, ...]:
        """Lines of target and number."""
        return tuple(f"{name}: {at.text(child)}" for name, (_, child) in at.entries(node, "division").items())

    def schema(self) -> dict[str, Any]:
        """A table."""
        return {"type": "object"}


def _old_effect(found: Mapping[str, Any]) -> Effect:
    sets = {key: value for key, value in found.items() if key not in ("kind", "controller")}
    base = tuple((key, sets.pop(key)) for key in ("power", "toughness") if key in sets)
    abilities = sets.pop("rules text", ())
    return Effect(set=sets, base=base, abilities=abilities, controller=found.get("controller", ""))


def _sticker(found: Mapping[str, Any] | str) -> Sticker:
    if isinstance(found, str):
        return Sticker(found)
    return Sticker(found["sticker"], found.get("effect"))


SHAPES["characteristics"] = Fields("characteristics", characteristics())
_CHARACTERISTICS: Final = Named("characteristics", SHAPES)
_CHOICE_SHAPES: Final[dict[str, Shape]] = {
    "mode": Each(Text()),
    "targets": Each(Text()),
    "x": Whole("x", signed=True),
    "kicked": Kicked(),
    "division": Division(),
    "objects paid": Each(Text()),
    "mana spent": Text(),
    "costs paid": Each(Text()),
}
_COUNTERS: Final = Map("counters", Whole("the number of counters"))
OBJECT: Final = Fields(
    "an object",
    {
        "card": Text(),
        "kind": Word("kind of object", KINDS),
        "zone": Word("zone", ZONES),
        **characteristics(),
        "back face": _CHARACTERISTICS,
        "flipped face": _CHARACTERISTICS,
        "prototype": _CHARACTERISTICS,
        "prototyped": YesNo("prototyped"),
        "modal": YesNo("modal"),
        "face": Word("face", FACES),
        **dict.fromkeys((*HALVES, *BESIDE), _CHARACTERISTICS),
        "cast as": Word("part of a card", PARTS),
        "melded from": Each(Known()),
        "unlocked": Each(Word("half", HALVES)),
        "designations": Each(Word("designation", DESIGNATIONS)),
        "class level": Whole("a level"),
        "face down as": _CHARACTERISTICS,
        **dict.fromkeys(SET_BY_ABILITY, _CHARACTERISTICS),
        "status": Each(Word("status", STATUSES)),
        "counters": _COUNTERS,
        "stickers": Each(
            Made(
                Either(
                    Fields("a sticker", {"sticker": Text(), "effect": Named("effect", SHAPES)}, ("sticker",)), Text()
                ),
                _sticker,
            )
        ),
        "effects": Each(
            Made(
                Fields(
                    "an effect",
                    {"kind": Word("kind of effect", EFFECT_KINDS), **characteristics(), "controller": Text()},
                    ("kind",),
                ),
                _old_effect,
            )
        ),
        "copy of": Text(),
        "owner": Text(),
        "controller": Text(),
        "attached to": Text(),
        "chosen": Map("the choices made as it entered", Text()),
        "kind of ability": Word("kind of ability", ABILITY_KINDS),
        "source": Text(),
        **_CHOICE_SHAPES,
    },
)
_SAID: Final[dict[str, Shape]] = {
    "except": Named("exceptions", SHAPES),
    "controller": Text(),
    "choose": Map("what is chosen as it enters", Text()),
    **dict.fromkeys(SET_BY_ABILITY, _CHARACTERISTICS),
    "called": Text(),
}
_ENTERING: Final[dict[str, Shape]] = {
    **_SAID,
    "choosing": Each(Known()),
    "copy of": Known(),
    "face down as": _CHARACTERISTICS,
    "face": Word("face", FACES),
    "prototyped": YesNo("prototyped"),
    "x": Whole("x"),
    "counters": _COUNTERS,
    "tapped": YesNo("tapped"),
    "first": Word("choice", ("copy effect", "own ability")),
    "with effect": Named("effect", SHAPES),
}
_RESOLVING: Final[dict[str, Shape]] = {
    key: _ENTERING[key] for key in ("choosing", "choose", *SET_BY_ABILITY[:1], "controller", "counters")
}
_OBJECT_ONLY: Final[dict[str, Shape]] = {"object": Known()}
_COPY: Final[dict[str, Shape]] = {"object": Known(), "of": Known()}
STEPS: Final[dict[str, Shape]] = {
    StepKind.ENTERS: Fields('the step "enters"', {**_OBJECT_ONLY, **_ENTERING}, ("object",)),
    StepKind.ENTERS_AS_COPY: Fields('the step "enters as a copy"', {**_COPY, **_ENTERING}, ("object", "of")),
    StepKind.BECOMES_COPY: Fields(
        'the step "becomes a copy"', {**_COPY, "except": _SAID["except"], "called": Text()}, ("object", "of")
    ),
    StepKind.CREATE_TOKEN: Fields(
        'the step "create a token"',
        {
            "object": Text(),
            "card": Text(),
            **characteristics(),
            "controller": Text(),
            "back face": _CHARACTERISTICS,
            "source": Known(),
            **{key: _ENTERING[key] for key in ("counters", "tapped", "choose")},
        },
        ("object",),
    ),
    StepKind.CREATE_TOKEN_COPY: Fields(
        'the step "create a token copy"', {"object": Text(), "of": Text(), **_ENTERING}, ("object", "of")
    ),
    StepKind.COPY_SPELL: Fields(
        'the step "copy a spell"',
        {
            "object": Text(),
            "of": Known(),
            "except": Named("exceptions", SHAPES),
            "controller": Text(),
            "instructed": Text(),
            "new target": Each(Text()),
            "chooses": Text(),
            **_CHOICE_SHAPES,
        },
        ("object", "of"),
    ),
    StepKind.CAST: Fields(
        'the step "cast"',
        {
            **_OBJECT_ONLY,
            "as": Word("part of a card", PARTS),
            "controller": Text(),
            "face": Word("face", FACES),
            "face down as": _CHARACTERISTICS,
            "prototyped": YesNo("prototyped"),
            **_CHOICE_SHAPES,
        },
        ("object",),
    ),
    StepKind.RESOLVES: Fields('the step "resolves"', {**_OBJECT_ONLY, **_RESOLVING}, ("object",)),
    StepKind.EFFECT: Fields('the step "effect"', {**EFFECT_FIELDS, "source": Known()}, ("affects",)),
    StepKind.ENDS: Text(),
    StepKind.PUT_COUNTERS: Fields(
        'the step "put counters"', {"object": Known(), "counters": _COUNTERS}, ("object", "counters")
    ),
    StepKind.REMOVE_COUNTERS: Fields(
        'the step "remove counters"', {"object": Known(), "counters": _COUNTERS}, ("object", "counters")
    ),
    StepKind.ATTACH: Fields('the step "attach"', {"object": Known(), "to": Known()}, ("object", "to")),
    StepKind.TURN_UP: Fields(
        'the step "turn face up"', {**_OBJECT_ONLY, SET_BY_ABILITY[1]: _CHARACTERISTICS}, ("object",)
    ),
    StepKind.TURN_DOWN: Fields('the step "turn face down"', {**_OBJECT_ONLY, "as": _CHARACTERISTICS}, ("object",)),
    StepKind.TRANSFORM: Fields('the step "transform"', _OBJECT_ONLY, ("object",)),
    StepKind.FLIP: Fields('the step "flip"', _OBJECT_ONLY, ("object",)),
    StepKind.TAP: Fields('the step "tap"', _OBJECT_ONLY, ("object",)),
    StepKind.UNTAP: Fields('the step "untap"', _OBJECT_ONLY, ("object",)),
    StepKind.UNATTACH: Fields('the step "unattach"', _OBJECT_ONLY, ("object",)),
    StepKind.DESIGNATIONS: Fields(
        'the step "designations"',
        {
            **_OBJECT_ONLY,
            **dict.fromkeys(("gains", "loses"), Each(Word("designation", DESIGNATIONS))),
            "class level": Whole("a level"),
        },
        ("object",),
    ),
    StepKind.UNLOCK: Fields('the step "unlock"', {**_OBJECT_ONLY, "half": Word("half", HALVES)}, ("object", "half")),
    StepKind.LOCK: Fields('the step "lock"', {**_OBJECT_ONLY, "half": Word("half", HALVES)}, ("object", "half")),
    StepKind.LEAVES: Fields('the step "leaves"', {**_OBJECT_ONLY, "to": Word("zone", ZONES)}, ("object", "to")),
    StepKind.MERGE: Fields(
        'the step "merge"',
        {**_OBJECT_ONLY, "with": Known(), "on": Word("place", ("top", "bottom"))},
        ("object", "with"),
    ),
    StepKind.MELD: Fields(
        'the step "meld"',
        {"object": Text(), "cards": Each(Known()), **characteristics(), "controller": Text(), "counters": _COUNTERS},
        ("object", "cards"),
    ),
    StepKind.GAINS_ABILITIES: Fields(
        'the step "gains abilities"',
        {**_COPY, "which": Word("kind of ability", ("activated", "all")), "called": Text()},
        ("object", "of"),
    ),
    StepKind.SPLICE: Fields(
        'the step "splice"', {**_COPY, "rules text": Each(Named("ability", SHAPES))}, ("object", "of", "rules text")
    ),
    StepKind.STATE_BASED: Fields('the step "state-based actions"', {"keep": Each(Known())}),
    StepKind.FACTS: Map("facts", Whole("a fact", signed=True)),
    StepKind.BY_NAME: Fields(
        'the step "by name"',
        {
            "object": Known(),
            "called": Text(),
            "after moving it to": Word("zone", ZONES),
            "put counters": _COUNTERS,
            "leaves to": Word("zone", ZONES),
        },
        ("object", "called"),
    ),
    StepKind.THAT_OBJECT: Fields(
        'the step "that object"',
        {
            "object": Known(),
            "as": Text(),
            "put counters": _COUNTERS,
            "leaves to": Word("zone", ZONES),
        },
        ("object", "as"),
    ),
    StepKind.EXPECT: Map("expect", Each(Text())),
}
AT_ONCE_STEP: Final = Fields('a step of "together"', {kind.value: STEPS[kind] for kind in AT_ONCE})
TOGETHER: Final = Fields(
    'the step "together"', {"steps": Each(AT_ONCE_STEP), "orders": Map("orders", Each(Known()))}, ("steps",)
)
STEPS[StepKind.TOGETHER] = TOGETHER
TOP: Final = Fields(
    "a scenario",
    {
        "scenario": Text(),
        "objects": Map("objects", OBJECT),
        "steps": Each(Fields("a step", STEPS)),
        "expect": Map("expect", Each(Text())),
        "facts": Map("facts", Whole("a fact", signed=True)),
        "interchangeable names": Map("interchangeable names", Text()),
        "examples": Each(Text()),
        "from": Day(),
        "until": Day(),
        "as of": Each(Text()),
        "active player": Text(),
        "turn order": Each(Text()),
    },
)
PLACES: Final[tuple[str, ...]] = (
    *ch.CHARACTERISTICS,
    "status",
    "counters",
    "stickers",
    "kind",
    "zone",
    *STATUSES,
    *CHOICES,
    "controller",
    "owner",
    "mana value",
    "face",
    "cast as",
    "unlocked",
    "designations",
    "class level",
    "has an adventure",
    "has an omen",
    "double-faced",
    "exists",
    "attached to",
    "turns face up for",
    "triggered on entering",
    "source",
    "cast",
)
WITH_REST: Final = ("counters", "abilities", "chosen", "same name as", "different names with", "may be named as")
_EXPECTED: Final[dict[str, Shape]] = {
    **_CHOICE_SHAPES,
    **dict.fromkeys(
        ("status", "stickers", "rules text", "triggered on entering", "unlocked", "designations"), Each(Text())
    ),
    "name": Names(),
    "counters": Whole("a number of counters"),
    "class level": Whole("a level"),
    "mana cost": Names(),
    "mana value": Numbers(),
}
"""What an expectation of a place looks like, where that is not the shape of a characteristic."""
_YES_OR_NO: Final = (*STATUSES, "has an adventure", "has an omen", "double-faced", "exists", "cast")
_FACE_KEYS: Final = (
    ("back", "back face"),
    ("flipped", "flipped face"),
    ("prototype", "prototype"),
    *((key, key) for key in (*HALVES, *BESIDE)),
)
_NAME = re.compile(r"[A-Za-z][\w' -]{0,60}")


def scenario_files(path: Path) -> list[Path]:
    """The scenario files of a folder and those below it, in order; a file is its own. Raises ``ScenarioError``."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ScenarioError(f"{path}: there is no such file or folder; name a scenario, or a folder of them")
    found = sorted(path.rglob("*.yaml"))
    if not found:
        raise ScenarioError(f"{path}: has no scenarios; name a folder with files that end in .yaml")
    return found


def shipped_scenarios() -> list[Scenario]:
    """The scenarios that ship with the program."""
    return [load_scenario(file) for file in scenario_files(data_folder() / "scenarios")]


def load_scenario(path: Path) -> Scenario:
    """Read a scenario file. Raises ``ScenarioError``."""
    return _Loader(str(path)).scenario(read_yaml_file(path))


def parse_scenario(data: str | bytes, source: str = "scenario") -> Scenario:
    """Read a scenario from text. Raises ``ScenarioError``."""
    raw = data.encode() if isinstance(data, str) else data
    return _Loader(source).scenario(read_yaml(raw, source))


class _Loader:
    def __init__(self, source: str) -> None:
        self.known: dict[str, None] = {}
        self.expected_so_far: list[Expectation] = []
        self.called: set[str] = set()
        self.at = Source(source, self.known)

    def scenario(self, root: Node) -> Scenario:
        at = self.at
        top = TOP.nodes(root, at)
        if "objects" not in top and "steps" not in top:
            raise at.error(root.line, "has no objects; a scenario needs the key objects")
        table = at.entries(top["objects"][1], "objects") if "objects" in top else {}
        for name, (line, _) in table.items():
            self.name(name, line)
            self.known[name] = None
        objects = {name: self.object(name, node, line) for name, (line, node) in table.items()}
        if not objects and "steps" not in top:
            raise at.error(root.line, "has no objects; describe at least one under the key objects")
        self.copies(objects)
        plain = {key: TOP.fields[key].read(top[key][1], at) for key in top if key not in ("objects", "steps", "expect")}
        steps = tuple(self.step(node) for node in at.items(top["steps"][1])) if "steps" in top else ()
        if "expect" in top:
            self.expected_so_far += self.expectations(top["expect"][1])
        return Scenario(
            at.name,
            plain.get("scenario", ""),
            objects,
            steps,
            tuple(self.expected_so_far),
            plain.get("facts", {}),
            plain.get("examples", ()),
            plain.get("from", ""),
            plain.get("until", ""),
            plain.get("as of", ()),
            plain.get("active player", ""),
            plain.get("turn order", ()),
            plain.get("interchangeable names", {}),
            grants_abilities((*objects.values(), *steps)),
        )

    def name(self, key: str, line: int) -> None:
        if not _NAME.fullmatch(key):
            raise self.at.error(
                line, f'"{key[:40]}" cannot be the name of an object; use letters, digits, blanks and "-"'
            )

    # --- objects

    def object(self, name: str, node: Node, line: int) -> GameObject:
        fields = Fields(f'the object "{name}"', OBJECT.fields)
        nodes = fields.nodes(node, self.at)
        found = {key: OBJECT.fields[key].read(child, self.at) for key, (_, child) in nodes.items()}
        if "card" in found:
            found = {**self.card(found["card"], nodes["card"][0]), **found}
        printed = {key: found[key] for key in ch.CHARACTERISTICS if key in found}
        choices = {key: found[key] for key in CHOICES if key in found}
        status, kind = found.get("status", ()), found.get("kind", "card")
        zone = found.get("zone", "command" if kind == "emblem" else "battlefield")
        if choices and zone != "stack":
            key = next(iter(choices))
            raise self.at.error(nodes[key][0], f'{key} is a choice made for an object on the stack; say "zone: stack"')
        if "face down as" in found and "face down" not in status:
            raise self.at.error(nodes["face down as"][0], '"face down as" needs "status: [face down]"')
        self.parts(name, found, printed, line)
        if "color" in nodes and kind != "token":
            self.color(printed, nodes["color"][0])
        return GameObject(
            name=name,
            line=line,
            kind=kind,
            zone=zone,
            printed=printed,
            faces={face: found[key] for face, key in _FACE_KEYS if key in found},
            modal=found.get("modal", False),
            face=found.get("face", "front"),
            prototyped=found.get("prototyped", False),
            cast=found.get("cast as", ""),
            melded=found.get("melded from", ()),
            unlocked=found.get("unlocked", ()),
            designations=found.get("designations", ()),
            level=found.get("class level", 0),
            face_down_as=found.get("face down as"),
            set_by={key: found[key] for key in SET_BY_ABILITY if key in found},
            status=status,
            counters={kind: number for kind, number in found.get("counters", {}).items() if number},
            stickers=found.get("stickers", ()),
            effects=found.get("effects", ()),
            copy_of=found.get("copy of"),
            owner=found.get("owner", "you"),
            controller=found.get("controller", ""),
            attached_to=self.reference(nodes.get("attached to")),
            chosen=found.get("chosen", {}),
            choices=choices,
            ability_kind=found.get("kind of ability", ""),
            source=found.get("source", ""),
        )

    def card(self, name: str, line: int) -> dict[str, Any]:
        """What the library of cards has of a card."""
        from rulehist.engine.cards import card

        try:
            return card(name)
        except DataError as error:
            raise self.at.error(line, str(error)) from error

    def parts(self, name: str, found: Mapping[str, Any], printed: Values, line: int) -> None:
        """The halves of a split card, and the part as which a spell was cast."""
        halves = [key for key in HALVES if key in found]
        if len(halves) == 1:
            raise self.at.error(line, f'"{name}" has a {halves[0]} alone; give it both halves')
        own = [key for key in printed if key not in ("card types", "subtypes", "supertypes")] if halves else []
        if own:
            raise self.at.error(line, f'"{name}" has the {own[0]} of its halves; say it of each half')
        cast, stack = found.get("cast as", ""), found.get("zone") == "stack"
        if cast and not stack:
            raise self.at.error(line, f'"{name}" is no spell; "cast as" needs "zone: stack"')
        if halves and stack and not cast:
            raise self.at.error(line, f'"{name}" is a split spell; say under "cast as" which half was cast')
        if halves and found.get("zone", "battlefield") == "battlefield" and "face down" not in found.get("status", ()):
            if "card types" not in printed:
                raise self.at.error(line, f'"{name}" is a split card without a type line of its own, and no permanent')
            if "unlocked" not in found:
                raise self.at.error(line, f'"{name}" is a Room; say under "unlocked" which halves are, or none')
        if cast and cast not in found and not (halves and cast == PARTS[2]):
            raise self.at.error(line, f'"{name}" is cast as {cast}, and has none; describe it under the key {cast}')

    def reference(self, entry: tuple[int, Node] | None) -> str:
        return "" if entry is None else Known().read(entry[1], self.at)

    def color(self, printed: Values, line: int) -> None:
        """An object that is no token has its color from its mana cost or color indicator."""
        given = set(printed.get("color", ()))  # type: ignore[arg-type]
        if not printed.get("mana cost") and not printed.get("color indicator") and given:
            raise self.at.error(line, "a color comes from a mana cost or a color indicator; say which it is")
        if given and given != set(ch.colors_of(printed)):
            raise self.at.error(
                line,
                "this is not the color that mana cost and color indicator give; leave color out, or "
                "describe the effect that sets it as a step",
            )

    def copies(self, objects: Mapping[str, GameObject]) -> None:
        """Every object that is a copy leads to one that is none."""
        clear: set[str] = set()
        for start in objects:
            path: dict[str, None] = {}
            name: str | None = start
            while name is not None and name not in clear:
                if name not in objects:
                    last = objects[next(reversed(path))]
                    raise self.at.missing(name, last.line)
                if name in path:
                    ring = [*list(path)[list(path).index(name) :], name]
                    shown = ring if len(ring) <= 6 else [*ring[:3], "...", *ring[-2:]]
                    raise self.at.error(
                        objects[name].line,
                        f"a cycle of copies: {' is a copy of '.join(shown)}; one of them must be no copy",
                    )
                path[name] = None
                name = objects[name].copy_of
            clear.update(path)

    # --- steps and expectations

    def step(self, node: Node) -> Step:
        table = Fields("a step", STEPS).nodes(node, self.at)
        if len(table) != 1:
            raise self.at.error(node.line, f"a step is one of: {', '.join(kind.value for kind in StepKind)}")
        ((key, (line, child)),) = table.items()
        kind = StepKind(key)
        if kind is StepKind.EXPECT:
            before = len(self.expected_so_far)
            self.expected_so_far += self.expectations(child)
            return Step(kind, "", "", line, {"from": before, "to": len(self.expected_so_far)})
        if kind is StepKind.TOGETHER:
            return Step(kind, "", "", line, self.together(TOGETHER, child))
        given = STEPS[key].read(child, self.at)
        if isinstance(given, dict) and "called" in given and kind is not StepKind.BY_NAME:
            self.called.add(given["called"])
        if kind in (StepKind.EFFECT,):
            source = given.pop("source", "")
            return Step(kind, source, "", line, {"effect": effect_of(given), "called": given.get("called", "")})
        if kind is StepKind.ENDS and given not in self.called:
            raise self.at.error(line, f'no effect is called "{given[:40]}"; give it that name under the key called')
        if kind in (StepKind.ENDS, StepKind.FACTS):
            return Step(kind, "", "", line, {"called": given} if kind is StepKind.ENDS else {"facts": given})
        name, of = given.pop("object", ""), given.pop("of", "")
        if kind in NEW_OBJECT:
            self.name(name, line)
            if name in self.known:
                raise self.at.error(line, f'"{name}" exists already; give the new object another name')
            if kind is StepKind.CREATE_TOKEN_COPY and of not in self.known and of not in NOTHING:
                raise self.at.missing(of, line)
            self.known[name] = None
        return Step(kind, name, of, line, given)

    def together(self, shape: Fields, node: Node) -> dict[str, Any]:
        """The steps that happen at the same time, and in which order each player has timestamps given."""
        nodes = shape.nodes(node, self.at)
        steps = []
        for each in self.at.items(nodes["steps"][1]):
            AT_ONCE_STEP.nodes(each, self.at)
            steps.append(self.step(each))
        orders = shape.fields["orders"].read(nodes["orders"][1], self.at) if "orders" in nodes else {}
        return {"steps": tuple(steps), "orders": orders}

    def expectations(self, node: Node) -> Iterable[Expectation]:
        seen: dict[str, int] = {}
        for key, (line, child) in self.at.entries(node, "expect").items():
            name, place, rest = self.path(key, line)
            path = ".".join(part for part in (name, place, rest) if part)
            if path in seen:
                raise self.at.error(line, f'"{key}" is expected a second time (first on line {seen[path]}); keep one')
            seen[path] = line
            yield Expectation(path, self.expected(place, child), line, name, place, rest)

    def path(self, key: str, line: int) -> tuple[str, str, str]:
        name, dot, rest = key.partition(".")
        if name not in self.known:
            raise self.at.missing(name, line)
        what = f'what can be expected of "{name}"'
        first, more, last = rest.partition(".")
        place = written(first) if first != "abilities" else "abilities"
        if place == "copiable":
            inner = written(last)
            if inner not in ch.CHARACTERISTICS:
                raise self.at.unknown(line, last or key, what, ch.CHARACTERISTICS)
            return name, f"copiable.{inner}", ""
        if more and place in WITH_REST:
            if place in ("same name as", "different names with"):
                for other in last.split(","):
                    if other.strip() not in self.known:
                        raise self.at.missing(other.strip(), line)
            return name, place, last
        if place == "abilities" and not more:
            place = "rules text"
        if not dot or more or place not in PLACES:
            raise self.at.unknown(line, rest or key, what, (*PLACES, "copiable", "abilities.NAME", "chosen.NAME"))
        return name, place, ""

    def expected(self, place: str, node: Node) -> Value:
        at = self.at
        place = place.removeprefix("copiable.")
        yes_or_no = place in _YES_OR_NO or place in (
            "abilities",
            "same name as",
            "different names with",
            "may be named as",
        )
        if isinstance(node, Scalar) and not node.quoted and node.text.lower() in NOTHING and place != "kicked":
            return "no" if yes_or_no else 0 if place == "counters" else "none"
        if yes_or_no:
            return "yes" if YesNo().read(node, at) else "no"
        shape: Shape = _EXPECTED.get(place) or characteristics(abilities=False).get(place) or Text()
        value: Value = shape.read(node, at)
        return value


__all__ = [
    "CHOICES",
    "SET_BY_ABILITY",
    "STATUSES",
    "Ability",
    "Expectation",
    "GameObject",
    "Scenario",
    "ScenarioError",
    "Step",
    "StepKind",
    "Sticker",
    "load_scenario",
    "parse_scenario",
]
