"""Where two sequences differ, by their longest common subsequence.

Hyyrö's bit-parallel algorithm ("Bit-parallel LCS-length computation revisited", 2004) on Python's whole
numbers, traced back as rapidfuzz's ``LCSseq`` does, whose blocks these are one for one. Rules are short, and most
of a rule stays: after what both begin and end with is set aside, this costs less than importing a library.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

Block = tuple[int, int, int, int]
"""``old[i1:i2]`` gave way to ``new[j1:j2]``, as ``(i1, i2, j1, j2)``; one of them may be empty."""


def differences(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Block]:
    """The blocks in which the two differ, in order; at least one common item lies between two of them."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    tail, most = 0, most - start
    while tail < most and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    i, j = len(old) - tail, len(new) - tail
    if start in {i, j}:
        return [] if start == i == j else [(start, i, start, j)]
    unmatched = _unmatched(old[start:i], new[start:j])
    blocks: list[Block] = []
    end_i, end_j = i, j  # where the block that is being traced ends
    while i > start and j > start:
        if unmatched[j - start - 1] >> (i - start - 1) & 1:
            i -= 1
            continue
        j -= 1
        if j > start and not unmatched[j - start - 1] >> (i - start - 1) & 1:
            continue
        i -= 1  # the two are the same here
        if (end_i, end_j) != (i + 1, j + 1):
            blocks.append((i + 1, end_i, j + 1, end_j))
        end_i, end_j = i, j
    if (end_i, end_j) != (start, start):
        blocks.append((start, end_i, start, end_j))
    blocks.reverse()
    return blocks


def _unmatched(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[int]:
    """For each item of ``new`` the column of the dynamic program, a bit an item of ``old``: 0 where it gains."""
    places: dict[Hashable, int] = {}
    bit = 1
    for item in old:
        places[item] = places.get(item, 0) | bit
        bit <<= 1
    every = bit - 1
    column, columns = every, []
    for item in new:
        shared = column & places.get(item, 0)
        column = ((column + shared) | (column - shared)) & every
        columns.append(column)
    return columns
