"""How alike two rules are by their words: in order, by how they begin, by the words that tell most."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log

from rapidfuzz.distance import LCSseq

from rulehist.references import masked
from rulehist.thresholds import OPENING_WORDS

Words = tuple[str, ...]
"""The words of a text as ``tokens`` gives them."""

_TOKEN = re.compile(r"§|\{[^}]*\}|[^\W_]+(?:'[^\W_]+)*|[+\-]\d+")
_ENDING = re.compile(r"(?<=\w\w)(?:ies|y|es|(?<!s)s)$")


@lru_cache(maxsize=32768)
def tokens(text: str) -> Words:
    """The words by which folded texts are compared: lower case, references masked, without punctuation."""
    return tuple(_TOKEN.findall(masked(text).lower()))


@lru_cache(maxsize=32768)
def stems(text: str) -> Counter[str]:
    """The words of a folded text without regard to singular and plural, counted. Not to be changed."""
    return Counter(map(_stem, tokens(text)))


@lru_cache(maxsize=32768)
def _stem(word: str) -> str:
    return _ENDING.sub("", word)


def similarity(one: Words, other: Words) -> tuple[float, float]:
    """How much two texts have in common in one order, and how much of the shorter the longer has; both 0 to 1."""
    common = LCSseq.similarity(one, other)
    total, shorter = len(one) + len(other), min(len(one), len(other))
    return (2 * common / total if total else 1.0), (common / shorter if shorter else 0.0)


def opening(one: Words, other: Words) -> float:
    """How alike two texts begin, 0 to 1: what is put in or taken out of a rule is mostly further on."""
    one, other = one[:OPENING_WORDS], other[:OPENING_WORDS]
    return LCSseq.similarity(one, other) / max(1, min(len(one), len(other)))


def head(part: Words, whole: Words) -> float:
    """How far a part begins with what the beginning of the whole has, even if words in between were left out."""
    part = part[:OPENING_WORDS]
    return LCSseq.similarity(part, whole[: 2 * OPENING_WORDS]) / max(1, len(part))


def missing(words: Words, other: Words) -> list[str]:
    """The words that the other text has not, in order."""
    left: list[str] = []
    place = 0
    for start, _, size in LCSseq.editops(words, other).as_matching_blocks():
        left += words[place:start]
        place = start + size
    return left


class TellingWords:
    """Words weighed by how rare they are in some texts: the rarer, the more it tells that two rules share it."""

    def __init__(self, texts: Iterable[str]) -> None:
        found: Counter[str] = Counter()
        count = 0
        for text in texts:
            found.update(stems(text).keys())
            count += 1
        self._most = log(count + 2) + 0.1
        self._weights = {word: log((count + 2) / (times + 1)) + 0.1 for word, times in found.items()}

    def weight(self, text: str) -> float:
        """Weight of all words of a text."""
        weights, most = self._weights, self._most
        return sum(weights.get(word, most) * times for word, times in stems(text).items())

    def shared(self, old: Mapping[int, str], new: Mapping[int, str]) -> dict[tuple[int, int], float]:
        """Weight of the words that two texts share, by the keys of the pairs that share any."""
        index: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for j, text in new.items():
            for word, times in stems(text).items():
                index[word].append((j, times))
        found: defaultdict[tuple[int, int], float] = defaultdict(float)
        for i, text in old.items():
            for word, times in stems(text).items():
                weight = self._weights.get(word, self._most)
                for j, new_times in index.get(word, ()):
                    found[i, j] += weight * min(times, new_times)
        return found
