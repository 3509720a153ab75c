"""One file, read into the rows that the store keeps of it; done in the same way here and in another process."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulehist import eras, reading
from rulehist.document import Coverage, Document, Finding, PartKind, Severity
from rulehist.errors import SourceError
from rulehist.thresholds import SOURCE_LARGEST

HISTORY_LIST = "history-list"
"""Kind of a source whose paragraphs are one rule's texts through time, often without its number."""

PartRow = tuple[str, str, str, str, bool]
"""A part as the store tells one from another: kind, number, label, text as published, whether it is truncated."""


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """A document without its lines: what ``documents`` and ``placements`` keep. Dates are ISO dates."""

    kind: str
    coverage: Coverage
    effective: str | None
    later_than: str | None
    release: str
    parts: tuple[PartRow, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class SourceRows:
    """A source that was read: ``size`` in bytes, its hash, its encoding, its documents, and what is odd about it."""

    name: str
    size: int
    sha256: str
    encoding: reading.Encoding
    documents: tuple[DocumentRows, ...]
    findings: tuple[Finding, ...]

    @property
    def fatal(self) -> Finding | None:
        """The first finding for which the source must not be taken."""
        return next((finding for finding in self.findings if finding.severity is Severity.FATAL), None)

    @property
    def unnumbered(self) -> bool:
        """Whether it is a history list that does not say of which rule."""
        return any(
            kind == PartKind.RULE and not number
            for document in self.documents
            if document.kind == HISTORY_LIST
            for kind, number, *_ in document.parts
        )


def read_source(data: bytes, name: str, known: dict[PartRow, PartRow] | None = None) -> SourceRows:
    """Read a source; ``name`` is for messages. Raises ``SourceError`` where it cannot be read.

    ``known`` lets several sources share equal rows, which saves memory and makes them quick to hand on.
    """
    shared: dict[PartRow, PartRow] = {} if known is None else known
    read = reading.read(data, name)
    dated = [eras.of_document(document) for document in read.documents]
    # What speaks against the name is told but not kept: the same bytes under another name are the same source.
    named = [
        finding
        for document in read.documents
        if document.effective is not None and document.coverage is Coverage.FULL
        for finding in eras.name_faults(document.effective, name)
    ]
    return SourceRows(
        name,
        len(data),
        hashlib.sha256(data).hexdigest(),
        read.encoding,
        tuple(
            _rows(document, (*document.findings, *found), shared)
            for document, found in zip(read.documents, dated, strict=True)
        ),
        (*read.findings, *(finding for found in dated for finding in found), *named),
    )


def _rows(document: Document, findings: tuple[Finding, ...], shared: dict[PartRow, PartRow]) -> DocumentRows:
    rows: list[PartRow] = []
    for part in document.parts:
        row = (part.kind.value, part.number, part.label, part.text, part.truncated)
        rows.append(shared.setdefault(row, row))
    return DocumentRows(
        document.kind,
        document.coverage,
        document.effective.isoformat() if document.effective else None,
        document.later_than.isoformat() if document.later_than else None,
        document.release,
        tuple(rows),
        findings,
    )


def read_files(paths: Sequence[Path]) -> list[SourceRows | SourceError]:
    """Read some files; in place of one that cannot be read stands the reason."""
    shared: dict[PartRow, PartRow] = {}
    found: list[SourceRows | SourceError] = []
    for path in paths:
        try:
            found.append(read_source(bytes_of(path), path.name, shared))
        except SourceError as error:
            found.append(error)
    return found


def sha256_of(path: Path) -> str:
    """The hash of a file of any size. Raises ``SourceError`` where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from error


def bytes_of(path: Path) -> bytes:
    """The bytes of a file. Raises ``SourceError`` where it cannot be read, or is larger than any rules text."""
    try:
        if path.stat().st_size > SOURCE_LARGEST:
            raise SourceError(
                f"{path}: has {path.stat().st_size:,} bytes, more than any rules text; give the rules text alone"
            )
        with path.open("rb") as stream:
            data = stream.read(SOURCE_LARGEST + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(data) > SOURCE_LARGEST:  # a pipe or a device does not say how much it has
        raise SourceError(f"{path}: has more than {SOURCE_LARGEST:,} bytes, more than any rules text; give one file")
    return data


def _unreadable(path: Path, error: OSError) -> SourceError:
    if isinstance(error, FileNotFoundError):
        return SourceError(f"{path}: no such file; check the path")
    if isinstance(error, IsADirectoryError):
        return SourceError(f"{path}: is a folder, and one file is needed; name a file in it")
    return SourceError(f"{path}: cannot be read ({error.strerror}); check its permissions")
