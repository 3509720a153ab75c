"""The steps of a scenario, each of which changes the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from rulehist.engine.characteristics import names_of
from rulehist.engine.continuous import Continuous
from rulehist.engine.copying import FACE_DOWN, become_copy, copiable_values, faces_of, values_there
from rulehist.engine.effects import Effect, Filter
from rulehist.engine.entering import DEFAULT_FACE_DOWN, enter
from rulehist.engine.faces import double_faced
from rulehist.engine.game import Being, CopiableEffect, Resolved, own_values
from rulehist.engine.play import Play
from rulehist.engine.questions import Question, Refused
from rulehist.engine.scenario import Step, StepKind

TURNED: Final = Question("new-timestamp-turned", ("it does", "it does not"))
TRANSFORMED: Final = Question("new-timestamp-transformed", ("it does", "it does not"))
ATTACHED: Final = Question("new-timestamp-attached", ("it does", "it does not"))
ATTACHED_AGAIN: Final = Question("attached-where-it-is", ("nothing", "it is attached anew"))
COUNTER_TIMESTAMP: Final = Question("counter-timestamp", ("since it was put there",))
FACE_DOWN_TURNED: Final = Question("face-down-turned", ("2/2 creature",))
FACE_DOWN_TWICE: Final = Question("face-down-twice", ("nothing", "it becomes what is listed now"))
FACE_DOWN_COST: Final = Question("face-down-mana-cost", ("none", "zero"))
FACE_DOWN_LISTS: Final = Question("face-down-lists-own", ("it may", "always 2/2"))
TURNED_UP: Final = Question("turned-face-up", ("what it normally has",))
DOUBLE_FACED_DOWN: Final = Question("double-faced-turned-down", ("nothing",))
INSTANT_UP: Final = Question("instant-turned-up", ("it is left face down",))
TRANSFORMS: Final = Question(
    "what-transforms",
    (
        "double-faced cards and tokens",
        "transforming cards and tokens",
        "double-faced cards",
        "transforming cards",
    ),
)
THAT: Final = Question("that-object", ("it is that object still",))
AFTER_MOVE: Final = Question("source-name-after-move", ("it does", "it does not"))
HIDDEN_ZONES: Final = ("hand", "library")
TRACKS: Final = Question("effect-tracks-object", ("it follows it",))
SIMULTANEOUS: Final = Question("static-before-resolving", ("the static ability", "the effect"))
KEEPS_EFFECTS: Final = Question("becoming-a-copy-keeps-other-effects", ("keeps them",))


def take(play: Play, step: Step) -> None:
    """Play one step. Raises ``ScenarioError`` where it cannot be taken, ``Refused`` where there is no answer."""
    for name in _named(step):
        if name in play.game.beings and not play.being(name).exists:
            raise play.refuse(
                f'line {step.line}: under the rules of {play.rulings.label} there is no "{name}" any more'
            )
    if step.kind in _STEPS:
        _STEPS[step.kind](play, step)
    else:
        module, function = _ELSEWHERE[step.kind]
        getattr(import_module(f"rulehist.engine.{module}"), function)(play, step)
    if "with effect" in step.given and play.being(step.object).exists:
        _with_effect(play, step)


def _named(step: Step) -> list[str]:
    """The objects that a step needs; a token can be asked to be a copy of what is not there."""
    given = step.given
    names = [str(given[key]) for key in ("with", "to", "copy of", "source") if key in given]
    names += given.get("choosing", ())
    if step.kind is not StepKind.CREATE_TOKEN_COPY:
        names.append(step.of)
    return [step.object, *names]


def _enters(play: Play, step: Step) -> None:
    being = play.being(step.object)
    if being.zone == "stack":
        raise play.error(step.line, f'"{step.object}" is on the stack; say "resolves"')
    copied = step.given.get("copy of")
    if not (copied or being.copiable or "face down as" in step.given):
        _can_enter(play, being, step)
    enter(play, being, step.given, step.line, copy_of=play.being(copied) if copied else None)


def _can_enter(play: Play, being: Being, step: Step) -> None:
    """An error for an object without the face that it would enter with, or of a type that never enters."""
    face = step.given.get("face", "front")
    if face == "back" and "back" not in being.faces:
        raise play.error(step.line, f'"{step.object}" has no back face; it cannot enter with it up')
    if step.given.get("prototyped") and "prototype" not in being.faces:
        raise play.error(step.line, f'"{step.object}" has no prototype; it cannot enter as that')
    types: Any = being.faces[face].get("card types", ())
    if {"instant", "sorcery"} & {word.casefold() for word in types}:
        raise play.error(step.line, f'"{step.object}" is an instant or sorcery; these stay where they are')


def _with_effect(play: Play, step: Step) -> None:
    """The effect that puts an object onto the battlefield and changes it: it and static abilities begin together."""
    being = play.being(step.object)
    timestamp = play.game.tick()
    abilities: Any = copiable_values(play, being).get("rules text", ())
    if any(ability.static for ability in abilities) and play.rulings.ask(SIMULTANEOUS) != "the static ability":
        timestamp, being.timestamp = being.timestamp, timestamp
    play.game.resolved += [
        Resolved(form, names, timestamp, step.object, "")
        for form, names in _forms(play, step.given["with effect"], (step.object,), step.object)
    ]


def _enters_as_copy(play: Play, step: Step) -> None:
    being, original = play.being(step.object), _not_on_stack(play, step)
    if being.counters or being.stickers or being.status or _affected(play, step.object):
        raise play.refuse(
            f"{step.object} has counters, stickers, effects or a status before it enters; what becomes of them is not "
            "modelled"
        )
    enter(play, being, step.given, step.line, copy_of=play.being(original))


def _not_on_stack(play: Play, step: Step) -> str:
    if play.being(step.of).zone == "stack":
        raise play.error(step.line, f'"{step.of}" is on the stack; "{step.kind.value}" cannot copy it')
    return step.of


def _affected(play: Play, name: str) -> bool:
    return any(name in (each.affected or ()) for each in play.game.resolved)


def _becomes_copy(play: Play, step: Step) -> None:
    being = play.being(step.object)
    _not_on_stack(play, step)
    if step.object == step.of and step.exceptions.empty:
        return  # it acquires the copiable values that it has
    if being.counters or _affected(play, step.object):
        play.rulings.ask(KEEPS_EFFECTS)
    become_copy(play, being, play.being(step.of), step.exceptions, str(step.given.get("called", "")))


def _effect(play: Play, step: Step) -> None:
    effect: Effect = step.given["effect"]
    if isinstance(effect.affects, Filter):
        if not step.object and effect.affects.looks_at_its_source:
            raise play.error(step.line, 'a filter with "attached to: self" or "attached" needs the key source')
        has = Continuous(play.game, play.rulings, lambda being: values_there(play, being))
        has.run()
        affected = tuple(name for name in has.has if has.matches(name, effect.affects, step.object))
    elif effect.affects == "self":
        affected = (step.object,)
    elif effect.affects == "attached":
        affected = (play.being(step.object).attached_to,) if step.object else ()
    else:
        affected = tuple(effect.affects)
    if not all(affected):
        raise play.error(step.line, '"self" and "attached" need the key source; name the objects that are affected')
    called = str(step.given.get("called", ""))
    timestamp = play.game.tick()
    if effect.controller == "you" and step.object:
        effect = effect._replace(controller=play.of(play.being(step.object)).controller)
    play.game.resolved += [
        Resolved(form, names, timestamp, step.object, called)
        for form, names in _forms(play, effect, affected, step.object)
    ]


def _forms(play: Play, effect: Effect, affected: tuple[str, ...], source: str) -> list[tuple[Effect, tuple[str, ...]]]:
    """The effect with its numbers as they are on resolution; most have none that could change."""
    if all(isinstance(amount, int) for _, amount in (*effect.base, *effect.modify)):
        return [(effect, affected)]
    from rulehist.engine.locked_numbers import locked

    return locked(play, effect, affected, source)


def _ends(play: Play, step: Step) -> None:
    called = step.given["called"]
    play.game.resolved = [each for each in play.game.resolved if each.called != called]
    for being in play.game.beings.values():
        left = [effect for effect in being.copiable if not (effect.called and effect.called == called)]
        ending = [effect.timestamp for effect in being.copiable if effect not in left]
        if ending and any(effect.kind == "merge" and effect.timestamp > min(ending) for effect in left):
            raise play.refuse(
                f"what {being.name} has where a copy effect ends that is older than a merger is not modelled"
            )
        if len(left) < len(being.copiable):
            being.copiable = left
            being.changed = play.game.tick()
            being.copied_from = next((e.of for e in reversed(left) if e.kind == "copy"), "")
            being.unsaid = dict(next((e.unsaid for e in reversed(left) if e.kind == "copy"), {}))


def _counters(play: Play, step: Step) -> None:
    sign = 1 if step.kind is StepKind.PUT_COUNTERS else -1
    for kind, number in step.given["counters"].items():
        play.being(step.object).put(kind, sign * number, play.game.tick())


def _attach(play: Play, step: Step) -> None:
    being = play.being(step.object)
    if step.given["to"] == step.object:
        raise play.error(step.line, f'"{step.object}" cannot be attached to itself; name another object')
    if step.given["to"] == being.attached_to and play.rulings.ask(ATTACHED_AGAIN) == "nothing":
        return
    being.attached_to, being.lost_host = step.given["to"], False
    abilities: Any = copiable_values(play, being).get("rules text", ())
    if abilities or _affected(play, step.object):
        if play.rulings.ask(ATTACHED) == "it does":
            being.timestamp = play.game.tick()
    else:
        being.timestamp = play.game.tick()


def _turn_up(play: Play, step: Step) -> None:
    being = play.being(step.object)
    if not being.face_down:
        return
    types: Any = being.faces["front"].get("card types", ())
    if {"instant", "sorcery"} & {word.casefold() for word in types} and being.kind == "card":
        play.rulings.ask(INSTANT_UP)
        return
    if being.parts:
        from rulehist.engine.merging import stays_face_down

        if stays_face_down(play, being):
            return
    play.rulings.ask(TURNED_UP)
    being.status.discard("face down")
    being.changed = play.game.tick()
    _new_timestamp(play, step.object, TURNED)
    sets = step.given.get("as it is turned face up")
    if not sets:
        return
    clauses = play.clauses()
    if "as it is turned face up" not in clauses.modifiers or (
        clauses.must_set != "characteristics" and not {"power", "toughness"} <= set(sets)
    ):
        raise play.refuse(
            f"the rules of {play.rulings.label} did not say what an ability is that sets characteristics as its object "
            "is turned face up",
            clauses.rule,
            clauses.quote(clauses.basis_clause),
        )
    being.copiable.append(CopiableEffect("set", play.game.tick(), sets=sets))


def _new_timestamp(play: Play, name: str, question: Question) -> None:
    """A new timestamp, where the rules give one; it matters only for an object that has static abilities."""
    being = play.being(name)
    abilities: Any = copiable_values(play, being).get("rules text", ())
    if any(ability.static for ability in abilities) and play.rulings.ask(question) == "it does":
        being.timestamp = play.game.tick()


def _turn_down(play: Play, step: Step) -> None:
    being = play.being(step.object)
    if being.face_down and play.rulings.ask(FACE_DOWN_TWICE) == "nothing":
        return
    if being.parts:
        from rulehist.engine.merging import stays_face_up

        if stays_face_up(play, being):
            return
    elif double_faced(being) and play.rulings.ask(DOUBLE_FACED_DOWN) == "nothing":
        return
    listed: Mapping[str, Any] | None = step.given.get("as")
    plain = listed is not None and {"card types": DEFAULT_FACE_DOWN["card types"], **listed} == DEFAULT_FACE_DOWN
    if listed is not None and not plain and play.rulings.ask(FACE_DOWN_LISTS) == "always 2/2":
        raise play.refuse(f"under the rules of {play.rulings.label} a permanent that is turned face down is always 2/2")
    if (listed is None or plain) and play.rulings.ask(FACE_DOWN) == "those of a 0/1 creature":
        listed = {}
    elif listed is None or plain:
        play.rulings.ask(FACE_DOWN_TURNED)
        listed = dict(DEFAULT_FACE_DOWN)
        if play.rulings.ask(FACE_DOWN_COST) == "zero":
            listed["mana cost"] = "{0}"
    being.listed = own_values(listed, f"{being.name} face down")
    being.known = None
    being.status.add("face down")
    _new_timestamp(play, step.object, TURNED)


def _transform(play: Play, step: Step) -> None:
    being = play.being(step.object)
    if being.parts and not being.face_down:
        from rulehist.engine.merging import has_double_faced

        if has_double_faced(being):
            raise play.refuse(f"what transforming {being.name}, a merged permanent, does is not modelled")
        return
    if "double-faced" in being.unsaid:
        raise Refused(being.unsaid["double-faced"])
    if being.face_down or not double_faced(being):
        return  # only a double-faced permanent can transform; one that is a copy does, and stays what it copies
    if being.modal and play.rulings.ask(TRANSFORMS).startswith("transforming"):
        return
    if being.kind != "card" and not play.rulings.ask(TRANSFORMS).endswith("tokens"):
        return
    being.face = "front" if being.face == "back" else "back"
    being.changed = play.game.tick()
    _new_timestamp(play, step.object, TRANSFORMED)


def _flip(play: Play, step: Step) -> None:
    being = play.being(step.object)
    if "flipped" not in faces_of(play, being):
        raise play.refuse(f"{being.name} has no flipped face: what flipping it does is not modelled")
    being.status.add("flipped")
    being.changed = play.game.tick()


def _unlock(play: Play, step: Step) -> None:
    being, half = play.being(step.object), step.given["half"]
    if being.face_down or being.zone != "battlefield" or "left half" not in faces_of(play, being):
        raise play.error(step.line, f'"{step.object}" is no permanent with two halves; nothing of it is locked')
    (being.unlocked.add if step.kind is StepKind.UNLOCK else being.unlocked.discard)(half)


def _tap(play: Play, step: Step) -> None:
    play.being(step.object).status.add("tapped")


def _untap(play: Play, step: Step) -> None:
    play.being(step.object).status.discard("tapped")


def _unattach(play: Play, step: Step) -> None:
    being = play.being(step.object)
    being.attached_to, being.lost_host = "", bool(being.attached_to)


def _leaves(play: Play, step: Step) -> None:
    from rulehist.engine.state_based import leave

    leave(play, play.being(step.object), step.given["to"])


def _state_based(play: Play, step: Step) -> None:
    from rulehist.engine.state_based import check

    check(play, step.given.get("keep", ()))


def _by_name(play: Play, step: Step) -> None:
    """An effect that refers to a permanent by the name that it had happens to it, whatever it is called now."""
    being = play.being(step.object)
    if "after moving it to" in step.given:
        _after_move(play, step)
        return
    now = {each.casefold() for each in names_of(play.of(being).values)}
    if str(step.given["called"]).casefold() not in now:
        play.rulings.ask(TRACKS)
    _happens(play, step)


def _after_move(play: Play, step: Step) -> None:
    """The ability that an object has granted has moved that object, and goes on to speak of it by name."""
    from rulehist.engine.state_based import leave

    being, zone = play.being(step.object), step.given["after moving it to"]
    leave(play, being, zone)
    if being.exists and zone not in HIDDEN_ZONES and play.rulings.ask(AFTER_MOVE) == "it does":
        _happens(play, step)


def _that_object(play: Play, step: Step) -> None:
    """An effect that refers to "that creature" happens to it, even where it is none any more."""
    types: Any = play.of(play.being(step.object)).values.get("card types", ())
    if str(step.given["as"]).casefold() not in {word.casefold() for word in types}:
        play.rulings.ask(THAT)
    _happens(play, step)


def _happens(play: Play, step: Step) -> None:
    being = play.being(step.object)
    for kind, number in step.given.get("put counters", {}).items():
        being.put(kind, number, play.game.tick())
    if step.given.get("leaves to") == "battlefield":
        enter(play, being, {}, step.line)
    elif "leaves to" in step.given:
        from rulehist.engine.state_based import leave

        leave(play, being, step.given["leaves to"])


def _together(play: Play, step: Step) -> None:
    from rulehist.engine.simultaneous import together

    together(play, step, take)


def _facts(play: Play, step: Step) -> None:
    for word in step.given["facts"]:
        if word in play.game.locked_facts:
            raise play.refuse(
                f'an effect has set power or toughness to the fact "{word}", found once on resolution; where an '
                'ability that it gave says it, say it with "add: {rules text: [{ability: ..., static: [...]}]}"'
            )
    play.game.facts.update(step.given["facts"])


_STEPS: Final[Mapping[StepKind, Callable[[Play, Step], None]]] = {
    StepKind.ENTERS: _enters,
    StepKind.ENTERS_AS_COPY: _enters_as_copy,
    StepKind.BECOMES_COPY: _becomes_copy,
    StepKind.EFFECT: _effect,
    StepKind.ENDS: _ends,
    StepKind.PUT_COUNTERS: _counters,
    StepKind.REMOVE_COUNTERS: _counters,
    StepKind.ATTACH: _attach,
    StepKind.TURN_UP: _turn_up,
    StepKind.TURN_DOWN: _turn_down,
    StepKind.TRANSFORM: _transform,
    StepKind.FLIP: _flip,
    StepKind.TAP: _tap,
    StepKind.UNTAP: _untap,
    StepKind.UNATTACH: _unattach,
    StepKind.UNLOCK: _unlock,
    StepKind.LOCK: _unlock,
    StepKind.LEAVES: _leaves,
    StepKind.STATE_BASED: _state_based,
    StepKind.FACTS: _facts,
    StepKind.BY_NAME: _by_name,
    StepKind.THAT_OBJECT: _that_object,
    StepKind.TOGETHER: _together,
}
_ELSEWHERE: Final[Mapping[StepKind, tuple[str, str]]] = {
    StepKind.CREATE_TOKEN: ("tokens", "create"),
    StepKind.CREATE_TOKEN_COPY: ("tokens", "create_copy"),
    StepKind.COPY_SPELL: ("spells", "copy_spell"),
    StepKind.MERGE: ("merging", "merge"),
    StepKind.MELD: ("merging", "meld"),
    StepKind.DESIGNATIONS: ("designations", "designate"),
    StepKind.CAST: ("spells", "cast"),
    StepKind.RESOLVES: ("spells", "resolve"),
    StepKind.GAINS_ABILITIES: ("spells", "gains_abilities"),
    StepKind.SPLICE: ("spells", "splice"),
}
"""The steps that few scenarios have: module and function, loaded when one is taken."""
