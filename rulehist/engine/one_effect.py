"""The parts of one effect that a scenario writes one by one, put together where they affect the same objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulehist.engine.characteristics import Values
from rulehist.engine.effects import Effect

_ONCE = ("controller", "words", "land_types", "switch", "label")
"""What only one of two parts may have."""


def as_one(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """The effects of one ability, those that affect the same objects as one; where their order matters, as written."""
    found: list[Effect] = []
    for effect in effects:
        place = next((n for n, each in enumerate(found) if _alike(each, effect)), None)
        whole = None if place is None else _joined(found[place], effect)
        if place is None or whole is None:
            found.append(effect)
        else:
            found[place] = whole
    return tuple(found)


def _alike(one: Effect, other: Effect) -> bool:
    return one.affects == other.affects and one.condition == other.condition


def _joined(first: Effect, second: Effect) -> Effect | None:
    """Two parts as one effect, which sets, then adds, then removes; ``None`` where that would be another order.

    An effect that takes all abilities leaves those that it gives itself: "has flying and loses all other abilities".
    """
    if any(getattr(first, key) and getattr(second, key) for key in _ONCE):
        return None
    if first.land_types or second.land_types:
        return None
    if (first.abilities and second.lost) or first.set.keys() & second.set.keys():
        return None
    if second.set.keys() & (first.add.keys() | first.remove.keys()) or second.add.keys() & first.remove.keys():
        return None
    if dict(first.base).keys() & dict(second.base).keys() or dict(first.modify).keys() & dict(second.modify).keys():
        return None
    return first._replace(
        **{key: getattr(first, key) or getattr(second, key) for key in _ONCE},
        set={**first.set, **second.set},
        add=_both(first.add, second.add),
        remove=_both(first.remove, second.remove),
        every_ability=first.every_ability or second.every_ability,
        no_abilities=first.no_abilities + second.no_abilities,
        abilities=first.abilities + second.abilities,
        lost=first.lost + second.lost,
        base=first.base + second.base,
        modify=first.modify + second.modify,
        exempt=first.exempt + second.exempt,
        of_choice=first.of_choice or second.of_choice,
    )


def _both(first: Values, second: Values) -> Values:
    found: dict[str, Any] = dict(first)
    for key, more in second.items():
        have = found.get(key, ())
        found[key] = (*have, *(word for word in more if word not in have))  # type: ignore[union-attr]
    return found
