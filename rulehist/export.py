"""A document back as text: what its source said, part by part, in its order."""

from __future__ import annotations

import re

from rulehist.document import Document

# A hyphen at the end of a wrapped line belongs to the word ("face-" and "down"); two make a dash.
_HYPHEN_AT_END = re.compile(r"(?<=[\w-])-\n(?=\w)(?!(?:or|and|to)\b)")


def published_text(document: Document) -> str:
    """The text as published: equal to the source in folded form, with an empty line between parts."""
    return "\n\n".join(part.label + part.text for part in document.parts) + "\n"


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a part's text in reading form, each on one line."""
    return [_HYPHEN_AT_END.sub("-", paragraph).replace("\n", " ") for paragraph in text.split("\n\n")]
