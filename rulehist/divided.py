"""Where the words went that a rule lost, and whence came those that it gained: splits and merges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import nsmallest

from rapidfuzz.distance import LCSseq

from rulehist.document import PartKind
from rulehist.similarity import Words, missing
from rulehist.surroundings import Side
from rulehist.thresholds import (
    CANDIDATES,
    COMMON_WORD,
    GLOSSARY_SPLIT_SHARE,
    SPLIT_NEAR,
    SPLIT_SHARE,
    SPLIT_WORDS,
)


def homes(
    orphans: Sequence[int], side: Side, remains: Sequence[tuple[int, list[str], frozenset[int]]], other: Side
) -> Iterator[tuple[int, int, float]]:
    """``(other part, orphan, share)`` where an orphan's words are what the other part lost or gained.

    ``remains`` are those words of each other part, and what its counterpart stands under. Words count once: where
    two orphans have the same, they go to the one that stands near.
    """
    bags = [(place, words, near) for place, words, near in remains if len(words) >= SPLIT_WORDS]
    index: defaultdict[str, list[int]] = defaultdict(list)
    for at, (_, bag, _) in enumerate(bags):
        for word in set(bag):
            index[word].append(at)
    found: list[tuple[float, int, int]] = []
    for orphan in orphans:
        words = side.tokens(orphan)
        weights: defaultdict[int, float] = defaultdict(float)
        for count, word in sorted((len(index[word]), word) for word in set(words) if word in index):
            if count > COMMON_WORD and weights:
                break
            for at in index[word]:
                weights[at] += 1 / count
        for at in nsmallest(CANDIDATES, weights, key=lambda at: (-weights[at], at)):
            place, left, near = bags[at]
            share = _share(words, left) if side.groups[orphan] == other.groups[place] else 0.0
            if share >= (GLOSSARY_SPLIT_SHARE if side.kinds[orphan] is PartKind.GLOSSARY else SPLIT_SHARE):
                found.append((-share - SPLIT_NEAR * len(near & side.near(orphan)), orphan, at))
    homes: set[int] = set()
    for _, orphan, at in sorted(found):
        place, left, _ = bags[at]
        words = side.tokens(orphan)
        share = 0.0 if orphan in homes else _share(words, left)
        if share:
            homes.add(orphan)
            left[:] = missing(tuple(left), words)
            yield place, orphan, share


def _share(words: Words, left: Sequence[str]) -> float:
    """Share of the words that are among those left, in order; 0 where it proves nothing."""
    common = LCSseq.similarity(words, left)
    share = common / len(words)
    return share if share >= SPLIT_SHARE and common >= SPLIT_WORDS else 0.0
