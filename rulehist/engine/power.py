"""Power and toughness that no number gives: stars that nothing defines any more; permanents that are no creatures."""

from __future__ import annotations

import re
from typing import Any, Final

from rulehist.engine.effects import Amount, Number
from rulehist.engine.held import Active, Has
from rulehist.engine.questions import Question
from rulehist.engine.seen import NONCREATURE, Seen

UNDETERMINED: Final = Question("undetermined-number", ("0",))
BOTH: Final = ("power", "toughness")
_STAR: Final = r"(?:(\d+)([+-]))?\*(?:\+(\d+))?"


def number_used(seen: Seen, amount: Amount, name: str, active: Active) -> int:
    """A number that an effect uses on an object; one that cannot be determined is 0, where the rules of the day say so.

    Raises ``Refused``.
    """
    found = seen.amount(amount, name, active)
    if found is not None:
        return found
    seen.rulings.ask(UNDETERMINED)
    return amount.plus if isinstance(amount, Number) else 0


def settle(seen: Seen) -> None:
    """After all effects: what stars that nothing defines come to, and which permanents have no power and toughness."""
    stars_left(seen)
    for name, has in seen.has.items():
        if not any(key in has.values for key in BOTH) or seen.game.beings[name].zone != "battlefield":
            continue
        if has.noncreature and seen.rulings.ask(NONCREATURE) == "none":
            for key in BOTH:
                has.values.pop(key, None)


def stars_left(seen: Seen) -> None:
    """Before power and toughness are changed: a star whose defining ability the object has lost is an undetermined
    number. (A star that no ability of the scenario ever defined stays one: what it means is not known.)"""
    for name, has in seen.has.items():
        for key in BOTH:
            value = has.values.get(key)
            if isinstance(value, str) and not _defined(has, key) and _was_defined(seen, name, key):
                star = re.fullmatch(_STAR, value)
                if star and seen.rulings.ask(UNDETERMINED) == "0":
                    has.values[key] = int(star[1] or 0) + int(star[3] or 0)


def _defined(has: Has, key: str) -> bool:
    return _defines([held.ability for held in has.abilities], key)


def _was_defined(seen: Seen, name: str, key: str) -> bool:
    return _defines(seen.own[name], key)


def _defines(abilities: Any, key: str) -> bool:
    return any(each.defines is not None and key in dict(each.defines.base) for each in abilities)
