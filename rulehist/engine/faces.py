"""The faces of a card: which one is up, what turning it does, and the mana value that follows."""

from __future__ import annotations

import re
from typing import Final

from rulehist.engine.characteristics import Values
from rulehist.engine.game import Being
from rulehist.engine.questions import Question, Rulings

BACK_FACE_VALUE: Final = Question("mana-value-back-face", ("that of its front face, 0 for a copy", "0"))
BACK_FACE_SPELL: Final = Question("mana-value-back-face-spell", ("that of its front face",))
MELDED_VALUE: Final = Question("melded-mana-value", ("the sum of its front faces",))
_SYMBOL = re.compile(r"\{([^{}]*)\}")


def face_up(being: Being, faces: dict[str, Values]) -> str:
    """The face of an object that is up, among those that it has."""
    if len(faces) < 2 or being.zone not in ("battlefield", "stack"):
        return "front"
    if being.face == "back" and "back" in faces:
        return "back"
    if being.cast and being.zone == "stack" and being.cast in faces:
        return being.cast
    if "flipped" in being.status and "flipped" in faces and being.zone == "battlefield":
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
    printed = mana_value_of(str(values.get("mana cost", "")), _x(being))
    if being.melded and not being.face_down:
        return _of_melded(being, printed, rulings)
    if being.face_down or being.face != "back" or not double_faced(being):
        return printed
    if being.zone not in ("battlefield", "stack"):
        return printed
    if being.modal:
        from rulehist.engine.forms import MODAL

        rulings.ask(MODAL)
        return printed
    return _of_merged(being, printed, rulings) if being.parts else _of_back_face(being, printed, rulings)


def _of_back_face(being: Being, printed: int, rulings: Rulings) -> int:
    if being.zone == "stack":
        rulings.ask(BACK_FACE_SPELL)
    elif rulings.ask(BACK_FACE_VALUE) == "0":
        return printed
    if not being.copied_from:
        return mana_value_of(str(being.faces["front"].get("mana cost", "")), _x(being))
    return _of_copy(being, printed, rulings)


def _of_merged(being: Being, printed: int, rulings: Rulings) -> int:
    if being.parts[0] is being:
        raise rulings.refuse(f"the mana value of {being.name}, merged with its back face up, is not modelled")
    return printed


def _of_copy(being: Being, printed: int, rulings: Rulings) -> int:
    """The mana value of a copy with its back face up: one that has both faces may be said to copy the back face."""
    faces = being.copiable[-1].faces if being.copiable else being.faces
    front = mana_value_of(str(faces["front"].get("mana cost", "")), _x(being))
    if "back" in faces and front != printed:
        raise rulings.refuse(
            f"the rules of {rulings.label} did not say whether the mana value of {being.name}, a copy with both faces, "
            f"is that of its front face, {front}, or {printed}, as of a copy of the back face"
        )
    return printed


def _of_melded(being: Being, printed: int, rulings: Rulings) -> int:
    if being.copied_from and printed:
        raise rulings.refuse(f"the mana value of {being.name}, melded and a copy of something else, is not modelled")
    rulings.ask(MELDED_VALUE)
    fronts = [mana_value_of(str(part.faces["front"].get("mana cost", ""))) for part in being.parts]
    return 0 if being.copied_from else sum(fronts)
