"""The semantic switches: questions that the rules of a day answer, with the wordings that are understood.

They are in ``data/semantics/switches/*.toml``, one table a switch::

    [legend-rule]
    rows = ["S08", "S43"]                 # rows of the list of semantic changes that it covers
    question = "What becomes of ...?"
    rules = ["704.5j@2026-01-16"]         # the rule, by any NUMBER@DATE that it ever had
    about = ["legend rule"]               # only sentences with these words speak of it (all of them, where left out)
    conditions = ["unless"]               # words of condition that these sentences are known to have
    [legend-rule.wordings]                # words -> value; the first that stand in a sentence decide
    "the rest are put into" = "one player keeps one"

In place of wordings, ``list`` names a list of the rule on copiable values, or ``layers``: its items are the value.
With ``item`` too, the value is ``listed`` where the list has that item, else ``otherwise`` (``not said`` where it is
left out).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from rulehist.engine.wording import pieces
from rulehist.errors import DataError
from rulehist.resources import data_folder

FOLDER: Final = "semantics/switches"
NOT_SAID: Final = "not said"
"""In a data file, the value of words that leave the question open."""

LISTS: Final = ("basis", "characteristics", "choices", "modifiers", "not copied", "layers")
_KEYS: Final = ("question", "rules", "rows", "about", "conditions", "wordings", "list", "item", "listed", "otherwise")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}[a-z]{0,2})?@\d{4}-\d{2}-\d{2}")
_ROW = re.compile(r"S\d{2,3}")


@dataclass(frozen=True, slots=True)
class Wording:
    """Words that are understood, and the value that they give; ``None``: they leave the question open."""

    words: str
    stretches: tuple[str, ...]
    value: str | None


@dataclass(frozen=True, slots=True)
class Switch:
    """One question to the rules. ``about`` holds stretches of words, as ``Wording.stretches`` does."""

    name: str
    question: str
    rules: tuple[str, ...]
    rows: tuple[str, ...]
    about: tuple[tuple[str, ...], ...]
    conditions: frozenset[str]
    wordings: tuple[Wording, ...]
    list_of: str
    item: str
    listed: str
    otherwise: str | None
    file: str


@cache
def switches() -> Mapping[str, Switch]:
    """Every switch by its name, in the order of the files. Raises ``DataError`` naming file, line and remedy."""
    folder = data_folder() / FOLDER
    found: dict[str, Switch] = {}
    for path in sorted(folder.glob("*.toml")):
        for switch in read_switches(path):
            if switch.name in found:
                first = found[switch.name].file
                raise _File(path).error(switch.name, "", f"stands in {first} too; give one of them another name")
            found[switch.name] = switch
    if not found:
        raise DataError(f"{folder}: has no files with switches; restore them from the release")
    return found


def read_switches(path: Path) -> list[Switch]:
    """The switches of one file. Raises ``DataError`` naming file, line and remedy."""
    return _File(path).switches()


class _File:
    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise DataError(f"{path}: cannot be read ({error}); restore the file from the release") from error

    def switches(self) -> list[Switch]:
        try:
            data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise DataError(f"{self.path}: is no TOML: {error}; mend that line") from error
        return [self._switch(name, entry) for name, entry in data.items()]

    def _switch(self, name: str, entry: Any) -> Switch:
        if not isinstance(entry, dict) or not _NAME.fullmatch(name):
            raise self.error(name, "", "is no switch; write [name-of-the-switch] before its keys")
        for key in entry:
            if key not in _KEYS:
                raise self.error(name, key, f'has the key "{key}"; use {", ".join(_KEYS)}')
        question = entry.get("question")
        if not isinstance(question, str) or not question.endswith("?"):
            raise self.error(name, "question", 'needs a question = "...?"')
        rules = self._texts(name, entry, "rules")
        if not rules or not all(map(_ADDRESS.fullmatch, rules)):
            raise self.error(name, "rules", 'needs rules = ["NUMBER@DATE", ...], as in "707.2@2021-07-23"')
        rows = self._texts(name, entry, "rows")
        if not all(map(_ROW.fullmatch, rows)):
            raise self.error(name, "rows", 'needs rows like "S42"')
        if ("wordings" in entry) == ("list" in entry):
            raise self.error(name, "", f"needs either a table [{name}.wordings] or list = one of {', '.join(LISTS)}")
        if "list" in entry and entry["list"] not in LISTS:
            raise self.error(name, "list", f"needs list = one of {', '.join(LISTS)}")
        if ("item" in entry) != ("listed" in entry):
            raise self.error(name, "item", 'needs both item = "..." and listed = "the value where the list has it"')
        return Switch(
            name,
            question,
            rules,
            rows,
            tuple(pieces(words) for words in self._texts(name, entry, "about")),
            frozenset(self._texts(name, entry, "conditions")),
            tuple(self._wordings(name, entry["wordings"])) if "wordings" in entry else (),
            entry.get("list", ""),
            self._text(name, entry, "item"),
            self._text(name, entry, "listed"),
            self._text(name, entry, "otherwise") or None,
            f"{FOLDER}/{self.path.name}",
        )

    def _text(self, name: str, entry: Mapping[str, Any], key: str) -> str:
        value = entry.get(key, "")
        if not isinstance(value, str) or (value and "list" not in entry):
            raise self.error(name, key, f'needs {key} = "...", beside list, or no {key} at all')
        return value

    def _texts(self, name: str, entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = entry.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise self.error(name, key, f'needs {key} = ["...", ...], each in quotation marks')
        return tuple(value)

    def _wordings(self, name: str, entries: Any) -> list[Wording]:
        if not isinstance(entries, dict) or not entries:
            raise self.error(name, "wordings", 'needs lines of "words of the rule" = "value" under its wordings')
        found = []
        for words, value in entries.items():
            stretches = pieces(words)
            if not stretches or not isinstance(value, str) or not value:
                raise self.error(name, words, f'needs a value in quotation marks after "{words}"')
            found.append(Wording(words, stretches, None if value == NOT_SAID else value))
        return found

    def error(self, name: str, key: str, what: str) -> DataError:
        """An error at the line of ``key`` in the table ``name``, or at that of the table."""
        lines = self.text.splitlines()
        table = next((n for n, line in enumerate(lines) if re.match(rf"\s*\[?{re.escape(name)}\b", line)), 0)
        below = (n for n in range(table, len(lines)) if key and re.match(rf"\s*\[?[\"']?{re.escape(key)}", lines[n]))
        return DataError(f"{self.path}, line {next(below, table) + 1}: [{name}] {what}")
