"""Lists inside a rule: the artifact types, the ability words. What joined and left them is the news."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rulehist.folding import fold
from rulehist.thresholds import CHANGES_KEPT, LIST_ITEM_WORDS, LIST_ITEMS, NUMBERS_KEPT, TEXTS_KEPT

_SENTENCE = re.compile(r"(?<=[.!?])[\"”’']?\s+(?=[A-Z(“\"])|\n+")
_COLON = re.compile(r":\s*\n\s*")
_ASIDE = re.compile(r"\s*\((?:see|\S+ see)[^()]*\)", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*[,;]\s+(?:(?:and|or)\s+)?")
_LAST_TWO = re.compile(r"\s+and\s+")
_OPENING = re.compile(
    r"^.*?(?:\b(?:types?|words|abilities|actions|supertypes)\b[^,:;]*?\b(?:are|is)\b(?:[^,;]*?:)?|:)\s+",
    re.DOTALL,
)


class ListChanges(NamedTuple):
    """What joined and what left a list, each in the order of its text; and what only has another name now."""

    joined: tuple[str, ...]
    left: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...] = ()  # the old name and the new one


def sentences(text: str) -> list[str]:
    """The sentences of a rules text, without their last stop."""
    text = _COLON.sub(": ", text)
    return [sentence.rstrip(" .") for sentence in _SENTENCE.split(text) if sentence.strip(" .")]


def items(sentence: str) -> tuple[str, ...]:
    """What a sentence lists after "the ... types are", "all other ... are one word long:" or a colon.

    References in parentheses are left out. A sentence without such an opening lists nothing.
    """
    opening = _OPENING.match(sentence)
    if opening is None:
        return ()
    listed = _SEPARATOR.split(_ASIDE.sub("", sentence[opening.end() :]).strip(" ."))
    if len(listed) == 1:
        listed = _LAST_TWO.split(listed[0])
    return tuple(item.strip(" .") for item in listed if item.strip(" ."))


@lru_cache(maxsize=TEXTS_KEPT)
def long_list(text: str) -> tuple[str, ...]:
    """The items of the longest list in ``text``; empty where it has none worth the name."""
    found = max((items(sentence) for sentence in sentences(text)), key=len, default=())
    if len(found) < LIST_ITEMS or any(len(item.split()) > LIST_ITEM_WORDS for item in found):
        return ()
    return found


def opening_of_list(text: str) -> str:
    """The words before the longest list in ``text``, from the start of its sentence; empty where it has no list."""
    listed = long_list(text)
    for sentence in sentences(text) if listed else ():
        opening = _OPENING.match(sentence)
        if opening and items(sentence) == listed:
            return opening[0]
    return ""


def joined_and_left(old: tuple[str, ...], new: tuple[str, ...]) -> ListChanges:
    """What ``new`` has beyond ``old`` and the other way round, without regard to case and typography."""
    joined, left = set(new) - set(old), set(old) - set(new)
    if not joined and not left:
        return ListChanges((), ())
    before, after = ({_same(item) for item in side} for side in (old, new))
    return ListChanges(
        tuple(item for item in new if item in joined and _same(item) not in before),
        tuple(item for item in old if item in left and _same(item) not in after),
    )


@lru_cache(maxsize=CHANGES_KEPT)
def list_changes(old: str, new: str) -> ListChanges | None:
    """What joined and left the list in a rule; ``None`` where it has no list, or changed beyond its list."""
    if min(old.count(",") + old.count(";"), new.count(",") + new.count(";")) < LIST_ITEMS - 2:
        return None  # too few separators for a list, which is cheaper to see
    before, after = long_list(old), long_list(new)
    if not before or not after:
        return None
    if _around(old, before) != _around(new, after):
        return None
    return joined_and_left(before, after)


def _around(text: str, listed: tuple[str, ...]) -> str:
    """The folded text without the sentence that is its list, and that sentence's opening."""
    kept = []
    for sentence in sentences(text):
        opening = _OPENING.match(sentence)
        kept.append(opening[0] if opening and items(sentence) == listed else sentence)
    return fold(" ".join(kept))


@lru_cache(maxsize=NUMBERS_KEPT)
def _same(item: str) -> str:
    return fold(item).casefold()
