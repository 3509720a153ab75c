"""Triggered abilities that are linked to a copy effect, in one paragraph with it: "When you do"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulehist.engine.game import Being
from rulehist.engine.play import Play
from rulehist.engine.questions import Question

HAS_IT: Final = "where the object has it after all effects"
LINKED: Final = Question("copy-linked-trigger", ("it doesn't trigger", HAS_IT))


def that_trigger(play: Play, being: Being, linked: Sequence[str]) -> Iterator[str]:
    """Which of them trigger; ``linked`` has one for each copy effect in the order applied, or an empty text.

    Raises ``Refused`` where the rules of the day do not say.
    """
    for place, ability in enumerate(linked):
        if not ability:
            continue
        if place < len(linked) - 1:
            if play.rulings.ask(LINKED) == HAS_IT and _has(play, being, ability):
                yield ability
        elif play.rulings.read(LINKED.switch).value != HAS_IT or _has(play, being, ability):
            yield ability
        else:
            reading = play.rulings.read(LINKED.switch)
            raise play.refuse(
                f'{being.name} is what it copied and has no ability "{ability}": whether the ability that made it a '
                f"copy triggers then, the rules of {play.rulings.label} leave open",
                reading.text,
                reading.quote,
            )


def _has(play: Play, being: Being, ability: str) -> bool:
    return any(held.ability.called(ability) for held in play.of(being).abilities)
