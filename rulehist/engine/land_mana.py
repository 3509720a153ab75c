"""The mana abilities that lands have for their basic land types, which no card needs to say."""

from __future__ import annotations

from typing import Final

from rulehist.engine.effects import BASIC_LAND_TYPES, bare
from rulehist.engine.held import Has
from rulehist.engine.play import Play
from rulehist.engine.questions import Question

HAS: Final = "it has"
LAND_MANA: Final = Question(
    "land-type-mana-ability", (HAS, "as if its text box included it", "as if its text box read so")
)
_SYMBOLS: Final = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}


def is_mana_ability(words: str) -> bool:
    """Whether words are those of a mana ability of a land, ``{T}: Add {G}`` and what follows."""
    return words.casefold().startswith("{t}: add")


def of_basic_land_types(has: Has) -> list[str]:
    """The mana abilities that an object has for its basic land types, if the rules of the day give it any."""
    if has.stripped or "land" not in {word.casefold() for word in has.values.get("card types", ())}:
        return []
    lands = [word for word in has.values.get("subtypes", ()) if word in BASIC_LAND_TYPES]
    return [f"{{T}}: Add {{{_SYMBOLS[word]}}}" for word in dict.fromkeys(lands)]


def has_one(play: Play, has: Has, words: str) -> bool:
    """Whether an object has the mana ability of that text for a basic land type."""
    given = of_basic_land_types(has) if is_mana_ability(words) else ()
    if not given:
        return False
    play.rulings.ask(LAND_MANA)
    return any(words.casefold().startswith(each.casefold()) for each in given)


def with_text(play: Play, name: str, has: Has) -> tuple[str, ...]:
    """The abilities of an object, those for its basic land types last. Raises ``Refused``."""
    own = tuple(held.ability.text for held in has.abilities)
    given = of_basic_land_types(has)
    if not given:
        return own
    reading = play.rulings.ask(LAND_MANA)
    said = {bare(each) for each in own}
    if reading == "as if its text box read so" and said - {bare(each) for each in given}:
        raise play.refuse(
            f"the rules of {play.rulings.label} treat a land as if its text were the mana ability of its basic land "
            f"type: whether {name} has its other abilities beside it, they did not say"
        )
    return (*own, *(each for each in given if bare(each) not in said))


def check_copiable_text(play: Play, name: str) -> None:
    """Raise ``Refused`` where the rules treat a land as if the mana ability were part of its text, which is copied."""
    if play.rulings.ask(LAND_MANA) != HAS:
        raise play.refuse(
            f"the rules of {play.rulings.label} treat {name} as if its text had the mana ability of its basic land "
            f"type: ask for {name}.rules text"
        )
