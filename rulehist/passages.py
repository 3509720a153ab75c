"""The passage of a text in which searched words stand, for a line of results."""

from __future__ import annotations

import re
from typing import NamedTuple

from rulehist.export import paragraphs
from rulehist.thresholds import PASSAGE_AFTER, PASSAGE_BEFORE

_WORD = re.compile(r"\w+")


class Passage(NamedTuple):
    """What stands before the words, the words as published, and what stands after; cut parts show as ``…``.

    ``words`` is empty where they are not found in the text as it stands (a term has them, or another spelling).
    """

    before: str
    words: str
    after: str


def passage(text: str, words: str) -> Passage:
    """The passage of ``text``, in one line, around the first place that has ``words`` in a row."""
    flat = " ".join(" ".join(paragraphs(text)).split())
    pattern = r"[\W_]+".join(map(re.escape, _WORD.findall(words)))
    found = re.search(rf"(?<!\w){pattern}(?!\w)", flat, re.IGNORECASE) if pattern else None
    start, end = found.span() if found else (0, 0)
    before = flat[:start]
    if len(before) > PASSAGE_BEFORE:
        before = "… " + before[-PASSAGE_BEFORE:].partition(" ")[2]
    after = flat[end:]
    if len(after) > PASSAGE_AFTER:
        after = after[:PASSAGE_AFTER].rpartition(" ")[0] + " …"
    return Passage(before, flat[start:end], after)
