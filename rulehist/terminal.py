"""The terminal that an answer is shown on: whether there is one, how wide it is, what it can show."""

from __future__ import annotations

import os
import sys

from rulehist.thresholds import TERMINAL_NARROWEST, TEXT_COLUMNS
from rulehist.visible import SIGN, visible


def on_terminal() -> bool:
    """Whether people look at what is printed, and not a pipe or a file."""
    return sys.stdout.isatty()


def colour() -> bool:
    """Whether colours are shown: on a terminal that has them, unless ``NO_COLOR`` (no-color.org) is set."""
    return on_terminal() and not os.environ.get("NO_COLOR") and not dumb()


def dumb() -> bool:
    """Whether the terminal says of itself that it can show nothing but letters."""
    return os.environ.get("TERM") == "dumb"


def columns() -> int:
    """Columns of the terminal: what ``COLUMNS`` says, else what it says itself, else ``TEXT_COLUMNS``."""
    named = os.environ.get("COLUMNS", "")
    if named.isascii() and named.isdecimal() and len(named) < 7 and int(named):
        return max(int(named), TERMINAL_NARROWEST)
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            found = os.get_terminal_size(stream.fileno()).columns if stream is not None else 0
        except (OSError, ValueError):
            continue
        if found:
            return max(found, TERMINAL_NARROWEST)
    return TEXT_COLUMNS


def text_width(most: int = TEXT_COLUMNS) -> int:
    """Columns for running text: ``most`` where nobody looks on, and no more on a terminal that is wider."""
    return min(columns(), most) if on_terminal() else most


def cells(text: str) -> int:
    """Columns that ``text`` takes: none for a combining mark, two for a wide character (Unicode UAX #11).

    What reorders the text around it is shown by name (``rulehist.visible``) and takes the columns of that.
    """
    if text.isascii():
        return len(text)
    return sum(_cells_of(character) for character in text)


def _cells_of(character: str) -> int:
    import unicodedata

    if SIGN.fullmatch(character) and unicodedata.category(character) == "Cf":
        return len(visible(character))
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
