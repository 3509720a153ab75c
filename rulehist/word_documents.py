"""Word documents (DOCX) as text: one paragraph a line, with list numbers and line breaks as Word shows them.

Numbering rests on ECMA-376 part 1, 17.9 (``numPr``, ``abstractNum``, ``lvlText``).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import docx
from docx.oxml.ns import qn

from rulehist.errors import SourceError
from rulehist.thresholds import DOCUMENT_LARGEST

_SKIPPED = frozenset(
    [
        qn("w:del"),
        qn("w:moveFrom"),
        qn("w:pPr"),
        qn("w:rPr"),
        "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
    ]
)
_PARAGRAPH = qn("w:p")
_TEXT = {qn("w:tab"): "\t", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "\u2011", qn("w:softHyphen"): ""}
_SYMBOLS = {0xB7: "•", 0x2D: "−", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xA5: "∞", 0xB4: "×", 0xA2: "′", 0xB2: "″"}


def to_text(data: bytes, name: str) -> str:
    """The paragraphs of a DOCX, each ended by a line feed.

    Raises ``SourceError`` for an archive that is broken or unpacks beyond all measure, and for what is no
    Word document.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            is_document = "[Content_Types].xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise SourceError(f"{name}: a damaged Word document ({error}); get the whole file again.") from error
    if size > DOCUMENT_LARGEST:
        raise SourceError(
            f"{name}: unpacks to {size} bytes, more than any rules text; get the file from the publisher."
        )
    if not is_document:
        raise SourceError(f"{name}: a ZIP archive but no Word document; unpack it and give the texts in it.")
    try:
        document = docx.Document(io.BytesIO(data))
        body = document.element.body
        lists = _Lists(document)
    except Exception as error:  # the library raises whatever its parts meet: zipfile, lxml, KeyError ...
        raise SourceError(f"{name}: a damaged Word document ({error}); get the whole file again.") from error
    lines = []
    for paragraph in body.iter(_PARAGRAPH):
        lines.append(lists.label(paragraph) + "".join(_text(paragraph)).rstrip(" \t"))
    return "".join(f"{line}\n" for line in lines)


def _text(element: Any) -> Iterator[str]:
    """The text of a paragraph in reading order, without paragraphs inside it (a text box has its own)."""
    for child in element:
        tag = child.tag
        if tag == qn("w:t"):
            yield child.text or ""
        elif tag == qn("w:br"):
            # A page break divides pages, not lines.
            yield "" if child.get(qn("w:type")) in {"page", "column"} else "\n"
        elif tag == qn("w:sym"):
            yield _symbol(child.get(qn("w:char"), ""))
        elif tag in _TEXT:
            yield _TEXT[tag]
        elif tag not in _SKIPPED and tag != _PARAGRAPH and isinstance(tag, str):
            yield from _text(child)


def _symbol(code: str) -> str:
    """A character of a symbol font: such fonts lie in the private area from F000 on."""
    try:
        point = int(code, 16)
    except ValueError:
        return "\N{REPLACEMENT CHARACTER}"
    if 0xF000 <= point <= 0xF0FF:
        point -= 0xF000
        return _SYMBOLS.get(point, chr(point))
    return chr(point)


@dataclass(frozen=True, slots=True)
class _Level:
    format: str
    text: str
    start: int


class _Lists:
    """Resolves automatic numbers: Word keeps only which list and level a paragraph belongs to."""

    def __init__(self, document: Any) -> None:
        self._abstract: dict[str, str] = {}
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._of_style: dict[str, tuple[str, int]] = {}
        try:
            numbering = document.part.numbering_part.element
        except (KeyError, NotImplementedError):
            return
        for abstract in numbering.iter(qn("w:abstractNum")):
            levels = {}
            for level in abstract.iter(qn("w:lvl")):
                values = {child.tag: child.get(qn("w:val"), "") for child in level}
                start = values.get(qn("w:start"), "1")
                levels[int(level.get(qn("w:ilvl"), "0"))] = _Level(
                    values.get(qn("w:numFmt"), "decimal"),
                    values.get(qn("w:lvlText"), ""),
                    int(start) if start.isdigit() else 1,
                )
            self._levels[abstract.get(qn("w:abstractNumId"), "")] = levels
        for num in numbering.iter(qn("w:num")):
            abstract = num.find(qn("w:abstractNumId"))
            if abstract is not None:
                self._abstract[num.get(qn("w:numId"), "")] = abstract.get(qn("w:val"), "")
        for style in document.styles.element.iter(qn("w:style")):
            found = self._list_of_style(style, document.styles.element)
            if found:
                self._of_style[style.get(qn("w:styleId"), "")] = found

    def _list_of_style(self, style: Any, styles: Any) -> tuple[str, int] | None:
        seen = set()
        by_id = {each.get(qn("w:styleId")): each for each in styles.iter(qn("w:style"))}
        while style is not None and id(style) not in seen:
            seen.add(id(style))
            found = _list_of(style.find(qn("w:pPr")))
            if found:
                return found
            based = style.find(qn("w:basedOn"))
            style = None if based is None else by_id.get(based.get(qn("w:val")))
        return None

    def label(self, paragraph: Any) -> str:
        """The number that Word prints before ``paragraph``, and a blank; empty where it prints none."""
        properties = paragraph.find(qn("w:pPr"))
        found = _list_of(properties)
        if found is None and properties is not None:
            style = properties.find(qn("w:pStyle"))
            found = None if style is None else self._of_style.get(style.get(qn("w:val"), ""))
        if found is None:
            return ""
        number, depth = found
        key = self._abstract.get(number, "")
        levels = self._levels.get(key, {})
        level = levels.get(depth)
        if level is None or level.format == "none":
            return ""
        counts = self._counts.setdefault(key, {})
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]
        if level.format == "bullet":
            return "• "

        def shown(match: re.Match[str]) -> str:
            of = int(match[1]) - 1
            used = levels.get(of, level)
            return _number(counts.get(of, used.start), used.format)

        label = re.sub(r"%(\d)", shown, level.text)
        return f"{label} " if label else ""


def _list_of(properties: Any) -> tuple[str, int] | None:
    """List and level that paragraph properties name; list 0 means "none, whatever the style says"."""
    numbering = None if properties is None else properties.find(qn("w:numPr"))
    if numbering is None:
        return None
    number, depth = numbering.find(qn("w:numId")), numbering.find(qn("w:ilvl"))
    if number is None:
        return None
    return number.get(qn("w:val"), ""), int(depth.get(qn("w:val"), "0")) if depth is not None else 0


def _number(count: int, form: str) -> str:
    if form in {"lowerLetter", "upperLetter"}:
        # Word counts a to z, then aa to zz.
        letter = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letter if form == "lowerLetter" else letter.upper()
    if form in {"lowerRoman", "upperRoman"}:
        roman = ""
        for value, sign in zip(
            (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
            ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
            strict=True,
        ):
            roman += sign * (count // value)
            count %= value
        return roman if form == "lowerRoman" else roman.upper()
    return f"{count:02d}" if form == "decimalZero" else str(count)
