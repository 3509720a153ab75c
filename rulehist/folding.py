"""The form of a text that comparisons use: what typography alone can change is folded away.

Quotes, dashes, trademark signs, ligatures, ``_italic_`` markers, kinds of blank and line breaks flip from one
release to the next without any change of the rules. The text as published is kept beside this form, never
replaced by it.
"""

from __future__ import annotations

import re
import unicodedata

INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Characters that show nothing and mean nothing in a rules text: soft hyphens, marks of joined files, and the like."""

_CHARACTERS = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "`": "'", "´": "'", "′": "'",
        "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "″": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-",
        "®": "(r)", "™": "(tm)", "℠": "(sm)", "©": "(c)",
        "Æ": "Ae", "æ": "ae", "Œ": "Oe", "œ": "oe", "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl",
        "…": "...", "·": "•",
        **dict.fromkeys(INVISIBLE, ""),
    }
)  # fmt: skip
_NEARLY_ALL = (("’", "'"), ("“", '"'), ("”", '"'), ("—", "-"), ("‘", "'"), ("–", "-"))
"""What nearly every text beyond ASCII has, and most have nothing else."""

_SIGNS = re.compile(r"\((?:R|TM|SM|C)\)")
_AE = re.compile(r"\bAE(?=[a-z])")
_DASHES = re.compile(r" ?-(?: ?-)+ ?| - ")
_DOTS = re.compile(r"\. ?\. ?\.")
_ITALICS = re.compile(r"(?<!\w)_(?=\S)([^_\n]*?\S)_(?!\w)")
_WRAPPED_HYPHEN = re.compile(r"(?<=[A-Za-z])-[ \t]*\n[ \t]*(?=[a-z])(?!(?:or|and|to)\b)")  # "face-" and "down"
_BLANKS = re.compile(r"\s+")


def fold(text: str) -> str:
    """The comparison form of ``text``: one line, plain quotes and dashes, no marks of typography.

    ``fold`` is idempotent, and two texts that differ only in typography fold to the same.
    """
    # A search for plain characters costs a tenth of one for a pattern, and most texts have none of these.
    if not text.isascii():
        for sign, plain in _NEARLY_ALL:
            text = text.replace(sign, plain)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_CHARACTERS)
    elif "`" in text:
        text = text.replace("`", "'")
    if "(" in text:
        text = _SIGNS.sub(lambda sign: sign[0].lower(), text)
    if "AE" in text:
        text = _AE.sub("Ae", text)
    if "\n" in text:
        text = _WRAPPED_HYPHEN.sub("-", text)
    text = _one_blank(text)
    if "--" in text or "- " in text:
        text = _DASHES.sub("-", text)
    if ".." in text or ". ." in text:
        text = _DOTS.sub("...", text)
    if "_" in text:
        plain = _ITALICS.sub(r"\1", text)
        if plain != text:
            return fold(plain)  # what stood on both sides of a marker may read as one sign now
    return _one_blank(text).strip(" ")


def _one_blank(text: str) -> str:
    return text if "  " not in text and text.isprintable() else _BLANKS.sub(" ", text)
