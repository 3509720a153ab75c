"""Writes sources into an open transaction: each distinct text and part once, under ids of their own."""

from __future__ import annotations

import hashlib
import sqlite3
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from rulehist import tables
from rulehist.document import Finding, PartKind
from rulehist.errors import SourceError
from rulehist.folding import fold
from rulehist.resources import data_folder
from rulehist.source_rows import HISTORY_LIST, DocumentRows, PartRow, SourceRows

_FOLDED_BY_THE_STORE = (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("—", "-"), ("–", "-"), ("\n", " "))
"""What the column ``texts.folded`` replaces by itself, in this order; keep it equal to the schema."""


class Writer:
    """Writes sources; ``arrived`` then has the parts of each new document, for ``build_history`` to place."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._parts: dict[PartRow, int] = {}
        self._texts: dict[str, int] = {}
        self._next_text, self._next_part = (
            connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0]
            for table in ("texts", "parts")
        )
        self._empty = self._next_text == 1
        self._arrived: dict[int, array[int]] = {}

    @property
    def arrived(self) -> Mapping[int, Sequence[int]]:
        """The parts of each document that was added, by ids of rows, in the document's order."""
        return self._arrived

    def knows(self, sha256: str) -> bool:
        """Whether the store has a source with these bytes."""
        return self._connection.execute("SELECT 1 FROM sources WHERE sha256 = ?", [sha256]).fetchone() is not None

    def add(self, source: SourceRows, *, number: str = "", damaged: bool = False) -> None:
        """Store one source that it does not know. Raises ``SourceError`` for a history list of an unknown rule."""
        name = source.name.encode(errors="backslashreplace").decode()  # bytes of a name that are no UTF-8
        documents = self._numbered(source.documents, name, number)
        source_id = self._insert(
            "INSERT INTO sources(sha256, name, kind, bytes, encoding, encoding_reason, line_ends, damaged)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            source.sha256, name, documents[0].kind, source.size,
            source.encoding.name, source.encoding.reason, source.encoding.line_ends, int(damaged),
        )  # fmt: skip
        for place, document in enumerate(documents):
            version_id = self._version_id(document, source.sha256, place)
            document_id = self._insert(
                "INSERT INTO documents(source_id, version_id, coverage, release, place) VALUES (?, ?, ?, ?, ?)",
                source_id, version_id, document.coverage, document.release, place,
            )  # fmt: skip
            self._arrived[document_id] = self.part_ids(document.parts)
            self._add_findings(source_id, document_id, document.findings)

    def _insert(self, sql: str, *values: object) -> int:
        row_id = self._connection.execute(sql, values).lastrowid
        assert row_id is not None  # noqa: S101 - sqlite gives one for every INSERT
        return row_id

    def _add_findings(self, source_id: int, document_id: int, findings: Sequence[Finding]) -> None:
        self._connection.executemany(
            "INSERT INTO findings(source_id, document_id, line, code, severity, message) VALUES (?, ?, ?, ?, ?, ?)",
            [(source_id, document_id, f.line, f.code, f.severity, f.message) for f in findings],
        )

    def _version_id(self, document: DocumentRows, sha256: str, place: int) -> int:
        sort_key = document.effective or f"~{document.later_than or ''}~{sha256}~{place:04d}"
        known = self._connection.execute("SELECT id FROM versions WHERE sort_key = ?", [sort_key]).fetchone()
        if known:
            return int(known[0])
        return self._insert(
            "INSERT INTO versions(effective, later_than, sort_key) VALUES (?, ?, ?)",
            document.effective, document.later_than, sort_key,
        )  # fmt: skip

    # --- Texts and parts -----------------------------------------------------------------------------------

    def part_ids(self, rows: Sequence[PartRow]) -> array[int]:
        """Ids of the rows of ``parts`` for these parts, stored now where they are new."""
        found = [self._parts.get(row, 0) for row in rows]
        if 0 in found:
            self._find_or_add({row: None for row, part_id in zip(rows, found, strict=True) if not part_id})
            found = [part_id or self._parts[row] for row, part_id in zip(rows, found, strict=True)]
        return array("i", found)

    def _find_or_add(self, rows: Collection[PartRow]) -> None:
        self._find_or_add_texts(dict.fromkeys(text for _, _, _, text, _ in rows if text not in self._texts))
        new = []
        for row in rows:
            kind, number, label, text, truncated = row
            key = (self._texts[text], kind, number, label, int(truncated))
            known = self._row_id(
                "SELECT id FROM parts WHERE text_id = ? AND kind = ? AND number = ? AND label = ? AND truncated = ?",
                *key,
            )
            if known:
                self._parts[row] = known
                continue
            new.append((self._next_part, *key))
            self._parts[row] = self._next_part
            self._next_part += 1
        self._connection.executemany(
            "INSERT INTO parts(id, text_id, kind, number, label, truncated) VALUES (?, ?, ?, ?, ?, ?)", new
        )

    def _row_id(self, sql: str, *values: object) -> int:
        """The id of a row that was there before this writer, or 0."""
        row = None if self._empty else self._connection.execute(sql, values).fetchone()
        return int(row[0]) if row else 0

    def _find_or_add_texts(self, texts: Mapping[str, None]) -> None:
        new = []
        for text in texts:
            digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            known = self._row_id("SELECT id FROM texts WHERE sha256 = ?", digest)
            if known:
                self._texts[text] = known
                continue
            folded = fold(text)
            apart = None if _folded_by_the_store(text) == folded else folded
            new.append((self._next_text, digest, text, apart))
            self._texts[text] = self._next_text
            self._next_text += 1
        self._connection.executemany("INSERT INTO texts(id, sha256, published, folded_apart) VALUES (?, ?, ?, ?)", new)

    # --- History lists that do not say whose history they are -------------------------------------------------

    def _numbered(self, documents: Sequence[DocumentRows], name: str, number: str) -> list[DocumentRows]:
        """A history list does not say whose history it is: its number is told, or found by its words."""
        entries = [
            (text, truncated)
            for document in documents
            for kind, own_number, _, text, truncated in document.parts
            if document.kind == HISTORY_LIST and kind == PartKind.RULE and not own_number
        ]
        if not entries:
            return list(documents)
        found = number or self._number_by_words([fold(text) for text, truncated in entries if not truncated])
        if not found:
            raise SourceError(
                f"{name}: is the history of one rule, but does not say of which; say it, as in --number 707.2"
            )
        told = PartKind.SUBRULE.value if found[-1].isalpha() else PartKind.RULE.value
        return [
            replace(
                document,
                parts=tuple(
                    (told, found, label, text, truncated)
                    if kind == PartKind.RULE
                    else (kind, own, label, text, truncated)
                    for kind, own, label, text, truncated in document.parts
                ),
            )
            for document in documents
        ]

    def _number_by_words(self, folded_texts: Sequence[str]) -> str:
        """The number that the data file gives for these texts, else the one under which most of them stand here."""
        for number, words in _numbers_by_words():
            if any(words in text for text in folded_texts):
                return number
        marks = ", ".join("?" * len(folded_texts))
        row = self._connection.execute(
            "SELECT parts.number FROM texts JOIN parts ON parts.text_id = texts.id"
            f" WHERE texts.folded IN ({marks}) AND parts.kind IN ('rule', 'subrule')"
            " GROUP BY parts.number ORDER BY count(DISTINCT texts.folded) DESC, parts.number LIMIT 1",
            list(folded_texts),
        ).fetchone()
        return str(row[0]) if row else ""


def _folded_by_the_store(text: str) -> str:
    for published, folded in _FOLDED_BY_THE_STORE:
        text = text.replace(published, folded)
    return text


@cache
def _numbers_by_words() -> tuple[tuple[str, str], ...]:
    """``(rule number, folded words)`` of data/history-lists.tsv. Raises ``DataError``."""
    path = data_folder() / "history-lists.tsv"
    return tuple((number, fold(words)) for _, (number, words) in tables.rows(path, ("number", "words")))
