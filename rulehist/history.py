"""A rule on a day: found by its number, term or address, with its words and how long it had them. Never writes."""

from __future__ import annotations

import re
import sqlite3
from typing import NamedTuple

from rulehist import numbers
from rulehist.dated_versions import IN_FORCE, NEWEST, Version, version_at, version_named
from rulehist.document import Coverage
from rulehist.errors import QueryError
from rulehist.folding import fold
from rulehist.gaps import between, named
from rulehist.releases import known_releases
from rulehist.when import When

COLUMNS = (
    "spans.id, rules.name, spans.kind, spans.number, spans.label, texts.published, spans.valid_from,"
    " spans.valid_until, spans.until_known, spans.coverage, spans.rule_id, texts.folded, spans.sort_key,"
    " versions.effective, versions.later_than"
)
TABLES = (
    "spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
    " JOIN versions ON versions.id = spans.first_version_id"
)
_PLACE_AT_THE_TIME = (
    "(SELECT placements.place FROM placements JOIN documents ON documents.id = placements.document_id"
    " WHERE documents.version_id = :version AND placements.rule_id = spans.rule_id LIMIT 1), spans.place"
)
"""SQL: the order in the version ``:version``; a span's own place is that in the first text that had it."""

_EXAMPLE_ADDRESS = re.compile(r"(?P<rule>\d{1,4}\.\d{1,4}[a-z]{0,3})\.?#(?P<which>\d{1,3})")


class RuleText(NamedTuple):
    """A rule as it stood: its words, and how long it had them under this number.

    ``rule`` is the identity of the rule. ``until`` is ``None`` while it is in force, or, with ``until_known``
    false, because nobody knows when it ended.
    """

    rule: str
    number: str
    kind: str
    text: str
    examples: tuple[str, ...]
    version: Version
    since: str | None
    until: str | None
    until_known: bool
    warnings: tuple[str, ...] = ()
    below: tuple[tuple[str, str], ...] = ()


def find(connection: sqlite3.Connection, subject: str, when: When) -> sqlite3.Row:
    """The span of a rule, section, glossary entry or example (``707.2#1``) at a moment.

    Raises ``QueryError`` saying what there is instead.
    """
    connection.row_factory = sqlite3.Row
    address = _EXAMPLE_ADDRESS.fullmatch(subject.strip())
    if address is not None:
        return _find_example(connection, address["rule"], int(address["which"]), when)
    lookup = lookup_form(subject)
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM {TABLES} WHERE spans.lookup = :lookup"
        f" AND spans.kind NOT IN ('example', 'continuation') AND {NEWEST if when.day is None else IN_FORCE}"
        " ORDER BY versions.sort_key DESC, spans.place",
        {"lookup": lookup, "day": when.day},
    ).fetchall()
    if not rows:
        version_at(connection, when)
        raise QueryError(_not_there(connection, subject, lookup, when))
    row: sqlite3.Row = rows[0]
    return row


def _find_example(connection: sqlite3.Connection, number: str, which: int, when: When) -> sqlite3.Row:
    rule = find(connection, number, when)
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM {TABLES} WHERE spans.lookup = :lookup AND spans.kind = 'example'"
        f" AND {NEWEST if when.day is None else IN_FORCE} ORDER BY {_PLACE_AT_THE_TIME}",
        {
            "lookup": rule["number"],
            "day": when.day,
            "version": version_at(connection, when, rule_id=rule["rule_id"]).id,
        },
    ).fetchall()
    if 0 < which <= len(rows):
        row: sqlite3.Row = rows[which - 1]
        return row
    where = "in the newest version" if when.day is None else f"on {when.words}"
    has = f"{len(rows)} example{'s' if len(rows) != 1 else ''}" if rows else "no examples"
    raise QueryError(f"{number}#{which}: {number} has {has} {where}")


def lookup_form(subject: str) -> str:
    """The form that queries go by: a normalized rule number, or a folded glossary term without regard to case."""
    if numbers.parse(subject) is not None:
        return subject.strip().rstrip(".")
    return fold(subject).casefold()


def _not_there(connection: sqlite3.Connection, subject: str, lookup: str, when: When) -> str:
    known = connection.execute(
        "SELECT min(valid_from), max(valid_from IS NULL), max(coalesce(valid_until, '9999')) FROM spans"
        " WHERE lookup = ? AND kind NOT IN ('example', 'continuation')",
        [lookup],
    ).fetchone()
    where = "in the newest version" if when.day is None else f"on {when.words}"
    what = "rule" if numbers.parse(subject) is not None else "glossary entry or rule"
    if known[0] is not None or known[1]:
        until = "" if known[2] == "9999" else f" until {known[2]}"
        return f"{subject}: no such {what} {where}; the store knows one from {known[0] or 'an unknown date'}{until}"
    near = _near(connection, lookup)
    hint = f"; near it are {', '.join(near)}" if near else "; list what there is with: rulehist versions"
    return f"{subject}: no such {what} {where} or at any other time in the store{hint}"


def _near(connection: sqlite3.Connection, lookup: str) -> list[str]:
    from difflib import get_close_matches

    known = [row[0] for row in connection.execute("SELECT DISTINCT lookup FROM spans")]
    section = lookup.split(".", maxsplit=1)[0]
    if numbers.parse(lookup) is not None:
        known = [other for other in known if other.startswith(section)] or known
    return get_close_matches(lookup, known, 3, 0.6)


def show(connection: sqlite3.Connection, subject: str, when: When) -> RuleText:
    """A rule, section or glossary entry as it stood, with its examples. Raises ``QueryError``."""
    row = find(connection, subject, when)
    version = version_at(connection, when, rule_id=row["rule_id"])
    if row["effective"] is None:
        version = version_named(0, None, row["coverage"], "", row["later_than"])
    day = when.day or row["valid_from"]
    paragraphs, examples = _belonging(connection, row, when, version)
    number = subject.strip() if row["kind"] == "example" else row["number"]
    return RuleText(
        row["name"], number, row["kind"], paragraphs, examples, version,
        *_in_force(connection, row), tuple(_warnings(connection, row, version, when, day)),
        _below(connection, row, when),
    )  # fmt: skip


def _belonging(
    connection: sqlite3.Connection, row: sqlite3.Row, when: When, version: Version
) -> tuple[str, tuple[str, ...]]:
    """The whole text with the paragraphs with which it goes on, and its examples, in their order in the version."""
    text = row["published"]
    if row["kind"] not in {"rule", "subrule"}:
        return text, ()
    condition = IN_FORCE if when.day else NEWEST
    found = connection.execute(
        f"SELECT spans.kind AS kind, texts.published AS published FROM {TABLES}"
        f" WHERE spans.lookup = :lookup AND spans.kind IN ('example', 'continuation') AND {condition}"
        f" ORDER BY {_PLACE_AT_THE_TIME}",
        {"lookup": row["number"], "day": when.day, "version": version.id},
    ).fetchall()
    more = [other["published"] for other in found if other["kind"] == "continuation"]
    return "\n\n".join([text, *more]), tuple(other["published"] for other in found if other["kind"] == "example")


def _in_force(connection: sqlite3.Connection, row: sqlite3.Row) -> tuple[str | None, str | None, bool]:
    """Since when and until when the rule had these words and this number, typography apart."""
    spans = connection.execute(
        "SELECT spans.id, spans.number, spans.valid_from, spans.valid_until, spans.until_known, texts.folded"
        " FROM spans JOIN texts ON texts.id = spans.text_id WHERE spans.rule_id = ?"
        " ORDER BY spans.valid_from IS NULL, spans.valid_from",
        [row["rule_id"]],
    ).fetchall()
    at = next(index for index, span in enumerate(spans) if span["id"] == row["id"])
    same = (row["number"], row["folded"])
    first = last = at
    while first > 0 and (spans[first - 1]["number"], spans[first - 1]["folded"]) == same and (
        spans[first - 1]["valid_until"] == spans[first]["valid_from"]
    ):  # fmt: skip
        first -= 1
    while last + 1 < len(spans) and (spans[last + 1]["number"], spans[last + 1]["folded"]) == same and (
        spans[last]["valid_until"] == spans[last + 1]["valid_from"]
    ):  # fmt: skip
        last += 1
    return spans[first]["valid_from"], spans[last]["valid_until"], bool(spans[last]["until_known"])


def _below(connection: sqlite3.Connection, row: sqlite3.Row, when: When) -> tuple[tuple[str, str], ...]:
    """The rules of a section, in order."""
    if row["kind"] != "section":
        return ()
    condition = IN_FORCE if when.day else NEWEST
    below = connection.execute(
        f"SELECT spans.number AS number, texts.published AS published FROM {TABLES} WHERE spans.sort_key > :low"
        f" AND spans.sort_key < :high AND spans.kind IN ('section', 'rule', 'subrule') AND {condition}"
        " ORDER BY spans.sort_key, spans.place",
        {"low": row["sort_key"], "high": _end_of_section(row["number"]), "day": when.day},
    )
    return tuple((other["number"], other["published"]) for other in below)


def _end_of_section(number: str) -> str:
    key = numbers.sort_key(number)
    return key.split(".")[0] + ".~" if len(number) < 3 else key + ".~"


def _warnings(
    connection: sqlite3.Connection, row: sqlite3.Row, version: Version, when: When, day: str | None
) -> list[str]:
    warnings = [when.note] if when.note else []
    if version.effective is None or day is None:
        return warnings
    texts = {
        effective
        for (effective,) in connection.execute(
            "SELECT DISTINCT versions.effective FROM versions JOIN documents ON documents.version_id = versions.id"
            " WHERE versions.effective IS NOT NULL AND (documents.coverage = 'full' OR EXISTS (SELECT 1 FROM placements"
            " WHERE placements.document_id = documents.id AND placements.rule_id = ?))",
            [row["rule_id"]],
        )
    }
    asked = when.day or known_releases()[-1].effective
    missing = between(known_releases(), texts, version.effective, asked)
    if missing:
        warnings.append(
            f"no text of the rules of {named(missing)} is in the store: the rule may have changed meanwhile"
        )
    undated = connection.execute(
        "SELECT 1 FROM spans WHERE rule_id = ? AND valid_from IS NULL", [row["rule_id"]]
    ).fetchone()
    if undated and row["valid_until"] is None:
        warnings.append("a later text of unknown date is in the store: it may have been in force already")
    return [*warnings, *_undated_repeats(connection, row)]


def _undated_repeats(connection: sqlite3.Connection, row: sqlite3.Row) -> list[str]:
    """Of a text in force: the undated quotations of just these words, which have their place by that."""
    if row["coverage"] != Coverage.FULL or row["valid_until"] is not None:
        return []
    sources = connection.execute(
        "SELECT DISTINCT sources.name FROM versions JOIN documents ON documents.version_id = versions.id"
        " JOIN sources ON sources.id = documents.source_id JOIN placements ON placements.document_id = documents.id"
        " JOIN parts ON parts.id = placements.part_id JOIN texts ON texts.id = parts.text_id"
        " WHERE versions.effective IS NULL AND documents.coverage = 'excerpt' AND placements.rule_id = ?"
        " AND texts.folded = ? ORDER BY sources.name",
        [row["rule_id"], row["folded"]],
    )
    since = _in_force(connection, row)[0]
    return [f"the undated text in {name} is this one, in force from {since} on" for (name,) in sources]
