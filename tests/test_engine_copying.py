"""What a copy acquires, read from the rule's text as it stood; the texts here are made up "
"in the rule's grammar."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from rulehist.engine import (
    ListedRules,
    RuleText,
    compare,
    compile_semantics,
    evaluate,
    load_scenario,
    parse_scenario,
)
from rulehist.engine.answer_text import render_answer, render_comparison
from rulehist.engine.clauses import UnreadClause, read_clauses
from rulehist.resources import data_folder

CHOICES = "choices made when casting or activating it (mode, targets, the value of X, whether it was kicked, and so on)"
OF_A_COPY = "Objects that copy the object will use the new copiable values."
FACE_DOWN = "Face-down permanents have no characteristics other than those listed by the ability that turned them."


def text(
    listed: str = "name, mana cost, color indicator, card type, subtype, rules text, power, and/or toughness",
    modified: str = "by other copy effects, by its face-down status, and by “as . . . enters” "
    "abilities that set power "
    "and toughness (and may also set additional characteristics)",
    excluded: str = "status, and counters",
) -> str:
    return (
        "When copying an object, the copy acquires the copiable values of the original object’s "
        "characteristics and, for "
        f"an object on the stack, {CHOICES}. The copiable values are the values derived from the "
        f"text printed on the "
        f"object (that text being {listed}), as modified {modified}. Other effects (including "
        f"type-changing and "
        f"text-changing effects), {excluded} are not copied."
    )


def rules(copying: str, day: int = 1) -> ListedRules:
    return ListedRules.of(
        [("7.1", "Nothing to see."), ("707.2", copying), ("707.3", OF_A_COPY), ("708.2", FACE_DOWN)], date(2030, 1, day)
    )


def clauses(copying: str) -> object:
    return read_clauses(RuleText("707.2@2030-01-01", "707.2", "2030-01-01", copying))


BEAR = "bear: {name: Bear, mana cost: '{1}{G}', card types: [Creature], power: 2, toughness: 2"
STICKERED = f"""
objects:
  {BEAR}, stickers: [flying], counters: {{+1/+1: 1}}}}
  clone: {{name: Clone}}
steps:
  - enters as a copy: {{object: clone, of: bear}}
expect:
  clone.power: 2
  clone.stickers: none
  clone.counters: 0
"""


def test_stickers_that_the_rules_did_not_mention_are_no_matter_for_an_answer() -> None:
    answer = evaluate(parse_scenario(STICKERED), rules(text()))
    assert answer.verdict == "refused"
    assert answer.objects == {}
    assert "did not mention stickers" in answer.refusals[0]
    assert answer.because[0].quote.endswith("status, and counters are not copied")
    assert all(checked.ok is None for checked in answer.expectations)


def test_stickers_that_the_rules_mention_are_not_copied() -> None:
    answer = evaluate(parse_scenario(STICKERED), rules(text(excluded="status, counters, and stickers")))
    assert answer.verdict == "answered"
    assert all(checked.ok for checked in answer.expectations)
    assert any("stickers of bear are not copied" in because.claim for because in answer.because)
    assert {because.number for because in answer.because} == {"707.2"}


def test_a_comparison_names_the_words_that_made_the_difference() -> None:
    compared = compare(
        parse_scenario(STICKERED), [rules(text()), rules(text(excluded="status, counters, and stickers"), 2)]
    )
    assert compared.differs == (False, True)
    assert {because.quote.split("), ")[1] for because in compared.deciding(1)} == {
        "status, counters, and stickers are not copied"
    }
    shown = render_comparison(compared)
    assert "clone.power     refused     2 *" in shown
    assert "2030-01-01 -> 2030-01-02, decided by:" in shown
    assert "{+counters, and stickers+}" in shown.replace("\n      ", " ")


def test_every_characteristic_of_a_copy_names_its_clause() -> None:
    answer = evaluate(parse_scenario(STICKERED), rules(text(excluded="status, counters, and stickers")))
    for characteristic in answer.objects["clone"]["copiable"]:
        assert any(because.claim.startswith(f"clone.{characteristic} is") for because in answer.because)
    assert "because rule 707.2" in render_answer(answer)


@pytest.mark.parametrize(
    ("copying", "read"),
    [
        (text(listed="name, power, toughness, loyalty, and/or defense"), "defense"),
        (text(listed="name, power, toughness, and/or rarity"), "rarity"),
        (text(excluded="status, counters, stickers, and badges"), "badges"),
    ],
)
def test_a_further_item_of_a_list_is_read_as_one_of_its_kind(copying: str, read: str) -> None:
    found = clauses(copying)
    assert read in found.characteristics or read in found.not_copied  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("copying", "quoted"),
    [
        (text(modified="by other copy effects and by its mood"), "its mood"),
        (
            text(excluded="status, and counters other than charge counters"),
            "counters other than charge counters",
        ),
        (text() + " Tokens are never copied on Sundays.", "Tokens are never copied on Sundays"),
        (text(listed="name, power unless it is zero, and/or toughness"), "power unless it is zero"),
        (text().replace("derived from the text printed", "remembered from the text printed"), "remembered"),
    ],
)
def test_a_clause_that_the_reader_does_not_know_is_a_refusal_that_quotes_it(copying: str, quoted: str) -> None:
    with pytest.raises(UnreadClause, match=re.escape(quoted)):
        clauses(copying)
    answer = evaluate(parse_scenario(STICKERED), rules(copying))
    assert answer.verdict == "refused"
    assert quoted in answer.refusals[0]


def test_without_the_rule_the_missing_text_is_named() -> None:
    answer = evaluate(parse_scenario(STICKERED), ListedRules.of([("1.1", "Play.")], None))
    assert answer.verdict == "refused"
    assert "rule on copiable values is not known" in answer.refusals[0]


def test_a_characteristic_missing_from_the_list_is_not_answered() -> None:
    scenario = parse_scenario(
        "objects: {walker: {name: W, loyalty: 3}}\nsteps: [{create a token copy: {object: t, of: walker}}]\n"
        "expect: {t.loyalty: 3}"
    )
    assert "did not say that loyalty" in evaluate(scenario, rules(text())).refusals[0]
    listed = text(listed="name, mana cost, and/or loyalty")
    assert evaluate(scenario, rules(listed)).expectations[0].ok


def test_the_color_of_a_copy_follows_from_its_mana_cost() -> None:
    scenario = parse_scenario(
        f"objects:\n  {BEAR}}}\nsteps: [{{create a token copy: {{object: t, of: bear}}}}]\nexpect: {{t.color: [green]}}"
    )
    assert evaluate(scenario, rules(text())).expectations[0].ok


@pytest.mark.parametrize(
    ("ability", "path", "answered"),
    [
        ("Devoid", "t.color", False),
        ("Changeling", "t.subtypes", False),
        ("This creature gets +1/+1.", "t.power", False),
        ("This creature gets +1/+1.", "t.copiable.power", True),
        ("Whenever this creature is dealt damage, it gets +1/+1.", "t.power", True),
        ("{1}: This creature gets +1/+1.", "t.power", True),
        ("flying", "t.power", True),
    ],
)
def test_an_ability_that_may_change_the_answer_is_never_passed_over(ability: str, path: str, answered: bool) -> None:
    scenario = parse_scenario(
        f"objects: {{bear: {{mana cost: '{{R}}', power: 2, subtypes: [Bear], rules text: ['{ability}']}}}}\n"
        f"steps: [{{create a token copy: {{object: t, of: bear}}}}]\nexpect: {{{path}: none}}"
    )
    assert (evaluate(scenario, rules(text())).verdict == "answered") is answered


def test_a_power_of_nothing_is_a_number() -> None:
    scenario = parse_scenario(
        "objects: {wall: {power: 0, toughness: 4}}\nsteps: [{create a token copy: {object: t, of: wall}}]\n"
        "expect: {t.power: 0}"
    )
    assert evaluate(scenario, rules(text())).expectations[0].ok


FACE_DOWN_COPY = """
objects:
  demon: {name: Demon, power: 6, toughness: 6, status: [face down],
          face down as: {card types: [Creature], power: 2, toughness: 2}}
  clone: {name: Clone}
steps: [{enters as a copy: {object: clone, of: demon}}]
expect: {clone.name: none, clone.power: 2, clone.face down: no}
"""


def test_a_copy_of_a_face_down_creature_has_what_is_listed_and_is_face_up() -> None:
    answer = evaluate(parse_scenario(FACE_DOWN_COPY), rules(text()))
    assert [checked.ok for checked in answer.expectations] == [True, True, True]


def test_silence_on_status_is_said_and_not_filled_in() -> None:
    answer = evaluate(parse_scenario(FACE_DOWN_COPY), rules(text(excluded="and counters")))
    assert answer.verdict == "refused"
    assert [checked.ok for checked in answer.expectations] == [True, True, None]


def test_without_the_rule_on_face_down_objects_nothing_is_answered_of_them() -> None:
    answer = evaluate(parse_scenario(FACE_DOWN_COPY), ListedRules.of([("707.2", text())], None))
    assert "no characteristics but those listed is not known" in answer.refusals[0]


CHOSEN = """
objects:
  plasma: {{name: Plasma, power: "*", toughness: "*", as it enters: {sets}}}
  shifter: {{name: Shifter}}
steps: [{{becomes a copy: {{object: shifter, of: plasma}}}}]
expect: {{shifter.copiable.power: {power}, shifter.rules text: {rules}}}
"""


def test_what_an_ability_sets_as_the_object_enters_is_copied_where_it_sets_power_and_toughness() -> None:
    sets = "{power: 2, toughness: 2, rules text: [flying]}"
    scenario = parse_scenario(CHOSEN.format(sets=sets, power=2, rules="[flying]"))
    assert [checked.ok for checked in evaluate(scenario, rules(text())).expectations] == [True, True]
    scenario = parse_scenario(CHOSEN.format(sets="{rules text: [flying]}", power='"*"', rules="none"))
    assert [checked.ok for checked in evaluate(scenario, rules(text())).expectations] == [True, True]


def test_the_choices_of_a_spell_are_copied_and_its_targets_may_be_new() -> None:
    answer = evaluate(load_scenario(data_folder() / "scenarios" / "spell-copied-on-the-stack.yaml"), rules(text()))
    assert answer.verdict == "answered"
    assert all(checked.ok for checked in answer.expectations)


def test_an_object_that_counters_change_is_answered_for_its_copiable_values_alone() -> None:
    answer = evaluate(
        parse_scenario(
            "objects: {bear: {power: 2, toughness: 2, counters: {+1/+1: 1}}}\nexpect: "
            "{bear.copiable.power: 2, bear.power: 3}"
        ),
        rules(text()),
    )
    assert [checked.ok for checked in answer.expectations] == [True, None]
    assert answer.refusals == ("bear.power: layers: the text of its rule is not known for 2030-01-01",)


def test_a_chain_of_a_thousand_copies_ends_in_the_first() -> None:
    chain = "".join(f"  a{n}: {{copy of: a{n - 1}}}\n" for n in range(1000, 0, -1))
    steps = "".join(
        f"  - create a token copy: {{object: b{n}, of: {f'b{n - 1}' if n else 'a1000'}}}\n" for n in range(1000)
    )
    scenario = parse_scenario(
        f"objects:\n{chain}  a0: {{name: First, power: 1, toughness: 1}}\nsteps:\n{steps}expect: {{b999.name: First}}"
    )
    assert evaluate(scenario, rules(text())).expectations[0].ok


def test_an_object_that_becomes_a_copy_of_itself_stays_what_it_is() -> None:
    scenario = parse_scenario(
        f"objects:\n  {BEAR}}}\nsteps: [{{becomes a copy: {{object: bear, of: bear}}}}]\nexpect: {{bear.name: Bear}}"
    )
    assert evaluate(scenario, rules(text())).expectations[0].ok


@pytest.mark.archive
def test_every_published_wording_of_the_rule_is_read(archive: Path) -> None:
    from rulehist.reading import read

    semantics = {}
    for path in sorted((archive / "cr").glob("*.txt"))[::8]:
        (document,) = read(path.read_bytes(), path.name).documents
        if document.effective and document.effective >= date(2003, 7, 1):
            semantics[document.effective] = compile_semantics(ListedRules.of_document(document))
    assert len(semantics) > 10
    for day, found in semantics.items():
        assert hasattr(found.copying, "characteristics"), (day, found.copying)
        assert ("loyalty" in found.copying.characteristics) == (day >= date(2007, 10, 1))
        assert ("stickers" in found.copying.not_copied) == (day >= date(2022, 10, 7))
        assert found.face_down() is not None


def test_what_exceptions_have_otherwise_is_not_claimed_to_be_as_copied() -> None:
    excepted = "{set: {power: 1, name: Odd}, add: {card types: [Artifact]}}"
    scenario = parse_scenario(
        f"objects:\n  {BEAR}, subtypes: [Bear]}}\n  clone: {{name: Clone}}\n"
        f"steps: [{{enters as a copy: {{object: clone, of: bear, except: {excepted}}}}}]\n"
        "expect: {clone.power: 1, clone.name: Odd}\n"
    )
    answer = evaluate(scenario, rules(text()))
    assert answer.right
    claims = [because.claim for because in answer.because if "copied from bear" in because.claim]
    plain = {claim.split(" is ")[0] for claim in claims if claim.endswith("copied from bear")}
    assert plain == {"clone.mana cost", "clone.color", "clone.toughness"}
    assert "clone.power is 2, copied from bear, but for the exceptions of the copy effect" in claims
