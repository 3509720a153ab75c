"""Word differences that read as if an editor had marked them.

The shortest edit script is not the readable one: it keeps an "it" or a comma alive between two changes. Here
the longest common subsequence of words comes first (see ``subsequence``);
then neighbouring changes grow together over islands too small to be worth keeping, and a pure insertion or
deletion slides to the clause boundary nearest to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from sys import intern
from typing import Literal, NamedTuple

from rulehist.folding import fold
from rulehist.subsequence import differences
from rulehist.thresholds import (
    ISLAND_CONTENT_SHARE,
    ISLAND_FUNCTION_WORDS,
    ISLAND_NEIGHBOURS,
    ISLAND_WORDS,
    TEXTS_KEPT,
    WORD_DIFFS_KEPT,
)
from rulehist.words import keys, words

OpName = Literal["equal", "delete", "insert"]
Op = tuple[OpName, str]

FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a an and any are as at be been by can for from had has have he her his if in is it its nor not of
        on or she so than that the their them then there they this those to was were when which who will with
        would you your""",
    )
)
"""Words that join others. Between two changes they are no landmark for the reader."""
_SENTENCE_ENDS = frozenset(".?!")
_LONGEST_ISLAND = max(ISLAND_FUNCTION_WORDS, ISLAND_WORDS, 1)
"""Words that may stand between two changes and be told as part of one, at most."""


class Hunk(NamedTuple):
    """Words ``old[i1:i2]`` gave way to words ``new[j1:j2]``; one of them may be empty."""

    i1: int
    i2: int
    j1: int
    j2: int


def word_diff(old: str, new: str, *, exact: bool = False) -> tuple[Op, ...]:
    """What it takes to turn ``old`` into ``new``: runs of words, each ``equal``, ``delete`` or ``insert``.

    Words that differ only in typography are equal, and an equal run carries the words of ``new``. So joined
    ``equal`` + ``insert`` is ``new`` exactly; joined ``equal`` + ``delete`` is ``old`` in its folded form,
    and exactly where both use one typography. With ``exact`` typography counts, and both hold exactly.

    A delete comes before the insert that takes its place. An empty text gives no run of its own.
    """
    return _word_diff(old, new, exact)


@lru_cache(maxsize=WORD_DIFFS_KEPT)
def _word_diff(old: str, new: str, exact: bool) -> tuple[Op, ...]:
    if not old or not new:
        pieces: list[Op] = [("delete", old), ("insert", new)]
        return tuple(piece for piece in pieces if piece[1])
    (old_words, old_keys), (new_words, new_keys) = _cut(old), _cut(new)
    if exact:
        hunks = find_hunks(old_words, new_words)
    else:
        hunks = find_hunks(old_keys, new_keys)
        hunks = [hunk for hunk in hunks if not _only_typography(hunk, old_words, new_words)]
    return tuple(_ops(hunks, old_words, new_words))


@lru_cache(maxsize=TEXTS_KEPT)
def _cut(text: str) -> tuple[list[str], list[str]]:
    """The words of a text and their keys: a text is compared with all that came before and after it."""
    cut = list(map(intern, words(text)))  # kept, and the same words again and again
    return cut, keys(cut)


def find_hunks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Readable hunks between two lists of word keys, in order and never adjacent."""
    hunks = [Hunk(*block) for block in differences(old, new)]
    if len(hunks) > 1:
        hunks = _absorb_islands(_slide_together(hunks, old, new), old)
    return [_slide(_trim(hunk, old, new), hunks, old, new) for hunk in hunks]


@lru_cache(maxsize=65536)
def _is_function_word(word_key: str) -> bool:
    bare = word_key.strip()
    return bare.lower() in FUNCTION_WORDS or not any(map(str.isalnum, bare))


def _absorb_islands(hunks: list[Hunk], old: Sequence[str]) -> list[Hunk]:
    """Let neighbouring changes grow together over an island too small to help the reader."""
    while True:
        merged = [hunks[0]]
        for hunk in hunks[1:]:
            last = merged[-1]
            if hunk.i1 - last.i2 <= _LONGEST_ISLAND and _is_negligible(old[last.i2 : hunk.i1], last, hunk):
                merged[-1] = Hunk(last.i1, hunk.i2, last.j1, hunk.j2)
            else:
                merged.append(hunk)
        if len(merged) == len(hunks):
            return merged
        hunks = merged


def _is_negligible(island: Sequence[str], before: Hunk, after: Hunk) -> bool:
    """Whether the words between two changes are better told as part of one change.

    Never when both only insert or both only delete: growing together would claim a change of what stayed.
    """
    deleted = (before.i2 - before.i1) + (after.i2 - after.i1)
    inserted = (before.j2 - before.j1) + (after.j2 - after.j1)
    if not deleted or not inserted:
        return False
    content = sum(not _is_function_word(word) for word in island)
    if not content and len(island) <= ISLAND_FUNCTION_WORDS:
        return True
    if any(word.strip() in _SENTENCE_ENDS for word in island):
        return False
    if len(island) == 1 and deleted + inserted >= ISLAND_NEIGHBOURS:
        return True
    smaller = min(max(h.i2 - h.i1, h.j2 - h.j1) for h in (before, after))
    return len(island) <= ISLAND_WORDS and len(island) <= smaller * ISLAND_CONTENT_SHARE


def _trim(hunk: Hunk, old: Sequence[str], new: Sequence[str]) -> Hunk:
    i1, i2, j1, j2 = hunk
    while i1 < i2 and j1 < j2 and old[i1] == new[j1]:
        i1, j1 = i1 + 1, j1 + 1
    while i1 < i2 and j1 < j2 and old[i2 - 1] == new[j2 - 1]:
        i2, j2 = i2 - 1, j2 - 1
    return Hunk(i1, i2, j1, j2)


def _positions(hunk: Hunk, low: int, high: int, side: Sequence[str]) -> Iterator[int]:
    """Every offset by which a pure hunk can slide within ``side[low:high]`` without changing its meaning."""
    start, end = (hunk.j1, hunk.j2) if hunk.i1 == hunk.i2 else (hunk.i1, hunk.i2)
    yield 0
    offset = 0
    while start + offset - 1 >= low and side[start + offset - 1] == side[end + offset - 1]:
        offset -= 1
        yield offset
    offset = 0
    while end + offset < high and side[start + offset] == side[end + offset]:
        offset += 1
        yield offset


def _slide_together(hunks: list[Hunk], old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Slide pure hunks against their neighbours where they can touch, so that two become one."""
    joined = [hunks[0]]
    for hunk in hunks[1:]:
        last = joined[-1]
        island = hunk.i1 - last.i2
        pure = hunk.i1 == hunk.i2 or hunk.j1 == hunk.j2
        side, low = (new, last.j2) if hunk.i1 == hunk.i2 else (old, last.i2)
        if pure and -island in _positions(hunk, low, len(side), side):
            joined[-1] = Hunk(last.i1, hunk.i2 - island, last.j1, hunk.j2 - island)
        else:
            joined.append(hunk)
    return joined


def _slide(hunk: Hunk, hunks: Sequence[Hunk], old: Sequence[str], new: Sequence[str]) -> Hunk:
    """Slide a pure insertion or deletion to the clause boundary that it can reach."""
    inserts = hunk.i1 == hunk.i2
    if not inserts and hunk.j1 != hunk.j2:
        return hunk
    side = new if inserts else old
    ends = [(h.j1, h.j2) if inserts else (h.i1, h.i2) for h in hunks]
    start, end = (hunk.j1, hunk.j2) if inserts else (hunk.i1, hunk.i2)
    # a slide must leave an equal word between two hunks, or they would be one
    low = max((e + 1 for _, e in ends if e <= start), default=0)
    high = min((s - 1 for s, _ in ends if s >= end), default=len(side))
    best = max(_positions(hunk, low, high, side), key=lambda by: (_boundary(side, start + by, end + by), -abs(by)))
    return Hunk(*(place + best for place in hunk))


def _boundary(side: Sequence[str], start: int, end: int) -> int:
    """How natural a clause ``side[start:end]`` is: a sentence, a parenthesis, a clause, a phrase."""
    first, last = side[start].strip(), side[end - 1].strip()
    before = side[start - 1].strip() if start else "."
    if before in _SENTENCE_ENDS and last in _SENTENCE_ENDS:
        return 5
    if first == "(" and last == ")":
        return 4
    if first in {",", ";"} and last not in {",", ";"}:
        return 3
    if before in {",", ";", ":", "("} or last in {",", ";"}:
        return 2
    return 1 if first.lower() in FUNCTION_WORDS and last.lower() not in FUNCTION_WORDS else 0


def _only_typography(hunk: Hunk, old_words: Sequence[str], new_words: Sequence[str]) -> bool:
    """Whether a hunk differs only in how words were cut, such as ``a-b`` and ``a—b``."""
    if hunk.i1 == hunk.i2 or hunk.j1 == hunk.j2:
        return False
    before, after = "".join(old_words[hunk.i1 : hunk.i2]), "".join(new_words[hunk.j1 : hunk.j2])
    if before[:1].isspace() != after[:1].isspace():
        return False
    if before.isascii() and after.isascii() and _letters(before) != _letters(after):
        return False  # folding changes no letter or digit of these, and costs more
    return fold(before) == fold(after)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _ops(hunks: Sequence[Hunk], old_words: Sequence[str], new_words: Sequence[str]) -> Iterator[Op]:
    place = 0
    for hunk in hunks:
        equal = "".join(new_words[place : hunk.j1])
        deleted = "".join(old_words[hunk.i1 : hunk.i2])
        inserted = "".join(new_words[hunk.j1 : hunk.j2])
        blanks = common_blank(deleted, inserted)
        if equal or blanks:
            yield "equal", equal + inserted[:blanks]
        if deleted[blanks:]:
            yield "delete", deleted[blanks:]
        if inserted[blanks:]:
            yield "insert", inserted[blanks:]
        place = hunk.j2
    if place < len(new_words):
        yield "equal", "".join(new_words[place:])


def common_blank(deleted: str, inserted: str) -> int:
    """Length of the blank with which both sides of a replacement begin."""
    blank = inserted[: len(inserted) - len(inserted.lstrip())]
    same = blank == deleted[: len(deleted) - len(deleted.lstrip())]
    return len(blank) if same and len(blank) < len(deleted) and len(blank) < len(inserted) else 0
