"""Bytes of a source to documents: format, encoding, kind, each decided by what is in the bytes.

A kind of source is one module with the three things that ``SourceKind`` names; a format other than plain text
is one module with a function from bytes to text. Both are imported only when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from rulehist.document import Document, Finding
from rulehist.errors import SourceError
from rulehist.thresholds import RECOGNIZED


class SourceKind(Protocol):
    """What a module must offer to read a kind of source."""

    NAME: str
    """Name kept with every document that it reads, such as ``comprehensive-rules``."""

    def recognizes(self, text: str) -> float:
        """How surely ``text`` is of this kind: 0 to 1."""

    def read(self, text: str, name: str) -> tuple[Document, ...]:
        """The documents in ``text``; ``name`` is for messages. Raises ``SourceError``."""


KINDS = ("rulehist.excerpt", "rulehist.history_list", "rulehist.comprehensive_rules")
"""Modules of the kinds of source, the most particular first: of equal scores the first wins."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format told by its first bytes; the module ``converter`` has ``to_text(data, name)``."""

    name: str
    magic: bytes
    converter: str


FORMATS = (
    Format("docx", b"PK\x03\x04", "rulehist.word_documents"),
    Format("doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "rulehist.old_word"),
    Format("rtf", b"{\\rtf", "rulehist.rtf"),
    Format("pdf", b"%PDF-", "rulehist.pdf"),
)
"""Formats other than plain text. A converter gives the lines of the text, each ended by a line feed."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the bytes became text: name of the codec or format, the reason in words, the line ends in words."""

    name: str
    reason: str
    line_ends: str


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one source says, and what is odd about it."""

    documents: tuple[Document, ...]
    encoding: Encoding
    findings: tuple[Finding, ...]


def read(data: bytes, name: str) -> Reading:
    """Read a source; ``name`` is used in messages only.

    Raises ``SourceError`` for an empty source, one that no known encoding reads, and one that is no
    rules text.
    """
    text, encoding = to_text(data, name)
    documents = kind_of(text, name).read(text, name)
    findings = tuple(finding for document in documents for finding in document.findings)
    return Reading(documents, encoding, findings)


def to_text(data: bytes, name: str) -> tuple[str, Encoding]:
    """The text of a source in any format, and how it was got."""
    if not data.strip(b"\0 \t\r\n"):
        raise SourceError(f"{name}: empty; give a file that holds a rules text.")
    for format_ in FORMATS:
        if data.startswith(format_.magic):
            return _converted(data, name, format_)
    from rulehist.decoding import decode

    decoded = decode(data, name)
    return decoded.text, Encoding(decoded.encoding, decoded.reason, decoded.line_ends)


def kind_of(text: str, name: str) -> SourceKind:
    """The kind of source that ``text`` is. Raises ``SourceError`` where it is none."""
    best: SourceKind | None = None
    score = 0.0
    for module in KINDS:
        kind = cast(SourceKind, import_module(module))
        found = kind.recognizes(text)
        if found > score:
            best, score = kind, found
    if best is None or score < RECOGNIZED:
        raise SourceError(
            f"{name}: no rules text: found neither numbered Comprehensive Rules nor a dated list of a rule's "
            "texts nor a quoted excerpt; give one of these."
        )
    return best


def _converted(data: bytes, name: str, format_: Format) -> tuple[str, Encoding]:
    try:
        module = import_module(format_.converter)
    except ModuleNotFoundError as error:
        raise SourceError(
            f"{name}: reading {format_.name.upper()} needs more libraries: pip install 'rulehist[documents]'."
        ) from error
    convert = cast(Callable[[bytes, str], str], module.to_text)
    text = convert(data, name)
    return text, Encoding(format_.name, f"begins as {format_.name.upper()} files do", "LF")
