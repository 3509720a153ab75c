"""Which of several sources a version rests on: one rule for all who ask."""

from __future__ import annotations

from typing import Final

BASIS_FIRST: Final = (
    "documents.coverage DESC, sources.damaged, sources.encoding IN ('docx', 'doc', 'rtf', 'pdf'), sources.sha256"
)
"""SQL, to order ``documents`` joined with ``sources`` within a version: the one that it rests on comes first.

Full texts before excerpts, sound ones before those taken by force, plain text before formats that had to be converted;
then by checksum, so that the order in which sources came decides nothing.
"""
