"""Objects that receive timestamps at the same time, as the rules of the day have them put in order."""

from __future__ import annotations

import pytest

from rulehist.engine import Answer, evaluate, parse_scenario
from rulehist.errors import ScenarioError
from tests.engine_rules import modern

AT_ONCE = "If two or more objects would receive a timestamp simultaneously, "
APNAP = AT_ONCE + "their relative timestamps are determined in APNAP order."
ACTIVE = AT_ONCE + "the active player determines their relative order."
ENTERING = "If two or more objects enter a zone (or zones) simultaneously, the active player determines their order."


def size(name: str, number: int, more: str = "zone: hand") -> str:
    effect = f"{{affects: {{card types: [Creature]}}, set: {{power: {number}, toughness: {number}}}}}"
    return f"{name}: {{card types: [Enchantment], {more}, rules text: [{{ability: {name}, static: [{effect}]}}]}}"


def answer(rule: str, steps: str, *objects: str, top: str = "", expect: str = "{bear.power: 3}") -> Answer:
    listed = "\n  ".join(["bear: {card types: [Creature], power: 2, toughness: 2}", *objects])
    text = f"{top}\nobjects:\n  {listed}\nsteps:\n{steps}\nexpect: {expect}"
    return evaluate(parse_scenario(text), modern(rule_613_7m=rule))


BOTH = "  - together: {steps: [enters: {object: one}, enters: {object: three}]%s}"
MINE = (size("one", 1), size("three", 3))
OURS = (size("one", 1), size("three", 3, "zone: hand, owner: opponent"))


@pytest.mark.parametrize("rule", [APNAP, ACTIVE, ENTERING])
def test_an_order_that_matters_and_is_not_said_is_refused(rule: str) -> None:
    told = answer(rule, BOTH % "", *MINE)
    assert told.verdict == "refused"
    assert "the scenario does not say in which order" in told.refusals[0]
    assert told.silent == ()


@pytest.mark.parametrize("rule", [APNAP, ACTIVE, ENTERING])
def test_an_order_that_does_not_matter_need_not_be_said(rule: str) -> None:
    assert answer(rule, BOTH % "", *MINE, expect="{one.zone: battlefield}").right


@pytest.mark.parametrize(("order", "size"), [("one, three", 3), ("three, one", 1)])
def test_a_player_orders_the_objects_under_one_control(order: str, size: int) -> None:
    orders = f", orders: {{you: [{order}]}}"
    assert answer(APNAP, BOTH % orders, *MINE, expect=f"{{bear.power: {size}}}").right
    assert answer(ACTIVE, BOTH % orders, *MINE, top="active player: you", expect=f"{{bear.power: {size}}}").right


def test_each_player_orders_only_the_own_objects_where_the_rules_say_so() -> None:
    orders = ", orders: {you: [three, one]}"
    assert answer(APNAP, BOTH % orders, *OURS, top="active player: you").right
    assert answer(ACTIVE, BOTH % orders, *OURS, top="active player: you", expect="{bear.power: 1}").right
    assert answer(APNAP, BOTH % "", *OURS, top="active player: opponent", expect="{bear.power: 1}").right


def test_the_active_player_must_be_said_where_it_matters() -> None:
    told = answer(APNAP, BOTH % "", *OURS)
    assert "the scenario does not say who is the active player" in told.refusals[0]


def test_three_players_follow_each_other_in_turn_order() -> None:
    objects = [size(f"e{n}", n, f"zone: hand, owner: p{n}") for n in (1, 2, 3)]
    steps = "  - together: {steps: [enters: {object: e1}, enters: {object: e2}, enters: {object: e3}]}"
    turns = "turn order: [p1, p2, p3]\nactive player: "
    for active, last in (("p1", 3), ("p2", 1), ("p3", 2)):
        assert answer(APNAP, steps, *objects, top=turns + active, expect=f"{{bear.power: {last}}}").right
    assert '"turn order"' in answer(APNAP, steps, *objects, top="active player: p1").refusals[0]


def test_rules_that_speak_of_entering_say_nothing_of_attaching() -> None:
    auras = [size("one", 1, "attached to: bear"), size("three", 3, "attached to: bear")]
    steps = "  - together: {steps: [attach: {object: three, to: bear}, attach: {object: one, to: bear}], "
    steps += "orders: {you: [one, three]}}"
    assert answer(ACTIVE, steps, *auras, top="active player: you").right
    assert answer(ENTERING, steps, *auras, top="active player: you").verdict == "refused"


def test_what_enters_together_does_not_see_each_other_enter() -> None:
    tapped = "mould: {zone: hand, card types: [Artifact], rules text: [{ability: e, static: [{affects: {card types: "
    tapped += "[Creature]}, add: {rules text: [{ability: t, enters tapped: yes}]}}]}]}"
    young = "young: {zone: hand, card types: [Creature], power: 1, toughness: 1}"
    apart = "  - enters: {object: mould}\n  - enters: {object: young}"
    atonce = "  - together: {steps: [enters: {object: mould}, enters: {object: young}]}"
    assert answer(APNAP, atonce, tapped, young, expect="{young.tapped: no, young.abilities.t: yes}").right
    assert answer(APNAP, apart, tapped, young, expect="{young.abilities.t: yes}").right


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("[enters: {object: one}, enters as a copy: {object: three, of: one}]", "enters at the same time"),
        ("[enters: {object: one}, enters: {object: one}]", "enters twice"),
        ("[transform: {object: one}, flip: {object: three}]", "is no key"),
    ],
)
def test_what_cannot_happen_at_the_same_time_is_an_error(steps: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        answer(APNAP, f"  - together: {{steps: {steps}}}", *MINE)
