"""The forms of cards: whether the rules of a day know them."""

from __future__ import annotations

from typing import Final

from rulehist.engine.game import Being
from rulehist.engine.halves import FUSED, FUSED_SPELL, ROOM, SPLIT_SPELL, is_room
from rulehist.engine.questions import Question, Rulings

MODAL: Final = Question("modal-double-faced", ("those of the face that is up",))
FORMS: Final = {
    "back": ("copy-of-double-faced", "double-faced cards"),
    "flipped": ("flipped-characteristics", "flip cards"),
    "prototype": ("prototype-copied", "prototype cards"),
    "left half": (SPLIT_SPELL.switch, "split cards"),
    "adventure": ("adventure-spell", "adventurer cards"),
    "omen": ("omen-spell", "omen cards"),
}
"""The faces of each form, with the switch on which rules that know the form say something."""


def must_exist(being: Being, rulings: Rulings) -> None:
    """Raises ``Refused`` for a card of a form that the rules of the day do not know."""
    forms = [form for face, form in FORMS.items() if face in being.faces]
    if being.modal:
        forms.append((MODAL.switch, "modal double-faced cards"))
    if is_room(being.faces):
        forms.append((ROOM.switch, "Rooms"))
    if being.cast == FUSED:
        forms.append((FUSED_SPELL.switch, "fused split spells"))
    for switch, what in forms:
        if not rulings.read(switch).said:
            raise rulings.refuse(
                f"the rules of {rulings.label} did not mention {what}: they did not exist under these rules"
            )
