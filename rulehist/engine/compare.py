"""One scenario under several versions: what differs, and the words that decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rulehist.engine.evaluate import Answer, evaluate
from rulehist.engine.play import Because
from rulehist.engine.rules import RulesAt
from rulehist.engine.scenario import Scenario
from rulehist.engine.semantics import Semantics
from rulehist.folding import fold


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answers in the order asked; ``differs`` has, for each, whether it differs from the first."""

    answers: tuple[Answer, ...]
    differs: tuple[bool, ...]

    def deciding(self, place: int) -> tuple[Because, ...]:
        """The claims of answer ``place`` that the first does not make, from words new since the first if
        there are any."""
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
        }


def compare(scenario: Scenario, versions: Iterable[RulesAt | Semantics]) -> Comparison:
    """``scenario`` under each of ``versions``. Raises as ``evaluate`` does."""
    answers = tuple(evaluate(scenario, rules) for rules in versions)
    return Comparison(answers, tuple(_outcome(answer) != _outcome(answers[0]) for answer in answers))


def _outcome(answer: Answer) -> object:
    """What an answer comes to, without the version's own name in it."""
    return (
        answer.verdict,
        {name: dict(each) for name, each in answer.objects.items()},
        tuple((checked.got, checked.ok) for checked in answer.expectations),
        tuple(reason.replace(answer.version, "") for reason in answer.refusals),
    )
