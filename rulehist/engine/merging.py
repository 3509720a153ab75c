"""Permanents that more than one card represents: melded and merged ones, and what becomes of their cards."""

from __future__ import annotations

from typing import Any, Final

from rulehist.engine.characteristics import CHARACTERISTICS, Values
from rulehist.engine.copying import faces_of
from rulehist.engine.entering import enter
from rulehist.engine.faces import double_faced, face_up
from rulehist.engine.game import Being, CopiableEffect, own_values
from rulehist.engine.play import Play
from rulehist.engine.questions import Question
from rulehist.engine.scenario import Step
from rulehist.engine.semantics import Refusal

MERGED: Final = Question("merged-permanent", ("those of its topmost component, as a copiable effect",))
MUTATED: Final = Question("mutated-abilities", ("those of every component",))
SPELL_EFFECTS: Final = Question("mutating-spell-effects", ("they modify the permanent",))
TOKENS: Final = Question("meld-of-tokens", ("nothing",))
FACE_DOWN_PART: Final = Question("merged-face-down-component", ("those of its card", "those listed"))
STATUS: Final = Question("merged-status", ("as its topmost component",))
TURNED: Final = Question("merged-turned", ("each is turned too",))
INSTANT: Final = Question("merged-instant-turned-up", ("it is left face down",))
TURNED_DOWN: Final = Question("merged-turned-down", ("nothing",))
TOKEN: Final = Question("merged-token", ("where its topmost component is one",))
MERGED_LEAVES: Final = Question("merged-leaves", ("all go to the zone",))
MELDED: Final = Question("melded-permanent", ("those of the combined back face",))
MELDED_LEAVES: Final = Question("melded-leaves", ("both go to the zone",))
MELDED_DOWN: Final = Question("melded-turned-down", ("nothing",))


def merge(play: Play, step: Step) -> None:
    """An object merges with a permanent, which then has the abilities of all its components."""
    if step.object == step.given["with"]:
        raise play.error(step.line, f'"{step.object}" cannot merge with itself; name another permanent')
    play.rulings.ask(MERGED)
    play.rulings.ask(MUTATED)
    being, other = play.being(step.given["with"]), play.being(step.object)
    if other.face_down or other.parts:
        raise play.refuse(f"that {other.name}, face down or merged itself, merges with another is not modelled")
    if being.zone != "battlefield":
        raise play.error(step.line, f'"{being.name}" is not on the battlefield; nothing merges with it')
    below = step.given.get("on", "top") == "bottom"
    _parts_of_cards(play, being, other)
    mine = _own_faces(play, being, below=below)
    merged = _merged(being, mine, faces_of(play, other), below=below)
    being.copiable.append(CopiableEffect("merge", play.game.tick(), other.name, merged))
    parts = being.parts or [being]
    being.parts = [*parts, other] if below else [other, *parts]
    being.own_kind = being.own_kind or being.kind
    other.exists = False
    _kind(play, being)
    _effects(play, being, other)


def _parts_of_cards(play: Play, being: Being, other: Being) -> None:
    """What is not modelled of cards that have halves, or an Adventure or Omen."""
    faces = (*faces_of(play, being), *faces_of(play, other))
    if "left half" in faces:
        raise play.refuse(f"that {other.name} merges with {being.name} is not modelled: one of them has two halves")
    for face in ("adventure", "omen"):
        if face in faces:
            why = f"whether {being.name}, a merged permanent, has an {face} is not modelled"
            being.unsaid[f"has an {face}"] = Refusal(why)


def _effects(play: Play, being: Being, other: Being) -> None:
    """Effects that modified the spell modify the permanent."""
    resolved = play.game.resolved
    if not any(other.name in (each.affected or ()) for each in resolved):
        return
    play.rulings.ask(SPELL_EFFECTS)
    for place, each in enumerate(resolved):
        if other.name in (each.affected or ()):
            kept = [name for name in each.affected or () if name not in (other.name, being.name)]
            resolved[place] = each._replace(affected=(*kept, being.name))


def _own_faces(play: Play, being: Being, *, below: bool) -> dict[str, Values]:
    """The faces of a permanent as something merges with it; on top of a face-down one, it is face up then."""
    faces = faces_of(play, being)
    if not being.face_down:
        return faces
    play.rulings.ask(STATUS)
    if below:
        return faces
    being.status.discard("face down")
    listed = dict(being.listed or {})
    if faces["front"].get("rules text") or listed.get("rules text"):
        return faces if play.rulings.ask(FACE_DOWN_PART) == "those of its card" else {"front": listed}
    return faces


def _merged(being: Being, mine: dict[str, Values], more: dict[str, Values], *, below: bool) -> dict[str, Values]:
    """The faces of a merged permanent: those of the upper object, with the abilities of both."""
    found: dict[str, Values] = {}
    for face in ("front", "flipped"):
        if face == "flipped" and "flipped" not in mine and "flipped" not in more:
            continue
        own = mine.get(face) if face == "flipped" else None
        under, over = own or mine[_unflipped(being, mine)], more.get(face, more["front"])
        if below:
            under, over = over, under
        abilities: Any = (*over.get("rules text", ()), *under.get("rules text", ()))  # type: ignore[misc]
        found[face] = {**over, **({"rules text": abilities} if abilities else {})}
    return found


def _unflipped(being: Being, faces: dict[str, Values]) -> str:
    face = face_up(being, faces)
    return "front" if face == "flipped" else face


def _kind(play: Play, being: Being) -> None:
    """A merged permanent is a token where its topmost component is one."""
    top = being.parts[0]
    if {being.own_kind} | {each.kind for each in being.parts if each is not being} == {"card"}:
        return
    if top is not being and top.kind == "copy":
        being.unsaid["kind"] = Refusal(
            f"whether {being.name} is a token, with the copy of a spell on top, is not modelled"
        )
        return
    play.rulings.ask(TOKEN)
    being.kind = being.own_kind if top is being else top.kind


def meld(play: Play, step: Step) -> None:
    """Two cards are put onto the battlefield combined, as one permanent with the characteristics of the step."""
    cards = step.given["cards"]
    printed: dict[str, Any] = {key: step.given[key] for key in CHARACTERISTICS if key in step.given}
    melded = Being(step.object, "card", "exile", {"front": own_values(printed, step.object)}, 0)
    play.game.beings[step.object] = melded
    if any(play.being(name).kind != "card" for name in cards):
        play.rulings.ask(TOKENS)
        melded.exists = False
        return
    represent(play, melded, cards, step.line)
    melded.controller = melded.owner
    enter(play, melded, {**step.given, "face": "back"}, step.line)


def represent(play: Play, melded: Being, cards: tuple[str, ...], line: int) -> None:
    """Let two cards represent a melded permanent."""
    parts = [play.being(name) for name in dict.fromkeys(cards)]
    if len(parts) != 2 or any(part.kind != "card" for part in parts):
        raise play.error(line, f'"{melded.name}" is melded from two cards; name them')
    if any(part.parts or not part.exists for part in parts):
        raise play.error(line, f'"{melded.name}" is melded from cards that exist and are no merged permanents')
    play.rulings.ask(MELDED)
    melded.parts, melded.melded, melded.face = parts, True, "back"
    melded.owner = parts[0].owner
    for part in parts:
        part.exists = False


def apart(play: Play, being: Being) -> list[Being]:
    """The other objects that a permanent of several cards becomes as it leaves the battlefield."""
    play.rulings.ask(MELDED_LEAVES if being.melded else MERGED_LEAVES)
    if being.stickers:
        raise play.refuse(f"which of its cards keeps the stickers of {being.name} is not modelled")
    others = [part for part in being.parts if part is not being]
    for other in others:
        other.exists = True
    if being.melded:
        being.exists = False
    else:
        being.kind = being.own_kind
        being.unsaid.pop("kind", None)
    being.parts, being.own_kind = [], ""
    return others


def stays_face_down(play: Play, being: Being) -> bool:
    """Whether a face-down merged permanent cannot be turned face up."""
    play.rulings.ask(TURNED)
    types: list[Any] = [part.faces["front"].get("card types", ()) for part in being.parts]
    if any({"instant", "sorcery"} & {word.casefold() for word in each} for each in types):
        play.rulings.ask(INSTANT)
        return True
    return False


def stays_face_up(play: Play, being: Being) -> bool:
    """Whether a face-up permanent of several cards cannot be turned face down."""
    if being.melded:
        play.rulings.ask(MELDED_DOWN)
        return True
    if has_double_faced(being):
        play.rulings.ask(TURNED_DOWN)
        return True
    play.rulings.ask(TURNED)
    return False


def has_double_faced(being: Being) -> bool:
    """Whether a component of a merged permanent is a double-faced card."""
    return any(double_faced(part) for part in being.parts)
