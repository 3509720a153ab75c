"""State-based actions on what is attached: Auras without a legal host, Equipment, and what cannot be attached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulehist.engine.game import Being
from rulehist.engine.held import Has
from rulehist.engine.play import Play
from rulehist.engine.questions import Question

AURA: Final = Question("aura-unattached", ("it is put into its owner's graveyard",))
EQUIPMENT: Final = Question("equipment-unattached", ("it becomes unattached",))
CREATURE: Final = Question("creature-unattached", ("it becomes unattached", "nothing"))
OTHER: Final = Question("other-unattached", ("it becomes unattached", "nothing"))
_ENCHANT: Final = ("artifact", "creature", "enchantment", "land", "planeswalker")


def unattach(play: Play, has: Mapping[str, Has]) -> tuple[bool, list[str]]:
    """Unattach what may not be attached: whether anything was; and the Auras that go to graveyards.

    An Aura that the scenario never attached to anything is left alone.
    """
    changed, dead = False, []
    for name, each in has.items():
        being = play.being(name)
        if being.zone != "battlefield" or "subtypes" in each.unsure or not (being.attached_to or being.lost_host):
            continue
        aura = "aura" in words(each, "subtypes") or _enchants(each)
        if being.attached_to and _falls_off(play, being, each, has.get(being.attached_to), aura):
            being.attached_to, being.lost_host, changed = "", aura, True
        if aura and (being.lost_host or not _legal(each, has.get(being.attached_to))):
            play.rulings.ask(AURA)
            dead.append(name)
    return changed, dead


def words(has: Has, key: str) -> frozenset[str]:
    """Types of an object, in small letters."""
    return frozenset(str(word).casefold() for word in has.values.get(key, ()))


def _enchants(has: Has) -> bool:
    """Whether it is a local enchantment, as Auras were once called."""
    return any(word.startswith("enchant ") and word != "enchant world" for word in words(has, "card types"))


def _falls_off(play: Play, being: Being, has: Has, host: Has | None, aura: bool) -> bool:
    """Whether something that is attached becomes unattached and stays where it is."""
    if "creature" in words(has, "card types"):
        return play.rulings.ask(CREATURE) == "it becomes unattached"
    kinds = words(has, "subtypes")
    if "equipment" in kinds:
        illegal = host is not None and "creature" not in words(host, "card types")
        return illegal and play.rulings.ask(EQUIPMENT) == "it becomes unattached"
    if aura or "fortification" in kinds or being.kind == "emblem":
        return False
    return play.rulings.ask(OTHER) == "it becomes unattached"


def _legal(has: Has, host: Has | None) -> bool:
    """Whether an Aura may be on its host, as far as an ability "enchant CARD TYPE" says."""
    if host is None:
        return True
    texts = [held.ability.text.casefold().strip(" .") for held in has.abilities]
    wanted = [text.removeprefix("enchant ") for text in texts if text.startswith("enchant ")]
    return all(word not in _ENCHANT or word in words(host, "card types") for word in wanted)
