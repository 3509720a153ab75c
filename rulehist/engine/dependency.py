"""In what order the effects of one layer are applied: by timestamp, and by dependency where there is one.

An effect depends on another of its layer where applying the other would change its text or existence, what it applies
to, or what it does. That is tried out on a copy of the objects, but only where the other changes something that it
looks at; so the work stays bounded, and an order of effects that all leave each other alone costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from rulehist.engine import layer_plan as plans
from rulehist.engine.effects import Filter, Number
from rulehist.engine.questions import Question
from rulehist.thresholds import DEPENDENCY_TRIALS

if TYPE_CHECKING:
    from rulehist.engine.continuous import Active, Continuous

DEPENDENCY: Final = Question(
    "dependency",
    (
        "in the same layer, where the other changes its text, existence, objects or result",
        "where the other changes its text, existence, objects or result",
    ),
)
DEPENDENCY_CDA: Final = Question("dependency-cda", ("like any others", "never", "on one another only"))
DEPENDENCY_ORDER: Final = Question(
    "dependency-order", ("just after those on which it depends", "after those on which it depends")
)
DEPENDENCY_LOOP: Final = Question("dependency-loop", ("in timestamp order",))
LOOP_WAITS: Final = (
    "whether effects in a dependency loop wait for one outside it on which they depend",
    ("they do", "they do not"),
)
REEVALUATED: Final = Question("dependency-reevaluated", ("after each effect", "once for the layer"))

Key: TypeAlias = tuple[object, ...]
Dependencies: TypeAlias = dict[Key, set[Key]]


class Order:
    """The order of the effects of one layer or sublayer, found anew after each."""

    def __init__(self, applying: Continuous, parts: Callable[[Active], Sequence[str]]) -> None:
        self.applying = applying
        self.parts = parts
        self.waiting: list[Key] = []
        self.once: Dependencies | None = None
        self.trials = 0

    def next(self, pending: Sequence[Active], rank: Callable[[Active], int]) -> Iterable[tuple[Active, str]]:
        """What to apply next and why it is this; where no effect looks at what another changes, all of them."""
        if len(pending) == 1:
            return [(pending[0], "it depends on effects applied before" if pending[0].key in self.waiting else "")]
        ordered = sorted(pending, key=lambda each: (rank(each), each.timestamp, each.order))
        if not self.waiting and self._leave_alone(ordered):
            return [self._first([each], rank) for each in ordered]
        depends = self._dependencies(ordered)
        if not any(depends.values()):
            return [self._first(ordered, rank)]
        self.applying.rulings.ask(DEPENDENCY)
        loops = _in_loops(depends)
        if loops:
            depends = self._without_loops(depends, loops)
        self.waiting += [key for key, others in depends.items() if others and key not in self.waiting]
        free = [each for each in ordered if not depends[each.key]]
        return [self._first(free, rank, loops)]

    def _without_loops(self, depends: Dependencies, loops: set[Key]) -> Dependencies:
        """The dependencies that count where effects in loops are applied in timestamp order."""
        self.applying.rulings.ask(DEPENDENCY_LOOP)
        outside = {key: others - loops if key in loops else others for key, others in depends.items()}
        if any(outside[key] for key in loops) and self.applying.rulings.unsaid(*LOOP_WAITS) == "they do not":
            return {key: set() if key in loops else others for key, others in depends.items()}
        return outside

    def _leave_alone(self, effects: Sequence[Active]) -> bool:
        """Whether no effect looks at anything that any of them changes."""
        changed = set().union(*map(self._changes, effects))
        return not any(looked_at(each) & changed for each in effects)

    def _first(
        self, free: Sequence[Active], rank: Callable[[Active], int], loops: Iterable[object] = ()
    ) -> tuple[Active, str]:
        freed = [each for each in free if each.key in self.waiting]
        if freed and freed[0] is not free[0]:
            order = self.applying.rulings.ask(DEPENDENCY_ORDER)
            if order == "just after those on which it depends":
                return freed[0], "it depends on an effect just applied"
        first = free[0]
        if first.key in loops:
            return first, f"timestamp {first.timestamp}, in a dependency loop"
        if first.key in self.waiting:
            return first, "it depends on an effect just applied"
        why = "characteristic-defining ability" if first.cda else f"timestamp {first.timestamp}"
        if first.counters and rank(first) < 2:
            why = "counters"
        return first, why

    def _dependencies(self, ordered: Sequence[Active]) -> Dependencies:
        if self.once is not None:
            keys = {each.key for each in ordered}
            return {each.key: self.once.get(each.key, set()) & keys for each in ordered}
        found: Dependencies = {each.key: set() for each in ordered}
        for one in ordered:
            looks = looked_at(one)
            for other in ordered:
                if (
                    other is not one
                    and looks & self._changes(other)
                    and self._may(one, other)
                    and self._depends(one, other)
                ):
                    found[one.key].add(other.key)
        if any(found.values()) and self.applying.rulings.ask(REEVALUATED) == "once for the layer":
            self.once = found
        return found

    def _changes(self, active: Active) -> set[str]:
        """What an effect changes in this layer, in the words of ``looked_at``."""
        found = set(self.parts(active))
        if active.effect.land_types and plans.TYPE in found:
            found.add("land types")
        return found

    def _may(self, one: Active, other: Active) -> bool:
        if not (one.cda or other.cda):
            return True
        rule = self.applying.rulings.ask(DEPENDENCY_CDA)
        return rule == "like any others" or (rule == "on one another only" and one.cda and other.cda)

    def _depends(self, one: Active, other: Active) -> bool:
        self.trials += 1
        if self.trials > DEPENDENCY_TRIALS:
            raise self.applying.rulings.refuse(
                f"more than {DEPENDENCY_TRIALS} pairs of effects of one layer may depend on each other; "
                "divide the scenario"
            )
        applying = self.applying
        parts = self.parts(one)
        before = applying.outcome(one, parts)
        kept = applying.has
        applying.has = {name: has.copy() for name, has in kept.items()}
        try:
            applying.try_out(other, self.parts(other))
            return not applying.exists(one) or applying.outcome(one, parts) != before
        finally:
            applying.has = kept


def looked_at(active: Active) -> set[str]:
    """What an effect looks at: kinds of parts that can change whether it exists, what it applies to or what it does."""
    found = set()
    if active.static or active.cda:
        found |= {plans.ABILITIES, plans.CANNOT, "land types", plans.TEXT}
    effect = active.effect
    if isinstance(effect.affects, Filter) and active.affected is None:
        found |= _filter_looks(effect.affects)
    if effect.controller == "you":
        found.add(plans.CONTROL)
    if effect.condition is not None:
        found |= _filter_looks(effect.condition.own) if effect.condition.own else set()
        found |= _number_looks(effect.condition.number)
    for _, amount in (*effect.base, *effect.modify):
        found |= _number_looks(amount)
    return found


def _number_looks(amount: int | Number | None) -> set[str]:
    if not isinstance(amount, Number):
        return set()
    return _filter_looks(amount.filter) if amount.filter else {plans.SET, plans.MODIFY, plans.SWITCH}


def _filter_looks(wanted: Filter) -> set[str]:
    found = set()
    if wanted.card_types or wanted.subtypes or wanted.supertypes:
        found.add(plans.TYPE)
    if wanted.color:
        found.add(plans.COLOR)
    if wanted.abilities:
        found |= {plans.ABILITIES, plans.CANNOT}
    if wanted.control:
        found.add(plans.CONTROL)
    if wanted.name:
        found.add(plans.TEXT)
    if wanted.power_at_least is not None or wanted.power_at_most is not None:
        found |= {plans.SET, plans.MODIFY, plans.SWITCH}
    for each in (*wanted.any_of, *((wanted.without,) if wanted.without else ())):
        found |= _filter_looks(each)
    return found


def _in_loops(depends: Dependencies) -> set[Key]:
    """The effects that depend on themselves through others."""
    found = set()
    for start, first in depends.items():
        seen: set[tuple[object, ...]] = set()
        stack = list(first)
        while stack:
            key = stack.pop()
            if key == start:
                found.add(start)
                break
            if key not in seen:
                seen.add(key)
                stack += depends.get(key, ())
    return found
