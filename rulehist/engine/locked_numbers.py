"""Numbers in the effects of spells and abilities that resolve: found once, as the effect begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulehist.engine.continuous import Continuous
from rulehist.engine.copying import copiable_values
from rulehist.engine.effects import Amount, Effect, Number
from rulehist.engine.held import Active
from rulehist.engine.play import Play
from rulehist.engine.power import number_used
from rulehist.engine.questions import Question

LOCKED: Final = Question("resolved-number", ("once, on resolution",))


def locked(play: Play, effect: Effect, affected: Sequence[str], source: str) -> list[tuple[Effect, tuple[str, ...]]]:
    """The effect with its numbers as they are now, and the objects that each form of it affects.

    Where a number is not the same for all of them, there is a form for each. Raises ``Refused``.
    """
    amounts = [amount for _, amount in (*effect.base, *effect.modify)]
    if not any(isinstance(amount, Number) for amount in amounts):
        return [(effect, tuple(affected))]
    play.rulings.ask(LOCKED)
    play.game.locked_facts |= {
        amount.word for _, amount in effect.base if isinstance(amount, Number) and amount.of == "fact"
    }
    seen = Continuous(play.game, play.rulings, lambda being: copiable_values(play, being))
    seen.run()
    found: list[tuple[Effect, tuple[str, ...]]] = []
    for name in affected:
        active = Active((), effect, 0, source or name, source or name)
        form = effect._replace(
            base=_now(seen, effect.base, name, active), modify=_now(seen, effect.modify, name, active)
        )
        same = next((names for other, names in found if other == form), None)
        found = [each for each in found if each[0] != form] + [(form, (*(same or ()), name))]
    return found


def _now(
    seen: Continuous, amounts: tuple[tuple[str, Amount], ...], name: str, active: Active
) -> tuple[tuple[str, Amount], ...]:
    return tuple((key, number_used(seen, amount, name, active)) for key, amount in amounts)
