"""What may stand under each key of a scenario file: the closed vocabulary of objects, steps and expectations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from rulehist.engine import characteristics as ch
from rulehist.engine.effects import Effect
from rulehist.engine.scenario import ABILITY_KINDS, AT_ONCE, BESIDE, HALVES, StepKind, Sticker
from rulehist.engine.shapes import (
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
)
from rulehist.engine.vocabulary import (
    CHOICES,
    DESIGNATIONS,
    EFFECT_FIELDS,
    EFFECT_KINDS,
    FACES,
    KINDS,
    LEFT_FOR,
    PARTS,
    SET_BY_ABILITY,
    SHAPES,
    STATUSES,
    ZONES,
    Names,
    Numbers,
    characteristics,
)
from rulehist.engine.yaml_tree import Node


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
    "x": Whole("x"),
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
    StepKind.LEAVES: Fields(
        'the step "leaves"', {**_OBJECT_ONLY, "to": Word("zone for which an object leaves", LEFT_FOR)}, ("object", "to")
    ),
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
            "after moving it to": Word("zone for which an object leaves", LEFT_FOR),
            "put counters": _COUNTERS,
            "leaves to": Word("zone for which an object leaves", LEFT_FOR),
        },
        ("object", "called"),
    ),
    StepKind.THAT_OBJECT: Fields(
        'the step "that object"',
        {
            "object": Known(),
            "as": Text(),
            "put counters": _COUNTERS,
            "leaves to": Word("zone for which an object leaves", LEFT_FOR),
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
EXPECTED: Final[dict[str, Shape]] = {
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
