"""Dates as sources write them: ``January 16, 2026``, ``30 September 2011``, ``Sept. 30, 2011``,
``2011-09-30``, ``04/23/99`` (month first, as the publisher writes)."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_SPELLINGS = {month[:3]: place for place, month in enumerate(_MONTHS, 1)}
_MONTH = (
    r"(?P<month{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    r"\b(?:"
    + _MONTH.format("a")
    + r"\s+(?P<daya>\d{1,2})(?:st|nd|rd|th)?\s*,?\s+(?P<yeara>\d{4})"
    + r"|(?P<dayb>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?"
    + _MONTH.format("b")
    + r",?\s+(?P<yearb>\d{4})"
    + r"|(?P<yearc>\d{4})-(?P<monthc>\d{2})-(?P<dayc>\d{2})"
    + r"|(?P<monthd>\d{1,2})/(?P<dayd>\d{1,2})/(?P<yeard>\d{4}|\d{2})"
    + r")(?!\w)",
    re.IGNORECASE,
)
_CENTURY_BREAK = 70  # the game began in 1993: "99" is 1999, "03" is 2003


def find_date(text: str, start: int = 0) -> tuple[date, int, int] | None:
    """The first date in ``text`` at or after ``start`` with the place where it begins and ends."""
    for match in _DATE.finditer(text, start):
        day = _date(match)
        if day is not None:
            return day, match.start(), match.end()
    return None


def _date(match: re.Match[str]) -> date | None:
    found = match.groupdict()
    for form in "abcd":
        if found[f"day{form}"] is None:
            continue
        month = found[f"month{form}"]
        number = int(month) if month.isdigit() else _SPELLINGS[month[:3].lower()]
        year = int(found[f"year{form}"])
        if len(found[f"year{form}"]) == 2:
            year += 1900 if year >= _CENTURY_BREAK else 2000
        try:
            return date(year, number, int(found[f"day{form}"]))
        except ValueError:
            return None
    return None
