"""The words that deciding sentences are known to have: a new one may turn the meaning, so it is looked at first.

``data/semantics/known-words.tsv`` has them for each switch. A wording tells sentences apart; this table tells whether
somebody has seen the rest of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from rulehist.engine.switches import names
from rulehist.errors import DataError
from rulehist.folding import fold
from rulehist.resources import data_folder
from rulehist.tables import rows
from rulehist.thresholds import SENTENCES_REMEMBERED

FILE: Final = "semantics/known-words.tsv"
COLUMNS: Final = ("switch", "words")
_REFERENCE = re.compile(r"\brules? \d[\w.-]*")
_WORD = re.compile(r"[a-z0-9+{][a-z0-9+/{}'-]*")


def words_of(sentence: str) -> frozenset[str]:
    """The words of a sentence, folded and lowered, numbers of rules left out."""
    found = _WORD.findall(_REFERENCE.sub(" ", fold(sentence).lower()))
    return frozenset(word.rstrip("'") for word in found)


@lru_cache(maxsize=SENTENCES_REMEMBERED)
def new_words(switch: str, sentence: str) -> tuple[str, ...]:
    """Words of a deciding sentence that no reviewed one of ``switch`` had; none where none was reviewed yet."""
    known = known_words().get(switch)
    return () if known is None else tuple(sorted(words_of(sentence) - known))


@cache
def known_words() -> Mapping[str, frozenset[str]]:
    """The known words of each switch. Raises ``DataError`` naming file, line and remedy."""
    path = data_folder() / FILE
    found: dict[str, frozenset[str]] = {}
    for line, (switch, words) in rows(path, COLUMNS):
        if switch not in names():
            raise DataError(
                f"{path}:{line}: there is no switch {switch}; take its row out, or give it the name it has now"
            )
        if switch in found:
            raise DataError(f"{path}:{line}: {switch} stands here a second time; put all its words into one row")
        found[switch] = frozenset(words.split())
    return found
