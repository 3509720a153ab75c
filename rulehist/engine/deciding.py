"""Which words of the rules made the difference between two answers to the same scenario.

A rule decided where the answer changes when only its reading is exchanged for that of the other version; where no
single one does (two changed together), all that were used and read differently are named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rulehist.engine.evaluation import Answer, evaluate
from rulehist.engine.layer_rules import order_of
from rulehist.engine.questions import LAYERS
from rulehist.engine.rules import RuleText
from rulehist.engine.scenario import Scenario
from rulehist.engine.semantics import Reading, Refusal, Semantics
from rulehist.engine.switches import names, switch_called
from rulehist.folding import fold

COPIABLE_VALUES = "copiable values"
"""What the rule on copiable values is called among the switches: it is read whole, clause by clause."""


class Decision(NamedTuple):
    """A rule that decided: the switch, its question, and its rule before and after (``None``: not there, or silent)."""

    switch: str
    question: str
    before: str
    after: str
    old: RuleText | None
    new: RuleText | None

    def as_json(self) -> dict[str, Any]:
        """``{switch, question, before, after, old, new, ops}``; ``ops`` is the word diff of the rule's text."""
        return {
            "switch": self.switch,
            "question": self.question,
            "before": self.before,
            "after": self.after,
            "old": self.old and {"number": self.old.number, "version": self.old.version, "rule": self.old.rule},
            "new": self.new and {"number": self.new.number, "version": self.new.version, "rule": self.new.rule},
            "ops": [list(op) for op in self.ops()],
        }

    def ops(self) -> tuple[tuple[str, str], ...]:
        """The word diff of the rule's text."""
        from rulehist.worddiff import word_diff

        return word_diff(self.old.text if self.old else "", self.new.text if self.new else "")


def outcome(answer: Answer) -> object:
    """What an answer comes to, without the version's own words in it: what is expected, or else every object."""
    if answer.expectations:
        return tuple((checked.path, checked.got, checked.ok) for checked in answer.expectations)
    return answer.verdict, {name: dict(each) for name, each in answer.objects.items()}


def decisions(
    scenario: Scenario, old: Semantics, new: Semantics, before: Answer, after: Answer
) -> tuple[Decision, ...]:
    """The rules that decided between ``before``, the answer under ``old``, and ``after``, that under ``new``."""
    differing = list(_differing(old, new, before, after))
    wanted = outcome(before)
    changed = {
        switch: outcome(evaluate(scenario, _exchanged(old, new, switch))) != wanted
        for switch in dict.fromkeys(decision.switch for decision in differing)
    }
    return tuple(decision for decision in differing if changed[decision.switch]) or tuple(differing)


def _differing(old: Semantics, new: Semantics, before: Answer, after: Answer) -> Iterator[Decision]:
    first, second = _copying(old), _copying(new)
    if (first and fold(first.text)) != (second and fold(second.text)) and (before.copies or after.copies):
        yield Decision(COPIABLE_VALUES, "What does a copy acquire?", "", "", first, second)
    used = dict.fromkeys((*before.asked, *after.asked))
    for switch in used:
        if switch not in names():
            continue
        one, other = old.read(switch), new.read(switch)
        if _value(one) == _value(other):
            continue
        if switch == LAYERS:
            yield from _layers(old, new, tuple(dict.fromkeys((*before.parts, *after.parts))))
            continue
        old_text, new_text = _text(one), _text(other)
        if old_text is None and new_text is not None:
            old_text = _same_rule(old, new_text)
        if new_text is None and old_text is not None:
            new_text = _same_rule(new, old_text)
        yield Decision(switch, switch_called(switch).question, _said(one), _said(other), old_text, new_text)


def _layers(old: Semantics, new: Semantics, parts: tuple[str, ...]) -> Iterator[Decision]:
    """The rules of the layers in which the parts of effects in question apply, where these have changed."""
    was, now = order_of(old, parts), order_of(new, parts)
    told: dict[tuple[str, str], list[str]] = {}
    texts: dict[tuple[str, str], tuple[RuleText | None, RuleText | None]] = {}
    for part in parts:
        one, other = was.get(part), now.get(part)
        if one == other or (one and other and one[1].text == other[1].text):
            continue
        key = (one[1].rule if one else "", other[1].rule if other else "")
        told.setdefault(key, []).append(
            f"{part}: {one[0] if one else 'not said'} -> {other[0] if other else 'not said'}"
        )
        texts[key] = (one[1] if one else None, other[1] if other else None)
    for key, lines in told.items():
        question = f"{switch_called(LAYERS).question} ({'; '.join(lines)})"
        yield Decision(LAYERS, question, "", "", *texts[key])


def _copying(semantics: Semantics) -> RuleText | None:
    return semantics.copying.rule


def _same_rule(semantics: Semantics, text: RuleText) -> RuleText | None:
    return next((found for found in semantics.named.values() if found is not None and found.rule == text.rule), None)


def _value(read: Reading | Refusal) -> object:
    return read.value if isinstance(read, Reading) else read.reason


def _said(read: Reading | Refusal) -> str:
    if isinstance(read, Refusal):
        return "not read"
    if read.value is None:
        return "not said"
    return ", ".join(read.value) if isinstance(read.value, tuple) else read.value


def _text(read: Reading | Refusal) -> RuleText | None:
    return read.text if isinstance(read, Reading) else read.rule


def _exchanged(old: Semantics, new: Semantics, switch: str) -> Semantics:
    """``old`` with one reading of ``new``."""
    return old.exchanged_copying(new) if switch == COPIABLE_VALUES else old.exchanged(switch, new)
