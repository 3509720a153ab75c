"""How the words of a data file are found in the text of a rule.

Words are compared on the folded text, without regard to case. ``[...]`` in a wording stands for any words between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from rulehist.errors import DataError
from rulehist.folding import fold
from rulehist.resources import data_folder
from rulehist.thresholds import SENTENCES_REMEMBERED

LIMITS_FILE: Final = "semantics/limits.toml"
OMITTED: Final = "[...]"
"""The editor's mark in a wording for words left out."""

_SENTENCE_END = re.compile(r'(?<=[.?!)"])(?<!\.\.) +(?=[A-Z("])')
_WORD = re.compile(r"[^\W_]+")
_CONDITION: Final = (
    r"\b(?:unless|except|exceptions?|only|instead|without|other than|rather than|but|not|no|never|cannot|unlike)\b"
    r"|n't\b"
)


@lru_cache(maxsize=SENTENCES_REMEMBERED)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a rule's text, folded; their case is kept."""
    return tuple(_SENTENCE_END.split(fold(text)))


@lru_cache(maxsize=SENTENCES_REMEMBERED)
def _lowered(text: str) -> tuple[str, ...]:
    return tuple(sentence.lower() for sentence in sentences(text))


def pieces(words: str) -> tuple[str, ...]:
    """A wording of a data file as the stretches that must stand in a sentence in this order."""
    return tuple(piece for piece in (fold(part).lower() for part in words.split(OMITTED)) if piece)


def sentence_with(text: str, wanted: Sequence[str]) -> str | None:
    """The first sentence of ``text`` that has the stretches ``wanted`` in this order, lowered; ``None``: none has."""
    return next((sentence for sentence in _lowered(text) if _rest(sentence, wanted) is not None), None)


def conditions_beside(sentence: str, wanted: Sequence[str]) -> frozenset[str]:
    """The words of condition and negation that ``sentence`` has outside the stretches ``wanted``."""
    return frozenset(re.findall(_CONDITION, _rest(sentence, wanted) or ""))


def limit_beside(text: str, sentence: str) -> str | None:
    """A sentence of ``text`` other than ``sentence`` that limits it, and that the data file does not know; lowered.

    Raises ``DataError`` for a malformed ``data/semantics/limits.toml``.
    """
    limiting, known = _limits()
    return next(
        (
            other
            for other in _lowered(text)
            if other != sentence and limiting.search(other) and not any(words in other for words in known)
        ),
        None,
    )


@cache
def _limits() -> tuple[re.Pattern[str], tuple[str, ...]]:
    import tomllib

    path = data_folder() / LIMITS_FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        words, known = ([fold(each).lower() for each in data[key]] for key in ("words", "known"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error}); mend or restore the file") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: needs the two lists words and known, of texts in quotation marks; {error}") from error
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b"), tuple(known)


def has_any(text: str, phrases: Iterable[Sequence[str]]) -> str | None:
    """The first sentence of ``text`` that has one of ``phrases``; ``None``: none has."""
    return next((found for phrase in phrases if (found := sentence_with(text, phrase)) is not None), None)


def _rest(sentence: str, wanted: Sequence[str]) -> str | None:
    """What ``sentence`` has outside the stretches; ``None`` where it lacks one of them."""
    left, at = [], 0
    for piece in wanted:
        found = sentence.find(piece, at)
        if found < 0:
            return None
        left.append(sentence[at:found])
        at = found + len(piece)
    return " | ".join([*left, sentence[at:]])


@lru_cache(maxsize=SENTENCES_REMEMBERED)
def published(clause: str, text: str) -> str:
    """The stretch of ``text`` whose words are those of ``clause``; the clause itself where there is none."""
    words = [word.lower() for word in _WORD.findall(clause)]
    found = list(_WORD.finditer(text))
    there = [word[0].lower() for word in found]
    for start in range(len(there) - len(words) + 1):
        if words and there[start] == words[0] and there[start : start + len(words)] == words:
            return " ".join(text[found[start].start() : found[start + len(words) - 1].end()].split())
    return clause
