"""What MediaWiki would read as markup in a text of the rules is given to it as character references."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from rulehist.report_wikitext import diff, plain

TEXT = st.text(alphabet="ab 1.|{}[]<>&'=~_*#:;-!\n\"", min_size=1)
MARKUP = re.compile(r"[<>|\[\]{}~_]|''|--|==|!!|&(?!#)|^[*#:;=!'-]")


@given(TEXT)
def test_a_text_has_no_markup_and_is_shown_as_it_is(text: str) -> None:
    made = plain(text)
    assert not MARKUP.search(made)
    assert html.unescape(made).split() == text.split()


@given(st.lists(st.tuples(st.sampled_from(["equal", "delete", "insert"]), TEXT), max_size=5))
def test_a_diff_has_no_markup_but_its_own(ops: list[tuple[str, str]]) -> None:
    made = diff(ops)
    runs = re.split(r"</?(?:del|ins)>", made)
    assert not [run for run in runs if MARKUP.search(run)]
    assert "\n" not in made
