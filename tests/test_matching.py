"""Which part of one text is which part of another."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rulehist.document import Part, PartKind
from rulehist.matching import Evidence, Link, Relation, match


def rule(number: str, text: str) -> Part:
    return Part(PartKind.SUBRULE if number[-1].isalpha() else PartKind.RULE, text, number)


def section(number: str, text: str) -> Part:
    return Part(PartKind.SECTION, text, number)


def pairs(old: list[Part], new: list[Part]) -> dict[str, tuple[str, Evidence]]:
    """Old number to new number and evidence, of the parts that live on."""
    return {
        old[link.old].number: (new[link.new].number, link.evidence)
        for link in match(old, new)
        if link.old is not None and link.new is not None and link.relation is Relation.SAME
    }


COPY = "When copying an object, the copy acquires the copiable values of the original object."
FACE_DOWN = "Face-down permanents have no characteristics other than those listed by the effect."


def test_a_renumbered_rule_is_found_and_its_old_number_is_not() -> None:
    old = [
        section("706", "Copying Objects"),
        rule("706.2", COPY),
        section("707", "Face-Down"),
        rule("707.2", FACE_DOWN),
    ]
    new = [
        section("707", "Copying Objects"),
        rule("707.2", COPY),
        section("708", "Face-Down"),
        rule("708.2", FACE_DOWN),
    ]
    assert pairs(old, new) == {
        "706": ("707", Evidence.EXACT),
        "706.2": ("707.2", Evidence.EXACT),
        "707": ("708", Evidence.EXACT),
        "707.2": ("708.2", Evidence.EXACT),
    }


def test_a_number_reused_for_something_else_does_not_match() -> None:
    old = [section("706", "Copying Objects"), rule("706.2", COPY)]
    new = [section("706", "Copying Objects"), rule("706.2", "Roll a die as many times as the sorcery says.")]
    assert "706.2" not in pairs(old, new)


def test_new_references_alone_are_no_rewording() -> None:
    old = [rule("100.1", "Damage is dealt as described in rule 310, “Combat Damage Step.” See rule 420.")]
    new = [rule("100.1", "Damage is dealt as described in rule 510, “Combat Damage Step.” See rule 704.")]
    assert pairs(old, new) == {"100.1": ("100.1", Evidence.MASKED)}


def test_typography_is_no_rewording() -> None:
    old, new = (
        [rule("100.1", "It doesn't--and can't--untap.")],
        [rule("100.1", "It doesn’t—and can’t—untap.")],
    )
    assert pairs(old, new) == {"100.1": ("100.1", Evidence.EXACT)}


def test_equal_siblings_go_under_the_right_keyword() -> None:
    redundant = "Multiple instances of this ability on the same object are redundant."
    old = [
        rule("702.2", "Flying"),
        rule("702.2a", redundant),
        rule("702.3", "Haste"),
        rule("702.3a", redundant),
    ]
    new = [
        rule("702.2", "Banding"), rule("702.2a", redundant),
        rule("702.3", "Flying"), rule("702.3a", redundant),
        rule("702.4", "Haste"), rule("702.4a", redundant),
    ]  # fmt: skip
    found = pairs(old, new)
    assert found["702.2a"][0] == "702.3a"
    assert found["702.3a"][0] == "702.4a"


def test_keyword_templates_follow_their_heading_and_not_their_words() -> None:
    template = "{} is a static ability that modifies the rules for the declare blockers step."
    old = [rule("702.2", "Fear"), rule("702.2a", template.format("Fear"))]
    new = [rule("702.2", "Fear"), rule("702.3", "Intimidate"), rule("702.3a", template.format("Intimidate"))]
    assert "702.2a" not in pairs(old, new)


def test_a_renamed_keyword_is_known_by_its_rules() -> None:
    texts = [
        "If you would lose the enchanted creature, destroy this Aura instead.",
        "It works for each Aura once.",
    ]
    old = [rule("702.2", "Totem armor"), rule("702.2a", texts[0]), rule("702.2b", texts[1])]
    new = [rule("702.5", "Umbra armor"), rule("702.5a", texts[0]), rule("702.5b", texts[1])]
    assert pairs(old, new)["702.2"] == ("702.5", Evidence.NEIGHBOURS)


def test_a_glossary_entry_is_known_by_its_term() -> None:
    old = [
        Part(PartKind.GLOSSARY, "An old ability.", "Deathtouch"),
        Part(PartKind.GLOSSARY, "See Object.", "Card"),
    ]
    new = [Part(PartKind.GLOSSARY, "A keyword ability of creatures.", "Deathtouch")]
    new.append(Part(PartKind.GLOSSARY, "See Object.", "Spell"))
    assert set(pairs(old, new)) == {"Deathtouch"}


def test_an_example_can_move_to_another_rule() -> None:
    text = "A player with two lands and a creature untaps all three of them at once."
    old = [
        rule("100.1", "First one."),
        Part(PartKind.EXAMPLE, text, "100.1"),
        rule("100.2", "Second thing here."),
    ]
    new = [
        rule("100.1", "First one."),
        rule("100.2", "Second thing here."),
        Part(PartKind.EXAMPLE, text, "100.2"),
    ]
    assert (1, 2) in {(link.old, link.new) for link in match(old, new)}


def test_a_split_is_told_as_a_split() -> None:
    first = "A player who draws from an empty library loses when state-based actions are next checked."
    second = "Each opponent of that player then puts a counter of the chosen kind on every permanent he owns."
    old, new = [rule("104.3", f"{first} {second}")], [rule("104.3", first), rule("104.3a", second)]
    assert [(link.old, link.new) for link in match(old, new) if link.relation is Relation.SPLIT] == [(0, 1)]
    assert [(link.old, link.new) for link in match(new, old) if link.relation is Relation.MERGE] == [(1, 0)]


NUMBERS = st.sampled_from(["100.1", "100.1a", "100.1b", "100.2", "101.1", "101.1a"])
TEXTS = st.lists(
    st.sampled_from(["tap", "untap", "creature", "land", "spell", "rule", "100.1", "the", "of"]), max_size=9
)
PARTS = st.lists(
    st.one_of(
        st.builds(lambda number, words: rule(number, " ".join(words)), NUMBERS, TEXTS),
        st.builds(lambda number, words: Part(PartKind.EXAMPLE, " ".join(words), number), NUMBERS, TEXTS),
        st.builds(lambda words: Part(PartKind.GLOSSARY, " ".join(words), "Tap"), TEXTS),
        st.builds(lambda words: Part(PartKind.CREDITS, " ".join(words)), TEXTS),
    ),
    max_size=9,
)


def _once(links: list[Link], count: int, side: int) -> bool:
    places = [link[side] for link in links if link.relation is Relation.SAME and link[side] is not None]
    return sorted(places) == list(range(count))  # type: ignore[type-var]


@settings(deadline=None, max_examples=80)
@given(PARTS, PARTS)
def test_each_part_stands_in_exactly_one_link_of_its_own(old: list[Part], new: list[Part]) -> None:
    links = match(old, new)
    assert _once(links, len(old), 0)
    assert _once(links, len(new), 1)


@settings(deadline=None, max_examples=80)
@given(PARTS)
def test_a_text_matched_with_itself_is_linked_exactly_throughout(parts: list[Part]) -> None:
    links = match(parts, parts)
    assert all(link.evidence is Evidence.EXACT for link in links)
    assert all(parts[link.old].text == parts[link.new].text for link in links)  # type: ignore[index]


def glossary(term: str, text: str) -> Part:
    return Part(PartKind.GLOSSARY, text, term)


def test_a_rule_that_is_a_title_becomes_a_section_and_its_subrules_rules() -> None:
    texts = [f"Rule number {number} of the chapter on layers says what happens in step {number}." for number in "123"]
    old = [section("418", "Continuous Effects"), rule("418.5", "Interaction of Continuous Effects")]
    old += [rule(f"418.5{letter}", text) for letter, text in zip("abc", texts, strict=True)]
    new = [section("610", "Continuous Effects"), section("612", "Interaction of Continuous Effects")]
    new += [rule(f"612.{number}", text) for number, text in zip("123", texts, strict=True)]
    found = pairs(old, new)
    assert found["418"][0] == "610"
    assert found["418.5"][0] == "612"
    assert found["418.5b"][0] == "612.2"


def test_a_rule_does_not_leave_its_keyword_for_one_that_took_its_words() -> None:
    definition = "colorless Clue artifact token with a cost of two and the ability to draw a card once it is sacrificed"
    old = [
        section("111", "Tokens"),
        rule("111.10", "Some tokens are predefined by the rules below."),
        section("701", "Keyword Actions"),
        rule("701.36", "Investigate"),
        rule("701.36a", f'"Investigate" means "Create a {definition}."'),
    ]
    new = [
        *old[:2],
        rule("111.10f", f"A Clue token is a {definition}."),
        *old[2:4],
        rule("701.36a", '"Investigate" means "Create a Clue token." See rule 111.10f.'),
    ]
    assert pairs(old, new)["701.36a"][0] == "701.36a"
    splits = [
        (old[link.old].number, new[link.new].number) for link in match(old, new) if link.relation is Relation.SPLIT
    ]  # type: ignore[index]
    assert splits == [("701.36a", "111.10f")]


def test_a_rule_that_is_divided_goes_on_where_it_begins_as_it_did() -> None:
    first = "Normally, all instances of X on an object have the same value at any given time."
    second = "If an object gains an ability, X within it is the value defined by that ability, or 0 if it defines none."
    old = [section("107", "Numbers"), rule("107.3h", f"{first} {second}")]
    new = [section("107", "Numbers"), rule("107.3h", first), rule("107.3i", second)]
    assert pairs(old, new)["107.3h"][0] == "107.3h"


def test_a_rule_whose_longer_half_went_below_it_keeps_its_number() -> None:
    first = "Each player begins the game with a life total of 20."
    second = "In a game of teams, each team begins with a shared life total of 30 instead, and loses it together."
    old = [section("117", "Life"), rule("117.1", f"{first} {second}")]
    new = [section("117", "Life"), rule("117.1", first), rule("117.1a", second)]
    assert pairs(old, new)["117.1"][0] == "117.1"


def test_a_rule_goes_with_its_longer_half_where_what_has_its_number_says_more() -> None:
    first = "When a text refers to a card, it means only a real one"
    second = "Most games use only traditional cards, which measure some inches by some more; others use larger ones."
    old = [section("108", "Cards"), rule("108.2", f"{first}. {second}")]
    new = [section("108", "Cards"), rule("108.2", f"{first} or an object that stands for it."), rule("108.2a", second)]
    assert pairs(old, new)["108.2"][0] == "108.2a"


def test_a_rule_written_anew_is_known_by_the_subrules_that_it_kept() -> None:
    kept = ["A player who sits to the left begins.", "A player who sits to the right follows him or her."]
    old = [section("103", "Starting"), rule("103.3", "Everyone sets a life total of twenty, and draws seven.")]
    new = [section("103", "Starting"), rule("103.3", "Variants may state what the starting number of points is.")]
    for parts in (old, new):
        parts += [rule(f"103.3{letter}", text) for letter, text in zip("ab", kept, strict=True)]
    assert pairs(old, new)["103.3"] == ("103.3", Evidence.NEIGHBOURS)


def test_a_glossary_entry_is_itself_under_another_term() -> None:
    old = [
        glossary("End Phase", "The end phase is the fifth and final phase of the turn. It has two steps."),
        glossary("Mana Burn", "When a phase ends, a player loses life for unused mana."),
        glossary("Trigger, Triggered Ability", "It begins with one of three words."),
    ]
    new = [
        glossary("Ending Phase", "The ending phase is the fifth and final phase of the turn. It has steps."),
        glossary("Mana Burn (Obsolete)", "An older rule that no longer exists."),
        glossary("Triggered Ability", "A kind of ability."),
    ]
    found = pairs(old, new)
    assert {before: after for before, (after, _) in found.items()} == {
        "End Phase": "Ending Phase",
        "Mana Burn": "Mana Burn (Obsolete)",
        "Trigger, Triggered Ability": "Triggered Ability",
    }
