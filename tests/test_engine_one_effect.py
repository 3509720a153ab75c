"""The parts of one effect come to the same, written together or one by one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rulehist.engine import evaluate, parse_scenario
from rulehist.engine.effects import Ability, Effect, Filter
from rulehist.engine.one_effect import as_one
from tests.engine_rules import modern

AFFECTED: list[Any] = [
    {"card types": ["Creature"]},
    {"card types": ["Artifact"], "not": {"card types": ["Creature"]}},
    {"color": ["green"]},
    {"card types": ["Enchantment"], "others": "yes"},
    "self",
]
PARTS: list[Mapping[str, Any]] = [
    {"set": {"power": 1, "toughness": 1}},
    {"set": {"color": ["green"]}},
    {"add": {"card types": ["Creature"]}},
    {"add": {"card types": ["Artifact"]}},
    {"remove": {"rules text": ["all"]}},
    {"modify": {"power": 1, "toughness": 1}},
]
TYPES = ["Enchantment", "Artifact", "Creature"]
MADE = st.lists(
    st.tuples(
        st.sampled_from(AFFECTED),
        st.lists(st.sampled_from(range(len(PARTS))), min_size=1, max_size=3, unique=True).map(sorted),
        st.sampled_from(TYPES),
    ),
    min_size=1,
    max_size=3,
)


def board(made: list[tuple[Any, list[int], str]], *, apart: bool) -> str:
    objects: dict[str, Any] = {
        "bear": {"mana cost": "{G}", "card types": ["Creature"], "power": 2, "toughness": 2, "rules text": ["Trample"]},
        "ring": {"mana cost": "{3}", "card types": ["Artifact"]},
    }
    for number, (affects, places, kind) in enumerate(made):
        parts = [PARTS[place] for place in places]
        static = [{"affects": affects, **part} for part in (parts if apart else [whole(parts)])]
        size = {"power": 3, "toughness": 3} if kind == "Creature" else {}
        objects[f"e{number}"] = {"card types": [kind], **size, "rules text": [{"ability": "x", "static": static}]}
    asked: dict[str, Any] = {f"{name}.{key}": [] for name in objects for key in ("color", "card types")}
    asked |= {f"{name}.{key}": 99 for name in objects for key in ("power", "toughness")}
    return json.dumps({"objects": objects, "expect": asked})


def whole(parts: list[Mapping[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in parts:
        for verb, what in part.items():
            have = found.setdefault(verb, {})
            for key, value in what.items():
                have[key] = [*have[key], *value] if key in have else value
    return found


@settings(max_examples=60, deadline=None)
@given(MADE)
def test_an_effect_is_one_however_its_parts_are_written(made: list[tuple[Any, list[int], str]]) -> None:
    together, apart = (
        evaluate(parse_scenario(board(made, apart=each)), modern()).expectations for each in (False, True)
    )
    assert [each.got for each in together] == [each.got for each in apart]


def test_parts_whose_order_matters_or_that_affect_others_stay_apart() -> None:
    frogs, flying = Effect(set={"subtypes": ("Frog",)}), Ability("Flying")
    elves = Effect(add={"subtypes": ("Elf",)})
    assert as_one([frogs, elves]) == (Effect(set={"subtypes": ("Frog",)}, add={"subtypes": ("Elf",)}),)
    assert as_one([elves, frogs]) == (elves, frogs)
    others = Effect(affects=Filter(card_types=("Creature",)), abilities=(flying,))
    assert as_one([frogs, others]) == (frogs, others)


def test_an_effect_that_takes_all_abilities_leaves_those_that_it_gives() -> None:
    gives, takes = Effect(abilities=(Ability("Flying"),)), Effect(every_ability=True)
    assert as_one([gives, takes]) == as_one([takes, gives]) == (gives._replace(every_ability=True),)
