"""The ways in which people cite rules by number: ``data/citations.toml`` and a project's own configuration.

The patterns are data, and read here into regular expressions; ``citations`` finds with them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from rulehist.errors import DataError
from rulehist.resources import data_folder

CONFIGURATIONS = (".rulehist.toml", "pyproject.toml")
"""Files in which a project says how it cites, the first found counts; in the second under ``[tool.rulehist.cite]``."""

_SECTIONS = ("always", "beside others", "never")
_OWN_KEYS = frozenset({"lead", "find", "keyed", "not_a_citation", "files", "baseline", "record", "largest"})


@dataclass(frozen=True, slots=True)
class Lead:
    """Words before a number that make it a citation. ``sections``: what a section alone counts for."""

    words: tuple[str, ...]
    short: bool = False
    sections: str = "never"


@dataclass(frozen=True, slots=True)
class Find:
    """A project's own way of writing: a pattern with groups ``section``, ``rule`` and perhaps ``letters``."""

    name: str
    pattern: re.Pattern[str]
    files: tuple[str, ...] = ()
    move: bool = False


@dataclass(frozen=True, slots=True)
class Patterns:
    """All that says what a citation is, and which files hold some. ``folder`` is that of the configuration."""

    leads: tuple[Lead, ...]
    finds: tuple[Find, ...] = ()
    keys: tuple[str, ...] = ()
    keyed_files: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    baseline: str = ".rulehist-baseline.json"
    record: str = ".rulehist-moved.json"
    largest: int | None = None
    folder: Path | None = field(default=None, compare=False)


@cache
def default_patterns() -> Patterns:
    """The patterns that ship with the program. Raises ``DataError`` naming the file and the remedy."""
    path = data_folder() / "citations.toml"
    return _joined(Patterns(()), _table(path), str(path))


def project_patterns(start: Path) -> Patterns:
    """The patterns for a tree: those that ship, and those of the first configuration at ``start`` or above it.

    Raises ``DataError`` where the configuration is malformed.
    """
    folder = start.resolve() if start.is_dir() else start.resolve().parent
    for above in (folder, *folder.parents):
        for name in CONFIGURATIONS:
            path = above / name
            if not path.is_file():
                continue
            table = _table(path)
            if name == "pyproject.toml":
                tool = table.get("tool", {})
                if "cite" not in tool.get("rulehist", {}):
                    continue
                table = tool["rulehist"]["cite"]
            elif "cite" in table and not _OWN_KEYS & table.keys():
                table = table["cite"]
            return replace(_joined(default_patterns(), table, str(path)), folder=above)
        if (above / ".git").exists():
            break
    return default_patterns()


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); restore the file") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8 text; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path}: is not TOML ({error}); mend it there") from error


def _joined(base: Patterns, table: Mapping[str, Any], where: str) -> Patterns:
    """``base`` with what ``table`` adds; lists grow, single values are replaced."""
    _only(table, _OWN_KEYS, where, "the top")
    keyed = _sub_table(table, "keyed", {"keys", "files"}, where)
    not_one = _sub_table(table, "not_a_citation", {"after", "before"}, where)
    files = _sub_table(table, "files", {"skip", "tests", "code"}, where)
    return replace(
        base,
        leads=(*base.leads, *(_lead(each, where) for each in _tables(table, "lead", where))),
        finds=(*base.finds, *(_find(each, where) for each in _tables(table, "find", where))),
        keys=(*base.keys, *_words(keyed, "keys", where)),
        keyed_files=(*base.keyed_files, *_words(keyed, "files", where)),
        after=(*base.after, *_words(not_one, "after", where)),
        before=(*base.before, *_words(not_one, "before", where)),
        skip=(*base.skip, *_words(files, "skip", where)),
        tests=(*base.tests, *_words(files, "tests", where)),
        code=(*base.code, *_words(files, "code", where)),
        baseline=_value(table, "baseline", str, base.baseline, where),
        record=_value(table, "record", str, base.record, where),
        largest=_value(table, "largest", int, base.largest, where),
    )


def _lead(table: Mapping[str, Any], where: str) -> Lead:
    _only(table, {"words", "short", "sections"}, where, "a [[lead]]")
    words = _words(table, "words", where)
    sections = _value(table, "sections", str, "never", where)
    if not words or not all(word.strip() for word in words):
        raise DataError(f'{where}: a [[lead]] has no words; give some, as in words = ["CR"]')
    if sections not in _SECTIONS:
        raise DataError(f"{where}: sections = {sections!r} in a [[lead]] must be one of {', '.join(_SECTIONS)}")
    return Lead(words, _value(table, "short", bool, False, where), sections)


def _find(table: Mapping[str, Any], where: str) -> Find:
    _only(table, {"name", "pattern", "files", "move"}, where, "a [[find]]")
    written = _value(table, "pattern", str, "", where)
    try:
        pattern = re.compile(written)
    except re.error as error:
        raise DataError(f"{where}: the pattern {written!r} is no regular expression ({error}); mend it") from error
    if not {"section", "rule"} <= pattern.groupindex.keys() or pattern.match("") is not None:
        raise DataError(f"{where}: the pattern {written!r} needs groups (?P<section>...) and (?P<rule>...)")
    return Find(
        _value(table, "name", str, "own pattern", where),
        pattern,
        _words(table, "files", where),
        _value(table, "move", bool, False, where),
    )


def _only(table: Mapping[str, Any], known: Iterable[str], where: str, place: str) -> None:
    unknown = sorted(table.keys() - set(known))
    if unknown:
        raise DataError(f"{where}: unknown key {unknown[0]!r} in {place}; known are {', '.join(sorted(known))}")


def _tables(table: Mapping[str, Any], key: str, where: str) -> list[Mapping[str, Any]]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise DataError(f"{where}: {key} must be a list of tables; write [[{key}]] above each")
    return found


def _sub_table(table: Mapping[str, Any], key: str, known: set[str], where: str) -> Mapping[str, Any]:
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise DataError(f"{where}: {key} must be a table; write [{key}] above it")
    _only(found, known, where, f"[{key}]")
    return found


def _words(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise DataError(f'{where}: {key} must be a list of texts, as in {key} = ["..."]')
    return tuple(found)


def _value(table: Mapping[str, Any], key: str, kind: type, default: Any, where: str) -> Any:
    found = table.get(key, default)
    if found is not default and type(found) is not kind:
        raise DataError(f"{where}: {key} = {found!r} must be of type {kind.__name__}")
    return found


BLANK = r"(?:[^\S\r\n]|&nbsp;|&\#160;|&\#xa0;)"
WRAP = r"(?:\r?\n|\r)[^\S\r\n]*(?:(?://[/!]?|\#+|\*+|--|;+|%|>)[^\S\r\n]*)?"
"""A line break within a comment or paragraph: the citation goes on after the next comment marker."""

_TAG = r"<[^<>\n]{0,200}>"
_GLUE = rf"(?:{BLANK}|{WRAP}|{_TAG}|\*\*|`|(?<=\s)\#|(?<=\s)[\[(]|(?<=\w)_(?=\s)|(?<=\s)_)"
_SHORT_GLUE = rf"(?:{_GLUE}|[\#:|\[])"


def lead_pattern(patterns: Patterns) -> re.Pattern[str]:
    """Matches, at the end of what stands before a number, the lead that makes it a citation.

    The group that took part tells which lead: ``lead0``, ``lead1`` ...
    """
    ways = [
        rf"(?P<lead{index}>{_alternatives(lead.words)}{_SHORT_GLUE if lead.short else _GLUE}"
        rf"{'{0,8}' if lead.short else '{1,8}'})"
        for index, lead in enumerate(patterns.leads)
    ]
    return re.compile(rf"(?<![\w.])(?:{'|'.join(ways)})\Z", re.IGNORECASE)


def after_pattern(patterns: Patterns) -> re.Pattern[str]:
    """Matches, at the end of what stands before a lead, a word that makes it no citation of these rules."""
    return _ending(patterns.after)


def before_pattern(patterns: Patterns) -> re.Pattern[str]:
    """Matches, directly after a number, what makes it an amount."""
    if not patterns.before:
        return re.compile(r"(?!)")
    units = [re.escape(unit) + (r"(?!\w)" if unit[-1].isalnum() else "") for unit in patterns.before]
    return re.compile(rf"\s?(?:{'|'.join(units)})")


def keyed_pattern(patterns: Patterns) -> re.Pattern[str]:
    """Matches, at the end of what stands before a number, a key of a data file; group ``quote`` where it is quoted."""
    if not patterns.keys:
        return re.compile(r"(?!)")
    return re.compile(
        rf"(?<![\w.])(?P<key>[\"']?{_alternatives(patterns.keys)}[\"']?\s*[:=]\s*(?:\[\s*)?(?P<quote>[\"'])?)\Z",
        re.IGNORECASE,
    )


def _ending(words: Sequence[str]) -> re.Pattern[str]:
    if not words:
        return re.compile(r"(?!)")
    return re.compile(rf"(?<!\w){_alternatives(words)}\s+\Z", re.IGNORECASE)


def _alternatives(words: Sequence[str]) -> str:
    """Any of the words, the longest first; a blank in them is any blank."""
    ordered = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(rf"{BLANK}+".join(map(re.escape, word.split())) for word in ordered) + ")"
