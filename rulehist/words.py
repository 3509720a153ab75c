"""Words of a rules text: the units in which differences are found and shown.

A word carries the blank before it. So every word but the first of a sentence reads the same wherever it
stands, and taking a word away takes its blank along: ``enters the battlefield`` less `` the battlefield`` is
``enters``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulehist.folding import fold
from rulehist.thresholds import WORDS_KEPT

_LETTERS = r"[^\W_]+"
PLAIN_WORD = r"\s?[A-WYZa-z][A-Za-z]*(?=[ ,.])"
"""Nearly every word: found as ``ANY_WORD`` would find it, and quicker."""

ANY_WORD = rf"""
      \s*(?:
          \{{[^{{}}\s]{{1,9}}\}}                          # mana and other symbols: {{2/W}}
        | \.\s?\.\s?\.                                    # ellipsis, as "..." or ". . ."
        | (?:-{{2,}}|[–—―])\s*                            # dash, whose blanks are typography
        | (?<=\s)-\s+                                     # hyphen between blanks, used as a dash
        | \((?:[rR]|tm|TM|sm|SM|[cC])\)                   # trademark signs spelled out
        | [+−-]?[\dX*]+/[+−-]?[\dX*]+(?!\w)               # power and toughness: 2/2, +1/+1
        | \d+\.\d+[a-z]*(?!\w)                            # rule number: 707.2a
        | _*{_LETTERS}(?:['’‘`´‐‑-]{_LETTERS})*_*         # word: face-down, it's, _italic_
        | \S
      )
      | \s+
"""
"""Every word (a verbose pattern)."""

_WORD = re.compile(f"{PLAIN_WORD}|{ANY_WORD}", re.VERBOSE)
_DASH = frozenset("-–—―−")


def words(text: str) -> list[str]:
    """The words of ``text`` as published, each with the blank before it; joined they are ``text`` again."""
    return _WORD.findall(text)


def key(word: str) -> str:
    """What a word is compared by: two words that differ only in typography have one key.

    Whether a blank stands before the word counts, which blank does not; around a dash neither counts.
    """
    bare = word.strip()
    if bare and _DASH.issuperset(bare) and (len(bare) > 1 or bare != "-" or word != bare):
        return "-"
    if len(bare) > 1:
        bare = bare.strip("_") or bare
    return (" " if word[:1].isspace() else "") + fold(bare)


def keys(text_words: Iterable[str]) -> list[str]:
    """The keys of ``text_words``, in order."""
    return list(map(_keys.__getitem__, text_words))


class _Keys(dict[str, str]):
    """The key of each word, made when it is first asked for: quicker than a function that remembers."""

    def __missing__(self, word: str) -> str:
        if len(self) >= WORDS_KEPT:
            self.clear()
        made = self[word] = key(word)
        return made


_keys = _Keys()
