"""Cards of which a spell may use a part: the halves of split cards, and what adventurer and omen cards have beside.

Each part is a face of its object, under the name that scenarios give it. The front face of a split card has what both
halves have together; its mana cost is a pair, as long as nobody has asked what the rules of the day make of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from rulehist.engine.characteristics import COLORS, LISTS, Value, Values, names_of
from rulehist.engine.effects import Exceptions
from rulehist.engine.faces import mana_value_of
from rulehist.engine.game import Being
from rulehist.engine.questions import Question, Rulings
from rulehist.engine.scenario import BESIDE, HALVES

FUSED: Final = "both halves"

ROOM: Final = Question("room-halves", ("not the name, mana cost and rules text of that half",))
ROOM_COPIED: Final = Question("room-copied", ("both halves",))
ROOM_SPELL_COPIED: Final = Question("room-spell-copied", ("both halves",))
ROOM_ENTERS: Final = Question("room-enters", ("the one that was cast",))
SPLIT_SPELL: Final = Question("split-spell", ("those of that half",))
ASKED: Final = Question("split-asked", ("both halves combined", "one answer for each half"))
COMPARED: Final = Question("split-compared", ("where both halves combined do", "where one of its halves does"))
USED: Final = Question("split-mana-value-used", ("the sum of both",))
FUSED_SPELL: Final = Question(
    "fused-spell", ("those of both halves combined", "those of each half, and one mana value")
)
AFTERMATH: Final = Question("aftermath", ("into exile",))
ADVENTURE: Final = Question("adventure-spell", ("its alternative characteristics alone",))
OMEN: Final = Question("omen-spell", ("its alternative characteristics alone",))
ADVENTURER: Final = Question("adventure-elsewhere", ("its normal characteristics alone",))
OMEN_CARD: Final = Question("omen-elsewhere", ("its normal characteristics alone",))
ADVENTURE_COPIED: Final = Question("adventure-spell-copied", ("an Adventure, with the alternative characteristics",))
OMEN_COPIED: Final = Question("omen-spell-copied", ("an Omen, with the alternative characteristics",))
ADVENTURE_COPIABLE: Final = Question("adventure-copiable", ("copied",))
OMEN_COPIABLE: Final = Question("omen-copiable", ("copied",))
ADVENTURE_RESOLVES: Final = Question("adventure-resolves", ("into exile",))
OMEN_RESOLVES: Final = Question("omen-resolves", ("into its owner's library",))
_SPELL: Final = {**dict.fromkeys(HALVES, SPLIT_SPELL), "adventure": ADVENTURE, "omen": OMEN}
_SYMBOL = re.compile(r"\{([^{}]*)\}")


def of_both(left: Values, right: Values) -> Values:
    """What two halves have together: names, costs, and each word of each list."""
    found: dict[str, Any] = {"name": (*names_of(left), *names_of(right))}
    if "mana cost" in left or "mana cost" in right:
        found["mana cost"] = (str(left.get("mana cost", "")), str(right.get("mana cost", "")))
    for key in LISTS:
        mine: Any = left.get(key, ())
        more = [each for each in right.get(key, ()) if key == "rules text" or each not in mine]  # type: ignore[union-attr]
        if mine or more or key == "color":
            found[key] = (*mine, *more)
    found["color"] = tuple(color for color in COLORS.values() if color in found["color"])
    return found


def joined(costs: tuple[str, ...]) -> str:
    """Two mana costs as one: the generic mana added up, then the other symbols, colors in their usual order."""
    symbols = [symbol for cost in costs for symbol in _SYMBOL.findall(cost)]
    generic = sum(int(symbol) for symbol in symbols if symbol.isdigit())
    rest = [symbol for symbol in symbols if not symbol.isdigit()]
    variable = [symbol for symbol in rest if symbol.upper() in ("X", "Y", "Z")]
    plain = [symbol for symbol in rest if symbol.upper() in COLORS]
    other = [symbol for symbol in rest if symbol not in variable and symbol not in plain]
    order = _order({symbol.upper() for symbol in plain})
    plain.sort(key=lambda symbol: order.index(symbol.upper()))
    parts = [*variable, *([str(generic)] if generic or not rest else []), *other, *plain]
    return "".join(f"{{{part}}}" for part in parts)


def _order(letters: set[str]) -> str:
    """The colors in the order of the wheel, from where those of ``letters`` stand closest together."""
    wheel = "".join(COLORS)
    turned = [wheel[start:] + wheel[:start] for start in range(len(wheel))]
    return min(turned, key=lambda order: max((order.index(letter) for letter in letters), default=0))


def has_halves(values: Values) -> bool:
    """Whether these are the values of two halves that the rules do not combine for every purpose."""
    return isinstance(values.get("mana cost"), tuple)


def as_seen(being: Being, faces: Mapping[str, Values], face: str, rulings: Rulings) -> Values:
    """The values of the face that is up, as the rules of the day have them for a card of this form."""
    values = faces[face]
    if face in _SPELL:
        rulings.ask(_SPELL[face])
    if "adventure" in faces and face == "front":
        rulings.ask(ADVENTURER)
    if "omen" in faces and face == "front":
        rulings.ask(OMEN_CARD)
    cost = values.get("mana cost")
    if not isinstance(cost, tuple):
        return values
    if being.zone == "stack" and being.cast == FUSED:
        combined = rulings.ask(FUSED_SPELL) == "those of both halves combined"
    else:
        combined = rulings.ask(COMPARED) == "where both halves combined do"
    return {**values, "mana cost": joined(cost)} if combined else values


def mana_values(being: Being, costs: tuple[str, ...], x: int, rulings: Rulings) -> tuple[int, ...]:
    """The mana value of an object with the costs of two halves: one number, or one for each."""
    each = tuple(mana_value_of(cost, x) for cost in costs)
    if being.zone == "stack" and being.cast == FUSED:
        rulings.ask(FUSED_SPELL)
        return (sum(each),)
    return each if rulings.ask(ASKED) == "one answer for each half" else (sum(each),)


def compared(being: Being, costs: tuple[str, ...], x: int, rulings: Rulings) -> tuple[int, ...]:
    """The mana values of which one must be what a comparison looks for."""
    if being.zone == "stack" and being.cast == FUSED:
        return mana_values(being, costs, x, rulings)
    rulings.ask(COMPARED)
    return tuple(mana_value_of(cost, x) for cost in costs)


def cost_asked(value: Value, rulings: Rulings) -> Value:
    """A mana cost as it is asked for."""
    if isinstance(value, tuple) and rulings.ask(ASKED) == "both halves combined":
        return joined(value)
    return value


def is_room(faces: Mapping[str, Values]) -> bool:
    """Whether these are the faces of a permanent card with two halves and one type line."""
    types: Any = faces["front"].get("card types", ()) if HALVES[0] in faces else ("instant",)
    return not {"instant", "sorcery"} & {word.casefold() for word in types}


def _of_halves(exceptions: Exceptions) -> bool:
    """Whether exceptions of a copy effect are about what belongs to a half of a Room."""
    about = {*exceptions.keep, *exceptions.set, *exceptions.add, *exceptions.remove}
    own = about & {"name", "mana cost", "color", "rules text"}
    return bool(own or exceptions.abilities or exceptions.when)


def unlocked(being: Being, faces: Mapping[str, Values], rulings: Rulings) -> Values:
    """What a Room on the battlefield has, of whose halves some are locked."""
    rulings.ask(ROOM)
    kept = [faces[half] for half in HALVES if half in being.unlocked]
    if len(kept) == len(HALVES):
        return faces["front"]
    if any(_of_halves(effect.exceptions) for effect in being.copiable):
        raise rulings.refuse(f"what {being.name} has, a Room with exceptions from what it copies, is not modelled")
    if kept:
        return kept[0]
    shared = {key: value for key, value in faces["front"].items() if key not in ("name", "mana cost", "rules text")}
    return {**shared, "color": ()}


def copied(being: Being, faces: dict[str, Values], rulings: Rulings) -> dict[str, Values]:
    """The faces that a copy has of an object of one of these forms."""
    spell = being.cast if being.zone == "stack" else ""
    if spell in BESIDE and spell in faces:
        rulings.ask(ADVENTURE_COPIED if spell == "adventure" else OMEN_COPIED)
        return {"front": faces[spell]}
    room = is_room(faces)
    if spell in HALVES and spell in faces and not room:
        return {"front": faces[spell]}
    if room:
        rulings.ask(ROOM_SPELL_COPIED if spell else ROOM_COPIED)
    if HALVES[0] in faces:
        return {face: faces[face] for face in ("front", *HALVES)}
    beside = [each for each in BESIDE if each in faces]
    for each in beside:
        rulings.ask(ADVENTURE_COPIABLE if each == "adventure" else OMEN_COPIABLE)
    return {face: faces[face] for face in ("front", *beside)}
