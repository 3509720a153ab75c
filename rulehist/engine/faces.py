"""The faces of a card: which one is up, what turning it does, and the mana value that follows."""

from __future__ import annotations

import re
from typing import Final

from rulehist.engine.characteristics import Values
from rulehist.engine.game import Being
from rulehist.engine.questions import Question, Rulings

BACK_FACE_VALUE: Final = Question("mana-value-back-face", ("that of its front face, 0 for a copy", "0"))
_SYMBOL = re.compile(r"\{([^{}]*)\}")


def face_up(being: Being, faces: dict[str, Values]) -> str:
    """The face of an object that is up, among those that it has."""
    if being.face == "back" and "back" in faces:
        return "back"
    if being.cast and being.zone == "stack" and being.cast in faces:
        return being.cast
    if "flipped" in being.status and "flipped" in faces:
        return "flipped"
    if being.prototyped and "prototype" in faces:
        return "prototype"
    return "front"


def double_faced(being: Being) -> bool:
    """Whether the object has a front and a back face, and so can transform."""
    return "back" in being.faces


def mana_value_of(cost: str, x: int = 0) -> int:
    """The mana value of a mana cost; a hybrid symbol counts for the larger of its halves, X for ``x``."""
    total = 0
    for symbol in _SYMBOL.findall(cost):
        parts = symbol.upper().split("/")
        if parts[0].isdigit():
            total += int(parts[0])
        elif parts[0] in ("X", "Y", "Z"):
            total += x
        else:
            total += 1
    return total


def mana_values(being: Being, values: Values, rulings: Rulings, *, compared: bool = False) -> tuple[int, ...]:
    """The mana value of an object as the rules of the day have it; two of some split cards.

    ``compared``: those of which one must be what a comparison looks for.
    """
    cost = values.get("mana cost", "")
    if not isinstance(cost, tuple):
        return (_mana_value(being, values, rulings),)
    from rulehist.engine import halves

    return (halves.compared if compared else halves.mana_values)(being, cost, _x(being), rulings)


def _x(being: Being) -> int:
    x = being.choices.get("x", 0) if being.zone == "stack" else 0
    return x if isinstance(x, int) else 0


def _mana_value(being: Being, values: Values, rulings: Rulings) -> int:
    number = _x(being)
    if being.face == "back" and double_faced(being) and not being.face_down:
        reading = rulings.ask(BACK_FACE_VALUE)
        if reading != "0" and not being.copied_from and not being.modal:
            return mana_value_of(str(being.faces["front"].get("mana cost", "")), number)
        if being.modal or being.kind == "token":
            return _of_modal(being, values, rulings, number)
    return mana_value_of(str(values.get("mana cost", "")), number)


def _of_modal(being: Being, values: Values, rulings: Rulings, x: int) -> int:
    if being.modal:
        return mana_value_of(str(values.get("mana cost", "")), x)
    raise rulings.refuse(f"the mana value of {being.name}, a double-faced token with its back face up, is not modelled")
