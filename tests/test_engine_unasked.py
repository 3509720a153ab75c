"""A scenario that expects nothing is answered with its objects; what is not known of them is refused, and why."""

from __future__ import annotations

from rulehist.engine import evaluate, parse_scenario
from rulehist.engine.answer_text import render_answer, render_comparison
from rulehist.engine.comparison import compare
from tests.engine_rules import modern

GROWN = parse_scenario("""
objects:
  bear: {name: Bear, card types: [Creature], power: 1, toughness: 4}
steps:
  - effect: {affects: bear, modify: {power: +1}}
""")
WITHOUT_LAYER = modern(**{f"rule_1_4{letter}": "" for letter in "abcd"}, rule_1_1g="")


def test_what_is_not_known_of_an_object_is_refused_though_nothing_was_expected_of_it() -> None:
    answer = evaluate(GROWN, WITHOUT_LAYER)
    assert answer.verdict == "refused"
    assert answer.refusals[0].startswith("bear: the rules of 2030-01-01")
    assert answer.objects["bear"]["characteristics"] is None
    assert answer.objects["bear"]["refused"] in render_answer(answer)


def test_a_comparison_does_not_take_copiable_values_for_what_an_object_has() -> None:
    compared = compare(GROWN, [modern(), WITHOUT_LAYER])
    table = {line.split()[0]: line.split()[1:] for line in render_comparison(compared).splitlines() if "bear." in line}
    assert table["bear.power"] == ["2", "refused", "*"]
