"""What objects have while effects are applied, and the effects that there are."""

from __future__ import annotations

from typing import Any, NamedTuple

from rulehist.engine.effects import Ability, Effect


class Held(NamedTuple):
    """An ability that an object has. ``key`` tells it from all others; ``since`` is when an effect gave it, else 0.

    ``source`` is the object whose ability or spell gave it, for names in it; ``origin`` is ``text``, ``exception`` (of
    a copy effect) or ``granted``.
    """

    ability: Ability
    key: tuple[object, ...]
    since: int = 0
    source: str = ""
    origin: str = "text"


class Has:
    """What an object has while effects are applied. ``values`` has no rules text: that is ``abilities``.

    ``unsure`` names characteristics that are not known, such as the subtypes of what has lost a card type; ``gone`` are
    the kinds of subtypes that went with one. ``stripped``: an effect has made it lose all abilities.
    """

    __slots__ = ("abilities", "controller", "forbidden", "gone", "stripped", "unsure", "values")

    def __init__(self, values: dict[str, Any], abilities: list[Held], controller: str) -> None:
        self.values = values
        self.abilities = abilities
        self.controller = controller
        self.forbidden: tuple[str, ...] = ()
        self.unsure: frozenset[str] = frozenset()
        self.gone: frozenset[str] = frozenset()
        self.stripped = False

    @property
    def noncreature(self) -> bool:
        """Whether it has card types, and is no creature."""
        types = {word.casefold() for word in self.values.get("card types", ())}
        return bool(types) and "creature" not in types

    def copy(self) -> Has:
        """Another one, to try an effect on."""
        other = Has(dict(self.values), list(self.abilities), self.controller)
        other.forbidden, other.unsure, other.gone = self.forbidden, self.unsure, self.gone
        other.stripped = self.stripped
        return other


class Active(NamedTuple):
    """A continuous effect that there is. ``affected`` is fixed for one that resolved; ``holder`` has the ability."""

    key: tuple[object, ...]
    effect: Effect
    timestamp: int
    holder: str = ""
    source: str = ""
    affected: tuple[str, ...] | None = None
    cda: bool = False
    static: bool = False
    counters: bool = False
    keyword: bool = False
    called: str = ""
    order: int = 0


class Applied(NamedTuple):
    """One line of a derivation: in which layer what was applied to which objects, and why at that place.

    ``switch`` names the question to the rules whose answer is why.
    """

    layer: str
    effect: str
    parts: tuple[str, ...]
    objects: tuple[str, ...]
    why: str
    switch: str = ""
