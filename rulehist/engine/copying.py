"""Copiable values: what an object has of itself, and what a copy of it acquires, clause by clause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rulehist.engine.characteristics import CHARACTERISTICS, Value, Values, colors_of
from rulehist.engine.continuous import Applied
from rulehist.engine.effects import Ability, Effect, Exceptions, Number
from rulehist.engine.exceptions import FINAL_VALUES, excepted_characteristics, unmodified, with_exceptions
from rulehist.engine.faces import face_up
from rulehist.engine.game import Being, CopiableEffect, linked
from rulehist.engine.play import Play, said
from rulehist.engine.questions import Question
from rulehist.engine.said import CopyingClauses
from rulehist.engine.semantics import Refusal
from rulehist.engine.vocabulary import SET_BY_ABILITY
from rulehist.thresholds import COPIES_OF_ONE

FACE_DOWN_COPY: Final = Question(
    "face-down-copy", ("its face-down characteristics, until turned up", "what it has copied")
)
LAYER_ONE: Final = Question("layer-one-divided", ("copiable effects, then face-down", "not divided"))
MELDED_COPIED: Final = Question("copy-of-melded", ("its combined back face",))
BY_STATUS: Final = Question("copy-modified-by-status", ("modified by its status", "as copied"))
SET_IN_LAYER: Final = Question("layer-of-as-it-enters", ("with copiable effects, in 1a", "after copy effects"))
COPY_CHANGES: Final = Question("copies-of-a-copy", ("its new copiable values",))
DOUBLE_FACED: Final = Question("copy-of-double-faced", ("the face that is up",))
SOURCE_ON_COPIES: Final = Question("source-name-on-copies", ("it does", "it does not"))
ACQUIRES: Final = Question("spell-copy-acquires", ("what is copied of a permanent", "its characteristics"))
WITH_PARTS: Final = frozenset(("left half", "adventure", "omen"))
FACE_DOWN: Final = Question("face-down-characteristics", ("only those listed", "those of a 0/1 creature"))


def faces_of(play: Play, being: Being, *, modified: bool = True) -> dict[str, Values]:
    """The values of each face, after copy effects, mergers and what abilities set as the object entered.

    ``modified``: with the characteristics that copy effects set or add to.
    """
    faces = dict(being.faces)
    effects = sorted(being.copiable, key=lambda effect: effect.timestamp)
    settled = next((n for n in reversed(range(len(effects))) if effects[n].result), None)
    if settled is not None and modified and all(effect.kind != "set" for effect in effects):
        faces, effects = dict(effects[settled].result), effects[settled + 1 :]
    elif len(effects) > 1:
        kinds = [effect.kind for effect in effects]
        later = "set" in kinds and "copy" in kinds[kinds.index("set") :]
        if later and play.rulings.ask(SET_IN_LAYER) == "after copy effects":
            effects.sort(key=lambda effect: effect.kind == "set")
    for effect in effects:
        if effect.faces:
            before = faces[face_up(being, faces)]
            faces = {
                face: with_exceptions(
                    play, values, effect.exceptions if modified else unmodified(effect.exceptions), before, being.name
                )
                for face, values in effect.faces.items()
            }
        if effect.sets:
            face = face_up(being, faces)
            faces[face] = {**faces[face], **_set(faces[face], effect.sets)}
    return faces


def _set(values: Values, sets: Values) -> dict[str, Value]:
    """What an ability sets: abilities beside those printed, anything else in the place of what is printed."""
    found = dict(sets)
    printed, gained = values.get("rules text", ()), sets.get("rules text", ())
    if isinstance(printed, tuple) and isinstance(gained, tuple) and gained:
        found["rules text"] = (*printed, *gained)
    return found


def copiable_values(play: Play, being: Being) -> Values:
    """The copiable values of an object. Raises ``Refused`` where the rules do not say."""
    state = (
        tuple(effect.timestamp for effect in being.copiable),
        frozenset(being.status),
        being.face,
        being.prototyped,
        being.zone,
        being.cast,
    )
    if being.known is None or being.known[0] != state:
        being.known = (state, _copiable_values(play, being))
    return being.known[1]


def _copiable_values(play: Play, being: Being) -> Values:
    copied = bool(being.copiable)
    if being.face_down:
        if being.listed is None:
            raise play.refuse(f'{being.name} is face down, but as what is not said; give "face down as"')
        if any(effect.kind == "merge" for effect in being.copiable):
            if play.rulings.ask(LAYER_ONE) != "copiable effects, then face-down":
                raise play.refuse(f"what {being.name} has, merged and face down, is not modelled under these rules")
        elif copied and play.rulings.ask(FACE_DOWN_COPY) == "what it has copied":
            return faces_of(play, being)["front"]
        if play.rulings.ask(FACE_DOWN) == "those of a 0/1 creature":
            return {"mana cost": "{0}", "color": (), "card types": ("Creature",), "power": 0, "toughness": 1}
        return being.listed
    faces = faces_of(play, being) if copied else being.faces
    face = face_up(being, faces)
    if copied and face == "flipped" and play.rulings.ask(BY_STATUS) == "as copied":
        face = "front"
    if len(faces) > 1 and WITH_PARTS & faces.keys():
        from rulehist.engine import halves

        return halves.as_seen(being, faces, face, play.rulings)
    return faces[face]


def values_there(play: Play, being: Being) -> Values:
    """What an object has before other continuous effects: its copiable values, of a Room those of unlocked halves."""
    values = copiable_values(play, being)
    if "left half" not in being.faces and not being.copiable:
        return values
    if being.zone != "battlefield" or being.face_down:
        return values
    if "left half" not in being.faces and all("left half" not in effect.faces for effect in being.copiable):
        return values
    faces = faces_of(play, being) if being.copiable else being.faces
    if "left half" not in faces:
        return values
    from rulehist.engine import halves

    found = halves.unlocked(being, faces, play.rulings)
    return values if found is faces["front"] else found


def acquire(
    play: Play,
    copier: str,
    original: Being,
    *,
    excepted: frozenset[str] = frozenset(),
    both_faces: bool = False,
) -> CopiableEffect:
    """The copy effect that makes ``copier`` a copy of ``original``, without exceptions.

    ``excepted``: the characteristics about which its exceptions say something, for the claims;
    ``both_faces``: a token that has both faces of a double-faced original. Raises ``Refused``.
    """
    clauses = play.clauses()
    if original.zone == "stack" and clauses.subject != "object":
        play.rulings.ask(ACQUIRES)
    if original.copiable:
        play.rulings.ask(COPY_CHANGES)
    unsaid: dict[str, Refusal] = {}
    if original.zone == "stack" and clauses.subject != "object" and not play.rulings.read(ACQUIRES.switch).said:
        raise play.refuse(
            f"the rules of {play.rulings.label} did not say what the copy of a spell acquires: their rule speaks of "
            f"copying a {clauses.subject}",
            clauses.rule,
            clauses.quote(f"when copying a {clauses.subject}"),
        )
    if original.face_down and "face down" not in clauses.modifiers:
        raise play.refuse(
            f"the rules of {play.rulings.label} did not say what is copied of a face-down object",
            clauses.rule,
            clauses.quote(clauses.basis_clause),
        )
    _noncopiable(play, clauses, copier, original, unsaid)
    if original.designations or original.level:
        from rulehist.engine.designations import not_copied

        not_copied(play, original, unsaid)
    set_by = _set_by_abilities(play, original, clauses, unsaid)
    timestamp = play.game.tick()
    link = f"{original.name} copied at {timestamp}"
    faces = {}
    for face, values in _copied_faces(play, original, both_faces).items():
        whole = {**values, **_set(values, {key: value for key, (value, _) in set_by.items()})}
        kept = _through_clauses(
            play,
            clauses,
            copier,
            original,
            whole,
            set_by={k: c for k, (_, c) in set_by.items()},
            unsaid=unsaid,
            excepted=excepted,
            silently=face in ("left half", "right half", "adventure", "omen"),
        )
        if "rules text" in kept:
            kept["rules text"] = linked(kept["rules text"], link)
        faces[face] = kept
    unsaid |= {key: why for key, why in original.unsaid.items() if key in CHARACTERISTICS and key not in unsaid}
    return CopiableEffect("copy", timestamp, original.name, faces, unsaid=unsaid)


def names_source(values: Values) -> bool:
    """Whether an ability among the values refers to the source of what gave it."""
    abilities: Any = values.get("rules text", ())
    return any(
        isinstance(amount, Number) and amount.on == "source"
        for ability in abilities
        for effect in _effects(ability)
        for _, amount in (*effect.base, *effect.modify)
    )


def _effects(ability: Ability) -> tuple[Effect, ...]:
    return (*ability.static, *((ability.defines,) if ability.defines else ()))


def _copied_faces(play: Play, original: Being, both_faces: bool) -> dict[str, Values]:
    """The faces that a copy has: the one that is up, the alternative of a flip card, both for some tokens."""
    if original.face_down:
        rule = play.rulings.face_down()
        if rule is not None:
            play.claim(f"{original.name} has only the characteristics listed", rule, rule.text)
        return {"front": copiable_values(play, original)}
    modifies = any(unmodified(effect.exceptions) != effect.exceptions for effect in original.copiable)
    faces = faces_of(play, original, modified=not modifies or play.rulings.ask(FINAL_VALUES) == "copied")
    if original.melded:
        play.rulings.ask(MELDED_COPIED)
    if "back" in faces:
        if both_faces:
            return {face: faces[face] for face in ("front", "back")}
        play.rulings.ask(DOUBLE_FACED)
        return {"front": faces[face_up(original, faces)]}
    if "flipped" in faces:
        return {"front": faces["front"], "flipped": faces["flipped"]}
    if WITH_PARTS & faces.keys():
        from rulehist.engine import halves

        return halves.copied(original, faces, play.rulings)
    return {"front": faces[face_up(original, faces)]}


def _through_clauses(
    play: Play,
    clauses: CopyingClauses,
    copier: str,
    original: Being,
    base: Mapping[str, Value],
    *,
    set_by: Mapping[str, str],
    unsaid: dict[str, Refusal],
    excepted: frozenset[str] = frozenset(),
    silently: bool = False,
) -> dict[str, Value]:
    """What of ``base`` the rule's clauses copy; what they do not mention goes to ``unsaid``.

    ``excepted``: what exceptions may have otherwise in the end. ``silently``: of a part of the card that is not up, of
    which nothing is claimed.
    """
    values: dict[str, Value] = {}
    for key, value in base.items():
        if key in unsaid:
            continue
        clause = set_by.get(key) or clauses.characteristics.get(key)
        if key == "color" and clause is None and clauses.basis == "derived":
            if "color indicator" in base and "color indicator" not in clauses.characteristics:
                unsaid[key] = unmentioned(play, "color indicator", clauses)
                continue
            clause = clauses.basis_clause
        if clause is None:
            if key == "expansion symbol":
                continue  # no longer on a list that is complete: it is not copied
            unsaid[key] = unmentioned(play, key, clauses)
            continue
        values[key] = value
        if silently:
            continue
        quoted = clauses.modifiers["face down"] if original.face_down and not original.copiable else clause
        play.claim(
            f"{copier}.{key} is {said(value) or 'none'}, copied from {original.name}"
            + (", but for the exceptions of the copy effect" if key in excepted else ""),
            clauses.rule,
            clauses.quote(quoted),
        )
    return {key: values[key] for key in CHARACTERISTICS if key in values}


def unmentioned(play: Play, key: str, clauses: CopyingClauses) -> Refusal:
    """Why a characteristic that the rule does not list is not answered."""
    listed = next(iter(clauses.characteristics.values()))
    return Refusal(
        f"the rules of {play.rulings.label} did not say that {key} is copied", clauses.rule, clauses.quote(listed)
    )


def _set_by_abilities(
    play: Play, original: Being, clauses: CopyingClauses, unsaid: dict[str, Refusal]
) -> dict[str, tuple[Value, str]]:
    """What abilities of the original set as it entered, where that is copied, each with its clause."""
    found: dict[str, tuple[Value, str]] = {}
    for when in SET_BY_ABILITY:
        sets = original.set_by.get(when)
        if sets is None or original.face_down or original.copied_from:
            continue
        if when not in clauses.modifiers:
            for key in sets:
                unsaid[key] = Refusal(
                    f"the rules of {play.rulings.label} did not say whether what an ability sets {when} is copied",
                    clauses.rule,
                    clauses.quote(clauses.basis_clause),
                )
        elif clauses.must_set == "characteristics" or {"power", "toughness"} <= set(sets):
            found.update({key: (value, clauses.modifiers[when]) for key, value in sets.items()})
    return found


def _noncopiable(play: Play, clauses: CopyingClauses, copier: str, source: Being, unsaid: dict[str, Refusal]) -> None:
    """Status, counters, stickers and effects: claim that they are not copied, or that the rules did not say."""
    affected = any(source.name in (each.affected or ()) for each in play.game.resolved)
    kept: dict[str, object] = {
        "status": source.status,
        "counters": source.counters,
        "stickers": source.stickers,
        "effects": affected,
    }
    for kind, present in kept.items():
        if not present:
            continue
        if kind in clauses.not_copied:
            what = "face-down status" if kind == "status" and source.face_down else kind
            play.claim(
                f"the {what} of {source.name} {'is' if kind == 'status' else 'are'} not copied to {copier}",
                clauses.rule,
                clauses.quote(clauses.not_copied[kind] + " are not copied"),
            )
        else:
            excluded = next(iter(clauses.not_copied.values())) + " are not copied"
            why = Refusal(
                f"the rules of {play.rulings.label} did not say whether {kind} is copied",
                clauses.rule,
                clauses.quote(excluded),
            )
            unsaid[kind] = why
            if kind == "status":
                unsaid.update(dict.fromkeys(("tapped", "flipped", "face down", "phased out"), why))


def become_copy(
    play: Play,
    being: Being,
    original: Being,
    exceptions: Exceptions,
    called: str = "",
    *,
    both_faces: bool = False,
) -> CopiableEffect:
    """Make an object a copy of another by one copy effect."""
    if len(being.copiable) >= COPIES_OF_ONE:
        raise play.refuse(f"there are more than {COPIES_OF_ONE} copy effects on {being.name}; divide the scenario")
    effect = acquire(play, being.name, original, excepted=excepted_characteristics(exceptions), both_faces=both_faces)
    effect = effect._replace(exceptions=exceptions, called=called)
    being.copiable.append(effect)
    if not called:
        being.copiable[-1] = effect = effect._replace(result=faces_of(play, being))
    being.copied_from = original.name
    being.unsaid = dict(effect.unsaid)
    if any(names_source(values) for values in effect.faces.values()):
        being.made_by = original.made_by if play.rulings.ask(SOURCE_ON_COPIES) == "it does" else ""
    return effect


def layer_one(play: Play) -> list[Applied]:
    """The lines of a derivation on copiable values: what changed those of each object, in the order applied."""
    found = []
    for being in play.game.beings.values():
        if not being.exists:
            continue
        for effect in sorted(being.copiable, key=lambda each: each.timestamp):
            what = {"copy": f"copy of {effect.of}", "merge": f"merged with {effect.of}"}.get(
                effect.kind, "as it enters"
            )
            if not effect.exceptions.empty:
                what += ", with exceptions"
            part = effect.kind if effect.kind != "set" else "as it enters"
            why = f"timestamp {effect.timestamp}"
            found.append(Applied("", what, (part,), (being.name,), why, "resolving-timestamp"))
        if being.face_down:
            found.append(Applied("", "face down", ("face down",), (being.name,), "it is face down"))
    return found


__all__ = ["acquire", "become_copy", "colors_of", "copiable_values", "faces_of", "values_there"]
