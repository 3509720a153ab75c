"""Which rules a text refers to, and what the text says apart from that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulehist.references import find_references, masked


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("See rule 706.", [("706", "")]),
        ("see section 7, “Additional Rules.”", [("7", "")]),
        ("as in 104.3f and", [("104.3f", "")]),
        ("rules 702.2b-d apply", [("702.2b", "702.2d")]),
        ("rules 702.2b–d.", [("702.2b", "702.2d")]),
        ("rules 712.9–10, and", [("712.9", "712.10")]),
        ("rules 614 and 615.", [("614", ""), ("615", "")]),
        ("rules 608.3a and b", [("608.3a", ""), ("608.3b", "")]),
        ("rules 601.2b and a spell", [("601.2b", "")]),
        ("rules 613.2, 707.2, and 708.2.", [("613.2", ""), ("707.2", ""), ("708.2", "")]),
        ("rules 702.109, “Dash,” and 702.110", [("702.109", ""), ("702.110", "")]),
        ("rule 702.10 of rule 702.1", [("702.10", ""), ("702.1", "")]),
        ("a 2/2 creature with 20 life and 100 cards", []),
        ("the rule 3 players agreed on 1.5 times", [("3", "")]),
        ("follow this rule. 20 life", []),
    ],
)
def test_references_are_found_as_the_rules_print_them(text: str, numbers: list[tuple[str, str]]) -> None:
    assert [(found.number, found.last) for found in find_references(text)] == numbers


def test_a_reference_knows_its_title_and_place() -> None:
    text = "(See rule 613, “Interaction of Continuous Effects,” and rule 706, “Copying Objects.”)"
    first, second = find_references(text)
    assert (first.title, second.title) == ("Interaction of Continuous Effects", "Copying Objects")
    assert text[second.start : second.end] == "706"
    assert text[second.stop :] == ")"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("See rule 706, “Copying Objects.”", "See rule 707, “Copying Objects.”"),
        ("(see rule 420)", "(see rule 704)"),
        ("See rule 706.", "See rules 706.2 and 706.3."),
        ("rules 409.1b and 409.1f-h.", "rules 601.2b and 601.2f–h."),
    ],
)
def test_texts_that_differ_in_references_alone_are_masked_alike(old: str, new: str) -> None:
    assert masked(old) == masked(new)


def test_words_around_references_still_count() -> None:
    assert masked("Follow rule 100.1.") != masked("Ignore rule 100.1.")


@given(st.text(alphabet="rules 0123456789.,abc“”-–and", max_size=60))
def test_spans_are_in_order_and_inside_the_text(text: str) -> None:
    place = 0
    for found in find_references(text):
        assert place <= found.start < found.end <= found.stop <= len(text)
        place = found.stop
