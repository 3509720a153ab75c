"""What it means that a text has a phrase: its words in a row, without regard to case, typography and punctuation.

Words are whole words: "card" is not in "cards", so that ``creature type`` does not find ``creature types`` by chance;
ask for both. A mana or tap symbol (``{T}``) and a power and toughness (``+1/+1``) are words of their own. The
full-text index knows words in a row but neither symbols nor signs: it gives the candidates, this decides.
"""

from __future__ import annotations

import re
import unicodedata

from rulehist.errors import QueryError
from rulehist.folding import fold

_WORD = re.compile(r"\{[^{}\s]{1,9}\}|[+-]?(?:\d+|[x*])/[+-]?(?:\d+|[x*])(?!\w)|[^\W_]+")


class Phrase:
    """Words to look for. Raises ``QueryError`` where there is no letter or digit among them."""

    def __init__(self, asked: str) -> None:
        folded = fold(asked)
        if not any(character.isalnum() for character in folded):
            raise QueryError(f"{asked!r}: has no word to search for; give at least one")
        self.asked = asked
        self.match = '"' + folded.replace('"', '""') + '"'
        """What to ask the full-text index for."""
        self._words = _spaced(folded)
        self.longest = max(re.findall(r"[a-z0-9]+", folded.lower()), key=len, default="")
        """The longest run of plain letters or digits: what has the phrase has it."""

    def is_in(self, folded: str) -> bool:
        """Whether a folded text has the words in a row."""
        return self._words in _spaced(folded)


def _spaced(folded: str) -> str:
    return f" {' '.join(_WORD.findall(_plain(folded)))} "


def _plain(folded: str) -> str:
    """Without case and without accents, as the full-text index sees letters."""
    if folded.isascii():
        return folded.lower()
    apart = unicodedata.normalize("NFD", folded.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
