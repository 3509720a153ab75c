"""Every version at which the answer to a scenario changes, and the rules that changed it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rulehist.engine.deciding import COPIABLE_VALUES, Decision, decisions, outcome
from rulehist.engine.evaluation import Answer, evaluate
from rulehist.engine.said import FACE_DOWN_RULE
from rulehist.engine.scenario import Scenario
from rulehist.engine.semantics import Reading, Refusal, Semantics
from rulehist.engine.switches import names


class Turn(NamedTuple):
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

    Versions whose rules read alike on all that the scenario comes upon are evaluated once. Raises as ``evaluate`` does.
    """
    found: list[Turn] = []
    known: list[_Known] = []
    last: tuple[Semantics, object] | None = None
    for semantics in versions:
        alike = next((each for each in known if each.holds_under(semantics)), None)
        if alike is not None and last is not None and alike.came == last[1]:
            last = (semantics, last[1])
            continue
        answer = evaluate(scenario, semantics)
        came = outcome(answer)
        if alike is None:
            known.insert(0, _Known.of(answer, semantics, came))
        if last is None:
            found.append(Turn(answer, None, ()))
        elif came != last[1]:
            before = evaluate(scenario, last[0])
            found.append(Turn(answer, before, decisions(scenario, last[0], semantics, before, answer)))
        last = (semantics, came)
    return tuple(found)


class _Known(NamedTuple):
    """What an evaluation came to, and all that the rules told it: where they say the same, it comes to the same."""

    told: tuple[tuple[str, object], ...]
    came: object

    @classmethod
    def of(cls, answer: Answer, semantics: Semantics, came: object) -> _Known:
        asked = (*answer.asked, COPIABLE_VALUES) if answer.copies else answer.asked
        return cls(tuple((name, _said(semantics, name)) for name in asked), came)

    def holds_under(self, semantics: Semantics) -> bool:
        return all(_said(semantics, name) == said for name, said in self.told)


def _said(semantics: Semantics, asked: str) -> object:
    """What an evaluation can tell apart of the answers to what it asked; each refusal is as good as another."""
    if asked == COPIABLE_VALUES:
        copying = semantics.copying
        return isinstance(copying, Refusal), copying.rule.text if copying.rule else None
    if asked == FACE_DOWN_RULE:
        return semantics.face_down() is None
    read = semantics.read(asked) if asked in names() else None
    return read.value if isinstance(read, Reading) else Refusal
