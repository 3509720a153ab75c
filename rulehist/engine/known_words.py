"""The sentences that decide switches, as far as somebody has looked at them: any other may mean something else.

``data/semantics/known-words.tsv`` has their words for each switch, and a mark of each sentence, so that the same words
in another order are seen too. ``data/semantics/templates.tsv`` has the wordings of the game that mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final
from zlib import crc32

from rulehist.engine.switches import names
from rulehist.errors import DataError
from rulehist.folding import fold
from rulehist.resources import data_folder
from rulehist.tables import rows
from rulehist.thresholds import SENTENCES_REMEMBERED

FILE: Final = "semantics/known-words.tsv"
COLUMNS: Final = ("switch", "words", "sentences")
TEMPLATES_FILE: Final = "semantics/templates.tsv"
TEMPLATES_COLUMNS: Final = ("words", "same as")
_NUMBER = r"\d[\w.-]*\w"
_REFERENCES = re.compile(rf"\b(?:see )?(?:also )?\brules? {_NUMBER}(?:, {_NUMBER})*(?:,? (?:and|or) {_NUMBER})?")
_WORD = re.compile(r"[a-z0-9+{][a-z0-9+/{}'-]*")


def words_of(sentence: str) -> frozenset[str]:
    """The words of a sentence, folded and lowered, references to rules left out."""
    return frozenset(_in_order(sentence))


def mark_of(sentence: str) -> str:
    """The mark of a sentence: eight digits and letters, the same for the same words in the same order."""
    text = f" {' '.join(_in_order(sentence))} "
    for words, same in _templates():
        text = text.replace(words, same)
    return f"{crc32(text.encode()):08x}"


def _in_order(sentence: str) -> list[str]:
    found = _WORD.findall(_REFERENCES.sub(" ", fold(sentence).lower()))
    return [word.rstrip("'") for word in found]


@lru_cache(maxsize=SENTENCES_REMEMBERED)
def unknown(switch: str, sentence: str) -> Sequence[str] | None:
    """What of a deciding sentence nobody has looked at: words that no known sentence of ``switch`` has, or none where
    known words stand in an unknown order. ``None``: the sentence is known, or no sentence of the switch is."""
    words, marks = known_words().get(switch, ("", ""))
    if not marks or mark_of(sentence) in marks.split():
        return None
    return sorted(words_of(sentence) - set(words.split()))


@cache
def known_words() -> Mapping[str, tuple[str, str]]:
    """The words and the marks of the known sentences of each switch, each with blanks between them.

    Raises ``DataError`` naming file, line and remedy.
    """
    path = data_folder() / FILE
    found: dict[str, tuple[str, str]] = {}
    for line, (switch, words, marks) in rows(path, COLUMNS):
        if switch not in names():
            raise DataError(
                f"{path}:{line}: there is no switch {switch}; take its row out, or give it the name it has now"
            )
        if switch in found:
            raise DataError(f"{path}:{line}: {switch} stands here a second time; put all its words into one row")
        found[switch] = (words, marks)
    return found


@cache
def _templates() -> Iterable[tuple[str, str]]:
    """Wordings of old and of new, each between blanks. Raises ``DataError`` naming file, line and remedy."""
    path = data_folder() / TEMPLATES_FILE
    return [
        (f" {words} ", " " if same == "-" else f" {same} ")
        for _, (words, same) in sorted(rows(path, TEMPLATES_COLUMNS), key=lambda row: -len(row[1][0]))
    ]
