"""Objects that receive timestamps at the same time: what each sees of the others, and who puts them in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Final

from rulehist.engine.entering import note_triggers
from rulehist.engine.play import Play
from rulehist.engine.questions import Question
from rulehist.engine.scenario import Step, StepKind
from rulehist.thresholds import ORDERS_TRIED

SIMULTANEOUS: Final = Question(
    "simultaneous-timestamps",
    ("each player, the active player first", "the active player"),
)
EVENTS: Final = Question(
    "simultaneous-events",
    ("all that receive one", "those that enter", "those that enter, an Aura after what it enchants"),
)
_ENTERING: Final = (StepKind.ENTERS, StepKind.ENTERS_AS_COPY, StepKind.CREATE_TOKEN, StepKind.CREATE_TOKEN_COPY)
_NOT_YET: Final = "not on the battlefield yet"
"""The zone of what enters at the same time, while something else is looked at that enters with it."""


def together(play: Play, step: Step, take: Callable[[Play, Step], None]) -> None:
    """Play steps that happen at the same time. Raises ``Refused`` where the order of timestamps is not known."""
    steps: Sequence[Step] = step.given["steps"]
    entering = [each for each in steps if each.kind in _ENTERING]
    _check(play, entering)
    before = {name: being.timestamp for name, being in play.game.beings.items()}
    for each in steps:
        take(play, each)
        if each in entering:
            play.being(each.object).zone = _NOT_YET
    there = [each.object for each in entering if play.being(each.object).exists]
    for name in there:
        play.being(name).zone = "battlefield"
    since = min((play.being(name).timestamp for name in there), default=0)
    for name in there:
        play.being(name).since = since
    stamped = [each.object for each in steps if play.being(each.object).timestamp != before.get(each.object)]
    stamped = [name for name in dict.fromkeys(stamped) if play.being(name).exists]
    if len(stamped) > 1:
        for name in _ordered(play, stamped, step, all_enter=len(entering) == len(steps)):
            _stamp(play, name)
    for name in there:
        note_triggers(play, play.being(name))


def _check(play: Play, entering: Sequence[Step]) -> None:
    """What enters cannot copy what enters at the same time, and enters once."""
    names = [each.object for each in entering]
    for each in entering:
        if names.count(each.object) > 1:
            raise play.error(each.line, f'"{each.object}" enters twice at the same time; let it enter once')
        if "with effect" in each.given:
            raise play.error(
                each.line, '"with effect" is not understood within "together"; say it as a step of its own'
            )
        for other in (each.of, each.given.get("copy of", ""), *each.given.get("choosing", ())):
            if other in names:
                raise play.error(
                    each.line, f'"{other}" enters at the same time as "{each.object}", which cannot copy it then'
                )


def _stamp(play: Play, name: str) -> None:
    """Give an object its new timestamp, and those counters that came with it."""
    being = play.being(name)
    old, being.timestamp = being.timestamp, play.game.tick()
    being.counters = {
        kind: (number, being.timestamp if since == old else since) for kind, (number, since) in being.counters.items()
    }


def _ordered(play: Play, names: Sequence[str], step: Step, *, all_enter: bool) -> Sequence[str]:
    reading = play.rulings.ask(SIMULTANEOUS)
    events = play.rulings.ask(EVENTS) if play.rulings.read(SIMULTANEOUS.switch).said else ""
    if events.startswith("those that enter") and not all_enter:
        raise play.refuse(
            f"the rules of {play.rulings.label} say only of objects that enter a zone at the same time who orders them"
        )
    orders: Mapping[str, tuple[str, ...]] = step.given["orders"]
    if reading == "each player, the active player first":
        groups = _by_player(play, names)
        return [name for player, own in groups for name in _order_of(play, player, own, orders.get(player, ()))]
    active = play.game.active
    ordered = _order_of(play, active or "the active player", names, orders.get(active, ()))
    if events.endswith("an Aura after what it enchants"):
        for name in ordered:
            host = play.being(name).attached_to
            if host in ordered and ordered.index(host) > ordered.index(name):
                raise play.error(step.line, f'"{name}" must have a later timestamp than "{host}", which it enchants')
    return ordered


def _by_player(play: Play, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The objects of each player, in turn order from the active player."""
    own: dict[str, list[str]] = {}
    for name in names:
        own.setdefault(play.of(play.being(name)).controller, []).append(name)
    if len(own) == 1:
        return list(own.items())
    active = play.game.active or play.rulings.choose('who is the active player (give "active player")', tuple(own))
    others = [player for player in own if player != active]
    if len(others) > 1:
        turns = play.game.turn_order
        if active not in turns or not set(others) <= set(turns):
            raise play.refuse('the players\' timestamps are given in turn order: say it with the key "turn order"')
        start = turns.index(active)
        others.sort(key=lambda player: (turns.index(player) - start) % len(turns))
    return [(player, own[player]) for player in (active, *others) if player in own]


def _order_of(play: Play, player: str, names: Sequence[str], said: Sequence[str]) -> Sequence[str]:
    """The order that a player chooses; where it is not said, each is played, so that it may not matter."""
    chosen = list(dict.fromkeys(name for name in said if name in names))
    if len(chosen) == len(names):
        return chosen
    if len(names) == 1:
        return names
    every = [", ".join(order) for order in _orders(names, chosen)]
    what = f'in which order the timestamps of {", ".join(names)} come (give it under "orders", for {player})'
    if len(every) > ORDERS_TRIED:
        raise play.refuse(f"the scenario does not say {what}")
    return play.rulings.choose(what, tuple(every)).split(", ")


def _orders(names: Sequence[str], chosen: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The orders of ``names`` in which those that are ``chosen`` follow each other as they do there."""
    if len(names) > ORDERS_TRIED:
        yield from [tuple(names)] * (ORDERS_TRIED + 1)
        return
    for order in permutations(names):
        if [name for name in order if name in chosen] == list(chosen):
            yield order
