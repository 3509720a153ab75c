from __future__ import annotations

import difflib
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulehist.folding import fold
from rulehist.worddiff import Op, word_diff
from rulehist.words import keys, words

VOCABULARY = ["a", "the", "creature", "card", "it", "and", ",", ".", "dies", "enters", "{2/W}", "707.2a"]
SENTENCE = st.lists(st.sampled_from(VOCABULARY), max_size=30).map(" ".join)


def side(ops: tuple[Op, ...], name: str) -> str:
    return "".join(text for op, text in ops if op in {"equal", name})


def marked(old: str, new: str) -> str:
    marks = {"equal": "{}", "delete": "[-{}-]", "insert": "{{+{}+}}"}
    return "".join(marks[op].format(text) for op, text in word_diff(old, new))


def changes(ops: tuple[Op, ...]) -> list[Op]:
    return [op for op in ops if op[0] != "equal"]


@given(SENTENCE, SENTENCE)
def test_the_runs_joined_are_both_texts(old: str, new: str) -> None:
    ops = word_diff(old, new)
    assert side(ops, "delete") == old
    assert side(ops, "insert") == new


@given(st.text(alphabet="ab '’-—_.(R)®\n", max_size=40), st.text(alphabet="ab '’-—_.(R)®\n", max_size=40))
def test_with_exact_typography_the_runs_joined_are_both_texts(old: str, new: str) -> None:
    ops = word_diff(old, new, exact=True)
    assert side(ops, "delete") == old
    assert side(ops, "insert") == new
    assert side(word_diff(old, new), "insert") == new


@given(SENTENCE, SENTENCE)
def test_runs_alternate_and_are_never_empty(old: str, new: str) -> None:
    ops = word_diff(old, new)
    assert all(text for _, text in ops)
    assert all(one[0] != other[0] and (one[0], other[0]) != ("insert", "delete") for one, other in pairwise(ops))


@given(SENTENCE)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert word_diff(text, text) == ((("equal", text),) if text else ())


def test_our_hunks_keep_about_as_much_as_difflib_keeps() -> None:
    """difflib is the oracle: on real sentences no word that it finds unchanged goes amiss, islands apart."""
    sentence = words(
        "If a creature would enter under your control, you may have it enter as a copy of any creature on "
        "the battlefield, except its name is unchanged, and it has each other ability that it had."
    )
    rng = random.Random(7)  # noqa: S311 - a fixed seed for repeatable sentences
    for _ in range(200):
        changed = list(sentence)
        start = rng.randrange(len(changed) - 4)
        changed[start : start + rng.randrange(4)] = rng.sample([" blue", " token", " spell"], rng.randrange(1, 3))
        ops = word_diff("".join(sentence), "".join(changed))
        kept = sum(len(words(text)) for op, text in ops if op == "equal")
        oracle = difflib.SequenceMatcher(None, keys(sentence), keys(changed), autojunk=False)
        assert kept >= sum(block.size for block in oracle.get_matching_blocks()) - 2


def test_typography_alone_is_no_change_and_the_new_words_are_shown() -> None:
    ops = word_diff('the object\'s "name" -- and cost', "the object’s “name”—and color")
    assert changes(ops) == [("delete", "cost"), ("insert", "color")]
    assert side(ops, "insert") == "the object’s “name”—and color"
    assert fold(side(ops, "delete")) == fold('the object\'s "name" -- and cost')


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "“as . . . enters the battlefield” and",
            "“as . . . enters” and",
            "“as . . . enters[- the battlefield-]” and",
        ),
        (
            "status, and counters are not copied",
            "status, counters, and stickers are not copied",
            "status, [-and counters-]{+counters, and stickers+} are not copied",
        ),
        (
            "its converted mana cost is 3",
            "its mana value is 3",
            "its [-converted mana cost-]{+mana value+} is 3",
        ),
        (
            "Drake, Dreadnought, Drone",
            "Drake, Dreadnought, Drix, Drone",
            "Drake, Dreadnought{+, Drix+}, Drone",
        ),
        (
            "It dies. It is exiled.",
            "It dies. It untaps. It is exiled.",
            "It dies.{+ It untaps.+} It is exiled.",
        ),
        ("draw a card (see rule 5).", "draw a card.", "draw a card[- (see rule 5)-]."),
        ("", "new rule", "{+new rule+}"),
    ],
)
def test_hunks_read_as_if_marked_by_an_editor(old: str, new: str, expected: str) -> None:
    got = marked(old, new)
    assert got == expected


def test_insertions_on_both_sides_of_a_word_claim_nothing_about_it() -> None:
    assert marked("draw the card now", "draw up the red card now") == "draw{+ up+} the{+ red+} card now"
