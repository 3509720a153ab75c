"""Tokens: their names, the faces of those that are copies, and when none is created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rulehist.engine.cards import card
from rulehist.engine.characteristics import CHARACTERISTICS
from rulehist.engine.copying import copiable_values
from rulehist.engine.entering import enter
from rulehist.engine.faces import double_faced
from rulehist.engine.game import Being, own_values
from rulehist.engine.play import Play
from rulehist.engine.questions import Question
from rulehist.engine.scenario import Step
from rulehist.engine.semantics import Refusal
from rulehist.engine.shapes import NOTHING
from rulehist.errors import DataError

TOKEN_NAME: Final = Question("token-name", ("its subtypes", "its subtypes and Token"))
COPY_FACES: Final = Question("token-copy-faces", ("both", "both, of a transforming one", "the one that is up"))
OF_NOTHING: Final = Question("token-copy-of-nothing", ("none",))
BY_CARD: Final = Question("token-by-card-name", ("what the Oracle text of that card says",))
OF_INSTANT: Final = Question("token-of-instant", ("none",))


def create(play: Play, step: Step) -> None:
    """Create a token with the characteristics that the step gives."""
    given = dict(step.given)
    if "card" in given:
        given = {**_card(play, step, str(given["card"])), **given}
        play.game.grants = play.game.words_on_entering = True  # as far as is known of the card
    printed: dict[str, Any] = {key: given[key] for key in CHARACTERISTICS if key in given}
    if "name" not in printed and printed.get("subtypes"):
        ending = " Token" if play.rulings.ask(TOKEN_NAME).endswith("Token") else ""
        printed["name"] = " ".join(printed["subtypes"]) + ending
    faces = {"front": own_values(printed, step.object)}
    if "back face" in given:
        faces["back"] = own_values(given["back face"], f"{step.object} back")
    token = Being(step.object, "token", "battlefield", faces, 0)
    token.made_by = given.get("source", "")
    entering: dict[str, Any] = {key: given[key] for key in ("counters", "tapped", "choose") if key in given}
    _put(play, step, token, {"controller": given.get("controller", ""), **entering})


def _card(play: Play, step: Step, name: str) -> dict[str, Any]:
    """What a token has that is created by the name of a card."""
    play.rulings.ask(BY_CARD)
    try:
        return card(name)
    except DataError as error:
        raise play.error(step.line, str(error)) from error


def create_copy(play: Play, step: Step) -> None:
    """Create a token that is a copy of an object, or none where the rules of the day say so."""
    if step.of in NOTHING or not play.being(step.of).exists:
        play.rulings.ask(OF_NOTHING)
        _none(play, step)
        return
    original = play.being(step.of)
    if original.zone == "stack":
        raise play.error(step.line, f'"{step.of}" is on the stack; "{step.kind.value}" cannot copy it')
    if original.zone != "battlefield":
        types: Any = copiable_values(play, original).get("card types", ())
        if {"instant", "sorcery"} & {word.casefold() for word in types}:
            play.rulings.ask(OF_INSTANT)
            _none(play, step)
            return
    both = False
    if original.melded:
        why = f"whether {step.object}, a token that is a copy of a melded permanent, has two faces is not modelled"
        token = Being(step.object, "token", "battlefield", {"front": {"color": ()}}, 0)
        _put(play, step, token, step.given, of=original)
        token.unsaid["double-faced"] = Refusal(why)
        return
    if original.parts:
        both = False
    elif double_faced(original) and not original.copied_from and not original.face_down:
        reading = play.rulings.ask(COPY_FACES)
        both = reading == "both" or (reading.endswith("transforming one") and not original.modal)
    elif double_faced(original) and not original.face_down:
        both = original.kind == "token" and play.rulings.ask(COPY_FACES) != "the one that is up"
    token = Being(step.object, "token", "battlefield", {"front": {"color": ()}}, 0)
    token.modal = both and original.modal
    _put(play, step, token, step.given, of=original, both_faces=both)


def _put(
    play: Play,
    step: Step,
    token: Being,
    given: Mapping[str, Any],
    *,
    of: Being | None = None,
    both_faces: bool = False,
) -> None:
    token.owner = token.controller = given.get("controller") or "you"
    play.game.beings[step.object] = token
    enter(play, token, given, step.line, copy_of=of, both_faces=both_faces)
    if both_faces and of is not None:
        token.faces = {"front": {}, "back": {}}
        token.known = None


def _none(play: Play, step: Step) -> None:
    none = Being(step.object, "token", "battlefield", {"front": {}}, play.game.tick())
    none.exists = False
    play.game.beings[step.object] = none
