"""The word diffs of Markdown reports, read again by a CommonMark reader: what a reader of a forum would see."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulehist.report_markdown import diff, paragraph

markdown_it = pytest.importorskip("markdown_it", reason="markdown-it-py, which rich brings, is not installed")

READER = markdown_it.MarkdownIt("commonmark").enable("strikethrough")
RUN = st.tuples(st.sampled_from(["equal", "delete", "insert"]), st.text(alphabet='ab ,.()[]"“”—*_~<&\\`1-', min_size=1))


def read(text: str) -> str:
    return READER.renderInline(text)


@pytest.mark.parametrize(
    ("ops", "seen"),
    [
        (
            (("equal", "toughness, loyalty"), ("insert", ", defense"), ("equal", ", hand modifier")),
            "toughness, loyalty<strong>, defense</strong>, hand modifier",
        ),
        (
            (("equal", "In constructed play"), ("delete", ","), ("insert", " (a way"), ("equal", " of playing")),
            "In constructed play<del>,</del> <strong>(a way</strong> of playing",
        ),
        (
            (("delete", "Fourth"), ("insert", "Second"), ("equal", ", the active player")),
            "<del>Fourth</del> <strong>Second</strong>, the active player",
        ),
    ],
)
def test_what_came_and_went_is_marked_beside_a_comma_too(ops: tuple[tuple[str, str], ...], seen: str) -> None:
    assert read(diff(ops)).replace("<s>", "<del>").replace("</s>", "</del>") == seen


@given(st.lists(RUN, max_size=6))
def test_a_reader_sees_each_word_and_no_sign_of_the_marks(runs: list[tuple[str, str]]) -> None:
    seen = html.unescape(re.sub(r"</?(?:s|del|strong)>", "", read(diff(runs))))
    assert "".join(seen.split()) == "".join("".join(text for _, text in runs).split())


LINE = st.text(alphabet="1 2.)-+=#>*_|ab~`:<&[]\\\n", min_size=1).filter(lambda text: bool(text.strip()))


@given(LINE)
def test_a_text_in_a_quote_is_one_paragraph_and_no_list_or_heading(text: str) -> None:
    seen = READER.render(f"> {paragraph(text)}\n")
    assert re.fullmatch(r"<blockquote>\n<p>[^<]*</p>\n</blockquote>\n", seen)
    assert "".join(html.unescape(re.sub(r"<[^>]+>", "", seen)).split()) == "".join(text.split())


def test_the_meanings_of_a_term_do_not_become_a_numbered_list() -> None:
    meanings = "1. Part of a card.\n2. A characteristic."
    assert "<ol" not in READER.render(f"> {paragraph(meanings)}")
