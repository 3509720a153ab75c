from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from rulehist.subsequence import Block, differences

sequences = st.lists(st.sampled_from("abcd"), max_size=90)


def by_rapidfuzz(old: list[str], new: list[str]) -> list[Block]:
    """The blocks of rapidfuzz, with neighbouring deletes and inserts joined."""
    blocks: list[Block] = []
    for code in LCSseq.opcodes(old, new):
        i1, i2, j1, j2 = code.src_start, code.src_end, code.dest_start, code.dest_end
        if code.tag == "equal":
            continue
        if blocks and blocks[-1][1] == i1 and blocks[-1][3] == j1:
            blocks[-1] = (blocks[-1][0], i2, blocks[-1][2], j2)
        else:
            blocks.append((i1, i2, j1, j2))
    return blocks


@given(sequences, sequences)
def test_the_blocks_are_those_of_rapidfuzz(old: list[str], new: list[str]) -> None:
    assert differences(old, new) == by_rapidfuzz(old, new)


@given(sequences, sequences)
def test_what_lies_between_the_blocks_is_alike(old: list[str], new: list[str]) -> None:
    i = j = 0
    for i1, i2, j1, j2 in [*differences(old, new), (len(old), len(old), len(new), len(new))]:
        assert old[i:i1] == new[j:j1]
        i, j = i2, j2


def test_what_only_joined_is_one_block() -> None:
    assert differences(["the", "stack"], ["the", "whole", "stack"]) == [(1, 1, 1, 2)]
