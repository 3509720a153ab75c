"""Every version at which the answer to a scenario changes, and the rules that changed it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rulehist.engine.deciding import Decision, decisions, outcome
from rulehist.engine.evaluation import Answer, evaluate
from rulehist.engine.scenario import Scenario
from rulehist.engine.semantics import Refusal, Semantics


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer that held from the version of ``answer``; ``before`` is the last version with the answer before it.

    ``decisions`` are the rules that changed it; none for the first answer, which has no ``before``.
    """

    answer: Answer
    before: Answer | None
    decisions: tuple[Decision, ...]

    def as_json(self) -> dict[str, Any]:
        """The shape of ``bisect --json``: ``{version, before, answer, decisions}``."""
        return {
            "version": self.answer.version,
            "before": self.before.version if self.before else None,
            "answer": self.answer.as_json(),
            "decisions": [decision.as_json() for decision in self.decisions],
        }


def bisect(scenario: Scenario, versions: Iterable[Semantics]) -> tuple[Turn, ...]:
    """The answers to ``scenario`` through ``versions``, oldest first, each where it begins.

    Versions whose rules read alike are evaluated once. Raises as ``evaluate`` does.
    """
    found: list[Turn] = []
    known: dict[object, object] = {}
    last: tuple[Semantics, Answer, object] | None = None
    for semantics in versions:
        alike = _texts(semantics)
        came = known.get(alike)
        if last is not None and came is not None and came == last[2]:
            last = (semantics, last[1], came)
            continue
        answer = evaluate(scenario, semantics)
        came = outcome(answer)
        known[alike] = came
        if last is None:
            found.append(Turn(answer, None, ()))
        elif came != last[2]:
            before = evaluate(scenario, last[0])
            found.append(Turn(answer, before, decisions(scenario, last[0], semantics, before, answer)))
        last = (semantics, answer, came)
    return tuple(found)


def _texts(semantics: Semantics) -> object:
    """What two versions have in common that read alike: the texts of every rule that any switch or copying reads."""
    if not semantics.named:
        return tuple((text.number, text.text) for text in semantics.rules.containing([]))
    copying = semantics.copying
    rule = copying.rule
    return (
        rule.text if rule else None,
        isinstance(copying, Refusal),
        tuple((address, text.text if text else None) for address, text in semantics.named.items()),
    )
