"""YAML in the form that most scenario files have, read without a YAML library: loading one costs more than an answer.

This knows a part of YAML, and knows that part in full: blocks, lists and tables in brackets, texts that end on their
line, quotes without escapes, comments. A file with anything else in it, were it only a mistake, is left to the library,
which has the words for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulehist.engine.yaml_tree import Items, Node, Scalar, Table
from rulehist.thresholds import SCENARIO_DEPTH

KEY_LENGTH: Final = 1000
"""YAML reads no key of more than 1,024 characters."""

_FIRST = r"(?:[^\s?:,\[\]{}#&*!|>'\"%@`.-]|-(?=\w))"
_WORDS = re.compile(rf"{_FIRST}(?:[^\n:#]+|:(?=\S)|(?<! )#)*")
_FLOW_WORDS = re.compile(rf"{_FIRST}(?:[^\n:#,?\[\]{{}}]+|:(?=[\w/])|(?<! )#)*")
_QUOTED = re.compile(r"""'(?:[^'\n]|'')*'|"[^"\\\n]*\"""")
_BETWEEN_LINES = re.compile(r"(?:[ ]*(?:#[^\n]*)?\n)*([ ]*)")
_END_OF_LINE = re.compile(r"[ ]*(?:(?<=[ ])#[^\n]*)?\n")
_BETWEEN_ITEMS = re.compile(r"(?:[ \n]+(?:#[^\n]*)?)*")
_DASH = re.compile(r"-[ ]+(?=[^ #\n])")
_COLON = re.compile(r":(?:[ ]+(?=[^ #\n])|(?=[ \n]))")


class _NotPlain(Exception):  # noqa: N818 - never seen outside
    """The text has something that is not read here."""


def read_plain(text: str) -> Node | None:
    """The tree of a YAML document as the library would give it; ``None`` for what is not plain, or wrong."""
    if not text.replace("\n", "").isprintable():
        return None  # tabs, other line breaks, other blanks, what YAML does not let stand
    try:
        return _Reader(text).document()
    except _NotPlain:
        return None


class _Reader:
    """A place in a text. ``indent`` is that of the line on which it stands, -1 at the end."""

    def __init__(self, text: str) -> None:
        self.text = text if text.endswith("\n") else text + "\n"
        self.at = 0
        self.line = 1
        self.indent = 0

    def document(self) -> Node:
        self._next_line()
        root = self._block(0, 1)
        if self.indent != -1:
            raise _NotPlain
        return root

    def _move(self, end: int) -> None:
        self.line += self.text.count("\n", self.at, end)
        self.at = end

    def _next_line(self) -> None:
        """Go to the next line that has something on it."""
        found = _BETWEEN_LINES.match(self.text, self.at)
        assert found is not None  # noqa: S101 - it matches nothing, too
        self._move(found.end())
        self.indent = len(found[1]) if self.at < len(self.text) else -1

    def _end_line(self) -> bool:
        """Go on to the next line, where nothing more stands on this one."""
        found = _END_OF_LINE.match(self.text, self.at)
        if found is not None:
            self._move(found.end())
            self._next_line()
        return found is not None

    # --- blocks

    def _block(self, column: int, depth: int) -> Node:
        """A list or a table, whose entries begin at ``column``."""
        if self.indent != column or depth > SCENARIO_DEPTH:
            raise _NotPlain
        node = self._list(column, depth) if self._at_dash() else self._table(column, depth)
        if self.indent > column:
            raise _NotPlain
        return node

    def _at_dash(self) -> bool:
        return _DASH.match(self.text, self.at) is not None

    def _list(self, column: int, depth: int) -> Items:
        items = Items([], self.line)
        while self.indent == column and (dash := _DASH.match(self.text, self.at)):
            self.at = dash.end()
            if self._at_dash() or self._key_here():
                self.indent = column + len(dash[0])
                items.nodes.append(self._block(self.indent, depth + 1))
            else:
                items.nodes.append(self._on_one_line(depth + 1))
        return items

    def _table(self, column: int, depth: int) -> Table:
        table = Table({}, self.line, {})
        while self.indent == column:
            found = self._key_here()
            if found is None or found[0] in table.nodes:
                raise _NotPlain
            key, self.at = found
            table.lines[key] = self.line
            table.nodes[key] = self._value(column, depth + 1)
        return table

    def _key_here(self) -> tuple[str, int] | None:
        """The key that stands here, and where its value may begin."""
        quoted = _QUOTED.match(self.text, self.at)
        found = quoted or _WORDS.match(self.text, self.at)
        colon = found and _COLON.match(self.text, found.end())
        if not found or not colon or len(found[0]) > KEY_LENGTH:
            return None
        return (_unquoted(found[0]) if quoted else found[0].rstrip(" ")), colon.end()

    def _value(self, column: int, depth: int) -> Node:
        """What stands after the colon of a key that begins at ``column``."""
        if not self._end_line():
            return self._on_one_line(depth)
        if self.indent > column:
            return self._block(self.indent, depth)
        if self.indent == column and self._at_dash():
            return self._block(column, depth)
        raise _NotPlain

    def _on_one_line(self, depth: int) -> Node:
        """A text, or a list or table in brackets, after which its line ends."""
        node = self._item(_WORDS, depth)
        if not self._end_line():
            raise _NotPlain
        return node

    # --- brackets

    def _item(self, words: re.Pattern[str], depth: int) -> Node:
        if self.text.startswith("[", self.at):
            return self._listed(depth)
        if self.text.startswith("{", self.at):
            return self._tabled(depth)
        quoted = _QUOTED.match(self.text, self.at)
        found = quoted or words.match(self.text, self.at)
        if found is None:
            raise _NotPlain
        self.at = found.end()
        return Scalar(_unquoted(found[0]), self.line, True) if quoted else Scalar(found[0].rstrip(" "), self.line)

    def _listed(self, depth: int) -> Items:
        items = Items([], self.line)
        for _ in self._entries("]", depth):
            items.nodes.append(self._item(_FLOW_WORDS, depth + 1))
        return items

    def _tabled(self, depth: int) -> Table:
        table = Table({}, self.line, {})
        for line in self._entries("}", depth):
            key = self._item(_FLOW_WORDS, depth + 1)
            colon = _COLON.match(self.text, self.at)
            if not isinstance(key, Scalar) or key.text in table.nodes or colon is None:
                raise _NotPlain
            self._move(colon.end())
            self._skip()
            table.lines[key.text] = line
            table.nodes[key.text] = self._item(_FLOW_WORDS, depth + 1)
        return table

    def _entries(self, closing: str, depth: int) -> Iterator[int]:
        """The line of each entry within brackets, standing before it; then go behind the bracket that closes them."""
        if depth > SCENARIO_DEPTH:
            raise _NotPlain
        self.at += 1
        self._skip()
        while not self.text.startswith(closing, self.at):
            yield self.line
            self._skip()
            if self.text.startswith(",", self.at):
                self.at += 1
                self._skip()
            elif not self.text.startswith(closing, self.at):
                raise _NotPlain
        self.at += 1

    def _skip(self) -> None:
        """Go to what stands next within brackets, on whatever line."""
        found = _BETWEEN_ITEMS.match(self.text, self.at)
        assert found is not None  # noqa: S101 - it matches nothing, too
        self._move(found.end())


def _unquoted(text: str) -> str:
    return text[1:-1].replace("''", "'") if text[0] == "'" else text[1:-1]
