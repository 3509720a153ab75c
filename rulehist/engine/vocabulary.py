"""The closed vocabulary of scenario files, as shapes: what can stand where, and what it is read into."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from rulehist.engine import characteristics as ch
from rulehist.engine.characteristics import Values
from rulehist.engine.effects import (
    BASIC_LAND_TYPES,
    CHOSEN,
    Ability,
    Condition,
    Effect,
    Exceptions,
    Filter,
    Number,
    keywords_in,
    plain_ability,
)
from rulehist.engine.shapes import (
    Color,
    Colors,
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
    TypeWord,
    Whole,
    Word,
    YesNo,
)
from rulehist.engine.yaml_tree import Items, Node

STATUSES: Final = ("tapped", "flipped", "face down", "phased out")
OPPOSITES: Final = {"untapped": "tapped", "unflipped": "flipped", "face up": "face down", "phased in": "phased out"}
"""In a filter, the words for having none of a status."""

ZONES: Final = ("battlefield", "stack", "hand", "library", "graveyard", "exile", "command")
LEFT_FOR: Final = tuple(zone for zone in ZONES if zone not in ("battlefield", "stack"))
"""Zones for which an object leaves: onto the stack it is cast, and the battlefield it enters."""

KINDS: Final = ("card", "token", "copy", "ability", "emblem")
FACES: Final = ("front", "back")
DESIGNATIONS: Final = ("monstrous", "renowned", "solved", "saddled", "harnessed")
PARTS: Final = ("left half", "right half", "both halves", "adventure", "omen")
"""The parts of a card as which it may be cast."""
CHOICES: Final[tuple[str, ...]] = (
    "mode",
    "targets",
    "x",
    "kicked",
    "division",
    "objects paid",
    "mana spent",
    "costs paid",
)
SET_BY_ABILITY: Final = ("as it enters", "as it is turned face up")
UNIQUENESS_RULES: Final = ("legend rule", "world rule", "planeswalker uniqueness rule")
EFFECT_KINDS: Final = (
    "type-changing",
    "text-changing",
    "color-changing",
    "control-changing",
    "ability-changing",
    "power and toughness",
)

SHAPES: Final[dict[str, Shape]] = {}


_PART: Final = r"(?:[0-9]{1,3}½?|½|[*xX]²?)"
_PRINTED: Final = rf"[+-]?{_PART}(?:[+-]{_PART})?"
"""What cards print as power and toughness: ``*``, ``1+*``, ``7-*``, ``*²``, ``1½``, ``X``."""


class PowerOrToughness:
    """A printed number, or a text such as ``*`` or ``1+*``."""

    def __init__(self, key: str) -> None:
        self.key = key

    def read(self, node: Node, at: Source) -> int | str:
        """The number, or the text."""
        text = at.text(node)
        if re.fullmatch(r"[+-]?[0-9]{1,9}", text):
            return int(text)
        if self.key in ("power", "toughness") and re.fullmatch(_PRINTED, text):
            return text
        raise at.error(node.line, f'{self.key} must be a number, not "{text[:40]}"')

    def schema(self) -> dict[str, Any]:
        """A number or a text."""
        stars = f"|{_PRINTED}" if self.key in ("power", "toughness") else ""
        return {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": rf"^([+-]?[0-9]{{1,9}}{stars})$"}]}


def _each_alone(abilities: tuple[Ability, ...]) -> tuple[Ability, ...]:
    """Abilities, with lines and keywords that stand in one text each as an ability of its own."""
    found: list[Ability] = []
    for ability in abilities:
        texts = keywords_in(ability.text) if ability == plain_ability(ability.text) else (ability.text,)
        found += map(plain_ability, texts) if len(texts) > 1 else (ability,)
    return tuple(found)


ABILITIES: Final = Made(Each(Named("ability", SHAPES)), _each_alone)


def characteristics(abilities: bool = True) -> dict[str, Shape]:
    """The shapes of the characteristics."""
    shapes: dict[str, Shape] = {}
    for key in ch.CHARACTERISTICS:
        if key in ("color", "color indicator"):
            shapes[key] = Colors()
        elif key == "rules text":
            shapes[key] = ABILITIES if abilities else Each(Text())
        elif key in ch.LISTS:
            shapes[key] = Each(TypeWord(key))
        elif key in ch.NUMBERS:
            shapes[key] = PowerOrToughness(key)
        else:
            shapes[key] = Text()
    return shapes


class Names:
    """One name, or a list of several."""

    def read(self, node: Node, at: Source) -> str | tuple[str, ...]:
        """The name, or the names."""
        return tuple(at.text(item) for item in node.nodes) if isinstance(node, Items) else at.text(node)

    def schema(self) -> dict[str, Any]:
        """A text or a list."""
        return {"anyOf": [Text().schema(), {"type": "array", "items": Text().schema()}]}


class Numbers:
    """A whole number, or a list of several."""

    def read(self, node: Node, at: Source) -> int | tuple[int, ...]:
        """The number, or the numbers."""
        whole = Whole("a number", signed=True)
        return tuple(whole.read(item, at) for item in node.nodes) if isinstance(node, Items) else whole.read(node, at)

    def schema(self) -> dict[str, Any]:
        """A number or a list."""
        whole = Whole("a number", signed=True).schema()
        return {"anyOf": [whole, {"type": "array", "items": whole}]}


def _filter(found: Mapping[str, Any]) -> Filter:
    names = {"controller": "control", "not": "without"}
    if found.get("color") == ():
        found = {**found, "color": ("colorless",)}
    if without := tuple(OPPOSITES[word] for word in found.get("status", ()) if word in OPPOSITES):
        found = {
            **found,
            "status": tuple(word for word in found["status"] if word not in OPPOSITES),
            "not_status": without,
        }
    return Filter(**{names.get(key, key.replace(" ", "_")): value for key, value in found.items()})


def _number(found: Mapping[str, Any]) -> Number:
    rest = {"plus": found.get("plus", 0), "times": found.get("times", 1)}
    if "count" in found:
        return Number("count", filter=found["count"], **rest)
    if "fact" in found:
        return Number("fact", word=found["fact"], **rest)
    if "counters" in found:
        return Number("counters", word=found["counters"], on=found.get("on", "self"), **rest)
    of = next((key for key in ("power of", "toughness of", "mana value of") if key in found), None)
    if of:
        return Number(of.removesuffix(" of"), on=found[of], **rest)
    return Number("chosen" if "chosen" in found else "none", word=found.get("chosen", ""), **rest)


def _condition(found: Mapping[str, Any]) -> Condition:
    numbered = [
        key for key in ("count", "fact", "counters", "power of", "toughness of", "mana value of") if key in found
    ]
    least, most = found.get("at least"), found.get("at most")
    if numbered and least is most is None:
        least = 1
    return Condition(_number(found) if numbered else None, least, most, found.get("this is"))


def lands_apart(sets: Values) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What an effect sets, and apart from it the basic land types that it sets as subtypes: these take abilities."""
    given = dict(sets)
    words: Any = given.get("subtypes", ())
    lands = tuple(word for word in words if word in BASIC_LAND_TYPES)
    if lands:
        given["subtypes"] = tuple(word for word in words if word not in lands)
        if not given["subtypes"]:
            del given["subtypes"]
    return given, lands


def _of_choice(value: Any) -> bool:
    """Whether a choice is meant anywhere in what an effect or a filter says."""
    if isinstance(value, Mapping):
        return any(map(_of_choice, value.values()))
    if isinstance(value, Ability):
        return False
    return any(map(_of_choice, value)) if isinstance(value, tuple) else value == CHOSEN


def effect_of(found: Mapping[str, Any]) -> Effect:
    """The effect that a table describes."""
    given, lands = lands_apart(found.get("set", {}))
    base = tuple((key, given.pop(key)) for key in ("power", "toughness") if key in given)
    gained = dict(found.get("add", {}))
    lost = dict(found.get("remove", {}))
    rules_text = tuple(word for text in lost.pop("rules text", ()) for word in keywords_in(text))
    every = [text for text in rules_text if text.lower() in ("all", "all abilities")]
    return Effect(
        affects=found.get("affects", "self"),
        controller=found.get("controller", ""),
        words=tuple(found.get("words", {}).items()),
        set=given,
        add={key: value for key, value in gained.items() if key != "rules text"},
        remove=lost,
        land_types=(*found.get("set basic land types", ()), *lands),
        every_ability=bool(every),
        no_abilities=found.get("cannot have", ()),
        abilities=gained.get("rules text", ()),
        lost=() if every else rules_text,
        base=base,
        modify=tuple(found.get("modify", {}).items()),
        switch=found.get("switch power and toughness", False),
        exempt=found.get("does not apply", ()),
        label=found.get("called", ""),
        condition=found.get("as long as"),
        of_choice=_of_choice(tuple(found.get(key) for key in ("affects", "set", "add", "remove"))),
    )


def _exceptions(found: Mapping[str, Any]) -> Exceptions:
    gained = dict(found.get("add", {}))
    abilities = gained.pop("rules text", ())
    conditional: tuple[tuple[Filter, Exceptions], ...] = ()
    if "if it is" in found:
        conditional = ((found["if it is"], found.get("then", Exceptions())),)
    return Exceptions(
        keep=found.get("not copied", ()),
        set=found.get("set", {}),
        add=gained,
        remove=found.get("remove", {}),
        abilities=abilities,
        counters=tuple(found.get("counters", {}).items()),
        when=conditional,
        trigger=found.get("linked trigger", ""),
    )


def _under(effects: tuple[Effect, ...], condition: Condition | None) -> tuple[Effect, ...]:
    """The effects of a static ability that has a condition, each under it."""
    if condition is None:
        return effects
    return tuple(each if each.condition else each._replace(condition=condition) for each in effects)


def _ability(found: Mapping[str, Any] | str) -> Ability:
    if isinstance(found, str):
        return plain_ability(found)
    text = found.get("ability", "") or "; ".join(found)
    plain = plain_ability(text) if "ability" in found else Ability(text)
    static = _under(found.get("static", ()), found.get("as long as"))
    if len(static) > 1:
        from rulehist.engine.one_effect import as_one

        static = as_one(static)
    return Ability(
        text,
        static=static,
        defines=found.get("defines", plain.defines),
        tapped=found.get("enters tapped", False),
        counters=tuple(found.get("enters with counters", {}).items()),
        choose=found.get("as it enters choose", ""),
        copy=found.get("enters as a copy"),
        chosen=found.get("chosen", ""),
        by_name=found.get("by name", ""),
        turns_up=found.get("turns face up for", plain.turns_up),
        on_entering=found.get("when it enters", plain.on_entering),
        activated=found.get("activated", plain.activated),
        zone=found.get("zone", "battlefield"),
    )


_KEEP = Each(Word("characteristic", ch.CHARACTERISTICS))


class _Plain:
    """A whole number, or ``x``: that of the spell that became the object."""

    def read(self, node: Node, at: Source) -> int | Number:
        whole = Whole("the number", signed=True)
        return Number("fact", word="x") if at.text(node).lower() == "x" else whole.read(node, at)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [Whole("the number", signed=True).schema(), {"enum": ["x", "X"]}]}


_AMOUNT = Either(Named("number", SHAPES), _Plain())
_PT: dict[str, Shape] = {"power": _AMOUNT, "toughness": _AMOUNT}
_NOT_PT = {key: shape for key, shape in characteristics().items() if key not in ("power", "toughness", "rules text")}
_LISTED: dict[str, Shape] = {key: characteristics()[key] for key in ("color", "card types", "subtypes", "supertypes")}
_CHOSEN: dict[str, Shape] = {"color": Colors(chosen=True)}


class _Affected:
    """``self``, ``attached``, names of objects, or a filter."""

    def read(self, node: Node, at: Source) -> str | tuple[str, ...]:
        names = tuple(at.text(item) for item in at.items(node))
        if len(names) == 1 and names[0] in ("self", "attached"):
            return names[0]
        return Each(Known()).read(node, at)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


class _Where:
    """``self``, ``source``, ``attached``, ``affected`` or an object."""

    def read(self, node: Node, at: Source) -> str:
        text = at.text(node)
        return text if text in ("self", "source", "attached", "affected") else str(Known().read(node, at))

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


EFFECT_FIELDS: Final[dict[str, Shape]] = {
    "affects": Either(Named("filter", SHAPES), _Affected()),
    "set": Fields("what an effect sets", {**_NOT_PT, **_PT, **_CHOSEN}),
    "add": Fields(
        "what an effect adds",
        {"name": Each(Text()), **_LISTED, **_CHOSEN, "rules text": ABILITIES},
    ),
    "remove": Fields("what an effect removes", {**_LISTED, **_CHOSEN, "rules text": Each(Text())}),
    "modify": Fields("what an effect modifies", _PT),
    "switch power and toughness": YesNo("switch power and toughness"),
    "set basic land types": Each(TypeWord("subtypes")),
    "controller": Text(),
    "words": Map("the words that an effect changes", Text()),
    "cannot have": Each(Text()),
    "as long as": Named("condition", SHAPES),
    "does not apply": Each(Word("rule that can be lifted", UNIQUENESS_RULES)),
    "called": Text(),
}
SHAPES["filter"] = Made(
    Fields(
        "a filter",
        {
            **{key: Each(TypeWord(key)) for key in ("card types", "subtypes", "supertypes")},
            "color": Each(Color(chosen=True, counted=True)),
            "abilities": Each(Text()),
            "name": Text(),
            "controller": Text(),
            "zone": Word("zone", ZONES),
            "tokens": Word("choice", ("yes", "no")),
            "status": Each(Word("status", (*STATUSES, *OPPOSITES))),
            "counters": Each(Text()),
            "designations": Each(Word("designation", DESIGNATIONS)),
            "class level at least": Whole("a level"),
            "attached to": _Where(),
            "others": YesNo("others"),
            "power at least": Whole("a power", signed=True),
            "power at most": Whole("a power", signed=True),
            "mana value": Whole("a mana value"),
            "mana value at least": Whole("a mana value"),
            "mana value at most": Whole("a mana value"),
            "any of": Each(Named("filter", SHAPES)),
            "not": Named("filter", SHAPES),
        },
    ),
    _filter,
)
_FOUND: dict[str, Shape] = {
    "count": Named("filter", SHAPES),
    "fact": Text(),
    "counters": Text(),
    "on": _Where(),
    "power of": _Where(),
    "toughness of": _Where(),
    "mana value of": _Where(),
}
"""What numbers are found by."""
_NUMBERED: Final = tuple(key for key in _FOUND if key != "on")
SHAPES["number"] = Made(
    Fields(
        "a number",
        {
            **_FOUND,
            "chosen": Text(),
            "plus": Whole("a number", signed=True),
            "times": Whole("a number", signed=True),
        },
        apart=(*_NUMBERED, "chosen"),
    ),
    _number,
)
SHAPES["condition"] = Made(
    Fields(
        "a condition",
        {
            **_FOUND,
            "at least": Whole("a number", signed=True),
            "at most": Whole("a number", signed=True),
            "this is": Named("filter", SHAPES),
        },
        apart=_NUMBERED,
        some=(*_NUMBERED, "this is"),
    ),
    _condition,
)
SHAPES["effect"] = Made(
    Fields(
        "an effect",
        EFFECT_FIELDS,
    ),
    effect_of,
)
SHAPES["exceptions"] = Made(
    Fields(
        "exceptions of a copy effect",
        {
            "set": Fields("what an exception sets", {k: v for k, v in characteristics().items() if k != "rules text"}),
            "add": Fields("what an exception adds", {**_LISTED, "rules text": ABILITIES}),
            "remove": Fields("what an exception removes", _LISTED),
            "not copied": _KEEP,
            "counters": Map("counters", Whole("the number of counters")),
            "linked trigger": Text(),
            "if it is": Named("filter", SHAPES),
            "then": Named("exceptions", SHAPES),
        },
    ),
    _exceptions,
)
SHAPES["ability"] = Made(
    Either(
        Fields(
            "an ability",
            {
                "ability": Text(),
                "static": Each(Named("effect", SHAPES)),
                "defines": Named("effect", SHAPES),
                "enters tapped": YesNo("enters tapped"),
                "enters with counters": Map("counters", _AMOUNT),
                "as it enters choose": Text(),
                "enters as a copy": Made(
                    Either(Named("exceptions", SHAPES), YesNo("enters as a copy")),
                    lambda found: found if isinstance(found, Exceptions) else Exceptions() if found else None,
                ),
                "chosen": Text(),
                "by name": Text(),
                "turns face up for": Text(),
                "when it enters": YesNo("when it enters"),
                "activated": YesNo("activated"),
                "zone": Word("zone", ZONES),
                "as long as": Named("condition", SHAPES),
            },
        ),
        Text(),
    ),
    _ability,
)
