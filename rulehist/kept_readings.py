"""What the engine read in each version when the texts came into the store: so that an answer need not read them again.

``readings_build`` writes it. A reading is taken only while every file that decided it (``data/semantics`` and the
modules that read) is what it was, while what is kept is what was written, and while the text in the store is the one
that was read: anything else, a store of an older program among it, is read anew from the text.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final
from zlib import crc32

from rulehist.dated_versions import IN_FORCE, Version
from rulehist.document import Coverage
from rulehist.engine.rules import RuleText
from rulehist.engine.said import CopyingClauses, Reading
from rulehist.resources import data_folder
from rulehist.when import When

READERS: Final = (
    "dated_versions.py",
    "engine/clauses.py",
    "engine/known_words.py",
    "engine/layers.py",
    "engine/readings.py",
    "engine/said.py",
    "engine/semantics.py",
    "engine/subtype_lists.py",
    "engine/switches.py",
    "engine/text_reading.py",
    "engine/wording.py",
    "folding.py",
    "kept_readings.py",
    "readings_build.py",
    "rules_at.py",
    "rules_through_time.py",
    "tables.py",
    "thresholds.py",
)
"""The modules that decide what a text is read as."""

_WRITTEN: Final = (
    ("readings", "switch, valid_from, valid_until, value, is_list, quote"),
    ("copying_clauses", "valid_from, valid_until, place, list, item, clause"),
)
"""The tables of what was read, with the columns that tell it apart from whatever else may be put there."""

SCHEMA_WITH_READINGS: Final = 3
_PACKAGE = Path(__file__).resolve().parent


def deciding_files() -> list[tuple[str, int, int]]:
    """The files of ``data/semantics`` and the modules that read, in order: name, size in bytes and CRC-32.

    None where one of them cannot be read, as in a program that is packed into one file.
    """
    semantics = data_folder() / "semantics"
    named = [(f"rulehist/{name}", _PACKAGE / name) for name in READERS]
    try:
        for name, folder in (("semantics", semantics), ("semantics/switches", semantics / "switches")):
            files = (path for path in folder.iterdir() if path.suffix in {".toml", ".tsv"})
            named += [(f"data/{name}/{path.name}", path) for path in files]
        contents = [(name, path.read_bytes()) for name, path in sorted(named)]
    except OSError:
        return []
    return [(name, len(content), crc32(content)) for name, content in contents]


def written_tables(connection: sqlite3.Connection) -> list[tuple[str, int, int]]:
    """What was read, as it stands in the store, as ``deciding_files`` gives files: by table, bytes and CRC-32."""
    found = []
    for table, columns in _WRITTEN:
        row = " || '|' || ".join(f"ifnull({column}, '~')" for column in columns.split(", "))
        (text,) = connection.execute(f"SELECT group_concat({row}, '|') FROM {table}").fetchone()
        content = str(text).encode()
        found.append((f"the table {table}", len(content), crc32(content)))
    return sorted(found)


def are_current(connection: sqlite3.Connection) -> bool:
    """Whether the store has readings as they were written, and every file that decides them is what it was."""
    if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_WITH_READINGS:
        return False
    kept = connection.execute("SELECT file, bytes, crc32 FROM reading_files ORDER BY file").fetchall()
    files = deciding_files()
    return bool(files) and [tuple(row) for row in kept] == [*files, *written_tables(connection)]


class KeptReadings:
    """The readings of one version, as they are kept."""

    def __init__(self, connection: sqlite3.Connection, day: str) -> None:
        self._connection = connection
        self._day = day

    @classmethod
    def of(cls, connection: sqlite3.Connection, version: Version, when: When) -> KeptReadings | None:
        """Those of the version in force at a moment; ``None`` where they are not kept, or may not hold.

        They are kept for whole texts with a date. Where a text without a date may be newer, the newest words need not
        be those of the newest date.
        """
        if version.effective is None or version.coverage is not Coverage.FULL or not are_current(connection):
            return None
        if when.day is None and connection.execute("SELECT 1 FROM versions WHERE effective IS NULL").fetchone():
            return None
        return cls(connection, version.effective)

    def switch(self, name: str) -> Reading | None:
        """What the version says on a switch; ``None``: nothing is kept."""
        row = self._connection.execute(
            "SELECT value, is_list, rule_id, text_id, quote FROM readings WHERE switch = :name"
            " AND valid_from <= :day AND (valid_until IS NULL OR valid_until > :day)",
            {"name": name, "day": self._day},
        ).fetchone()
        if row is None:
            return None
        value, is_list, rule_id, text_id, quote = row
        if is_list:
            value = tuple(value.split("\n")) if value else ()
        if rule_id is None:
            return Reading(name, value, "", "", self._day, "")
        text = self._text(rule_id, text_id)
        return None if text is None else Reading(name, value, text.rule, text.number, self._day, quote, text)

    def copying(self) -> CopyingClauses | None:
        """What the version says on copying; ``None``: nothing is kept."""
        rows = self._connection.execute(
            "SELECT rule_id, text_id, list, item, clause FROM copying_clauses"
            " WHERE valid_from <= :day AND (valid_until IS NULL OR valid_until > :day) ORDER BY place",
            {"day": self._day},
        ).fetchall()
        text = self._text(*rows[0][:2]) if rows else None
        if text is None:
            return None
        lists: dict[str, dict[str, str]] = {}
        for _, _, name, item, clause in rows:
            lists.setdefault(name, {})[item] = clause
        return clauses_of(text, lists)

    def _text(self, rule_id: int, text_id: int) -> RuleText | None:
        """A rule with that text, under its number in this version."""
        row = self._connection.execute(
            "SELECT rules.name, spans.number, texts.published FROM spans JOIN rules ON rules.id = spans.rule_id"
            " JOIN texts ON texts.id = spans.text_id WHERE spans.rule_id = :rule AND spans.text_id = :text"
            f" AND {IN_FORCE} ORDER BY spans.place LIMIT 1",
            {"rule": rule_id, "text": text_id, "day": self._day},
        ).fetchone()
        return row and RuleText(row[0], row[1], self._day, row[2])


def clauses_of(rule: RuleText, lists: dict[str, dict[str, str]]) -> CopyingClauses:
    """The clauses on copying out of their lists; ``subject``, ``basis`` and ``must set`` have one item each."""
    ((subject, _),) = lists["subject"].items()
    ((basis, basis_clause),) = lists["basis"].items()
    ((must_set, _),) = lists["must set"].items()
    return CopyingClauses(
        rule,
        subject,
        lists.get("characteristics", {}),
        basis,
        basis_clause,
        lists.get("modifiers", {}),
        must_set,
        lists.get("choices", {}),
        lists.get("not copied", {}),
    )


def lists_of(clauses: CopyingClauses) -> dict[str, dict[str, str]]:
    """The lists of clauses, as ``clauses_of`` takes them."""
    return {
        "subject": {clauses.subject: ""},
        "characteristics": dict(clauses.characteristics),
        "basis": {clauses.basis: clauses.basis_clause},
        "modifiers": dict(clauses.modifiers),
        "must set": {clauses.must_set: ""},
        "choices": dict(clauses.choices),
        "not copied": dict(clauses.not_copied),
    }
