"""Rich Text (RTF) as text: one paragraph a line."""

from __future__ import annotations

import re

from striprtf.striprtf import rtf_to_text

from rulehist.errors import SourceError
from rulehist.thresholds import DOCUMENT_LARGEST

_ESCAPED = re.compile(rb"\\[\\{}]")
_CODE_PAGE = re.compile(rb"\\ansicpg(\d+)")


def to_text(data: bytes, name: str) -> str:
    """The paragraphs of an RTF file, each ended by a line feed.

    Raises ``SourceError`` for a file that is cut off, is larger than any rules text, or holds bytes that its
    own code page does not know.
    """
    if len(data) > DOCUMENT_LARGEST:
        raise SourceError(f"{name}: larger than any rules text; get the file from the publisher.")
    bare = _ESCAPED.sub(b"", data)
    if bare.count(b"{") > bare.count(b"}"):
        raise SourceError(f"{name}: an RTF file that is cut off or damaged; get the whole file again.")
    stated = _CODE_PAGE.search(data)
    code_page = f"cp{int(stated[1])}" if stated else "mac_roman" if b"\\mac" in data[:200] else "cp1252"
    try:
        # RTF is ASCII by definition; stray bytes above are characters of the code page.
        text = str(rtf_to_text(data.decode(code_page), encoding=code_page, errors="strict"))
    except (LookupError, ValueError, RecursionError) as error:
        raise SourceError(f"{name}: a damaged RTF file ({error}); get the whole file again.") from error
    return "\n".join(line.rstrip(" \t") for line in text.rstrip("\n").split("\n")) + "\n"
