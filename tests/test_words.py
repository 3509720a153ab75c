from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulehist.words import ANY_WORD, key, keys, words

RULES_TEXT = st.text(alphabet="abXT 12.,-—–'’\"“”(){}/_\n\t®Æ", max_size=80)


@given(RULES_TEXT | st.text(max_size=60))
def test_words_joined_are_the_text(text: str) -> None:
    assert "".join(words(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pay {2/W}{T}.", ["pay", " {2/W}", "{T}", "."]),
        ("“as . . . enters”", ["“", "as", " . . .", " enters", "”"]),
        ("a face-down card’s name", ["a", " face-down", " card’s", " name"]),
        ("see rule 707.2a.", ["see", " rule", " 707.2a", "."]),
        ("gets +1/+1, then", ["gets", " +1/+1", ",", " then"]),
        ("state-based  actions ", ["state-based", "  actions", " "]),
    ],
)
def test_a_word_is_what_a_reader_would_call_one(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("it’s", "it's"),
        ("“as", '"as'),
        ("life — or", "life—or"),
        ("life -- or", "life—or"),
        ("_Magic_", "Magic"),
        ("Magic®", "Magic(R)"),
        ("Magic(TM)", "Magic™"),
        ("as . . . enters", "as ... enters"),
        ("two\nlines", "two lines"),
        ("Æther", "AEther"),
    ],
)
def test_typography_never_makes_a_word_differ(one: str, other: str) -> None:
    assert keys(words(one)) == keys(words(other))


def test_a_sign_is_no_letter() -> None:
    assert key(" +1/+1") != key(" -1/-1")
    assert key("−1") == key("-1")


@given(RULES_TEXT)
def test_the_quick_way_for_plain_words_cuts_as_the_full_pattern_does(text: str) -> None:
    assert words(text) == re.findall(ANY_WORD, text, re.VERBOSE)
