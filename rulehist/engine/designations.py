"""Designations of permanents, such as monstrous, and the levels of Classes: markers that are not copied."""

from __future__ import annotations

from typing import Final

from rulehist.engine.game import Being
from rulehist.engine.play import Play
from rulehist.engine.questions import Question, Rulings
from rulehist.engine.said import Refusal
from rulehist.engine.scenario import Step

MONSTROUS: Final = Question("monstrous-copied", ("not copied",))
RENOWNED: Final = Question("renowned-copied", ("not copied",))
SOLVED: Final = Question("solved-copied", ("not copied",))
SADDLED: Final = Question("saddled-copied", ("not copied",))
HARNESSED: Final = Question("harnessed-copied", ("not copied",))
LEVEL: Final = Question("class-level-copied", ("not copied",))
NO_LEVEL: Final = Question("class-level-none", ("1",))
COPIED: Final = {
    "monstrous": MONSTROUS,
    "renowned": RENOWNED,
    "solved": SOLVED,
    "saddled": SADDLED,
    "harnessed": HARNESSED,
}


def level_of(being: Being, rulings: Rulings) -> int:
    """The level of a Class, or of a permanent that is none."""
    if not being.level:
        rulings.ask(NO_LEVEL)
    return being.level or 1


def designate(play: Play, step: Step) -> None:
    """A permanent gains or loses designations, or a Class gains a level."""
    being = play.being(step.object)
    if being.zone != "battlefield":
        raise play.error(step.line, f'"{step.object}" is not on the battlefield; only permanents have designations')
    being.designations |= set(step.given.get("gains", ()))
    being.designations -= set(step.given.get("loses", ()))
    being.level = step.given.get("class level", being.level)


def not_copied(play: Play, original: Being, unsaid: dict[str, Refusal]) -> None:
    """Ask whether what an original is designated as is copied; what the rules did not say goes to ``unsaid``."""
    asked = [("designations", COPIED[word], word) for word in sorted(original.designations)]
    if original.level:
        asked.append(("class level", LEVEL, f"level {original.level}"))
    for place, question, word in asked:
        if play.rulings.read(question.switch).said:
            play.rulings.ask(question)
        else:
            unsaid[place] = Refusal(
                f"the rules of {play.rulings.label} did not say whether it is copied that {original.name} is {word}"
            )
