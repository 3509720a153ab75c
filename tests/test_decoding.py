from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulehist.decoding import decode, split_lines
from rulehist.errors import SourceError
from rulehist.reading import to_text

NAMES = "El-Hajjâj and Dandân attack. Lim-Dûl blocks with Ghazbán."


@pytest.mark.parametrize(
    "codec",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "mac_roman", "cp437", "cp850"],
)
def test_names_of_cards_read_right_in_every_encoding(codec):
    assert decode(NAMES.encode(codec)).text == NAMES


@pytest.mark.parametrize("codec", ["cp1252", "mac_roman", "cp437", "cp850"])
def test_another_letter_is_accepted_where_its_word_supports_it(codec):
    text = f"Séance is an enchantment. {NAMES}"
    assert decode(text.encode(codec)).text == text


def test_curly_quotes_of_windows_are_no_letters_of_dos():
    text = "“Can’t” effects—they can’t “go back.”"
    assert decode(text.encode("cp1252")).encoding == "cp1252"


def test_bytes_that_no_encoding_reads_are_named_with_their_line():
    with pytest.raises(SourceError, match=r"rules\.txt: byte 81 in line 2"):
        decode(b"100. General\n100.1. A \x81 B\n", "rules.txt")


def test_a_binary_file_is_refused():
    with pytest.raises(SourceError, match="binary"):
        decode(b"\x00\x01\x02\xff\xfe\x00" * 9)


@given(st.lists(st.text(alphabet="ab \x0b\x0c\x85\u2028", max_size=5)), st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_end_at_line_ends_only(lines, end):
    assert split_lines(end.join(lines)) == (lines or [""])


@pytest.mark.archive
def test_names_read_right_in_every_archived_text(archive):
    wrong = re.compile(r"El-Hajj(?!âj|aj)|Dand(?!ân|an)[^aeiou\s]{1,2}n|Ghazb(?!án|an)|Lim-D(?!ûl|ul)|J(?!ö|o)\wtun\b")
    for path in sorted((archive / "cr").glob("*.txt")):
        text, _ = to_text(path.read_bytes(), path.name)
        assert wrong.findall(text) == [], path.name
