"""Rule numbers: how they are written, how they sort.

A number is kept as text, always: 702.10 is not 702.1. Letters of subrules run a to z without l and o
in the published rules; whatever stands there is read all the same, and several letters sort after one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rulehist.thresholds import NUMBERS_KEPT

_NUMBER = re.compile(r"(\d{1,4})(?:\.(\d{1,4})([a-z]{0,3}))?\.?")


class RuleNumber(NamedTuple):
    """The parts of a number: ``707.2a`` is ``(707, 2, "a")``; a section has no rule (``None``)."""

    section: int
    rule: int | None
    letters: str


@lru_cache(maxsize=NUMBERS_KEPT)
def parse(number: str) -> RuleNumber | None:
    """Read ``7``, ``707``, ``707.``, ``707.2``, ``707.2.`` or ``707.2a``; ``None`` for anything else."""
    match = _NUMBER.fullmatch(number.strip())
    if match is None:
        return None
    section, rule, letters = match.groups()
    return RuleNumber(int(section), None if rule is None else int(rule), letters or "")


def sort_key(number: str) -> str:
    """Text that sorts as the rules do: 702.9 before 702.10, 702.10 before 702.10a, 7 before 700.

    Anything that is not a rule number (a glossary term) sorts after all numbers, without regard to case.
    """
    read = parse(number)
    if read is None:
        return "~" + number.casefold()
    chapter = read.section if read.section < 100 else read.section // 100
    section = 0 if read.section < 100 else read.section
    rule = "" if read.rule is None else f".{read.rule:04d}"
    letters = f".{len(read.letters)}{read.letters}" if read.letters else ""
    return f"{chapter:02d}.{section:04d}{rule}{letters}"


def parent(number: str) -> str | None:
    """The rule or section above: 707.2a -> 707.2 -> 707 -> 7; ``None`` at the top or for no number."""
    read = parse(number)
    if read is None or (read.rule is None and read.section < 100):
        return None
    if read.letters:
        return f"{read.section}.{read.rule}"
    if read.rule is not None:
        return str(read.section)
    return str(read.section // 100)
