"""What the chapters and sections of a text are called, and the rules that begin with the name of a keyword."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rulehist.dated_versions import Version
from rulehist.document import Part, PartKind
from rulehist.stored_documents import document_id_of
from rulehist.thresholds import KEYWORD_WORDS


class Headings(NamedTuple):
    """The headings of two texts, by the numbers of sections and rules."""

    old: Mapping[str, str]
    new: Mapping[str, str]


def is_name(text: str) -> bool:
    """Whether the text of a rule is a name alone, as the head of a keyword's rules is."""
    text = text.strip()
    return 0 < len(text.split()) <= KEYWORD_WORDS and text[-1].isalnum()


def headings_of(parts: Iterable[Part]) -> dict[str, str]:
    """The headings of a document by their numbers."""
    return {
        part.number: part.text.strip()
        for part in parts
        if part.kind is PartKind.SECTION or (part.kind is PartKind.RULE and is_name(part.text))
    }


def stored_headings(connection: sqlite3.Connection, version: Version) -> dict[str, str]:
    """The headings of a version of the store by their numbers."""
    rows = connection.execute(
        "SELECT parts.kind, texts.published, parts.number FROM placements JOIN parts ON parts.id = part_id"
        " JOIN texts ON texts.id = text_id WHERE document_id = ? AND parts.kind IN ('section', 'rule')",
        [document_id_of(connection, version)],
    )
    return headings_of(Part(PartKind(kind), text, number) for kind, text, number in rows)
