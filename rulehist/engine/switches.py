"""The semantic switches: questions that the rules of a day answer, with the wordings that are understood.

They are in ``data/semantics/switches/*.toml``, one table a switch::

    [legend-rule]
    rows = { S08 = "all die", S43 = "..." } # rows of the list of semantic changes, each with the value that it brought
    question = "What becomes of ...?"
    where = { other-switch = "value" }    # only where that switch has this value do the rules speak of the question
    rules = ["704.5j@2026-01-16"]         # the rule, by any NUMBER@DATE that it ever had
    about = ["legend rule"]               # only sentences with these words speak of it (all of them, where left out)
    conditions = ["unless"]               # words of condition that these sentences are known to have
    [legend-rule.wordings]                # words -> value; the first that stand in a sentence decide
    "the rest are put into" = "one player keeps one"

In place of wordings, ``list`` names a list of the rule on copiable values, or ``layers``, or ``subtypes`` (of the kind
that the switch is called after): its items are the value.
With ``item`` too, the value is ``listed`` where the list has that item, else ``otherwise`` (``not said`` where it is
left out).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from rulehist.engine.wording import pieces
from rulehist.errors import DataError
from rulehist.resources import data_folder

FOLDER: Final = "semantics/switches"
NOT_SAID: Final = "not said"
"""In a data file, the value of words that leave the question open."""

LISTS: Final = ("basis", "characteristics", "choices", "modifiers", "not copied", "layers", "subtypes")
_KEYS: Final = (
    "question",
    "where",
    "rules",
    "rows",
    "about",
    "conditions",
    "wordings",
    "list",
    "item",
    "listed",
    "otherwise",
)
_HEAD = re.compile(r"^\[([a-z0-9]+(?:-[a-z0-9]+)*)\]", re.MULTILINE)
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}[a-z]{0,2})?@\d{4}-\d{2}-\d{2}")
_QUOTED_ADDRESS = re.compile(rf'"({_ADDRESS.pattern})"')
_ROW = re.compile(r"S\d{2,3}")


class Wording(NamedTuple):
    """Words that are understood, and the value that they give; ``None``: they leave the question open."""

    words: str
    stretches: tuple[str, ...]
    value: str | None


class Switch(NamedTuple):
    """One question to the rules. ``about`` holds stretches of words, as ``Wording.stretches`` does.

    ``rows`` leads from rows of the list of semantic changes to the value that each of them brought. ``where`` names
    another switch and its value, without which the rules do not speak of the question at all.
    """

    name: str
    question: str
    rules: tuple[str, ...]
    rows: Mapping[str, str]
    about: tuple[tuple[str, ...], ...]
    conditions: frozenset[str]
    wordings: tuple[Wording, ...]
    list_of: str
    item: str
    listed: str
    otherwise: str | None
    file: str
    where: tuple[str, str] | None = None


class _Table(NamedTuple):
    """The lines of one switch in a file; ``first`` is the number of the line with its name."""

    name: str
    path: Path
    first: int
    text: str


@cache
def switch_called(name: str) -> Switch:
    """The switch of that name; only its own table is parsed, since an answer needs few of many.

    Raises ``DataError`` naming file, line and remedy, and ``KeyError`` for a name that is no switch's.
    """
    return _Reader(_tables()[name]).switch()


def switches() -> Mapping[str, Switch]:
    """Every switch by its name, in the order of the files. Raises ``DataError`` naming file, line and remedy."""
    return {name: switch_called(name) for name in names()}


def names() -> Collection[str]:
    """The names of all switches, in the order of the files."""
    return _tables().keys()


def addresses() -> Iterable[str]:
    """The addresses of all switches, without parsing their tables."""
    return (address for table in _tables().values() for address in _QUOTED_ADDRESS.findall(table.text))


@cache
def _tables() -> Mapping[str, _Table]:
    folder = data_folder() / FOLDER
    found: dict[str, _Table] = {}
    files = folder.iterdir() if folder.is_dir() else ()
    for path in sorted(path for path in files if path.suffix == ".toml"):
        for table in _tables_in(path):
            if table.name in found:
                first = found[table.name].path.name
                raise _Reader(table).error("", f"stands in {first} too; give one of them another name")
            found[table.name] = table
    if not found:
        raise DataError(f"{folder}: has no files with switches; restore them from the release")
    return found


def _tables_in(path: Path) -> list[_Table]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error}); restore the file from the release") from error
    heads = list(_HEAD.finditer(text))
    before = text[: heads[0].start()] if heads else text
    for number, line in enumerate(before.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            raise DataError(f"{path}, line {number}: is of no switch; write [name-of-the-switch] on a line before it")
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return [
        _Table(head[1], path, text.count("\n", 0, head.start()) + 1, text[head.start() : end])
        for head, end in zip(heads, ends, strict=True)
    ]


def read_switches(path: Path) -> list[Switch]:
    """The switches of one file. Raises ``DataError`` naming file, line and remedy."""
    return [_Reader(table).switch() for table in _tables_in(path)]


class _Reader:
    def __init__(self, table: _Table) -> None:
        self.table = table

    def switch(self) -> Switch:
        name = self.table.name
        try:
            data = tomllib.loads(self.table.text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            at = self.table.first - 1 + int(line[1]) if line else self.table.first
            what = str(error).partition(" (at ")[0]
            raise DataError(f"{self.table.path}, line {at}: [{name}] is no TOML: {what}; mend that line") from error
        if data.keys() != {name}:
            other = next(iter(data.keys() - {name}))
            raise self.error(other, f'has a table of "{other}" within; write [{name}.wordings]')
        return self._switch(name, data[name])

    def _switch(self, name: str, entry: Mapping[str, Any]) -> Switch:
        for key in entry:
            if key not in _KEYS:
                raise self.error(key, f'has the key "{key}"; use {", ".join(_KEYS)}')
        question = entry.get("question")
        if not isinstance(question, str) or not question.endswith("?"):
            raise self.error("question", 'needs a question = "...?"')
        rules = self._texts(entry, "rules")
        if not rules or not all(map(_ADDRESS.fullmatch, rules)):
            raise self.error("rules", 'needs rules = ["NUMBER@DATE", ...], as in "707.2@2021-07-23"')
        if ("wordings" in entry) == ("list" in entry):
            raise self.error("", f"needs either a table [{name}.wordings] or list = one of {', '.join(LISTS)}")
        if "list" in entry and entry["list"] not in LISTS:
            raise self.error("list", f"needs list = one of {', '.join(LISTS)}")
        if ("item" in entry) != ("listed" in entry):
            raise self.error("item", 'needs both item = "..." and listed = "the value where the list has it"')
        wordings = tuple(self._wordings(entry["wordings"])) if "wordings" in entry else ()
        listed, otherwise = self._text(entry, "listed"), self._text(entry, "otherwise")
        values = {listed, otherwise, *(wording.value for wording in wordings)} - {"", None}
        return Switch(
            name,
            question,
            rules,
            self._rows(entry, values),
            tuple(pieces(words) for words in self._texts(entry, "about")),
            frozenset(self._texts(entry, "conditions")),
            wordings,
            entry.get("list", ""),
            self._text(entry, "item"),
            listed,
            otherwise or None,
            f"{FOLDER}/{self.table.path.name}",
            self._where(entry.get("where")),
        )

    def _where(self, entry: Any) -> tuple[str, str] | None:
        if entry is None:
            return None
        if (
            not isinstance(entry, dict)
            or len(entry) != 1
            or not all(isinstance(value, str) for value in entry.values())
        ):
            raise self.error("where", 'needs where = { name-of-another-switch = "its value" }, or no where at all')
        ((name, value),) = entry.items()
        if name not in names():
            raise self.error("where", f"names {name}, which is no switch; give the name of one")
        return name, value

    def _rows(self, entry: Mapping[str, Any], values: Collection[str | None]) -> Mapping[str, str]:
        rows = entry.get("rows", {})
        if not isinstance(rows, dict) or not all(map(_ROW.fullmatch, rows)):
            raise self.error("rows", 'needs rows = { S42 = "the value that it brought" }')
        for row, value in rows.items():
            if value not in values:
                raise self.error(
                    "rows", f'has row {row} bring "{value}"; give it one of {", ".join(sorted(map(str, values)))}'
                )
        return rows

    def _text(self, entry: Mapping[str, Any], key: str) -> str:
        value = entry.get(key, "")
        if not isinstance(value, str) or (value and "list" not in entry):
            raise self.error(key, f'needs {key} = "...", beside list, or no {key} at all')
        return value

    def _texts(self, entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = entry.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise self.error(key, f'needs {key} = ["...", ...], each in quotation marks')
        return tuple(value)

    def _wordings(self, entries: Any) -> list[Wording]:
        if not isinstance(entries, dict) or not entries:
            raise self.error("wordings", 'needs lines of "words of the rule" = "value" under its wordings')
        found = []
        for words, value in entries.items():
            stretches = pieces(words)
            if not stretches or not isinstance(value, str) or not value:
                raise self.error(words, f'needs a value in quotation marks after "{words}"')
            found.append(Wording(words, stretches, None if value == NOT_SAID else value))
        return found

    def error(self, key: str, what: str) -> DataError:
        """An error at the line of ``key``, or at that of the name of the switch."""
        lines = self.table.text.splitlines()
        at = (n for n, line in enumerate(lines) if key and re.match(rf"\s*\[?[\"']?{re.escape(key)}", line))
        return DataError(f"{self.table.path}, line {self.table.first + next(at, 0)}: [{self.table.name}] {what}")
