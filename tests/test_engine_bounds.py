"""Scenarios that are long are answered, and those that would take too long are refused, with the reason."""

from __future__ import annotations

import time

import pytest

from rulehist.engine import evaluate, parse_scenario
from tests.engine_rules import modern

BEAR = "card types: [Creature], power: 2, toughness: 2"
LORD = f"{{{BEAR}, rules text: [{{ability: L, static: [{{affects: {{subtypes: [Bear]}}, modify: {{power: +1}}}}]}}]}}"


def test_a_chain_of_thousands_of_token_copies_is_answered() -> None:
    steps = "".join(f"  - create a token copy: {{object: o{n}, of: o{n - 1}}}\n" for n in range(1, 4000))
    scenario = parse_scenario(f"objects:\n  o0: {{name: Bear, {BEAR}}}\nsteps:\n{steps}expect: {{o3999.name: Bear}}\n")
    start = time.process_time()
    assert evaluate(scenario, modern()).right
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("objects", "step", "reason"),
    [
        (
            "".join(f"  o{n}: {LORD}\n" for n in range(1500)),
            "tap: {object: o0}",
            "too many effects on too many objects",
        ),
        (
            f"  o0: {{{BEAR}}}\n  o1: {{{BEAR}}}\n",
            "becomes a copy: {object: o0, of: o1}\n" * 1001,
            "more than 1000 copy effects on o0",
        ),
    ],
    ids=["lords", "copied again and again"],
)
def test_what_would_take_too_long_is_refused_in_time(objects: str, step: str, reason: str) -> None:
    steps = "".join(f"  - {line}\n" for line in step.splitlines())
    scenario = parse_scenario(f"objects:\n{objects}steps:\n{steps}expect: {{o1.power: 2}}\n")
    start = time.process_time()
    answer = evaluate(scenario, modern())
    assert answer.verdict == "refused"
    assert any(reason in refusal for refusal in answer.refusals)
    assert time.process_time() - start < 20


def test_a_reason_that_goes_for_many_objects_is_told_once() -> None:
    scenario = parse_scenario("objects:\n" + "".join(f"  o{n}: {LORD}\n" for n in range(1500)))
    answer = evaluate(scenario, modern())
    assert len(answer.refusals) == 1
    assert answer.refusals[0].startswith("o0, o1, o2 and 1,497 more: ")
