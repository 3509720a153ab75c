"""Writes what the engine reads in each version, from when until when: see ``kept_readings``.

It follows from the texts in the store and the files of ``data/semantics``, and is made anew after each ingest.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rulehist.dated_versions import IN_FORCE
from rulehist.engine.rules import RuleText
from rulehist.engine.said import FACE_DOWN_RULE, CopyingClauses, Reading, Refusal
from rulehist.engine.semantics import Semantics, compile_semantics
from rulehist.engine.switches import names
from rulehist.engine.text_reading import switch_addresses
from rulehist.errors import DataError
from rulehist.kept_readings import deciding_files, lists_of, written_tables
from rulehist.rules_through_time import RulesThroughTime

Said = TypeVar("Said", Reading, CopyingClauses)


def build_readings(connection: sqlite3.Connection) -> None:
    """Write ``readings``, ``copying_clauses`` and ``reading_files``.

    What cannot be read is not kept, nor anything while a file of ``data/semantics`` is malformed: whoever asks is told.
    """
    for table in ("readings", "copying_clauses", "reading_files"):
        connection.execute(f"DELETE FROM {table}")
    try:
        versions = [compile_semantics(rules) for rules in RulesThroughTime(connection, switch_addresses())]
        for name in names():
            for said, since, until in _through_time([(each.rules.label, each.read(name)) for each in versions]):
                _write_switch(connection, said, since, until)
        for said, since, until in _through_time([(each.rules.label, _face_down(each)) for each in versions]):
            _write_switch(connection, said, since, until)
        for clauses, since, until in _through_time([(each.rules.label, each.copying) for each in versions]):
            _write_copying(connection, clauses, since, until)
    except DataError:
        return  # with no files, no reading counts
    files = deciding_files()
    kept = [*files, *written_tables(connection)] if files else []
    connection.executemany("INSERT INTO reading_files(file, bytes, crc32) VALUES (?, ?, ?)", kept)


def _face_down(semantics: Semantics) -> Reading | Refusal:
    """The rule on face-down objects as a reading, which has no value but the rule itself."""
    rule = semantics.face_down()
    if rule is None:
        return Refusal("it is not known")
    return Reading(FACE_DOWN_RULE, None, rule.rule, rule.number, rule.version, "", rule)


def _through_time(versions: Sequence[tuple[str, Said | Refusal]]) -> Iterator[tuple[Said, str, str | None]]:
    """What was read, with the days from which and until which it holds (``None``: it still does).

    ``versions`` have their days, oldest first. What could not be read is left out.
    """
    held: tuple[Said, str] | None = None
    for day, said in versions:
        if held is not None and not isinstance(said, Refusal) and _alike(held[0]) == _alike(said):
            continue
        if held is not None:
            yield held[0], held[1], day
        held = None if isinstance(said, Refusal) else (said, day)
    if held is not None:
        yield held[0], held[1], None


def _alike(said: Reading | CopyingClauses) -> object:
    """What two readings have in common that are kept as one: all but the version, and the rule's number in it."""
    if isinstance(said, CopyingClauses):
        return said.rule.rule, said.rule.text, lists_of(said)
    return said.value, said.rule, said.quote, said.text and said.text.text


def _write_switch(connection: sqlite3.Connection, said: Reading, since: str, until: str | None) -> None:
    ids = (None, None) if said.text is None else _ids(connection, said.text, since)
    if ids is None:
        return
    value = "\n".join(said.value) if isinstance(said.value, tuple) else said.value
    connection.execute(
        "INSERT INTO readings(switch, valid_from, valid_until, value, is_list, rule_id, text_id, quote)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [said.switch, since, until, value, isinstance(said.value, tuple), *ids, said.quote],
    )


def _write_copying(connection: sqlite3.Connection, said: CopyingClauses, since: str, until: str | None) -> None:
    ids = _ids(connection, said.rule, since)
    if ids is None:
        return
    items = [(name, item, clause) for name, items in lists_of(said).items() for item, clause in items.items()]
    connection.executemany(
        "INSERT INTO copying_clauses(valid_from, valid_until, place, rule_id, text_id, list, item, clause)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(since, until, place, *ids, *row) for place, row in enumerate(items)],
    )


def _ids(connection: sqlite3.Connection, rule: RuleText, day: str) -> tuple[int, int] | None:
    """The rows of a rule and of its text, as they stood on a day."""
    found: tuple[int, int] | None = connection.execute(
        "SELECT spans.rule_id, spans.text_id FROM spans JOIN rules ON rules.id = spans.rule_id"
        " JOIN texts ON texts.id = spans.text_id"
        f" WHERE rules.name = :rule AND texts.published = :text AND {IN_FORCE}",
        {"rule": rule.rule, "text": rule.text, "day": day},
    ).fetchone()
    return found
