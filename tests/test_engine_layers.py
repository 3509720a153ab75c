"""Continuous effects, layer by layer: order, dependency, and what the rules leave open."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulehist.engine import Answer, evaluate, parse_scenario
from rulehist.engine.semantics import Semantics
from tests.engine_rules import modern

HUMILITY = (
    "humility: {card types: [Enchantment], mana cost: '{2}{W}{W}', rules text: [{ability: humility, static: [{affects: "
    "{card types: [Creature]}, remove: {rules text: [all]}, set: {power: 1, toughness: 1}}]}]}"
)
OPALESCENCE = (
    "opalescence: {card types: [Enchantment], mana cost: '{2}{W}{W}', rules text: [{ability: opalescence, static: [{"
    "affects: {card types: [Enchantment], others: yes}, add: {card types: [Creature]}, set: {power: {mana value of: "
    "self}, toughness: {mana value of: self}}}]}]}"
)
MOON = (
    "moon: {card types: [Enchantment], rules text: [{ability: moon, static: [{affects: {card types: [Land], not: "
    "{supertypes: [Basic]}}, set basic land types: [Mountain]}]}]}"
)
URBORG = (
    "urborg: {name: Urborg, card types: [Land], rules text: [{ability: swamps, static: [{affects: {card types: "
    "[Land]}, add: {subtypes: [Swamp]}}]}]}"
)


def answer(text: str, semantics: Semantics | None = None) -> Answer:
    return evaluate(parse_scenario(text), semantics or modern())


def got(text: str, semantics: Semantics | None = None) -> Mapping[str, object]:
    return {checked.path: checked.got for checked in answer(text, semantics).expectations}


def objects(*lines: str, rest: str) -> str:
    return "objects:\n" + "".join(f"  {line}\n" for line in lines) + rest


@pytest.mark.parametrize(("first", "second", "power"), [(HUMILITY, OPALESCENCE, 4), (OPALESCENCE, HUMILITY, 1)])
def test_effects_that_have_started_go_on_and_the_later_one_sets_power(first: str, second: str, power: int) -> None:
    text = objects(first, second, rest="expect: {humility.power: 1, humility.abilities.humility: no}")
    assert got(text) == {"humility.power": power, "humility.abilities.humility": "no"}


def test_silence_on_effects_whose_ability_is_lost_is_said() -> None:
    text = objects(
        OPALESCENCE, HUMILITY, rest="expect: {humility.power: 1, humility.card types: [Enchantment, Creature]}"
    )
    rules = modern(rule_1_6="The parts of the effect each apply in their appropriate layers where these are different.")
    silent = answer(text, rules)
    assert [checked.ok for checked in silent.expectations] == [None, True]
    assert "continues-when-ability-lost" in silent.refusals[0]


@pytest.mark.parametrize("lines", [(MOON, URBORG), (URBORG, MOON)])
def test_an_effect_whose_ability_another_would_remove_waits_for_it(lines: tuple[str, str]) -> None:
    text = objects(
        *lines,
        "forest: {card types: [Land], supertypes: [Basic], subtypes: [Forest]}",
        rest="expect: {urborg.subtypes: [Mountain], forest.subtypes: [Forest]}",
    )
    assert got(text) == {"urborg.subtypes": ("Mountain",), "forest.subtypes": ("Forest",)}


def test_effects_that_depend_on_each_other_in_a_loop_apply_in_timestamp_order() -> None:
    text = objects(
        "a: {rules text: [{ability: a, static: [{affects: {subtypes: [Mountain]}, set basic land types: [Forest]}]}]}",
        "b: {rules text: [{ability: b, static: [{affects: {subtypes: [Forest]}, set basic land types: [Mountain]}]}]}",
        "m: {card types: [Land], subtypes: [Mountain]}",
        "f: {card types: [Land], subtypes: [Forest]}",
        rest="expect: {m.subtypes: [Mountain], f.subtypes: [Mountain]}",
    )
    assert answer(text).right


def test_without_layers_effects_of_several_kinds_have_no_order() -> None:
    rules = modern(
        **{f"rule_1_{key}": "" for key in ("1a", "1b", "1c", "1d", "1e", "1f", "1g", "4a", "4b", "4c", "4d")}
    )
    one = "steps: [{effect: {affects: a, set: {power: 0}}}]\nexpect: {a.power: 0, b.power: 3}"
    both = "steps: [{effect: {affects: a, set: {power: 0}, modify: {toughness: +1}}}]\nexpect: {a.power: 0, b.power: 3}"
    lines = ("a: {power: 2, toughness: 2}", "b: {power: 3, toughness: 3}")
    assert answer(objects(*lines, rest=one), rules).right
    refused = answer(objects(*lines, rest=both), rules)
    assert [checked.ok for checked in refused.expectations] == [None, True]
    assert "did not say in what order" in refused.refusals[0]


def test_a_derivation_names_layer_rule_and_reason() -> None:
    from rulehist.engine.derivation import derivation

    text = objects(MOON, URBORG, "x: {card types: [Land]}", rest="expect: {x.subtypes: [Mountain]}")
    explained = evaluate(parse_scenario(text), modern(), explain=True)
    lines = derivation(explained, modern())
    assert [(line["layer"], line["number"], line["objects"]) for line in lines] == [("4", "1.1d", ["urborg", "x"])]
    ogre = (
        "objects: {o: {power: 2, toughness: 2, counters: {+1/+1: 1}}}\nsteps: [{effect: {affects: o, set: {power: 0}}}]"
    )
    explained = evaluate(parse_scenario(ogre + "\nexpect: {o.power: 1}"), modern(), explain=True)
    assert [(line["layer"], line["number"], line["why"]) for line in derivation(explained, modern())] == [
        ("7b", "1.4b", "timestamp 3"),
        ("7c", "1.4c", "the rules of the day give it no timestamp"),
    ]


def test_a_thousand_effects_are_applied_in_bounded_time() -> None:
    lords = [
        f"l{n}: {{card types: [Creature], power: 1, toughness: 1, rules text: [{{ability: l{n}, static: [{{affects: "
        "{card types: [Creature], others: yes}, modify: {power: 1}}]}]}"
        for n in range(100)
    ]
    start = time.perf_counter()
    assert answer(objects(*lords, rest="expect: {l0.power: 100}")).right
    assert time.perf_counter() - start < 10


def test_more_effects_than_can_be_ordered_are_refused_by_name() -> None:
    steps = "steps:\n" + "  - effect: {affects: a, modify: {power: 1}}\n" * 3001
    assert (
        "more than 3000 continuous effects"
        in answer("objects: {a: {power: 0}}\n" + steps + "expect: {a.power: 1}").refusals[0]
    )


def test_effects_that_may_all_depend_on_each_other_are_refused_beyond_a_bound() -> None:
    lines = [
        f"e{n}: {{rules text: [{{ability: e{n}, static: [{{affects: {{subtypes: [T{n}]}}, "
        f"add: {{subtypes: [T{n + 1}]}}}}]}}]}}"
        for n in range(60)
    ]
    start = time.perf_counter()
    refused = answer(objects(*lines, "x: {subtypes: [T0]}", rest="expect: {x.subtypes: none}"))
    assert "may depend on each other" in refused.refusals[0]
    assert time.perf_counter() - start < 20


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=6), st.booleans())
def test_modifiers_add_up_in_any_order_and_two_switches_cancel(changes: list[tuple[int, int]], switched: bool) -> None:
    steps = [f"{{effect: {{affects: a, modify: {{power: {p}, toughness: {t}}}}}}}" for p, t in changes]
    steps += ["{effect: {affects: a, switch power and toughness: yes}}"] * (2 if switched else 0)
    text = f"objects: {{a: {{power: 1, toughness: 2}}}}\nsteps: [{', '.join(steps)}]\n"
    found = got(text + "expect: {a.power: 0, a.toughness: 0}")
    assert found == {"a.power": 1 + sum(p for p, _ in changes), "a.toughness": 2 + sum(t for _, t in changes)}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("  - becomes a copy: {object: a, of: a, except: {add: {rules text: [x]}}}\n" * 500, "First"),
        (
            "".join(
                f"  - becomes a copy: {{object: {one}, of: {other}, except: {{set: {{power: {n}}}}}}}\n"
                for n in range(300)
                for one, other in (("a", "b"), ("b", "a"))
            ),
            "Second",
        ),
    ],
    ids=["of itself", "of each other"],
)
def test_objects_that_copy_themselves_and_each_other_end_in_bounded_time(text: str, wanted: str) -> None:
    lines = ("a: {name: First, power: 1, toughness: 1}", "b: {name: Second, power: 1, toughness: 1}")
    start = time.perf_counter()
    assert got(objects(*lines, rest=f"steps:\n{text}expect: {{a.name: none}}")) == {"a.name": wanted}
    assert time.perf_counter() - start < 20


STONE = "stone: {name: Stone, card types: [Artifact], mana cost: '{3}'}"
BEAR = "bear: {name: Bear, card types: [Creature], power: 2, toughness: 2}"
NO_CREATURE = "A noncreature permanent has no power or toughness."
ONCE = "The value of that variable is determined only once, on resolution."
ZERO = "If anything needs to use a number that can't be determined, it uses 0 instead."


@pytest.mark.parametrize("number", ["{power of: stone}", "{power of: stone, times: 2, plus: 1}"])
def test_the_power_of_what_is_no_creature_is_a_number_that_cannot_be_determined(number: str) -> None:
    effect = f"steps: [{{effect: {{affects: bear, set: {{power: {number}}}}}}}]\nexpect: {{bear.power: 0}}"
    found = answer(objects(STONE, BEAR, rest=effect), modern(rule_2_3=NO_CREATURE, rule_6_1=ONCE, rule_1_2=ZERO))
    assert found.expectations[0].got == (1 if "plus" in number else 0)
    refused = answer(objects(STONE, BEAR, rest=effect), modern(rule_2_3=NO_CREATURE, rule_6_1=ONCE))
    assert "undetermined-number" in refused.refusals[0]


def test_an_effect_that_looks_at_its_source_is_refused_where_that_is_gone() -> None:
    elf = "elf: {kind: token, name: Elf, card types: [Creature], power: 1, toughness: 1}"
    effect = "{affects: bear, modify: {power: 1}, source: elf, as long as: {this is: {card types: [Creature]}}}"
    steps = f"steps: [{{effect: {effect}}}, {{leaves: {{object: elf, to: graveyard}}}}]\nexpect: {{bear.power: 2}}"
    assert "elf is gone" in answer(objects(BEAR, elf, rest=steps)).refusals[0]


def test_a_number_of_self_is_that_of_the_source_of_an_effect() -> None:
    lord = "lord: {name: Lord, card types: [Creature], power: 5, toughness: 5}"
    for source, power in ((", source: lord", 7), ("", 4)):
        effect = f"{{affects: bear{source}, modify: {{power: {{power of: self}}}}}}"
        text = objects(BEAR, lord, rest=f"steps: [{{effect: {effect}}}]\nexpect: {{bear.power: {power}}}")
        assert answer(text, modern(rule_6_1=ONCE)).expectations[0].got == power


SONG = (
    "song: {card types: [Enchantment], rules text: [{ability: song, static: [{affects: {card types: [Artifact], not: "
    "{card types: [Creature]}}, remove: {rules text: [all]}, add: {card types: [Creature]}}]}]}"
)
MARCH = (
    "march: {card types: [Enchantment], rules text: [{ability: march, static: [{affects: {card types: [Artifact], not: "
    "{card types: [Creature]}}, add: {card types: [Creature]}}]}]}"
)
LATTICE = (
    "lattice: {card types: [Artifact], rules text: [{ability: lattice, static: [{affects: {}, add: {card types: "
    "[Artifact]}}]}]}"
)
RELICS = (
    "disk: {card types: [Artifact], rules text: [Destroy it all]}\n  mire: {card types: [Land], rules text: [Search]}"
)


def test_whether_effects_in_a_loop_wait_for_one_outside_it_is_open_where_it_counts() -> None:
    objects = f"objects:\n  {SONG}\n  {MARCH}\n  {LATTICE}\n  {RELICS}\nexpect: "
    assert answer(objects + "{disk.rules text: none, mire.card types: [Land, Artifact, Creature]}").right
    refused = answer(objects + "{mire.rules text: none}")
    assert "whether effects in a dependency loop wait for one outside it" in refused.refusals[0]
    first = f"objects:\n  {LATTICE}\n  {SONG}\n  {MARCH}\n  {RELICS}\nexpect: {{mire.rules text: none}}"
    assert answer(first).right
