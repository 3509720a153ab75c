"""From source bytes to the store: what a source says goes in whole, or not at all."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rulehist import reading, store, tables
from rulehist.document import Document, Finding, Part, PartKind, Severity
from rulehist.errors import SourceError
from rulehist.folding import fold
from rulehist.history_build import build_history
from rulehist.resources import data_folder


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of one file: its versions (ISO dates, or ``undated``), or why it was left out."""

    name: str
    sha256: str
    versions: tuple[str, ...] = ()
    parts: int = 0
    findings: tuple[Finding, ...] = ()
    status: str = "stored"  # "stored", "known" (the same bytes are there already), "skipped", "refused"
    reason: str = ""


def files_of(paths: Sequence[Path]) -> list[tuple[Path, bool]]:
    """The files to ingest, each with whether it was named itself (else found in a named folder).

    Raises ``SourceError`` for a path that does not exist and for a folder without any file.
    """
    found: list[tuple[Path, bool]] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))
            if not inside:
                raise SourceError(f"{path}: the folder has no files; name a folder or file with rules texts")
            found += [(file, False) for file in inside]
        elif path.exists():
            found.append((path, True))
        else:
            raise SourceError(f"{path}: no such file or folder; check the path")
    return found


def ingest_files(
    database: Path,
    paths: Sequence[Path],
    *,
    number: str = "",
    force: bool = False,
    on_progress: Callable[[Path], None] | None = None,
    on_wait: Callable[[], None] | None = None,
) -> list[Ingested]:
    """Store every source under ``paths``, in one transaction, and tell what became of each file.

    ``number`` is the rule number of a history list that does not state it. A file that was named itself and
    cannot be read, or a folder in which nothing can, raises ``SourceError`` and leaves the store as it was.
    """
    files = files_of(paths)
    with store.writing(database, on_wait) as connection:
        outcomes = list(_ingest_files(connection, files, number, force, on_progress))
        if not any(outcome.status in {"stored", "known"} for outcome in outcomes):
            raise SourceError(_nothing_read(paths, outcomes))
        if any(outcome.status == "stored" for outcome in outcomes):
            build_history(connection)
    return outcomes


def _nothing_read(paths: Sequence[Path], outcomes: Sequence[Ingested]) -> str:
    named = ", ".join(map(str, paths))
    return f"{named}: no file there could be read as a rules text; the first says: {outcomes[0].reason}"


def _ingest_files(
    connection: sqlite3.Connection,
    files: Sequence[tuple[Path, bool]],
    number: str,
    force: bool,
    on_progress: Callable[[Path], None] | None,
) -> Iterator[Ingested]:
    writer = Writer(connection)
    for path, named in files:
        if on_progress is not None:
            on_progress(path)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise SourceError(f"{path}: cannot be read ({error.strerror}); check its permissions") from error
        try:
            yield writer.add(data, path.name, number=number, force=force)
        except SourceError as error:
            if named:
                raise SourceError(_with_path(path, str(error))) from error
            refused = isinstance(error, RefusedError)
            yield Ingested(
                path.name, "", status="refused" if refused else "skipped", reason=_with_path(path, str(error))
            )


def _with_path(path: Path, sentence: str) -> str:
    return sentence if str(path) in sentence else f"{path}: {sentence.removeprefix(path.name).lstrip(': ')}"


class RefusedError(SourceError):
    """A rules text with a fatal finding: it would poison the history."""


class Writer:
    """Writes sources into an open transaction, each distinct text and part once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._texts: dict[str, int] = dict(connection.execute("SELECT sha256, id FROM texts"))
        self._parts: dict[tuple[str, str, str, int, bool], int] = {
            (kind, part_number, label, text_id, bool(truncated)): part_id
            for kind, part_number, label, text_id, truncated, part_id in connection.execute(
                "SELECT kind, number, label, text_id, truncated, id FROM parts"
            )
        }

    def add(self, data: bytes, name: str, *, number: str = "", force: bool = False) -> Ingested:
        """Store one source. Raises ``SourceError`` where it cannot be read, ``RefusedError`` where it must not be."""
        sha256 = hashlib.sha256(data).hexdigest()
        if self._connection.execute("SELECT 1 FROM sources WHERE sha256 = ?", [sha256]).fetchone():
            return Ingested(name, sha256, status="known", reason="the same bytes are in the store already")
        read = reading.read(data, name)
        fatal = [finding for finding in read.findings if finding.severity is Severity.FATAL]
        if fatal and not force:
            place = f", line {fatal[0].line}" if fatal[0].line else ""
            what = fatal[0].message.rstrip(".")
            raise RefusedError(f"{name}{place}: {what}; mend the file, or take it, marked as damaged, with --force")
        documents = self._numbered(read.documents, name, number)
        source_id = self._insert(
            "INSERT INTO sources(sha256, name, kind, bytes, encoding, encoding_reason, line_ends, damaged)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            sha256, name, documents[0].kind, len(data),
            read.encoding.name, read.encoding.reason, read.encoding.line_ends, int(bool(fatal)),
        )  # fmt: skip
        for order, document in enumerate(documents):
            self._add_document(source_id, order, document, sha256)
        return Ingested(
            name,
            sha256,
            tuple(document.effective.isoformat() if document.effective else "undated" for document in documents),
            sum(len(document.parts) for document in documents),
            read.findings,
        )

    def _insert(self, sql: str, *values: object) -> int:
        row_id = self._connection.execute(sql, values).lastrowid
        assert row_id is not None  # noqa: S101 - sqlite gives one for every INSERT
        return row_id

    def _add_document(self, source_id: int, place: int, document: Document, sha256: str) -> None:
        document_id = self._insert(
            "INSERT INTO documents(source_id, version_id, coverage, release, place) VALUES (?, ?, ?, ?, ?)",
            source_id, self._version_id(document, sha256, place), document.coverage, document.release, place,
        )  # fmt: skip
        self._connection.executemany(
            "INSERT INTO placements(document_id, place, part_id) VALUES (?, ?, ?)",
            [(document_id, at, self._part_id(part)) for at, part in enumerate(document.parts)],
        )
        self._add_findings(source_id, document_id, document.findings)

    def _add_findings(self, source_id: int, document_id: int | None, findings: Sequence[Finding]) -> None:
        self._connection.executemany(
            "INSERT INTO findings(source_id, document_id, line, code, severity, message) VALUES (?, ?, ?, ?, ?, ?)",
            [(source_id, document_id, f.line, f.code, f.severity, f.message) for f in findings],
        )

    def _version_id(self, document: Document, sha256: str, place: int) -> int:
        if document.effective is not None:
            effective: str | None = document.effective.isoformat()
            sort_key = f"{effective}"
        else:
            effective = None
            sort_key = f"~{document.later_than or ''}~{sha256}~{place:04d}"
        known = self._connection.execute("SELECT id FROM versions WHERE sort_key = ?", [sort_key]).fetchone()
        if known:
            return int(known[0])
        return self._insert(
            "INSERT INTO versions(effective, later_than, sort_key) VALUES (?, ?, ?)",
            effective, document.later_than.isoformat() if document.later_than else None, sort_key,
        )  # fmt: skip

    def _part_id(self, part: Part) -> int:
        text_hash = hashlib.sha256(part.text.encode("utf-8", "surrogatepass")).hexdigest()
        text_id = self._texts.get(text_hash)
        if text_id is None:
            text_id = self._texts[text_hash] = self._insert(
                "INSERT INTO texts(sha256, published, folded) VALUES (?, ?, ?)",
                text_hash,
                part.text,
                fold(part.text),
            )
        key = (str(part.kind), part.number, part.label, text_id, part.truncated)
        part_id = self._parts.get(key)
        if part_id is None:
            part_id = self._parts[key] = self._insert(
                "INSERT INTO parts(kind, number, label, text_id, truncated) VALUES (?, ?, ?, ?, ?)", *key
            )
        return part_id

    def _numbered(self, documents: Sequence[Document], name: str, number: str) -> list[Document]:
        """A history list does not say whose history it is: its number is told, or found by its words."""
        entries = [
            part
            for document in documents
            for part in document.parts
            if document.kind == "history-list" and part.kind is PartKind.RULE and not part.number
        ]
        if not entries:
            return list(documents)
        found = number or self._number_by_words([fold(part.text) for part in entries if not part.truncated])
        if not found:
            raise SourceError(
                f"{name}: is the history of one rule, but does not say of which; say it, as in --number 707.2"
            )
        kind = PartKind.SUBRULE if found[-1].isalpha() else PartKind.RULE
        return [
            replace(
                document,
                parts=tuple(
                    replace(part, number=found, kind=kind) if part.kind is PartKind.RULE else part
                    for part in document.parts
                ),
            )
            for document in documents
        ]

    def _number_by_words(self, folded_texts: Sequence[str]) -> str:
        """The number under which most of these texts stand in the store, else the one that the data file gives."""
        marks = ", ".join("?" * len(folded_texts))
        row = self._connection.execute(
            "SELECT parts.number FROM texts JOIN parts ON parts.text_id = texts.id"
            f" WHERE texts.folded IN ({marks}) AND parts.kind IN ('rule', 'subrule')"
            " GROUP BY parts.number ORDER BY count(DISTINCT texts.folded) DESC, parts.number LIMIT 1",
            list(folded_texts),
        ).fetchone()
        if row:
            return str(row[0])
        return next(
            (number for number, words in _numbers_by_words() if any(words in text for text in folded_texts)),
            "",
        )


@cache
def _numbers_by_words() -> tuple[tuple[str, str], ...]:
    """``(rule number, folded words)`` of data/history-lists.tsv. Raises ``DataError``."""
    path = data_folder() / "history-lists.tsv"
    return tuple((number, fold(words)) for _, (number, words) in tables.rows(path, ("number", "words")))
