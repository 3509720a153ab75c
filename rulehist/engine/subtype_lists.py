"""The lists of subtypes in the rules, read as lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulehist.folding import fold

_BRACKETS = re.compile(r" ?\([^)]*\)")
_BETWEEN = re.compile(r", (?:and )?")


def listed_subtypes(kinds: str, texts: Sequence[str]) -> tuple[tuple[str, ...], int | None]:
    """The subtypes that ``texts`` list as ``kinds`` (``creature types``), and in which text; none: they list none."""
    kind = kinds.removesuffix("s")
    pattern = re.compile(
        rf"\b(?<!basic ){re.escape(kind)}s? (?:at this time )?(?:is|are) (?:\w+ words? long: )?(?=[A-Z])([^.]+)\."
    )
    for place, text in enumerate(texts):
        found: list[str] = []
        for listed in pattern.findall(_BRACKETS.sub("", " ".join(fold(text).split()))):
            found += _BETWEEN.split(listed) if "," in listed else listed.split(" and ")
        if found:
            return tuple(found), place
    return (), None
