"""The rule on copiable values, read clause by clause as it stood in a version.

Nothing here knows a date or a version. ``data/semantics/copiable-values.toml`` holds the phrases; the grammar is:
what the copy acquires (a list), for an object on the stack its choices (a list), what copiable values start from and
what modifies them (a list), and what is not copied (a list). A further item of such a list is read as one more thing of
its kind; anything else that is not known is an ``UnreadClause``, which quotes it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from rulehist.engine.rules import RuleText
from rulehist.engine.said import CopyingClauses
from rulehist.engine.wording import published, sentences
from rulehist.errors import DataError
from rulehist.folding import fold
from rulehist.resources import data_folder
from rulehist.thresholds import CHOICE_WORDS, CLAUSE_ITEM_WORDS

FILE: Final = "semantics/copiable-values.toml"
_TABLES: Final = (
    "characteristics",
    "basis",
    "modifiers",
    "abilities",
    "abilities_set",
    "choices",
    "not_copied",
    "whole_sentences",
)
_QUOTED_ABILITIES = re.compile(
    r'(?P<quoted>"[^"]+"(?:(?:, (?:and |or )?| and | or )"[^"]+")*) abilities'
    r"(?: that set (?P<set>[a-z -]+?)(?= \(|,|$| and by ))?"
    r"(?: \(and may also set additional characteristics\))?"
)
_JOINS = re.compile(r",? and/or |,? and |, or |, ")
_MADE = "(?:playing|casting|activating)"
_CONDITION = re.compile(r"\b(?:other than|except|unless|not|no|only|if|but|instead|without|unlike|cannot|can't)\b")


class UnreadClause(Exception):  # noqa: N818 - it is no error of the program's: the rules say something new
    """A clause of the rule that no entry of the data file reads; carries its words."""

    def __init__(self, clause: str, rule: RuleText) -> None:
        super().__init__(f'rule {rule.number} of {rule.version} says "{clause}", which no entry of data/{FILE} reads')
        self.clause = clause
        self.rule = rule


@cache
def vocabulary() -> Mapping[str, Any]:
    """The phrases of ``data/semantics/copiable-values.toml``.

    Raises ``DataError`` for a table that is missing or unknown, or a phrase whose value is no text.
    """
    path = data_folder() / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error}); mend or restore the file") from error
    expected = {"question", "rule", "words", "aside", "face_down", *_TABLES}
    if wrong := set(data) ^ expected:
        raise DataError(
            f"{path}: has or lacks {', '.join(sorted(wrong))}; it has exactly {', '.join(sorted(expected))}"
        )
    for table in _TABLES:
        entries = data[table]["items"] if table == "characteristics" else data[table]
        for phrase, value in entries.items():
            if not isinstance(value, str):
                raise DataError(f'{path}: [{table}] "{phrase}" must have a text in quotation marks as its value')
    return data


def _folded(table: Mapping[str, str]) -> dict[str, str]:
    return {fold(phrase).lower(): value for phrase, value in table.items()}


def read_clauses(rule: RuleText) -> CopyingClauses:
    """Read the text of the rule on copiable values. Raises ``UnreadClause``."""
    return _Reader(rule).read()


class _Reader:
    def __init__(self, rule: RuleText) -> None:
        data = vocabulary()
        self.rule = rule
        self.begins = [fold(phrase).lower() for phrase in data["characteristics"]["begins"]]
        self.items = _folded(data["characteristics"]["items"])
        self.tables = {table: _folded(data[table]) for table in _TABLES if table != "characteristics"}
        self.aside = [fold(phrase).lower() for phrase in data["aside"]]
        self.subject = ""
        self.characteristics: dict[str, str] = {}
        self.basis, self.basis_clause = "", ""
        self.modifiers: dict[str, str] = {}
        self.must_set = "characteristics"
        self.choices: dict[str, str] = {}
        self.not_copied: dict[str, str] = {}

    def read(self) -> CopyingClauses:
        for sentence in sentences(self.rule.text):
            self._sentence(sentence)
        if not self.characteristics or not self.not_copied:
            raise UnreadClause(fold(self.rule.text), self.rule)
        return CopyingClauses(
            self.rule,
            self.subject,
            self.characteristics,
            self.basis,
            self.basis_clause,
            self.modifiers,
            self.must_set,
            self.choices,
            self.not_copied,
        )

    def _unread(self, clause: str) -> UnreadClause:
        return UnreadClause(published(clause, self.rule.text), self.rule)

    def _sentence(self, sentence: str) -> None:
        plain = sentence.lower().strip("() ").rstrip(".")
        for words, adds in self.tables["whole_sentences"].items():
            if words in plain:
                (self.modifiers if adds == "copy effects" else self.characteristics)[adds] = plain
                return
        opening = re.fullmatch(r"when copying an? ([\w -]+), (.*\bacquires .*)", plain)
        if opening:
            self.subject = opening[1]
            self._acquires(opening[2])
        elif plain.replace('"', "").startswith("the copiable values are the values "):
            self._values(plain.replace('"copiable values"', "copiable values").split(" are the values ", 1)[1])
        elif plain.endswith(" are not copied") and "acquire" not in plain:
            self._excluded(plain.removesuffix(" are not copied"))
        elif not any(plain.startswith(words) for words in self.aside):
            raise self._unread(plain)

    def _acquires(self, text: str) -> None:
        first, stack, choices = text.partition(" and, for an object on the stack, ")
        if first.startswith("the copy acquires the printed values of the "):
            listed = first.removeprefix("the copy acquires the printed values of the ")
            listed, of, _ = listed.partition(" of the permanent being copied")
            if not of:
                raise self._unread(first)
            self.basis, self.basis_clause = "printed", "the printed values"
            self._list_characteristics(listed)
        elif first in self.begins:
            pass  # the list stands in the sentence on copiable values
        else:
            inside = re.fullmatch(r"(.*?) \(([^()]*)\)", first)
            if inside is None or inside[1] not in self.begins:
                raise self._unread(first)
            self._list_characteristics(inside[2])
        if stack:
            inside = re.fullmatch(rf"choices made when {_MADE}(?:,? (?:or )?{_MADE})* it \(([^()]*)\)", choices)
            if inside is None:
                raise self._unread(choices)
            for item in _items(inside[1]):
                name = self.tables["choices"].get(item)
                if name is None and (_CONDITION.search(item) or len(item.split()) > CHOICE_WORDS):
                    raise self._unread(item)
                self.choices[name or item] = item

    def _list_characteristics(self, text: str) -> None:
        for item in _items(text):
            self.characteristics[self._item(item, self.items)] = text

    def _item(self, item: str, table: Mapping[str, str]) -> str:
        """What a list item names; an unknown short one is a thing of its own."""
        known = table.get(item) or table.get(item.removeprefix("the ").removeprefix("its "))
        if known is not None:
            return known
        if _CONDITION.search(item) or len(item.split()) > CLAUSE_ITEM_WORDS or not re.fullmatch(r"[a-z' -]+", item):
            raise self._unread(item)
        return item

    def _values(self, text: str) -> None:
        head, modified, rest = text.partition(", as modified by ")
        inside = re.fullmatch(r"(.*?) \(([^()]*)\)", head)
        basis = inside[1] if inside else head
        if basis not in self.tables["basis"]:
            raise self._unread(basis)
        self.basis, self.basis_clause = self.tables["basis"][basis], basis
        if inside:
            begin = next((words for words in self.begins if inside[2].startswith(words + " ")), None)
            if begin is None:
                raise self._unread(inside[2])
            self._list_characteristics(inside[2].removeprefix(begin + " "))
        if modified:
            rest = _QUOTED_ABILITIES.sub(self._quoted, rest.replace(", plus ", ", ")).strip(", ")
            for item in _items(rest):
                self._modifier(item)

    def _quoted(self, found: re.Match[str]) -> str:
        sets = found["set"] or ""
        if sets not in self.tables["abilities_set"]:
            raise self._unread(found[0])
        self.must_set = self.tables["abilities_set"][sets]
        for quoted in re.findall(r'"([^"]+)"', found["quoted"]):
            when = self.tables["abilities"].get(re.sub(r" *\.\.\. *", "...", quoted))
            if when is None:
                raise self._unread(quoted)
            self.modifiers[when] = found[0]
        return ""

    def _modifier(self, item: str) -> None:
        bare = re.sub(r"^(?:by|any|its|values set by|by any) (?=\S)|^(?:by|values set by)$", "", item)
        bare = re.sub(r"^(?:any|its) ", "", bare)
        if bare in ("", "any values set by", "values set by"):
            return  # it led to an ability in quotation marks, which is read already
        name = self.tables["modifiers"].get(bare)
        if name is None:
            raise self._unread(item)
        self.modifiers[name] = item

    def _excluded(self, text: str) -> None:
        for inside in re.findall(r"\(including ([^()]*)\)", text):
            for item in _items(inside):
                self.not_copied[self._item(item, self.tables["not_copied"])] = text
        for item in _items(re.sub(r" \(including [^()]*\)", "", text)):
            self.not_copied[self._item(item, self.tables["not_copied"])] = text


def _items(text: str) -> Iterable[str]:
    return [item.strip() for item in _JOINS.split(text) if item.strip()]
