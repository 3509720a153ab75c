"""Names: which objects have the same name, and which have different names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulehist.engine.continuous import Has
from rulehist.engine.play import Play
from rulehist.engine.questions import Question

NO_NAME: Final = Question("same-name-none", ("never", "they do"))


def name_of(has: Mapping[str, Has], name: str) -> str:
    """The name that an object has, or an empty text."""
    return str(has[name].values.get("name", "")).casefold()


def same_name(play: Play, has: Mapping[str, Has], one: str, other: str) -> bool:
    """Whether two objects have the same name."""
    first, second = name_of(has, one), name_of(has, other)
    if not first and not second:
        return play.rulings.ask(NO_NAME) == "they do"
    return first == second


def different_names(play: Play, has: Mapping[str, Has], group: Sequence[str]) -> bool:
    """Whether every two objects of a group have different names; each needs one where the rules say so."""
    names = [name_of(has, each) for each in group]
    named = [each for each in names if each]
    if len(set(named)) < len(named):
        return False
    if len(named) == len(names):
        return True
    reading = play.rulings.ask(DIFFERENT)
    return reading != "where each has a name and no two share one"


DIFFERENT: Final = Question("different-names", ("where each has a name and no two share one", "where no two share one"))
