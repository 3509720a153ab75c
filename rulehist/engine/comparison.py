"""One scenario under several versions: what differs, and the words that decided."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rulehist.engine.deciding import Decision, decisions, outcome
from rulehist.engine.evaluation import Answer, evaluate
from rulehist.engine.play import Because
from rulehist.engine.rules import RulesAt
from rulehist.engine.scenario import Scenario
from rulehist.engine.semantics import Semantics, compile_semantics
from rulehist.folding import fold


class Comparison(NamedTuple):
    """The answers in the order asked. ``differs`` has, for each, whether it differs from the first; ``decided`` the
    rules that decided between it and the one to its left, where these two differ."""

    answers: tuple[Answer, ...]
    differs: tuple[bool, ...]
    decided: tuple[tuple[Decision, ...], ...]

    def deciding(self, place: int) -> tuple[Because, ...]:
        """The claims of answer ``place`` that the first does not make, from words new since the first if it has any."""
        read = self.answers[0].read
        before = fold(read.text).lower() if read else ""
        first = {because.claim for because in self.answers[0].because}
        own = tuple(because for because in self.answers[place].because if because.claim not in first)
        return tuple(because for because in own if fold(because.quote).lower() not in before) or own

    def as_json(self) -> dict[str, Any]:
        """The comparison as ``compare --json`` prints it."""
        return {
            "answers": [answer.as_json() for answer in self.answers],
            "differs": list(self.differs),
            "decided": [[decision.as_json() for decision in each] for each in self.decided],
        }


def compare(scenario: Scenario, versions: Iterable[RulesAt | Semantics]) -> Comparison:
    """``scenario`` under each of ``versions``. Raises as ``evaluate`` does."""
    compiled = [each if isinstance(each, Semantics) else compile_semantics(each) for each in versions]
    answers = tuple(evaluate(scenario, semantics) for semantics in compiled)
    outcomes = [(answer.verdict, outcome(answer)) for answer in answers]
    decided: list[tuple[Decision, ...]] = []
    for place, answer in enumerate(answers):
        if place and outcomes[place] != outcomes[place - 1]:
            decided.append(decisions(scenario, compiled[place - 1], compiled[place], answers[place - 1], answer))
        else:
            decided.append(())
    return Comparison(answers, tuple(each != outcomes[0] for each in outcomes), tuple(decided))
