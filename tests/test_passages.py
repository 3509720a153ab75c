"""Where the searched words stand in a rule, as a line of results shows it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulehist.passages import passage
from rulehist.thresholds import PASSAGE_AFTER, PASSAGE_BEFORE


def test_the_words_are_shown_as_published_with_what_is_around_them() -> None:
    told = passage("A player with ten or more Poison\nCounters doesn’t stay in the game.", "poison counters doesn't")
    assert told == ("A player with ten or more ", "Poison Counters doesn’t", " stay in the game.")


def test_a_part_of_a_word_is_no_place() -> None:
    assert passage("Discard a card.", "card").before == "Discard a "


def test_a_long_text_is_cut_at_words_on_both_sides() -> None:
    told = passage("before " * 50 + "here" + " after" * 50, "here")
    assert told.before.startswith("… before")
    assert told.after.endswith("after …")


def test_words_that_only_the_term_has_show_how_the_text_begins() -> None:
    assert passage("A marker.", "token") == ("", "", "A marker.")


@given(st.text(), st.text())
def test_no_line_is_longer_than_is_shown(text: str, words: str) -> None:
    told = passage(text, words)
    assert len(told.before) <= PASSAGE_BEFORE + 2
    assert len(told.after) <= PASSAGE_AFTER + 2
