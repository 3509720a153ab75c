"""Characters that a terminal obeys, or that reorder the text around them, shown by name.

Names of files and rules texts may hold them; what goes to a file or a pipe is left as it is.
"""

from __future__ import annotations

import io
import re

# C0 and C1 but for the tab and the line ends, and what reorders or hides text (Unicode UAX #9)
_OBEYED = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
SIGN = re.compile(f"[{_OBEYED}]")
"""One such character."""

_SIGN_OR_LINE_END = re.compile(f"[{_OBEYED}\t\r\n\u2028\u2029]")
_SIGN_OR_COLOUR = re.compile(rf"\x1b\[[0-9;]*m|[{_OBEYED}]")


def _named(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) > 1 else f"U+{ord(match[0]):04X}"


def visible(text: str) -> str:
    """``text`` with ``U+001B`` and the like in place of such characters; lines and tabs stay."""
    return text if text.isascii() and text.isprintable() else SIGN.sub(_named, text)


def one_line(text: str) -> str:
    """The same for what stands in one line: a line end within it has its name too."""
    return text if text.isprintable() and text.isascii() else _SIGN_OR_LINE_END.sub(_named, text)


class Screen(io.TextIOWrapper):
    """Standard output that people look at: colours pass, all else that a terminal would obey is shown by name."""

    def write(self, text: str) -> int:
        """Write ``text`` with such characters by name, and give its length."""
        super().write(text if text.isprintable() and text.isascii() else _SIGN_OR_COLOUR.sub(_named, text))
        return len(text)
