"""Dates in the names of published files: when a text was put online, which is not when it took effect.

The publisher has written them year first (``20240802``, ``041001``), month first (``070103``) and day first,
with and without separators; a name may allow several readings, and then all are given.
"""

from __future__ import annotations

import re
from datetime import date

_DIGITS = re.compile(
    r"(?<!\d)(?:(\d{8})|(\d{4})[-_. ](\d{1,2})[-_. ](\d{1,2})"
    r"|(\d{1,2})[-_. ](\d{1,2})[-_. ](\d{4})|(\d{6}))(?!\d)"
)
_FIRST_YEAR, _LAST_YEAR = 1993, 2092  # a two-digit year belongs to the century after the game's first year


def dates_in_name(name: str) -> tuple[date, ...]:
    """Every date that ``name`` can be read to bear, the likeliest reading first; empty for none."""
    found: list[date] = []
    for eight, year, month, day, first, second, last, six in _DIGITS.findall(name):
        if eight:
            readings = [
                (eight[:4], eight[4:6], eight[6:]),
                (eight[4:], eight[:2], eight[2:4]),
                (eight[4:], eight[2:4], eight[:2]),
            ]
        elif year:
            readings = [(year, month, day)]
        elif last:
            readings = [(last, first, second), (last, second, first)]
        else:
            one, two, three = six[:2], six[2:4], six[4:]
            # The published six-digit names were month first to February 2004 and year first from June 2004.
            readings = [(one, two, three), (three, one, two), (three, two, one)]
        for reading in readings:
            if (read := _date(*reading)) is not None and read not in found:
                found.append(read)
    return tuple(found)


def _date(year: str, month: str, day: str) -> date | None:
    number = int(year)
    if len(year) == 2:
        number += 2000 if number + 2000 <= _LAST_YEAR else 1900
    if not _FIRST_YEAR <= number <= _LAST_YEAR:
        return None
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None
