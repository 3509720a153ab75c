"""State-based actions that copies need: those on legends and planeswalkers, and copies that cease to exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rulehist.engine.copying import copiable_values
from rulehist.engine.game import Being
from rulehist.engine.held import Has
from rulehist.engine.names import sharing
from rulehist.engine.play import Play
from rulehist.engine.questions import Question

LEGEND_RULE: Final = Question(
    "legend-rule", ("each player keeps one", "all are put into graveyards", "the oldest stays")
)
COPY_ELSEWHERE: Final = Question("copy-of-a-card-elsewhere", ("it ceases to exist",))
OPPOSITE: Final = Question("opposite-counters", ("they do", "they stay"))
ZERO_LOYALTY: Final = Question("zero-loyalty", ("it is put into its owner's graveyard", "nothing"))
UNIQUENESS: Final = Question(
    "planeswalker-uniqueness", ("nothing", "each player keeps one", "all are put into graveyards")
)
ZERO_TOUGHNESS: Final = Question("zero-toughness", ("it is put into its owner's graveyard",))


def check(play: Play, keep: Sequence[str]) -> None:
    """Check them once; ``keep`` names the permanents that their controllers choose to keep."""
    has = play.characteristics()
    for being in play.game.beings.values():
        if being.kind == "copy" and being.exists and being.zone not in ("stack", "battlefield"):
            play.rulings.ask(COPY_ELSEWHERE)
            being.exists = False
    _opposite_counters(play)
    legends: list[str] = []
    dead: list[str] = []
    for name, each in has.items():
        being = play.being(name)
        if being.zone != "battlefield":
            continue
        toughness, types = each.values.get("toughness"), each.values.get("card types", ())
        if isinstance(toughness, int) and toughness <= 0 and "creature" in {word.casefold() for word in types}:
            play.rulings.ask(ZERO_TOUGHNESS)
            dead.append(name)
        if "planeswalker" in {word.casefold() for word in types} and _without_loyalty(play, being):
            dead.append(name)
        if "legendary" in {word.casefold() for word in each.values.get("supertypes", ())}:
            legends.append(name)
    for same in sharing(play, has, legends):
        dead += _legends(play, same, keep)
    dead += _walkers(play, has, keep)
    for name in dict.fromkeys(dead):
        leave(play, play.being(name), "graveyard")


def _opposite_counters(play: Play) -> None:
    for being in play.game.beings.values():
        both = min(being.counters.get("+1/+1", (0, 0))[0], being.counters.get("-1/-1", (0, 0))[0])
        if both and being.exists and being.zone == "battlefield" and play.rulings.ask(OPPOSITE) == "they do":
            being.put("+1/+1", -both, 0)
            being.put("-1/-1", -both, 0)


def _without_loyalty(play: Play, being: Being) -> bool:
    """Whether a planeswalker is put into a graveyard for want of loyalty counters."""
    if "loyalty" in being.counters:
        return False
    if not being.entered and not being.copied_from:
        raise play.refuse(f"{being.name} is a planeswalker: say under counters what loyalty it has")
    return play.rulings.ask(ZERO_LOYALTY) != "nothing"


def _walkers(play: Play, has: Mapping[str, Has], keep: Sequence[str]) -> list[str]:
    """The planeswalkers that go to graveyards because another one shares a planeswalker type with them."""
    groups: dict[str, list[str]] = {}
    for name, each in has.items():
        being = play.being(name)
        values: Any = copiable_values(play, being)
        walker = "planeswalker" in {word.casefold() for word in each.values.get("card types", ())}
        if being.zone == "battlefield" and walker and "Creature" not in values.get("card types", ()):
            for subtype in values.get("subtypes", ()):
                groups.setdefault(subtype, []).append(name)
    dead: list[str] = []
    for subtype, same in groups.items():
        if len(same) < 2:
            continue
        reading = play.rulings.ask(UNIQUENESS)
        if reading == "all are put into graveyards":
            dead += same
        elif reading == "each player keeps one":
            dead += _not_kept(play, has, same, keep, f"the planeswalker type {subtype}")
    return dead


def _legends(play: Play, same: list[str], keep: Sequence[str]) -> list[str]:
    reading = play.rulings.ask(LEGEND_RULE)
    if reading == "all are put into graveyards":
        return same
    if reading == "the oldest stays":
        first = min(same, key=lambda name: play.being(name).timestamp)
        return [name for name in same if name != first]
    return _not_kept(play, play.characteristics(), same, keep, "one legendary name")


def _not_kept(play: Play, has: Mapping[str, Has], same: Sequence[str], keep: Sequence[str], shared: str) -> list[str]:
    """Of permanents that share something, those that their controllers do not keep. Raises ``Refused``."""
    players: dict[str, list[str]] = {}
    for name in same:
        players.setdefault(has[name].controller, []).append(name)
    dead: list[str] = []
    for own in players.values():
        if len(own) < 2:
            continue
        kept = [name for name in own if name in keep]
        if len(kept) != 1:
            raise play.refuse(
                f"{', '.join(own)} have {shared} and one controller, who keeps one of them: say which, with "
                'the key "keep" of the step "state-based actions"'
            )
        dead += [name for name in own if name not in kept]
    return dead


def leave(play: Play, being: Being, zone: str) -> None:
    """An object goes to another zone, where it is a new object; a token and a copy of a spell cease to exist."""
    being.zone = zone
    if being.kind in ("token", "copy"):
        being.exists = False
    being.copiable.clear()
    being.copied_from = ""
    being.counters.clear()
    being.status.clear()
    being.chosen.clear()
    being.attached_to = ""
    being.face = "front"
    being.prototyped = False
    being.cast = ""
    being.listed = None
    being.controller = being.owner
    for other in play.game.beings.values():
        if other.attached_to == being.name:
            other.attached_to = ""
    being.timestamp = play.game.tick()
    play.game.resolved = [
        each._replace(affected=tuple(name for name in each.affected or () if name != being.name))
        for each in play.game.resolved
    ]
