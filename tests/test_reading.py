from __future__ import annotations

import pytest

from rulehist.errors import SourceError
from rulehist.reading import read


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \r\n", "empty"),
        (b"Dear diary, today I won.", "no rules text"),
        (b"\x89PNG\x00\xff", "binary"),
    ],
)
def test_what_is_no_rules_text_is_refused_in_one_sentence(data, words):
    with pytest.raises(SourceError, match=words):
        read(data, "file")


def test_lines_that_end_in_a_carriage_return_alone_are_lines():
    head = b"Comprehensive Rules\r\rThese rules are effective as of May 1, 2012.\r\r"
    data = head + b"100. General\r\r100.1. A rule.\r"
    assert [part.number for part in read(data, "file").documents[0].parts][-1] == "100.1"
