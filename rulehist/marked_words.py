"""The words of a change for a terminal: marks around what went and came, lines of a fitting width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulehist.export import paragraphs
from rulehist.terminal import cells
from rulehist.thresholds import EQUAL_WORDS_SHOWN
from rulehist.worddiff import Op
from rulehist.words import words

_MARKS: Mapping[str, tuple[str, str]] = {"equal": ("", ""), "delete": ("[-", "-]"), "insert": ("{+", "+}")}
_COLOURS: Mapping[str, tuple[str, str]] = {
    "equal": ("", ""),
    "delete": ("\x1b[31;9m[-", "-]\x1b[0m"),
    "insert": ("\x1b[32;1m{+", "+}\x1b[0m"),
}


_COLOUR = re.compile("\x1b\\[[0-9;]*m")


def marked(ops: Iterable[Op], *, colour: bool = False, short: bool = False) -> str:
    """A change in one text: ``[-old-]{+new+}``. ``short`` leaves out long stretches of what stayed.

    The marks stay in colour too, for those who do not see it.
    """
    return marked_as(list(ops), _COLOURS if colour else _MARKS, short=short)


def marked_as(ops: Sequence[Op], marks: Mapping[str, tuple[str, str]], *, short: bool) -> str:
    """The same with other marks: what stands before and after each kind of run."""
    shown = short_ops(ops) if short else ops
    return "".join(f"{marks[name][0]}{text}{marks[name][1]}" for name, text in shown)


def shortened(text: str, *, first: bool, last: bool) -> str:
    """A stretch of unchanged words, less those far from a change; the first and the last one have only one beside."""
    every = words(text)
    keep_before, keep_after = (0 if first else EQUAL_WORDS_SHOWN), (0 if last else EQUAL_WORDS_SHOWN)
    if (first and last) or len(every) <= keep_before + keep_after + EQUAL_WORDS_SHOWN:
        return text
    head, tail = "".join(every[:keep_before]), "".join(every[len(every) - keep_after :]) if keep_after else ""
    return f"{head} […]{tail}" if head else f"[…]{tail}"


def short_ops(ops: Sequence[Op]) -> tuple[Op, ...]:
    """The runs of a change without long stretches of what stayed."""
    last = len(ops) - 1
    return tuple(
        (name, shortened(text, first=index == 0, last=index == last) if name == "equal" else text)
        for index, (name, text) in enumerate(ops)
    )


def wrapped(text: str, width: int, indent: str, *, colour: bool = False) -> Iterator[str]:
    """Lines of at most ``width`` columns; colours take none. Lines that the source broke are joined."""
    for paragraph in paragraphs(text):
        if colour:
            yield from _wrapped_in_colour(paragraph, width, indent)
        else:
            yield from _wrapped_plain(paragraph, width, indent)


def fitted(text: str, width: int) -> str:
    """A text whose lines are no longer than ``width`` columns: what is longer goes on below its own indent.

    Colours take no columns.
    """
    return "\n".join(piece for line in text.split("\n") for piece in _fitted(line, width))


def _fitted(line: str, width: int) -> Iterator[str]:
    coloured = "\x1b[" in line
    if cells(_COLOUR.sub("", line) if coloured else line) <= width:
        yield line
        return
    indent = " " * min(len(line) - len(line.lstrip(" ")), width // 3)
    for at, piece in enumerate(wrapped(line.strip(" "), width - 2, indent, colour=coloured)):
        yield f"  {piece}" if at else piece


def _wrapped_plain(paragraph: str, width: int, indent: str) -> Iterator[str]:
    line: list[str] = []
    column = len(indent) - 1
    for word in paragraph.split(" "):
        if not word:
            continue
        if line and column + 1 + cells(word) > width:
            yield indent + " ".join(line)
            line, column = [], len(indent) - 1
        line.append(word)
        column += 1 + cells(word)
    if line:
        yield indent + " ".join(line)


def _wrapped_in_colour(paragraph: str, width: int, indent: str) -> Iterator[str]:
    line, column, style = indent, len(indent), ""
    for word in paragraph.split(" "):
        plain = word
        for code in ("\x1b[31;9m", "\x1b[32;1m", "\x1b[0m"):
            plain = plain.replace(code, "")
        if column + cells(plain) + 1 > width and column > len(indent):
            yield line + ("\x1b[0m" if style else "")
            line, column = indent + style, len(indent)
        if column > len(indent):
            line, column = line + " ", column + 1
        line, column = line + word, column + cells(plain)
        last = word.rfind("\x1b[")
        if last >= 0:
            style = "" if word.startswith("\x1b[0m", last) else word[last : word.index("m", last) + 1]
    yield line
