"""Copies of spells on the stack, what they become, and text that is added to a spell."""

from __future__ import annotations

from typing import Any, Final

from rulehist.engine.copying import become_copy, copiable_values, faces_of
from rulehist.engine.effects import Ability, Effect
from rulehist.engine.entering import enter
from rulehist.engine.game import Being, Resolved, own_values
from rulehist.engine.names import one_name
from rulehist.engine.play import Play, said
from rulehist.engine.questions import Question
from rulehist.engine.scenario import Step
from rulehist.engine.semantics import Refusal
from rulehist.engine.state_based import leave
from rulehist.engine.vocabulary import CHOICES

COST_OBJECTS: Final = Question("spell-copy-cost-objects", ("the objects that paid for the original", "none"))
DECISIONS: Final = Question("spell-copy-decisions", ("all that were made for it",))
OWNER: Final = Question(
    "spell-copy-owner", ("who controlled the copy as it was put on the stack", "who controlled what created it")
)
CONTROLLER: Final = Question("spell-copy-controller", ("who put it on the stack",))
CAN_BE_COPIED: Final = Question(
    "copy-abilities", ("spells", "spells and activated abilities", "spells, activated and triggered abilities")
)
ABILITY_SOURCE: Final = Question("ability-copy-source", ("that of the original",))
NEW_TARGET: Final = Question("spell-copy-new-target", ("one of them, chosen by the copy's controller",))
SHORT_NAMES: Final = Question("short-names", ("it may", "it may not"))
RESOLVES: Final = Question("permanent-spell-copy", ("a token", "nothing"))
COPY_FACES: Final = Question("spell-copy-faces", ("the one that is up", "both, of a transforming one", "both"))
PROTOTYPE: Final = Question("prototype-copied", ("it is",))
AURA_RESOLVES: Final = Question("aura-resolves", ("attached to what it was targeting",))
GAINER: Final = Question("gained-ability-name", ("the gainer", "the first object"))


def copy_spell(play: Play, step: Step) -> None:
    """Put a copy of a spell or ability onto the stack."""
    original = play.being(step.of)
    if original.zone != "stack":
        raise play.error(step.line, f'"{step.of}" is not on the stack; "{step.kind.value}" cannot copy it')
    if original.kind == "ability":
        _copy_ability(play, step, original)
        return
    if any(each.spliced and original.name in (each.affected or ()) for each in play.game.resolved):
        raise play.refuse(f"{original.name} has text of another card spliced onto it: a copy of it is not modelled")
    for key in step.choices:
        if key != "targets":
            raise play.error(step.line, f"a copy of a spell may get new targets, not another {key}; leave it out")
    copy = Being(step.object, "copy", "stack", {"front": {"color": ()}}, play.game.tick())
    play.game.beings[step.object] = copy
    both = _both_faces(play, original)
    become_copy(play, copy, original, step.exceptions, both_faces=both)
    if both:
        copy.faces, copy.known = {"front": {}, "back": {}}, None
        copy.face, copy.modal = original.face, original.modal
    copy.cast = original.cast
    if original.prototyped:
        play.rulings.ask(PROTOTYPE)
        copy.prototyped = True
    controller = str(step.given.get("controller") or "you")
    _players(play, copy, controller, step)
    _choices(play, copy, original, step)


def _both_faces(play: Play, original: Being) -> bool:
    """Whether a copy of a spell has both faces of it."""
    faces = faces_of(play, original)
    types: Any = copiable_values(play, original).get("card types", ())
    if "back" not in faces or original.face_down or {"instant", "sorcery"} & {word.casefold() for word in types}:
        return False
    reading = play.rulings.ask(COPY_FACES)
    return reading == "both" or (reading.endswith("transforming one") and not original.modal)


def _copy_ability(play: Play, step: Step, original: Being) -> None:
    """Put a copy of an activated or triggered ability onto the stack."""
    if original.ability_kind not in ("activated", "triggered"):
        raise play.error(step.line, f'say of {step.of} under "kind of ability" whether it is activated or triggered')
    reading = play.rulings.ask(CAN_BE_COPIED)
    if original.ability_kind not in reading:
        raise play.refuse(f"the rules of {play.rulings.label} spoke of copying {reading} alone")
    play.rulings.ask(ABILITY_SOURCE)
    copy = Being(step.object, "ability", "stack", {"front": {}}, play.game.tick())
    copy.ability_kind, copy.source, copy.copied_from = original.ability_kind, original.source, original.name
    play.game.beings[step.object] = copy
    copy.controller = str(step.given.get("controller") or "you")
    _choices(play, copy, original, step)


def _players(play: Play, copy: Being, controller: str, step: Step) -> None:
    copy.controller = controller
    instructed = str(step.given.get("instructed") or controller)
    copy.owner = controller
    if instructed != controller:
        reading = play.rulings.ask(OWNER)
        copy.owner = instructed if reading.endswith("created it") else controller


def _choices(play: Play, copy: Being, original: Being, step: Step) -> None:
    clauses = play.clauses()
    new = step.given.get("new target", ())
    for key in CHOICES:
        if key == "targets" and new:
            copy.choices[key] = _new_target(play, step, new, original)
        elif key in step.choices:
            copy.choices[key] = step.choices[key]
        elif key not in original.choices or key == "mana spent":
            continue  # mana is no object: what was spent for the original was not spent for the copy
        elif key == "objects paid":
            if play.rulings.ask(COST_OBJECTS) != "none":
                copy.choices[key] = original.choices[key]
        elif key == "costs paid":
            play.rulings.ask(DECISIONS)
            copy.choices[key] = original.choices[key]
        elif key in clauses.choices:
            copy.choices[key] = original.choices[key]
            play.claim(
                f"{copy.name}.{key} is {said(copy.choices[key])}, as chosen for {original.name}",
                clauses.rule,
                clauses.quote(clauses.choices[key]),
            )
        elif play.rulings.read(DECISIONS.switch).said:
            play.rulings.ask(DECISIONS)
            copy.choices[key] = original.choices[key]
        else:
            copy.unsaid[key] = Refusal(
                f"the rules of {play.rulings.label} did not say that {key} is copied", clauses.rule, clauses.rule.text
            )


def _new_target(play: Play, step: Step, new: tuple[str, ...], original: Being) -> tuple[str, ...]:
    """The targets of a copy for which an effect specifies a new one."""
    target = new[0]
    if len(new) > 1:
        play.rulings.ask(NEW_TARGET)
        target = step.given.get("chooses", "")
        if target not in new:
            raise play.error(step.line, 'say under "chooses" which of the new targets is chosen')
    before: Any = original.choices.get("targets", ())
    return (target,) * max(1, len(before))


def cast(play: Play, step: Step) -> None:
    """Put a card, or a copy of one, onto the stack: the part of it, or the face, that its player chose."""
    being = play.being(step.object)
    if being.zone in ("stack", "battlefield") or being.kind not in ("card", "copy"):
        raise play.error(step.line, f'"{step.object}" is no card outside the stack and the battlefield; it is not cast')
    kind, kept, made, zone = being.kind, list(being.copiable), being.copied_from, being.zone
    being.kind = "card"
    leave(play, being, "stack")
    being.kind = kind
    if kind == "copy":
        being.copiable, being.copied_from = kept, made
    being.cast, being.face = step.given.get("as", ""), step.given.get("face", "front")
    being.cast_from = zone
    being.prototyped = bool(step.given.get("prototyped"))
    being.controller = str(step.given.get("controller") or being.controller)
    being.choices = dict(step.choices)
    if "face down as" in step.given:
        being.status.add("face down")
        being.listed = own_values(step.given["face down as"], f"{being.name} face down")
        return
    faces = faces_of(play, being)
    needed = "left half" if being.cast == "both halves" else being.cast
    if (needed and needed not in faces) or (being.face == "back" and "back" not in faces):
        raise play.error(step.line, f'"{step.object}" has no {needed or "back face"}; it cannot be cast as that')
    if "left half" in faces and not being.cast:
        raise play.error(step.line, f'"{step.object}" is a split card; say under "as" which half is cast')
    if being.prototyped and "prototype" not in faces:
        raise play.error(step.line, f'"{step.object}" has no prototype; it cannot be cast as that')
    types: Any = copiable_values(play, being).get("card types", ())
    if "land" in {word.casefold() for word in types}:
        raise play.error(step.line, f'"{step.object}" is a land; lands are played, never cast: say "enters"')
    if being.cast:
        from rulehist.engine.forms import must_exist

        must_exist(being, play.rulings)


def resolve(play: Play, step: Step) -> None:
    """A spell resolves: a permanent spell becomes a permanent, a copy of one a token where the rules say so."""
    being = play.being(step.object)
    if being.zone != "stack":
        raise play.error(step.line, f'"{step.object}" is not on the stack; only spells resolve')
    values = copiable_values(play, being)
    types = {str(word).casefold() for key in ("card types", "subtypes") for word in values.get(key, ())}  # type: ignore[union-attr]
    if {"instant", "sorcery"} & types:
        being.zone = _after_resolving(play, being)
        being.exists = being.kind != "copy"
        being.cast = being.cast_from = ""
        return
    copied, made_by, prototyped = being.copiable, being.made_by, being.prototyped
    if being.kind == "copy":
        if play.rulings.ask(RESOLVES) == "nothing":
            being.exists = False
            return
        being.kind = "token"
    face_down, listed = being.face_down, being.listed
    given: dict[str, Any] = {"face": being.face, **step.given, "prototyped": prototyped}
    if face_down and listed is not None:
        given["face down as"] = listed
    host = _enchanted(play, being) if "aura" in types else ""
    enter(play, being, given, step.line)
    if host:
        if play.rulings.read(AURA_RESOLVES.switch).said:
            play.rulings.ask(AURA_RESOLVES)
        being.attached_to = host
    being.copiable, being.made_by = copied + [e for e in being.copiable if e not in copied], made_by


def _enchanted(play: Play, being: Being) -> str:
    """What an Aura spell that resolves becomes attached to: its target. Raises ``Refused`` for one that has left."""
    targets: Any = being.choices.get("targets", ())
    if not targets or targets[0] not in play.game.beings:
        return ""
    target = play.being(targets[0])
    came_later = target.entered and target.since > being.timestamp
    if target.zone != "battlefield" or not target.exists or came_later:
        raise play.refuse(
            f"what becomes of {being.name} is not modelled, whose target {target.name} has left the battlefield"
        )
    return target.name


def _after_resolving(play: Play, being: Being) -> str:
    """The zone to which an instant or sorcery goes as it resolves."""
    if being.cast in ("adventure", "omen"):
        from rulehist.engine import halves

        adventure = being.cast == "adventure"
        play.rulings.ask(halves.ADVENTURE_RESOLVES if adventure else halves.OMEN_RESOLVES)
        return "exile" if adventure else "library"
    abilities: Any = copiable_values(play, being).get("rules text", ())
    aftermath = any(each.called("aftermath") for each in abilities)
    if aftermath and being.cast_from == "graveyard":
        from rulehist.engine.halves import AFTERMATH

        play.rulings.ask(AFTERMATH)
        return "exile"
    if aftermath or being.cast_from == "graveyard":
        how = "with aftermath" if aftermath else "cast from a graveyard"
        raise play.refuse(f"where {being.name}, a spell {how}, goes as it resolves is not modelled")
    return "graveyard"


def gains_abilities(play: Play, step: Step) -> None:
    """An object gains abilities of another until the effect ends; names in them mean what the rules of the day say."""
    gainer, other = play.being(step.object), play.being(step.of)
    every = step.given.get("which", "activated") == "all"
    has = play.characteristics()
    old, new = one_name(play, has[other.name].values), one_name(play, has[gainer.name].values)
    short = "Legendary" not in has[other.name].values.get("supertypes", ())
    gained = tuple(
        renamed(play, held.ability, old, new, short=short)
        for held in has[other.name].abilities
        if every or held.ability.activated
    )
    effect = Effect(affects=(gainer.name,), abilities=gained, label=f"abilities of {other.name}")
    called = str(step.given.get("called", ""))
    play.game.resolved.append(Resolved(effect, (gainer.name,), play.game.tick(), "", called))


def renamed(play: Play, ability: Ability, old: str, new: str, *, short: bool = False) -> Ability:
    """An ability that another object gains: where it refers to its first object by name, that is the new object.

    ``short``: the first object is not legendary, so that a short form of its name needs a rule that allows it.
    """
    word = ability.by_name or (old if old and old in ability.text else "")
    if not word or not new or word == new:
        return ability
    if short and word != old and play.rulings.ask(SHORT_NAMES) == "it may not":
        return ability
    if play.rulings.ask(GAINER) == "the gainer":
        return ability._replace(text=ability.text.replace(word, new), by_name=new)
    return ability


def splice(play: Play, step: Step) -> None:
    """Text of a card is added to a spell; it refers to that spell where it refers to its card by name."""
    host, card = play.being(step.object), play.being(step.of)
    if host.zone != "stack":
        raise play.error(step.line, f'"{step.object}" is not on the stack; text is spliced onto spells')
    old, new = one_name(play, copiable_values(play, card)), one_name(play, copiable_values(play, host))
    gained = tuple(renamed(play, ability, old, new) for ability in step.given["rules text"])
    effect = Effect(affects=(host.name,), abilities=gained, label=f"text of {card.name}")
    play.game.resolved.append(Resolved(effect, (host.name,), play.game.tick(), "", "", spliced=True))
