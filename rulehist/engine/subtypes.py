"""To which card types a subtype belongs, and what becomes of subtypes as others are set or a card type is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from rulehist.engine.effects import ALL_CREATURE_TYPES
from rulehist.engine.held import Has
from rulehist.engine.questions import Question, Rulings
from rulehist.engine.semantics import Reading
from rulehist.errors import DataError
from rulehist.resources import data_folder

FILE: Final = "semantics/subtypes.toml"
SET: Final = Question("subtypes-set", ("those of the same kind", "all"))
WITHOUT_TYPE: Final = Question("subtype-without-type", ("it can't", "it can"))
LOST: Final = "subtypes-of-lost-type"
CREATURE, LAND, PLANESWALKER = "creature", "land", "planeswalker"
_KINDS: Final = {"tribal": CREATURE, "kindred": CREATURE, "instant": "spell", "sorcery": "spell", "plane": "planar"}
"""The card types that share the subtypes of another one, and the name of these subtypes."""
_KINDS_LISTED: Final = (
    CREATURE,
    "artifact",
    "enchantment",
    LAND,
    PLANESWALKER,
    "spell",
    "battle",
    "dungeon",
    "planar",
)
"""The kinds of which the rules have lists; a word on two of them is of the first."""


@cache
def _listed() -> Mapping[str, str]:
    """The kind of each subtype that is listed. Raises ``DataError``."""
    import tomllib

    path = data_folder() / FILE
    try:
        lists = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path}: {error}; mend the line, or take the file from the installation again") from error
    return {str(word).casefold(): kind for kind, words in lists.items() for word in words}


def kind_of(subtype: str, rulings: Rulings) -> str:
    """The kind of a subtype: ``creature``, ``land``, ``artifact`` and so on.

    The lists of the day decide, where they have it; else the data file, whose rest are creature types.
    """
    word = subtype.casefold()
    kind = _of_the_day(rulings).get(word)
    if kind is not None:
        rulings.listed(f"{kind}-types")
        return kind
    return _listed().get(word, CREATURE)


def among_every_creature_type(subtype: str, rulings: Rulings) -> bool:
    """Whether what is every creature type is of this subtype. Raises ``Refused`` for a word that no list has."""
    if kind_of(subtype, rulings) != CREATURE:
        return False
    listed = _of_the_day(rulings)
    if listed and subtype.casefold() not in listed and CREATURE in listed.values():
        raise rulings.refuse(f"{subtype} is on no list of subtypes that the rules of {rulings.label} give")
    return True


def _of_the_day(rulings: Rulings) -> Mapping[str, str]:
    """The kind of each subtype that the rules of the day list; the kinds whose lists cannot be read are left out."""
    known = rulings.semantics.kinds
    if not known:
        for kind in reversed(_KINDS_LISTED):
            reading = rulings.semantics.read(f"{kind}-types")
            if isinstance(reading, Reading) and isinstance(reading.value, tuple):
                known.update((word.casefold(), kind) for word in reading.value)
        known.setdefault("", "")
    return known


def kinds_of(card_types: Iterable[str]) -> frozenset[str]:
    """The kinds of subtypes that objects with these card types have."""
    lowered = [word.casefold() for word in card_types]
    return frozenset(_KINDS.get(word, word) for word in lowered)


def with_set(
    have: tuple[str, ...], given: tuple[str, ...], card_types: Iterable[str], rulings: Rulings
) -> tuple[str, ...]:
    """The subtypes of an object that had ``have``, after an effect has set some. Raises ``Refused``."""
    wanted, given = given, fitting(given, card_types, rulings)
    if not have or (wanted and not given):
        return have or given
    kinds = {kind_of(word, rulings) for word in given}
    kept = tuple(word for word in have if kind_of(word, rulings) not in kinds)
    if not given or not kept or rulings.ask(SET) == "all":
        return given
    return (*kept, *given)


def fitting(given: tuple[str, ...], card_types: Iterable[str], rulings: Rulings) -> tuple[str, ...]:
    """Of subtypes that an object is to gain, those that it can: the subtypes of its card types. Raises ``Refused``."""
    kinds = kinds_of(card_types)
    fit = tuple(word for word in given if not kinds or _may_be_of(word, kinds, rulings))
    if len(fit) == len(given):
        return given
    return fit if rulings.ask(WITHOUT_TYPE) == "it can't" else given


def _may_be_of(subtype: str, kinds: frozenset[str], rulings: Rulings) -> bool:
    """Whether a subtype is of one of these kinds, as far as any list has it."""
    word, listed = subtype.casefold(), _of_the_day(rulings)
    if subtype != ALL_CREATURE_TYPES and word not in listed and word not in _listed() and CREATURE in listed.values():
        return True
    return (CREATURE if subtype == ALL_CREATURE_TYPES else kind_of(subtype, rulings)) in kinds


def without_lost(
    subtypes: tuple[str, ...], before: Iterable[str], now: Iterable[str], rulings: Rulings
) -> tuple[str, ...]:
    """The subtypes that a copy has whose exceptions take card types from it. Raises ``Refused``."""
    lost = kinds_of(before) - kinds_of(now)
    gone = tuple(word for word in subtypes if lost and kind_of(word, rulings) in lost)
    if gone and not rulings.listed(LOST):
        raise rulings.refuse(f"the rules of {rulings.label} did not say what becomes of {', '.join(gone)}")
    return tuple(word for word in subtypes if word not in gone)


def after_losing(has: Has, before: Iterable[str], rulings: Rulings) -> None:
    """Take the subtypes that go with a card type which an object has lost; note where they are not known."""
    had, now = kinds_of(before), kinds_of(has.values.get("card types", ()))
    if (now - had) & has.gone:
        has.unsure |= {"subtypes"}  # whether those that went with the card type come back with it
    lost = had - now
    if not lost or not has.values.get("subtypes"):
        return
    if not rulings.listed(LOST):
        has.unsure |= {"subtypes"}
        return
    has.gone |= lost
    has.values["subtypes"] = tuple(word for word in has.values["subtypes"] if kind_of(word, rulings) not in lost)
