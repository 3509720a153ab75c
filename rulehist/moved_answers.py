"""The scenarios whose answer the changes of one rule moved."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rulehist.engine.deciding import COPIABLE_VALUES
from rulehist.engine.scenario import Scenario
from rulehist.engine.semantics import Reading, Semantics
from rulehist.engine.switches import names, switch_called
from rulehist.engine.turning_points import Turn, bisect
from rulehist.semantics_history import semantics_through_time


def answers_moved_by(
    connection: sqlite3.Connection, rule: str, scenarios: Callable[[], Sequence[Scenario]]
) -> tuple[tuple[Scenario, Turn], ...]:
    """The scenarios whose answer changed with a version, with that turn, where ``rule`` (its identity) decided it.

    They come oldest turn first. The scenarios are asked for, and evaluated, only where the engine reads the rule, and
    only under the versions at which the reading of a switch of this rule changes. Raises as ``evaluate`` does.
    """
    pairs = list(_pairs_that_read_otherwise(rule, semantics_through_time(connection)))
    versions = {each.rules.label: each for pair in pairs for each in pair}
    neighbours = {(old.rules.label, new.rules.label) for old, new in pairs}
    found = [
        (scenario, turn)
        for scenario in (scenarios() if pairs else ())
        for turn in bisect(scenario, versions.values())
        if turn.before is not None
        and (turn.before.version, turn.answer.version) in neighbours
        and any(text is not None and text.rule == rule for each in turn.decisions for text in (each.old, each.new))
    ]
    return tuple(sorted(found, key=lambda one: one[1].answer.version))


def _pairs_that_read_otherwise(rule: str, versions: Sequence[Semantics]) -> Iterator[tuple[Semantics, Semantics]]:
    switches = list(_switches_of(rule, versions))
    for old, new in pairwise(versions):
        if any(_said(old, switch) != _said(new, switch) for switch in switches):
            yield old, new


def _switches_of(rule: str, versions: Sequence[Semantics]) -> Iterator[str]:
    """The switches of which some version's text is that of the rule."""
    named = {at for each in versions for at, text in each.named.items() if text is not None and text.rule == rule}
    for name in names():
        addresses = switch_called(name).rules
        by_words = (each for each in versions if each.named.keys().isdisjoint(addresses))
        if not named.isdisjoint(addresses) or any(text.rule == rule for each in by_words for text in each.texts(name)):
            yield name
    if any(each.copying.rule is not None and each.copying.rule.rule == rule for each in versions):
        yield COPIABLE_VALUES


def _said(semantics: Semantics, switch: str) -> object:
    if switch == COPIABLE_VALUES:
        return semantics.copying.rule and semantics.copying.rule.text
    read = semantics.read(switch)
    return read.value if isinstance(read, Reading) else read.reason
