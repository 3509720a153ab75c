"""Questions to the store: which versions there are, a rule on a day, words through time. Reads, never writes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from rulehist import numbers
from rulehist.document import Coverage, Document, Part, PartKind
from rulehist.errors import QueryError
from rulehist.folding import fold
from rulehist.gaps import between, named
from rulehist.phrases import Phrase
from rulehist.releases import known_releases, release_on
from rulehist.version_order import BASIS_FIRST
from rulehist.when import When

_COLUMNS = (
    "spans.id, rules.name, spans.kind, spans.number, spans.label, texts.published, spans.valid_from,"
    " spans.valid_until, spans.until_known, spans.coverage, spans.rule_id, texts.folded, spans.sort_key,"
    " versions.effective, versions.later_than"
)
_TABLES = (
    "spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
    " JOIN versions ON versions.id = spans.first_version_id"
)
IN_FORCE = "spans.valid_from <= :day AND (spans.valid_until IS NULL OR spans.valid_until > :day)"
"""SQL: the span was in force on the day ``:day``; what has no date never is."""

_PLACE_AT_THE_TIME = (
    "(SELECT placements.place FROM placements JOIN documents ON documents.id = placements.document_id"
    " WHERE documents.version_id = :version AND placements.rule_id = spans.rule_id LIMIT 1), spans.place"
)
"""SQL: the order in the version ``:version``; a span's own place is that in the first text that had it."""

_EXAMPLE_ADDRESS = re.compile(r"(?P<rule>\d{1,4}\.\d{1,4}[a-z]{0,3})\.?#(?P<which>\d{1,3})")

NEWEST = "spans.valid_until IS NULL AND spans.until_known = 1"
"""SQL: nothing newer than the span is known."""


class Version(NamedTuple):
    """A version of the rules. ``effective`` is an ISO date or ``None``; then ``later_than`` may bound it."""

    id: int
    effective: str | None
    coverage: Coverage
    code: str = ""
    release: str = ""
    later_than: str | None = None

    @property
    def label(self) -> str:
        """How the version is named to people: ``2021-07-23 (AFR, Adventures in the Forgotten Realms)``."""
        if self.effective is None:
            return f"date unknown, later than {self.later_than}" if self.later_than else "date unknown"
        names = ", ".join(name for name in (self.code, self.release) if name)
        return f"{self.effective} ({names})" if names else self.effective


class VersionRow(NamedTuple):
    """One line of ``versions``: a version with the source that it rests on first."""

    version: Version
    rules: int
    source: str
    sha256: str
    warnings: tuple[str, ...]


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


def versions(connection: sqlite3.Connection) -> list[VersionRow]:
    """Every version, oldest first, undated ones last. Versions with several sources show the fullest one."""
    rows = connection.execute(
        "SELECT versions.id, versions.effective, versions.later_than, documents.id, documents.coverage,"
        " documents.release, sources.id, sources.name, sources.sha256, sources.damaged"
        " FROM documents JOIN versions ON versions.id = documents.version_id"
        " JOIN sources ON sources.id = documents.source_id"
        f" ORDER BY versions.sort_key, {BASIS_FIRST}"
    ).fetchall()
    counts = dict(
        connection.execute(
            "SELECT placements.document_id, count(*) FROM placements JOIN parts ON parts.id = placements.part_id"
            " WHERE parts.kind IN ('rule', 'subrule') GROUP BY placements.document_id"
        )
    )
    listed: list[VersionRow] = []
    for (
        version_id,
        effective,
        later_than,
        document_id,
        coverage,
        stated,
        source_id,
        name,
        sha256,
        damaged,
    ) in rows:
        if listed and listed[-1].version.id == version_id:
            continue
        warnings = [
            message
            for (message,) in connection.execute(
                "SELECT message FROM findings WHERE source_id = ? AND severity <> 'note'"
                " AND (document_id = ? OR document_id IS NULL) ORDER BY line",
                [source_id, document_id],
            )
        ]
        if damaged:
            warnings.insert(0, "taken by force although damaged")
        version = version_named(version_id, effective, coverage, stated, later_than)
        listed.append(VersionRow(version, counts.get(document_id, 0), name, sha256, tuple(warnings)))
    return listed


def version_named(
    version_id: int, effective: str | None, coverage: str, stated: str, later_than: str | None
) -> Version:
    """A version with the code and name of its release; ``stated`` is the name that its source gives."""
    release = release_on(effective) if effective else None
    return Version(
        version_id,
        effective,
        Coverage(coverage),
        release.code if release else "",
        (release.name if release else "") or stated,
        later_than,
    )


def version_at(connection: sqlite3.Connection, when: When, *, rule_id: int | None = None) -> Version:
    """The version in force at a moment: the newest that is a full text, or that knows the rule of ``rule_id``.

    Raises ``QueryError`` for a day before the first text, saying what there is.
    """
    knows = (
        "(documents.coverage = 'full' OR EXISTS (SELECT 1 FROM placements WHERE placements.document_id = documents.id"
        " AND placements.rule_id = :rule))"
        if rule_id is not None
        else "1"
    )
    dated = "" if when.day is None else "AND versions.effective IS NOT NULL AND versions.effective <= :day"
    # an undated text counts as the newest only where no full text is there to say what is in force
    row = connection.execute(
        "SELECT versions.id, versions.effective, documents.coverage, documents.release, versions.later_than"
        " FROM documents JOIN versions ON versions.id = documents.version_id"
        " JOIN sources ON sources.id = documents.source_id"
        f" WHERE {knows} {dated}"
        " ORDER BY (versions.effective IS NULL AND EXISTS (SELECT 1 FROM documents WHERE coverage = 'full')),"
        f" versions.sort_key DESC, {BASIS_FIRST} LIMIT 1",
        {"day": when.day, "rule": rule_id},
    ).fetchone()
    if row is None:
        raise QueryError(_before_the_first(connection, when))
    version_id, effective, coverage, stated, later_than = row
    return version_named(version_id, effective, coverage, stated, later_than)


def version_before(connection: sqlite3.Connection, version: Version) -> Version:
    """The version that another one followed: of a full text the full text before it, where there is one.

    Raises ``QueryError`` for the first version of the store.
    """
    row = connection.execute(
        "SELECT max(versions.effective) FROM documents JOIN versions ON versions.id = documents.version_id"
        " WHERE CASE WHEN :effective IS NULL THEN versions.effective <= coalesce(:later_than, '9999')"
        " ELSE versions.effective < :effective END"
        " GROUP BY documents.coverage = 'full' AND :full ORDER BY documents.coverage = 'full' AND :full DESC LIMIT 1",
        {
            "effective": version.effective,
            "later_than": version.later_than,
            "full": version.coverage is Coverage.FULL,
        },
    ).fetchone()
    if row is None:
        raise QueryError(
            f"{version.label} is the first text in the store, and there is none before it; name two, as in OLD..NEW"
        )
    return version_at(connection, When(row[0], row[0]))


def _before_the_first(connection: sqlite3.Connection, when: When) -> str:
    first = connection.execute("SELECT min(effective) FROM versions").fetchone()[0]
    if first is None:
        return "the store has no versions yet; fill it with: rulehist ingest PATH"
    return f"{when.words}: before the first text in the store, which took effect on {first}; ask for that day or later"


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
        f"SELECT {_COLUMNS} FROM {_TABLES} WHERE spans.lookup = :lookup"
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
        f"SELECT {_COLUMNS} FROM {_TABLES} WHERE spans.lookup = :lookup AND spans.kind = 'example'"
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
        f"SELECT spans.kind AS kind, texts.published AS published FROM {_TABLES}"
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
        f"SELECT spans.number AS number, texts.published AS published FROM {_TABLES} WHERE spans.sort_key > :low"
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
        f"SELECT {_COLUMNS} FROM {_TABLES}"
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


class StoredDocument(NamedTuple):
    """A document out of the store, with the identity of each part (empty for front matter)."""

    version: Version
    document: Document
    rules: tuple[str, ...]


def document_id_of(connection: sqlite3.Connection, version: Version) -> int:
    """The id of the document that a version rests on: a full text before an excerpt."""
    return int(_chosen_document(connection, version)[0])


def _chosen_document(connection: sqlite3.Connection, version: Version) -> tuple[int, str, str, str]:
    row: tuple[int, str, str, str] = tuple(
        connection.execute(
            "SELECT documents.id, documents.coverage, documents.release, sources.kind FROM documents"
            " JOIN sources ON sources.id = documents.source_id WHERE documents.version_id = ?"
            f" ORDER BY {BASIS_FIRST} LIMIT 1",
            [version.id],
        ).fetchone()
    )
    return row


def document_of(connection: sqlite3.Connection, version: Version) -> StoredDocument:
    """The document that a version rests on: a full text before an excerpt."""
    from datetime import date

    document_id, coverage, release, kind = _chosen_document(connection, version)
    parts: list[Part] = []
    rules: list[str] = []
    for part_kind, number, label, text, truncated, rule in connection.execute(
        "SELECT parts.kind, parts.number, parts.label, texts.published, parts.truncated, coalesce(rules.name, '')"
        " FROM placements JOIN parts ON parts.id = placements.part_id JOIN texts ON texts.id = parts.text_id"
        " LEFT JOIN rules ON rules.id = placements.rule_id WHERE placements.document_id = ? ORDER BY placements.place",
        [document_id],
    ):
        parts.append(Part(PartKind(part_kind), text, number, label, 0, bool(truncated)))
        rules.append(rule)
    effective = date.fromisoformat(version.effective) if version.effective else None
    document = Document(kind, Coverage(coverage), effective, tuple(parts), release)
    return StoredDocument(version, document, tuple(rules))
