"""WHEN and NUMBER@WHEN: how people name a moment and a rule at that moment."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from rulehist.errors import QueryError
from rulehist.releases import known_releases, releases_of

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class When(NamedTuple):
    """A moment: ``day`` is an ISO date, ``None`` for the newest that there is. ``words`` is what was asked.

    ``release`` says whether the words are the code of a release.
    """

    day: str | None
    words: str
    note: str = ""
    release: bool = False


def parse_when(words: str) -> When:
    """Read a date (2015-06-01), a set code (AFR) or ``latest``. Raises ``QueryError`` for all else, and for nothing."""
    text = words.strip()
    if not text:  # as from a variable that was never set: any answer would be one for the wrong day
        raise QueryError("the day is empty; write a date (2015-06-01), a set code (AFR) or latest")
    if text.casefold() == "latest":
        return When(None, "latest")
    if _ISO_DATE.fullmatch(text):
        try:
            return When(date.fromisoformat(text).isoformat(), text)
        except ValueError:
            raise QueryError(f"{text}: there is no such day; write a date as 2015-06-01") from None
    releases = releases_of(text)
    if releases:
        later = ", ".join(release.effective for release in releases[1:])
        note = f"{text.upper()} also names a later update ({later}); ask for it by its date" if later else ""
        return When(releases[0].effective, text, note, release=True)
    if text[:1].isdigit() and "-" in text:
        raise QueryError(f"{text} is no date; write it as 2015-06-01")
    from difflib import get_close_matches

    near = get_close_matches(text.upper(), [release.code for release in known_releases()], 3, 0.5)
    hint = f"; near it are {', '.join(dict.fromkeys(near))}" if near else ""
    raise QueryError(f"{text}: no release has this code{hint}; use a date (2015-06-01), a set code (AFR) or latest")


def is_moment(words: str) -> bool:
    """Whether ``parse_when`` reads ``words``."""
    try:
        parse_when(words)
    except QueryError:
        return False
    return True


def parse_address(address: str) -> tuple[str, When]:
    """Read ``NUMBER@WHEN`` or ``TERM@WHEN``; without ``@`` it means ``latest``. Raises ``QueryError``."""
    subject, at, words = address.rpartition("@")
    if not at:
        subject, words = address, "latest"
    subject = subject.strip()
    if not subject:
        raise QueryError(f"{address}: no rule is named; write NUMBER@WHEN, as in 707.2@2015-06-01")
    return subject, parse_when(words)


def parse_range(words: str) -> tuple[When, When]:
    """Read ``OLD..NEW``. Raises ``QueryError``."""
    old, dots, new = words.partition("..")
    if not dots or not old.strip() or not new.strip():
        raise QueryError(f"{words}: two moments are needed; write OLD..NEW, as in 2021-07-23..2022-10-07")
    return parse_when(old), parse_when(new)


def parse_compared(words: str) -> tuple[When | None, When]:
    """Read ``OLD..NEW``, or one moment, which is to be compared with the version before it (``None``).

    Raises ``QueryError``.
    """
    if ".." in words:
        return parse_range(words)
    try:
        return None, parse_when(words)
    except QueryError as error:
        raise QueryError(f"{error}, alone or as OLD..NEW") from None
