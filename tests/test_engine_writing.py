"""What writers of scenarios naturally write: understood, or refused with the words that this format has for it."""

from __future__ import annotations

import pytest

from rulehist.engine import evaluate, parse_scenario
from rulehist.errors import ScenarioError
from tests.engine_rules import modern

BEAR = "bear: {name: Bear, mana cost: '{1}{G}', card types: [Creature], subtypes: [Bear], power: 2, toughness: 2}"


def got(objects: str, rest: str, **instead: str) -> dict[str, object]:
    answer = evaluate(parse_scenario(f"objects:\n  {BEAR}\n  {objects}\n{rest}"), modern(**instead))
    return {checked.path: checked.got for checked in answer.expectations} | {"refusals": answer.refusals}


def lord(effect: str) -> str:
    return f"lord: {{card types: [Enchantment], rules text: [{{ability: lord, static: [{effect}]}}]}}"


@pytest.mark.parametrize(
    ("wanted", "power"),
    [
        ("color: []", 2),
        ("color: colorless", 2),
        ("color: [monocolored]", 3),
        ("color: [multicolored]", 2),
        ("status: [untapped]", 3),
        ("status: [face up]", 3),
        ("status: [tapped]", 2),
        ("card types: creature", 3),
        ("counters: [+1/+1]", 2),
        ("controller: opponents", 2),
    ],
)
def test_a_filter_means_what_it_says(wanted: str, power: int) -> None:
    found = got(lord(f"{{affects: {{{wanted}}}, modify: {{power: 1}}}}"), "expect: {bear.power: 2}")
    assert found["bear.power"] == power


@pytest.mark.parametrize(
    ("condition", "power"),
    [
        ("{count: {subtypes: [Bear]}}", 3),
        ("{count: {subtypes: [Elf]}}", 2),
        ("{count: {subtypes: [Bear]}, at most: 0}", 2),
        ("{fact: cards, at least: 3}", 3),
        ("{fact: cards, at least: 4}", 2),
        ("{power of: bear, at least: 2}", 3),
        ("{this is: {card types: [Enchantment]}}", 3),
        ("{this is: {card types: [Creature]}}", 2),
    ],
)
def test_an_effect_is_there_as_long_as_its_condition_holds(condition: str, power: int) -> None:
    effect = f"{{affects: {{card types: [Creature]}}, modify: {{power: 1}}, as long as: {condition}}}"
    assert got(lord(effect), "facts: {cards: 3}\nexpect: {bear.power: 2}")["bear.power"] == power


def test_keywords_in_one_line_are_each_an_ability() -> None:
    angel = "angel: {card types: [Creature], rules text: ['Flying, first strike, protection from red']}"
    rest = (
        "steps: [{effect: {affects: angel, remove: {rules text: [first strike]}}}]\n"
        "expect: {angel.abilities.flying: yes, angel.abilities.first strike: no, angel.abilities.protection: yes}"
    )
    assert list(got(angel, rest).values()) == ["yes", "no", "yes", ()]


@pytest.mark.parametrize(
    ("text", "abilities"),
    [
        ("Flying and haste", ["flying", "haste"]),
        ("Flying; first strike", ["flying", "first strike"]),
        ("Flying, haste, and trample", ["flying", "haste", "trample"]),
        ("Protection from red and from blue", ["protection from red", "protection from blue"]),
        ("Hexproof from black, protection from red", ["hexproof from black", "protection from red"]),
        ("Flying\\n{T}: Draw a card.", ["flying", "{T}: Draw a card"]),
    ],
)
def test_abilities_in_one_text_are_told_apart(text: str, abilities: list[str]) -> None:
    asked = ", ".join(f'"angel.abilities.{each}": no' for each in abilities)
    found = got(
        f'angel: {{card types: [Creature], rules text: ["{text}"]}}',
        f'expect: {{{asked}, angel.rules text: ["{text}"]}}',
    )
    assert [found[f"angel.abilities.{each}"] for each in abilities] == ["yes"] * len(abilities)


def test_a_text_is_expected_as_it_was_given() -> None:
    text = "Flying, trample (It deals excess damage to the player.)"
    angel = f"angel: {{card types: [Creature], rules text: ['{text}']}}"
    scenario = f"objects: {{{angel}}}\nexpect: {{angel.rules text: ['{text}']}}"
    assert evaluate(parse_scenario(scenario), modern()).right


def test_a_line_that_is_no_list_of_keywords_stays_one_ability() -> None:
    saga = "saga: {card types: [Enchantment], rules text: ['Sacrifice, then draw a card']}"
    assert got(saga, "expect: {saga.rules text: []}")["saga.rules text"] == ("Sacrifice, then draw a card",)


@pytest.mark.parametrize(
    "text", ["I, II — Each creature gets +1/+0", "Landfall — Whenever a land enters, it gains flying"]
)
def test_chapters_and_ability_words_before_triggers_change_nothing_by_themselves(text: str) -> None:
    found = got(f"saga: {{card types: [Enchantment], rules text: ['{text}']}}", "expect: {bear.power: 2}")
    assert found == {"bear.power": 2, "refusals": ()}


def test_an_effect_that_has_ended_with_its_object_can_be_said_to_end() -> None:
    rest = """steps:
  - effect: {affects: bear, modify: {power: 1}, called: turn}
  - leaves: {object: bear, to: graveyard}
  - ends: turn
expect: {bear.power: 2}"""
    assert got("other: {card types: [Land]}", rest)["bear.power"] == 2


def test_what_the_rules_of_the_day_have_ended_is_refused_and_no_error_of_the_scenario() -> None:
    rest = """steps:
  - create a token: {object: token, card types: [Creature], power: 1, toughness: 1}
  - leaves: {object: token, to: graveyard}
  - put counters: {object: token, counters: {+1/+1: 1}}
expect: {token.power: 2}"""
    (refusal,) = got("other: {card types: [Land]}", rest)["refusals"]  # type: ignore[misc]
    assert 'there is no "token" any more' in refusal


def test_a_choice_is_named_by_the_ability_that_refers_to_it() -> None:
    effect = "{affects: {card types: [Creature]}, add: {color: [chosen]}}"
    found = got(lord(effect), "expect: {bear.color: [green]}")
    assert "say under its key chosen" in found["refusals"][0]  # type: ignore[index]
    servant = (
        "servant: {card types: [Artifact], chosen: {color: blue}, rules text: [{ability: choose, as it enters choose: "
        f"color}}, {{ability: paint, chosen: color, static: [{effect}]}}]}}"
    )
    assert got(servant, "expect: {bear.color: [green]}")["bear.color"] == ("green", "blue")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x: {card types: [Legendary Creature]}", 'say "supertypes: [Legendary]" and "card types: [Creature]"'),
        ("x: {card types: ['Creature — Bear']}", "give card types and subtypes under their own keys"),
        ("x: {type line: Creature}", 'say "card types: [Creature], with supertypes and subtypes'),
        ("x: {oracle text: flying}", 'say "rules text: [Flying]"'),
    ],
)
def test_a_type_line_is_told_apart(line: str, words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(f"objects:\n  {line}\n")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("destroy: {object: bear}", 'say "leaves: {object: NAME, to: graveyard}"'),
        ("gain control: {object: bear}", 'say "effect: {affects: NAME, controller: you}"'),
        ("effect: {affects: bear, modify: {power: 1}, until: end of turn}", "the step ends: NAME where it ends"),
        ("becomes a copy: {object: bear, of: bear, choose: {color: red}}", '"choose" is no key of the step'),
        ("ends: turn", 'no effect is called "turn"'),
    ],
)
def test_a_step_that_there_is_not_names_the_one_that_there_is(step: str, words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(f"objects:\n  {BEAR}\nsteps:\n  - {step}\n")
    assert words in str(caught.value)


def test_exceptions_of_an_own_ability_are_no_key_of_the_step() -> None:
    rest = "steps: [{enters: {object: image, choosing: bear, except: {set: {power: 7}}}}]\nexpect: {image.power: 7}"
    image = "image: {zone: hand, card types: [Creature], rules text: [{ability: copy, enters as a copy: yes}]}"
    with pytest.raises(ScenarioError, match="exceptions of an own ability are said there"):
        got(image, rest)


@pytest.mark.parametrize(
    ("removed", "left"),
    [
        ("[all]", "none"),
        ("[all creature types]", ("Forest",)),
        ("[Dryad]", ("Forest",)),
        ("[Elf]", ("Forest", "Dryad")),
    ],
)
def test_all_that_an_effect_takes(removed: str, left: object) -> None:
    rest = f"steps: [{{effect: {{affects: arbor, remove: {{subtypes: {removed}}}}}}}]\nexpect: {{arbor.subtypes: []}}"
    assert got("arbor: {card types: [Land, Creature], subtypes: [Forest, Dryad]}", rest)["arbor.subtypes"] == left


def test_an_effect_does_not_follow_a_card_onto_the_battlefield_but_a_spell() -> None:
    rest = """steps:
  - effect: {affects: [spell, card], set: {color: [blue]}}
  - resolves: {object: spell}
  - enters: {object: card}
expect: {spell.color: [], card.color: []}"""
    objects = "spell: {zone: stack, card types: [Creature]}\n  card: {zone: hand, card types: [Creature]}"
    assert list(got(objects, rest).values()) == [("blue",), "none", ()]


@pytest.mark.parametrize("wanted", ["attached to: self", "any of: [{not: {attached to: attached}}]"])
def test_an_effect_of_nothing_in_particular_has_nothing_attached_to_it(wanted: str) -> None:
    step = f"steps:\n  - effect: {{affects: {{{wanted}}}, add: {{subtypes: [Clue]}}}}\n"
    with pytest.raises(ScenarioError, match="needs the key source"):
        got("toy: {card types: [Artifact]}", step)


def test_what_a_copy_has_by_its_own_exception_makes_others_enter_tapped() -> None:
    gift = "{ability: gift, static: [{affects: {others: yes}, add: {rules text: [{ability: t, enters tapped: yes}]}}]}"
    clone = (
        f"clone: {{zone: hand, rules text: [{{ability: copy, enters as a copy: {{add: {{rules text: [{gift}]}}}}}}]}}"
    )
    late = "late: {card types: [Creature], power: 1, toughness: 1, zone: hand}"
    steps = "steps:\n  - enters: {object: clone, choosing: bear}\n  - enters: {object: late}\n"
    looks = (
        "Take into account the object's own static abilities, and continuous effects that already exist and would apply"
    )
    found = got(f"{clone}\n  {late}", f"{steps}expect: {{late.tapped: yes}}", rule_9_12=f"{looks} to the permanent.")
    assert found["late.tapped"] == "yes"


@pytest.mark.parametrize("back", ["", "  - enters: {object: bear}\n"])
def test_an_aura_spell_whose_target_has_left_is_refused(back: str) -> None:
    aura = "aura: {name: Aura, zone: stack, card types: [Enchantment], subtypes: [Aura], targets: [bear]}"
    rest = (
        f"steps:\n  - leaves: {{object: bear, to: graveyard}}\n{back}  - resolves: {{object: aura}}\n"
        "expect: {aura.attached to: none}"
    )
    (refusal,) = got(aura, rest)["refusals"]  # type: ignore[misc]
    assert "whose target bear has left" in refusal


@pytest.mark.parametrize(
    ("text", "tapped", "counters"),
    [
        ("This land enters tapped.", "yes", 0),
        ("This creature enters with two +1/+1 counters on it", "no", 2),
        ("This creature comes into play with a +1/+1 counter on it.", "no", 1),
        ("This creature enters with X +1/+1 counters on it", "no", 3),
        ("Thing, the Large enters the battlefield tapped.", "yes", 0),
        ("Thing enters with two +1/+1 counters on it. (It is 2/2.)", "no", 2),
    ],
)
def test_how_an_object_enters_is_understood_where_it_is_said_plainly(text: str, tapped: str, counters: int) -> None:
    thing = (
        "thing: {name: 'Thing, the Large', zone: hand, card types: [Creature], power: 0, toughness: 0, "
        f"rules text: ['{text}']}}"
    )
    rest = "steps: [{enters: {object: thing, x: 3}}]\nexpect: {thing.tapped: no, thing.counters: 0, thing.power: 0}"
    assert list(got(thing, rest).values()) == [tapped, counters, counters, ()]


@pytest.mark.parametrize(
    "text", ["This creature enters with a number of +1/+1 counters on it equal to your life total", "Modular 3"]
)
def test_where_it_is_not_size_and_death_are_refused_with_it(text: str) -> None:
    thing = f"thing: {{zone: hand, card types: [Creature], power: 0, toughness: 0, rules text: ['{text}']}}"
    for rest in ("", ", {state-based actions: {}}"):
        steps = f"steps: [{{enters: {{object: thing}}}}{rest}]\nexpect: {{thing.power: 0}}"
        assert "may change how thing enters" in str(got(thing, steps)["refusals"])


def test_words_of_something_else_may_change_how_an_object_enters() -> None:
    orb = (
        "orb: {card types: [Artifact], rules text: [Permanents enter tapped]}\n  land: {zone: hand, card types: [Land]}"
    )
    found = got(orb, "steps: [{enters: {object: land}}]\nexpect: {land.tapped: no, land.card types: [Land]}")
    assert (found["land.tapped"], found["land.card types"]) == (None, ("Land",))


def test_words_on_players_change_no_characteristics() -> None:
    rule = """rule: {card types: [Enchantment], rules text: ["Players can't gain life", "You have hexproof"]}"""
    assert got(rule, "expect: {bear.power: 2}") == {"bear.power": 2, "refusals": ()}


def test_reminder_text_has_no_meaning_and_a_card_may_be_meant_by_its_name() -> None:
    texts = (
        '["Flying, vigilance (Attacking doesn\'t cause it to tap.)", "Changeling (This card is every creature type.)", '
        '"When Mulldrifter enters, draw two cards."]'
    )
    mull = (
        f"mull: {{name: Mulldrifter, zone: hand, card types: [Creature], power: 2, toughness: 2, rules text: {texts}}}"
    )
    rest = (
        "steps: [{enters: {object: mull}}]\nexpect: {mull.abilities.vigilance: no, mull.abilities.changeling: no, "
        "mull.subtypes: none, mull.triggered on entering: none}"
    )
    found = got(mull, rest)
    assert list(found.values())[:3] == ["yes", "yes", ("every creature type",)]
    assert found["mull.triggered on entering"] == ("When Mulldrifter enters, draw two cards.",)


@pytest.mark.parametrize(
    ("text", "answered"),
    [
        ("Whenever a creature enters under your control, you gain 1 life.", False),
        ("Whenever another creature enters under your control, you gain 1 life.", True),
    ],
)
def test_what_triggers_on_many_that_enter_is_not_guessed_for_its_own_object(text: str, answered: bool) -> None:
    cleric = f"cleric: {{zone: hand, card types: [Creature], power: 1, toughness: 1, rules text: ['{text}']}}"
    found = got(cleric, "steps: [{enters: {object: cleric}}]\nexpect: {cleric.triggered on entering: none}")
    assert (found["refusals"] == ()) is answered
