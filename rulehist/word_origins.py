"""Where each word of a text came from, followed through its versions: kept words, moved sentences, other texts.

A word keeps its origin as long as the text keeps it, typography apart. Sentences that stand elsewhere now are found
first, so that putting them in another order changes nothing; then what stayed in order (the longest common
subsequence of words); then runs of words that moved, within the text or out of another text whose rule went into it.
After WikiWho (Flöck and Acosta, "WikiWho: precise and efficient attribution of authorship", 2014), which follows
whole paragraphs and sentences before words in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rulehist.folding import fold
from rulehist.subsequence import differences
from rulehist.thresholds import MOVED_WORDS, STRAY_WORDS
from rulehist.worddiff import FUNCTION_WORDS
from rulehist.words import keys, words

Origin = TypeVar("Origin")


@dataclass(frozen=True, slots=True)
class Followed(Generic[Origin]):
    """A text as words, each with the blank before it, and the origin of each."""

    words: tuple[str, ...]
    origins: tuple[Origin, ...]

    def runs(self) -> list[tuple[str, Origin]]:
        """Words in a row that came together; joined they are the text."""
        joined: list[tuple[str, Origin]] = []
        for word, origin in zip(self.words, self.origins, strict=True):
            if joined and joined[-1][1] == origin:
                joined[-1] = (joined[-1][0] + word, origin)
            else:
                joined.append((word, origin))
        return joined


def first(text: str, origin: Origin) -> Followed[Origin]:
    """A text of which nothing older is known."""
    split = tuple(words(text))
    return Followed(split, (origin,) * len(split))


def follow(
    before: Followed[Origin], text: str, origin: Origin, others: Sequence[Followed[Origin]] = ()
) -> Followed[Origin]:
    """The next version of a text: words that it kept have their origins, new ones ``origin``.

    ``others`` are texts that went into this version: runs of words that only they have keep their origins too.
    """
    split = words(text)
    if tuple(split) == before.words:
        return before
    step = _Step(before, split)
    step.keep_sentences()
    step.keep_in_order()
    step.drop_strays()
    step.keep_runs(before, used=step.old_used)
    step.keep_single_words()
    for other in others:
        step.keep_runs(other, used=[False] * len(other.words))
    return Followed(tuple(split), tuple(origin if kept is None else kept[0] for kept in step.kept))


def _bare(split: Sequence[str]) -> list[str]:
    """What words are compared by; the blank before a word changes when its sentence moves."""
    return [word.strip() for word in keys(split)]


class _Step(Generic[Origin]):
    """One step from a version to the next: which new words are kept, as a tuple that holds the origin."""

    def __init__(self, before: Followed[Origin], split: list[str]) -> None:
        self.before = before
        self.old, self.new = _bare(before.words), _bare(split)
        self.split = split
        self.old_used = [False] * len(self.old)
        self.kept: list[tuple[Origin] | None] = [None] * len(split)

    def _keep(self, i: int, j: int) -> None:
        self.kept[j] = (self.before.origins[i],)
        self.old_used[i] = True

    def keep_sentences(self) -> None:
        """Whole sentences, wherever they stand now; of equal ones the first becomes the first."""
        there: dict[tuple[str, ...], list[int]] = {}
        for start, end in _sentences(self.before.words):
            there.setdefault(tuple(self.old[start:end]), []).append(start)
        for start, end in _sentences(self.split):
            places = there.get(tuple(self.new[start:end]))
            if places:
                place = places.pop(0)
                for offset in range(end - start):
                    self._keep(place + offset, start + offset)

    def keep_in_order(self) -> None:
        """What stayed in order among the other words."""
        rest_old = [i for i, used in enumerate(self.old_used) if not used]
        rest_new = [j for j, kept in enumerate(self.kept) if kept is None]
        place, end = 0, (len(rest_old), len(rest_old), len(rest_new), len(rest_new))
        for i1, i2, j1, j2 in [*differences([self.old[i] for i in rest_old], [self.new[j] for j in rest_new]), end]:
            for i, j in zip(rest_old[place:i1], rest_new[j1 - (i1 - place) : j1], strict=True):
                self._keep(i, j)
            place = i2
            if i1 < i2 and j1 < j2:
                self._keep_recut(rest_old[i1:i2], rest_new[j1:j2])

    def _keep_recut(self, gone: Sequence[int], came: Sequence[int]) -> None:
        """Words that typography alone cuts in another way, as ``a-b`` and ``a—b``."""
        if fold("".join(self.before.words[i] for i in gone)) == fold("".join(self.split[j] for j in came)):
            for j in came:
                self.kept[j] = (self.before.origins[gone[0]],)
            for i in gone:
                self.old_used[i] = True

    def drop_strays(self) -> None:
        """Let go of function words that stayed by chance within a longer stretch of new words."""
        runs = list(_stretches([kept is not None for kept in self.kept]))
        for (_, a, b), (kept, start, end), (_, c, d) in zip(runs, runs[1:], runs[2:], strict=False):
            if (
                kept
                and end - start <= STRAY_WORDS
                and min(b - a, d - c) >= end - start + 1
                and not any(map(_is_content, self.new[start:end]))
            ):
                self.kept[start:end] = [None] * (end - start)

    def keep_single_words(self) -> None:
        """A word that a text has once before and once after is the same word, wherever it stands."""
        old_counts, new_counts = Counter(self.old), Counter(self.new)
        once = {word: i for i, word in enumerate(self.old) if old_counts[word] == 1 and not self.old_used[i]}
        for j, word in enumerate(self.new):
            if self.kept[j] is None and word in once and new_counts[word] == 1 and _is_content(word):
                self._keep(once[word], j)

    def keep_runs(self, source: Followed[Origin], *, used: list[bool]) -> None:
        """Runs of at least ``MOVED_WORDS`` words out of ``source`` that nothing has kept yet, longest first."""
        theirs = _bare(source.words)
        starts: dict[tuple[str, ...], list[int]] = {}
        for i in range(len(theirs) - MOVED_WORDS + 1):
            if not any(used[i : i + MOVED_WORDS]):
                starts.setdefault(tuple(theirs[i : i + MOVED_WORDS]), []).append(i)
        found = [
            (self._length(theirs, used, i, j), j, i)
            for j in range(len(self.new) - MOVED_WORDS + 1)
            for i in starts.get(tuple(self.new[j : j + MOVED_WORDS]), ())
        ]
        for _, j, i in sorted(found, key=lambda run: (-run[0], run[1], run[2])):
            length = self._length(theirs, used, i, j)
            if length >= MOVED_WORDS and any(map(_is_content, self.new[j : j + length])):
                for offset in range(length):
                    self.kept[j + offset] = (source.origins[i + offset],)
                    used[i + offset] = True

    def _length(self, theirs: Sequence[str], used: Sequence[bool], i: int, j: int) -> int:
        length = 0
        while (
            i + length < len(theirs)
            and j + length < len(self.new)
            and theirs[i + length] == self.new[j + length]
            and not used[i + length]
            and self.kept[j + length] is None
        ):
            length += 1
        return length


def _is_content(word: str) -> bool:
    return any(map(str.isalnum, word)) and word.lower() not in FUNCTION_WORDS


def _sentences(split: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end; closing quotes and parentheses belong to the sentence before them."""
    start, ended = 0, False
    for at, word in enumerate(split):
        if ended and word[:1].isspace():
            yield start, at
            start, ended = at, False
        ended = word.strip() in {".", "?", "!"} or (ended and not word[:1].isalnum())
    if start < len(split):
        yield start, len(split)


def _stretches(flags: Sequence[bool]) -> Iterator[tuple[bool, int, int]]:
    """Runs of equal flags, with where they begin and end."""
    start = 0
    for at in range(1, len(flags) + 1):
        if at == len(flags) or flags[at] != flags[start]:
            yield flags[start], start, at
            start = at
