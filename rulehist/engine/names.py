"""Names: which objects have the same name, and which have different names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from rulehist.engine.characteristics import Values, names_of
from rulehist.engine.continuous import Has
from rulehist.engine.play import Play
from rulehist.engine.questions import Question
from rulehist.engine.seen import known_names

NO_NAME: Final = Question("same-name-none", ("never", "they do"))
SEVERAL: Final = Question("several-names", ("where they share one", "where all their names are the same"))
DIFFERENT: Final = Question("different-names", ("where each has a name and no two share one", "where no two share one"))


def names(play: Play, has: Mapping[str, Has], name: str) -> frozenset[str]:
    """The names that an object has, in small letters. Raises ``Refused`` for one that does not exist any more."""
    if name not in has:
        raise play.refuse(f"{name} does not exist any more, or never did")
    return known_names(play.game, play.rulings, has[name].values)


def one_name(play: Play, values: Values) -> str:
    """The name of an object, or an empty text. Raises ``Refused`` where it has several."""
    found = names_of(values)
    if len(found) > 1:
        raise play.refuse(f"an object named {' and '.join(found)} refers to itself by name: that is not modelled")
    return found[0] if found else ""


def same_name(play: Play, has: Mapping[str, Has], one: str, other: str) -> bool:
    """Whether two objects have the same name."""
    first, second = names(play, has, one), names(play, has, other)
    if not first and not second:
        return play.rulings.ask(NO_NAME) == "they do"
    return _alike(play, first, second, halves=_halves(has, (one, other)))


def _halves(has: Mapping[str, Has], group: Sequence[str]) -> bool:
    """Whether one of a group is a split card whose halves count one by one."""
    return any(isinstance(has[each].values.get("mana cost"), tuple) for each in group)


def _alike(play: Play, first: frozenset[str], second: frozenset[str], *, halves: bool) -> bool:
    """Whether objects with these names have the same name."""
    if not first & second:
        return False
    if first == second:
        return True
    if halves:
        from rulehist.engine.halves import COMPARED

        return play.rulings.ask(COMPARED) == "where one of its halves does"
    return play.rulings.ask(SEVERAL) == "where they share one"


def different_names(play: Play, has: Mapping[str, Has], group: Sequence[str]) -> bool:
    """Whether every two objects of a group have different names; each needs one where the rules say so."""
    every = [names(play, has, each) for each in group]
    named = [each for each in every if each]
    halves = _halves(has, group)
    if any(_alike(play, first, second, halves=halves) for first, second in combinations(named, 2)):
        return False
    if len(named) == len(every):
        return True
    reading = play.rulings.ask(DIFFERENT)
    return reading != "where each has a name and no two share one"


def sharing(play: Play, has: Mapping[str, Has], group: Sequence[str]) -> list[list[str]]:
    """The objects of a group that have a name in common, together. Raises ``Refused`` where sets overlap in part."""
    under: dict[str, list[str]] = {}
    for each in group:
        for name in names(play, has, each):
            under.setdefault(name, []).append(each)
    found: list[list[str]] = []
    for same in under.values():
        if len(same) < 2 or same in found:
            continue
        if any(set(same) & set(other) for other in found):
            raise play.refuse(f"of {', '.join(group)} some share one name and some another: that is not modelled")
        if all(same_name(play, has, one, other) for one, other in combinations(same, 2)):
            found.append(same)
    return found
