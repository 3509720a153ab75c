"""Words through time: which rules have them, and when they had them. Reads, never writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from rulehist import numbers
from rulehist.dated_versions import version_at
from rulehist.document import PartKind
from rulehist.folding import fold
from rulehist.history import COLUMNS, TABLES
from rulehist.phrases import Phrase
from rulehist.when import When


class Found(NamedTuple):
    """A rule whose text has the words that were searched, and when it had them."""

    rule: str
    number: str
    kind: str
    text: str
    since: str | None
    until: str | None
    until_known: bool = True


def search(connection: sqlite3.Connection, words: str, when: When | None) -> list[Found]:
    """What has these words in a row (see ``phrases``), at a moment, or with ``None`` at any time.

    A rule has them in its text, a glossary entry in its text or its term; a term marked as obsolete is no longer used.
    In order of numbers; a rule that lost the words and got them back is there once for each time. ``since`` and
    ``until`` say when a rule had the words, through whatever else of it changed meanwhile, and ``text`` is that of the
    moment, or the last one with the words. Raises ``QueryError`` for words without a letter or digit.
    """
    connection.row_factory = sqlite3.Row
    phrase = Phrase(words)
    if when is not None and when.day is not None:
        version_at(connection, when)
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM {TABLES}"
        " WHERE spans.text_id IN (SELECT rowid FROM texts_search WHERE texts_search MATCH :phrase)"
        " OR (spans.kind = :glossary AND spans.lookup LIKE :word)"
        " ORDER BY spans.rule_id, spans.valid_from IS NULL, spans.valid_from, spans.place",
        {"phrase": phrase.match, "glossary": PartKind.GLOSSARY.value, "word": f"%{phrase.longest}%"},
    )
    runs = _runs([row for row in rows if _has(row, phrase)])
    found = [entry for run in runs if (entry := _at(run, when)) is not None]
    return sorted(found, key=lambda entry: (numbers.sort_key(entry.number), entry.rule, entry.since or "~"))


def _has(row: sqlite3.Row, phrase: Phrase) -> bool:
    if phrase.is_in(row["folded"]):
        return True
    term = fold(row["number"]) if row["kind"] == PartKind.GLOSSARY else ""
    return "(obsolete)" not in term.lower() and phrase.is_in(term)


def _runs(rows: Sequence[sqlite3.Row]) -> list[list[sqlite3.Row]]:
    """Spans of one rule that follow each other without a break, together."""
    runs: list[list[sqlite3.Row]] = []
    for row in rows:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and last["rule_id"] == row["rule_id"]
            and last["valid_until"] == row["valid_from"]
            and (row["valid_from"] is not None or not last["until_known"])
        ):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _at(run: Sequence[sqlite3.Row], when: When | None) -> Found | None:
    """What a run is to somebody who asks about a moment, or with ``None`` about any time."""
    if when is None:
        row = run[-1]
    elif when.day is None:
        row = run[-1]
        if row["valid_until"] is not None or not row["until_known"]:
            return None
    else:
        day = when.day
        then = [r for r in run if r["valid_from"] is not None and r["valid_from"] <= day]
        if not then or (then[-1]["valid_until"] is not None and then[-1]["valid_until"] <= day):
            return None
        row = then[-1]
    since, until = run[0]["valid_from"], run[-1]["valid_until"]
    return Found(row["name"], row["number"], row["kind"], row["published"], since, until, bool(run[-1]["until_known"]))
