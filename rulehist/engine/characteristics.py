"""The characteristics of objects, under the names that the rules give them."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

Value = str | int | tuple[Any, ...]
"""Numbers where a number is printed (``2``), text where it is not (``*``, ``{1}{G}``), tuples for lists: of texts, and
of ``effects.Ability`` for the rules text of objects in a scenario."""

Values = Mapping[str, Value]
"""Characteristics that an object has, each under its name; what it does not have is not in the mapping."""

EMPTY: Final[Mapping[str, Any]] = MappingProxyType({})
"""An empty table: what a value has where nothing is given."""

CARD_TYPES: Final = (
    "Artifact",
    "Battle",
    "Conspiracy",
    "Creature",
    "Dungeon",
    "Enchantment",
    "Instant",
    "Interrupt",
    "Kindred",
    "Land",
    "Phenomenon",
    "Plane",
    "Planeswalker",
    "Scheme",
    "Sorcery",
    "Tribal",
    "Vanguard",
)
"""Card types that there have been; a word that is nearly one of them is a slip, any other may be one to come."""

SUPERTYPES: Final = ("Basic", "Elite", "Host", "Legendary", "Ongoing", "Snow", "World")
LISTS: Final = ("color", "color indicator", "card types", "subtypes", "supertypes", "rules text")
NUMBERS: Final = ("power", "toughness", "loyalty", "defense", "hand modifier", "life modifier")
TEXTS: Final = ("name", "mana cost", "expansion symbol")
CHARACTERISTICS: Final[tuple[str, ...]] = (
    "name",
    "mana cost",
    "color",
    "color indicator",
    "card types",
    "subtypes",
    "supertypes",
    "expansion symbol",
    "rules text",
    *NUMBERS,
)

ALSO_WRITTEN: Final = {
    "cost": "mana cost",
    "colour": "color",
    "colors": "color",
    "colours": "color",
    "colour indicator": "color indicator",
    "type": "card types",
    "types": "card types",
    "card type": "card types",
    "subtype": "subtypes",
    "supertype": "supertypes",
    "text": "rules text",
    "abilities": "rules text",
}
"""Other ways to write a characteristic's name in a scenario."""

UNFLIPPED: Final = ("mana cost", "color", "color indicator", "expansion symbol")
"""What a flip card that is flipped has of its upper half, whatever else its lower half says."""

NUMBERS_OF_COLORS: Final = {
    "colorless": range(1),
    "monocolored": range(1, 2),
    "multicolored": range(2, 6),
}
"""Words for how many colors something has."""

COLORS: Final = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
_SYMBOL = re.compile(r"\{([^{}]*)\}")


def names_of(values: Values) -> tuple[str, ...]:
    """The names of an object: none, one or several."""
    name = values.get("name", "")
    return tuple(str(each) for each in (name if isinstance(name, tuple) else (name,)) if each)


def colors_of(values: Values) -> tuple[str, ...]:
    """The colors that a printed mana cost and color indicator give, in the order white blue black red green."""
    symbols = _SYMBOL.findall(str(values.get("mana cost", "")))
    letters = {letter for symbol in symbols for letter in symbol.upper().split("/")}
    indicated = values.get("color indicator", ())
    named = set(indicated) if isinstance(indicated, tuple) else {str(indicated)}
    return tuple(color for letter, color in COLORS.items() if letter in letters or color in named)


def colored(word: str, have: Value) -> bool:
    """Whether something with the colors ``have`` is of a color, or has as many as a word says."""
    colors = {str(each).casefold() for each in have} if isinstance(have, tuple) else set()
    if word in NUMBERS_OF_COLORS:
        return len(colors) in NUMBERS_OF_COLORS[word]
    return word.casefold() in colors


def _read_only(table: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(table)


# so that scenarios can be copied, and sent to other processes
copyreg.pickle(MappingProxyType, lambda table: (_read_only, (dict(table),)))
