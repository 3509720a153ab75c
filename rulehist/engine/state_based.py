"""State-based actions that copies need: the legend rule, and tokens and copies that cease to exist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulehist.engine.characteristics import Values
from rulehist.engine.game import GONE, Being
from rulehist.engine.play import Play
from rulehist.engine.questions import Question

COPY_ELSEWHERE: Final = Question("copy-of-a-card-elsewhere", ("it ceases to exist",))
OPPOSITE: Final = Question("opposite-counters", ("they do", "they stay"))
ZERO_LOYALTY: Final = Question("zero-loyalty", ("it is put into its owner's graveyard", "nothing"))
ZERO_DEFENSE: Final = Question("zero-defense", ("it is put into its owner's graveyard", "nothing"))
ZERO_TOUGHNESS: Final = Question("zero-toughness", ("it is put into its owner's graveyard",))


def check(play: Play, keep: Sequence[str]) -> None:
    """Check them until nothing more happens; ``keep`` names the permanents that their controllers choose to keep."""
    while _check_once(play, keep):
        pass


def _check_once(play: Play, keep: Sequence[str]) -> bool:
    """Whether something happened."""
    from rulehist.engine.attachments import unattach
    from rulehist.engine.uniqueness import surplus

    has = play.characteristics()
    for being in play.game.beings.values():
        if being.kind == "copy" and being.exists and being.zone not in ("stack", "battlefield"):
            play.rulings.ask(COPY_ELSEWHERE)
            being.exists = False
    _opposite_counters(play)
    dead: list[str] = []
    for name, each in has.items():
        being = play.being(name)
        if being.zone != "battlefield":
            continue
        toughness, types = each.values.get("toughness"), each.values.get("card types", ())
        if "creature" in {word.casefold() for word in types} and (why := being.unsaid.get("toughness")):
            raise play.refuse(why.reason, why.rule, why.quote)
        if isinstance(toughness, int) and toughness <= 0 and "creature" in {word.casefold() for word in types}:
            play.rulings.ask(ZERO_TOUGHNESS)
            dead.append(name)
        if "planeswalker" in {word.casefold() for word in types} and _without_loyalty(play, being):
            dead.append(name)
        if "battle" in {word.casefold() for word in types} and _without_defense(play, being, each.values):
            dead.append(name)
    unattached, auras = unattach(play, has)
    dead += [*surplus(play, has, keep), *auras]
    for name in dict.fromkeys(dead):
        leave(play, play.being(name), "graveyard")
    return bool(dead) or unattached


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


def _without_defense(play: Play, being: Being, values: Values) -> bool:
    """Whether a battle is put into a graveyard for want of defense counters."""
    if "defense" in being.counters:
        return False
    if not being.entered and not being.copied_from:
        raise play.refuse(f"{being.name} is a battle: say under counters what defense it has")
    if "Siege" in values.get("subtypes", ()):  # type: ignore[operator]
        raise play.refuse(
            f"whether an ability of {being.name} that has triggered is still on the stack is not modelled"
        )
    return play.rulings.ask(ZERO_DEFENSE) != "nothing"


def leave(play: Play, being: Being, zone: str) -> None:
    """An object goes to another zone, where it is a new object; a token and a copy of a spell cease to exist."""
    others: list[Being] = []
    if being.parts:
        from rulehist.engine.merging import apart

        others = apart(play, being)
    for each in (*others, being):
        _move(play, each, zone)


def _move(play: Play, being: Being, zone: str) -> None:
    being.zone = zone
    if being.kind in ("token", "copy"):
        being.exists = False
    being.copiable.clear()
    being.copied_from = ""
    being.counters.clear()
    being.status.clear()
    being.chosen.clear()
    being.attached_to, being.lost_host = "", False
    being.face = "front"
    being.cast = being.cast_from = ""
    being.unlocked.clear()
    being.designations.clear()
    being.level = 0
    being.prototyped = False
    being.listed = None
    being.controller = being.owner
    for other in play.game.beings.values():
        if other.attached_to == being.name:
            other.attached_to, other.lost_host = "", True
        if other.made_by == being.name:
            other.made_by = being.name + GONE
    being.timestamp = being.since = play.game.tick()
    play.game.forget(being.name)
