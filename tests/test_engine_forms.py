"""Forms of cards under rules that do not know them, or do not say what is asked: refused, never guessed."""

from __future__ import annotations

import sqlite3
from functools import cache

import pytest

from rulehist.engine import Answer, evaluate, parse_scenario
from rulehist.engine.semantics import Semantics, compile_semantics
from rulehist.errors import ScenarioError
from rulehist.rules_at import StoredRules
from rulehist.when import parse_when

SPLIT = (
    "left half: {name: Fire, mana cost: '{1}{R}', card types: [Instant]}, "
    "right half: {name: Ice, mana cost: '{1}{U}', card types: [Instant]}"
)
HIDDEN = "status: [face down], face down as: {card types: [Creature], power: 2, toughness: 2}"
ROOM = "left half: {name: Pool, mana cost: '{U}'}, right half: {name: Locker, mana cost: '{4}{U}'}"
ADVENTURER = (
    "name: Giant, mana cost: '{2}{R}', card types: [Creature], power: 4, toughness: 3, "
    "adventure: {name: Stomp, mana cost: '{1}{R}', card types: [Instant], subtypes: [Adventure]}"
)


@cache
def rules_of(day: str, store: sqlite3.Connection) -> Semantics:
    return compile_semantics(StoredRules(store, parse_when(day)))


def answer(scenario: str, day: str, store: sqlite3.Connection) -> Answer:
    return evaluate(parse_scenario(scenario), rules_of(day, store))


@pytest.mark.archive
@pytest.mark.parametrize(
    ("card", "day", "form"),
    [
        (f"{{zone: hand, {SPLIT}}}", "1999-11-01", "split cards"),
        (f"{{zone: stack, cast as: both halves, {SPLIT}}}", "2012-10-01", "fused split spells"),
        (f"{{zone: hand, card types: [Enchantment], {ROOM}}}", "2024-07-30", "Rooms"),
        (f"{{zone: hand, {ADVENTURER}}}", "2019-08-23", "adventurer cards"),
        ("{name: Delver, back face: {name: Insect}}", "2011-07-15", "double-faced cards"),
        ("{name: Valki, modal: yes, back face: {name: Tibalt}}", "2020-08-07", "modal double-faced cards"),
        ("{name: Tomoya, flipped face: {name: Risen}}", "2004-06-01", "flip cards"),
        ("{name: Crawler, prototype: {power: 1}}", "2022-10-07", "prototype cards"),
        (f"{{zone: hand, {ADVENTURER.replace('adventure:', 'omen:')}}}", "2025-02-07", "omen cards"),
    ],
)
def test_a_form_that_the_rules_of_the_day_do_not_know_is_refused(
    card: str, day: str, form: str, store: sqlite3.Connection
) -> None:
    refused = answer(f"objects: {{card: {card}}}\nexpect: {{card.mana value: 1}}", day, store)
    assert refused.verdict == "refused"
    assert f"did not mention {form}" in refused.refusals[0]


@pytest.mark.archive
def test_what_an_effect_makes_of_two_mana_values_is_refused_before_the_rules_said_it(store: sqlite3.Connection) -> None:
    size = "[{ability: size, defines: {set: {power: {mana value of: card}, toughness: 1}}}]"
    scenario = f"""
objects:
  card: {{zone: exile, {SPLIT}}}
  lore: {{name: Lore, card types: [Creature], power: "*", toughness: 1, rules text: {size}}}
expect: {{lore.power: 4}}
"""
    assert "split-mana-value-used" in answer(scenario, "2010-10-01", store).refusals[0]
    assert answer(scenario, "2015-03-27", store).right


@pytest.mark.archive
@pytest.mark.parametrize("status", ["zone: hand", f"{HIDDEN}"])
def test_nothing_is_unlocked_of_what_has_no_halves_now(status: str, store: sqlite3.Connection) -> None:
    card = f"{{card types: [Enchantment], {ROOM}, {status}}}"
    with pytest.raises(ScenarioError, match="no permanent with two halves"):
        answer(
            f"objects: {{card: {card}}}\nsteps: [{{unlock: {{object: card, half: left half}}}}]", "2024-11-08", store
        )


@pytest.mark.archive
def test_until_july_2015_the_rules_did_not_say_that_monstrous_is_not_copied(store: sqlite3.Connection) -> None:
    scenario = """
objects:
  cyclops: {name: Cyclops, card types: [Creature], power: 3, toughness: 3, designations: [monstrous]}
steps: [{create a token copy: {object: token, of: cyclops}}]
expect: {token.designations: none}
"""
    assert (
        "did not say whether it is copied that cyclops is monstrous"
        in answer(scenario, "2014-09-25", store).refusals[0]
    )
    assert answer(scenario, "2015-07-17", store).right


MORPH = f"{{name: Angel, card types: [Creature], power: 4, toughness: 5, rules text: [Flying], {HIDDEN}}}"
WOLF = (
    "{name: Huntmaster, mana cost: '{2}{R}{G}', card types: [Creature], power: 2, toughness: 2, "
    "back face: {name: Ravager, card types: [Creature], power: 4, toughness: 4}}"
)
TOP = "{zone: stack, name: Top, mana cost: '{U}', card types: [Creature], power: 1, toughness: 1}"


@pytest.mark.archive
def test_where_a_spell_goes_that_was_cast_from_a_graveyard_is_not_guessed(store: sqlite3.Connection) -> None:
    scenario = f"""
objects: {{card: {{zone: graveyard, {SPLIT}}}}}
steps: [{{cast: {{object: card, as: left half}}}}, {{resolves: {{object: card}}}}]
expect: {{card.zone: graveyard}}
"""
    assert "cast from a graveyard" in answer(scenario, "2024-07-30", store).refusals[0]


@pytest.mark.archive
def test_the_defense_of_a_copy_of_a_battle_is_in_no_list_of_what_is_copied(store: sqlite3.Connection) -> None:
    siege = "{name: Invasion, card types: [Battle], defense: 3, counters: {defense: 3}}"
    for asked in ("token.defense: 3", "token.counters.defense: 3"):
        refused = answer(
            f"objects: {{siege: {siege}}}\nsteps: [{{create a token copy: {{object: token, of: siege}}}}]\n"
            f"expect: {{{asked}}}",
            "2024-07-30",
            store,
        )
        assert "did not say that defense is copied" in refused.refusals[0]


@pytest.mark.archive
@pytest.mark.parametrize(
    ("objects", "steps", "asked", "reason"),
    [
        (
            f"{{base: {MORPH}, top: {TOP}}}",
            "[{merge: {object: top, with: base}}]",
            "base.abilities.flying: no",
            "merged-face-down-component",
        ),
        (
            f"{{base: {WOLF}, top: {TOP}}}",
            "[{merge: {object: top, with: base}}, {transform: {object: base}}]",
            "base.power: 1",
            "what transforming base, a merged permanent, does",
        ),
        (
            f"{{wolf: {WOLF}}}",
            "[{create a token copy: {object: token, of: wolf}}, {transform: {object: token}}]",
            "token.mana value: 4",
            "a copy with both faces, is that of its front face, 4, or 0",
        ),
        (
            f"{{base: {WOLF}, bear: {{name: Bear, card types: [Creature]}}, top: {TOP}}}",
            "[{becomes a copy: {object: base, of: bear, called: x}}, {merge: {object: top, with: base}}, {ends: x}]",
            "base.name: Top",
            "older than a merger",
        ),
    ],
)
def test_what_the_rules_leave_open_of_permanents_of_several_cards_is_refused(
    objects: str, steps: str, asked: str, reason: str, store: sqlite3.Connection
) -> None:
    refused = answer(f"objects: {objects}\nsteps: {steps}\nexpect: {{{asked}}}", "2023-09-01", store)
    assert refused.verdict == "refused"
    assert reason in refused.refusals[0]


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ("{card: {left half: {name: Fire}}}", "left half alone"),
        (f"{{card: {{name: Fire, {SPLIT}}}}}", "the name of its halves"),
        (f"{{card: {{{SPLIT}}}}}", "no permanent"),
        (f"{{card: {{card types: [Enchantment], {ROOM}}}}}", 'say under "unlocked" which halves are'),
        (f"{{card: {{zone: stack, {SPLIT}}}}}", 'say under "cast as" which half was cast'),
        (f"{{card: {{zone: hand, cast as: left half, {SPLIT}}}}}", 'needs "zone: stack"'),
        ("{card: {zone: stack, name: Bear, cast as: adventure}}", "cast as adventure, and has none"),
    ],
)
def test_a_card_that_is_described_in_part_is_an_error(objects: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        parse_scenario(f"objects: {objects}")


@pytest.mark.archive
@pytest.mark.parametrize("day", ["2004-10-01", "2013-05-01", "2026-01-16"])
def test_a_flipped_permanent_has_the_color_and_mana_cost_of_its_upper_half(day: str, store: sqlite3.Connection) -> None:
    akki = (
        "{name: Akki, mana cost: '{3}{R}', card types: [Creature], power: 1, toughness: 1, "
        "flipped face: {name: Tok-Tok, card types: [Creature], power: 2, toughness: 2}}"
    )
    expected = "{akki.name: Tok-Tok, akki.mana cost: '{3}{R}', akki.mana value: 4, akki.color: [red]}"
    assert answer(
        f"objects: {{akki: {akki}}}\nsteps: [{{flip: {{object: akki}}}}]\nexpect: {expected}", day, store
    ).right


@pytest.mark.archive
def test_an_aura_attached_where_it_is_keeps_its_timestamp_since_the_rules_say_so(store: sqlite3.Connection) -> None:
    aura = (
        "{{card types: [Enchantment], attached to: ox, "
        "rules text: [{{ability: is, static: [{{affects: attached, set: {{power: {0}}}}}]}}]}}"
    )
    scenario = f"""
objects:
  ox: {{name: Ox, card types: [Creature], power: 2, toughness: 4}}
  one: {aura.format(1)}
  five: {aura.format(5)}
steps: [{{attach: {{object: one, to: ox}}}}]
expect: {{ox.power: 5}}
"""
    assert answer(scenario, "2010-02-01", store).right
    assert answer(scenario, "2026-01-16", store).right
    assert "attached-where-it-is" in answer(scenario, "2004-10-01", store).refusals[0]
