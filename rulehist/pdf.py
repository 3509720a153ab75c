"""PDF as text: lines joined to the paragraphs that they were before they were set, page furniture removed.

A line goes on with the next where the next word would not have fitted at its end. That is how type-setting
works, so it needs no knowledge of the rules; the distance between lines and the blank that Word leaves at
the end of a wrapped line are further evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mode

import pypdfium2
import pypdfium2.raw

from rulehist.errors import SourceError
from rulehist.thresholds import (
    DOCUMENT_LARGEST,
    DOCUMENT_PAGES,
    PDF_BLANK_AT_WRAP,
    PDF_FIT_SLACK,
    PDF_FURNITURE_SHARE,
    PDF_PARAGRAPH_GAP,
    PDF_RIGHT_INDENT,
)

_HYPHEN = "\x02"  # what the library gives for a hyphen at the end of a line
_OPEN_ENDS = (" ", _HYPHEN, "-", "—", "–", "/")
_BREAKABLE = " -—–/" + _HYPHEN
_BEGINS = re.compile(r"\s*(?:\d{1,4}\.|Example:|•)")
_SENTENCE_END = re.compile(r"[.!?:][)”’\"']*$")
_BOLD = 600  # font weights run from 100 to 900; 400 is regular, 700 bold


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as set; all measures in points, ``y`` counted from the foot of the page."""

    text: str
    right: float
    y: float  # of its beginning
    end_y: float  # of its end: the library makes one line of two that a hyphen divides
    first_word: float  # width of what cannot be divided at its beginning
    bold: bool
    page: int


def to_text(data: bytes, name: str) -> str:
    """The paragraphs of a PDF, each on a line, an empty line where the page leaves one.

    Raises ``SourceError`` for a file that is damaged, locked, beyond all measure, or a picture without text.
    """
    if len(data) > DOCUMENT_LARGEST:
        raise SourceError(f"{name}: larger than any rules text; get the file from the publisher.")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise SourceError(f"{name}: a PDF locked with a password; save it without one.") from error
        raise SourceError(f"{name}: a damaged PDF ({error}); get the whole file again.") from error
    try:
        if len(document) > DOCUMENT_PAGES:
            raise SourceError(f"{name}: {len(document)} pages, more than any rules text; give the rules alone.")
        pages = [list(_lines(document, number)) for number in range(len(document))]
    except pypdfium2.PdfiumError as error:
        raise SourceError(f"{name}: a damaged PDF ({error}); get the whole file again.") from error
    finally:
        document.close()
    lines = _without_furniture(pages)
    if not lines:
        raise SourceError(f"{name}: a PDF without text, perhaps a scan; get the text from the publisher.")
    return _joined(lines)


def _lines(document: pypdfium2.PdfDocument, number: int) -> Iterator[_Line]:
    page = document[number]
    text_page = page.get_textpage()
    try:
        raw = text_page.raw
        units = [pypdfium2.raw.FPDFText_GetUnicode(raw, index) for index in range(text_page.count_chars())]
        start = 0
        for index, unit in enumerate([*units, 10]):
            if unit in {10, 13}:
                if any(unit != 32 for unit in units[start:index]):
                    yield _line(text_page, units, start, index, number)
                start = index + 1
    finally:
        text_page.close()
        page.close()


def _line(text_page: pypdfium2.PdfTextPage, units: Sequence[int], start: int, end: int, page: int) -> _Line:
    text = "".join(chr(unit) for unit in units[start:end] if unit)
    begin = next(index for index in range(start, end) if units[index] != 32)
    word = next((index for index in range(begin + 1, end) if chr(units[index]) in _BREAKABLE), end)
    # A blank at the break hangs over the margin; a hyphen or dash does not.
    last_of_word = word if word < end and units[word] != 32 else word - 1
    last = next(index for index in range(end - 1, start - 1, -1) if units[index] != 32)
    left, bottom, _, _ = text_page.get_charbox(begin, loose=True)
    return _Line(
        text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"),
        text_page.get_charbox(last, loose=True)[2],
        bottom,
        text_page.get_charbox(last, loose=True)[1],
        text_page.get_charbox(last_of_word, loose=True)[2] - left,
        all(pypdfium2.raw.FPDFText_GetFontWeight(text_page.raw, index) >= _BOLD for index in (begin, last)),
        page,
    )


def _without_furniture(pages: Sequence[Sequence[_Line]]) -> list[_Line]:
    """All lines but headers, footers and page numbers: what recurs at one height on most pages."""

    def form(line: _Line) -> tuple[str, int]:
        return re.sub(r"\d+", "#", line.text.strip()), round(line.y)

    edges = Counter(form(line) for page in pages if page for line in {page[0], page[-1]})
    least = max(2.0, PDF_FURNITURE_SHARE * len(pages))
    furniture = {found for found, count in edges.items() if count > least}
    return [
        line
        for page in pages
        for index, line in enumerate(page)
        if not (index in {0, len(page) - 1} and form(line) in furniture)
    ]


def _joined(lines: Sequence[_Line]) -> str:
    margin = max(line.right for line in lines)
    pairs = list(pairwise(lines))
    drops = [round(a.end_y - b.y, 1) for a, b in pairs if a.page == b.page and a.end_y > b.y]
    usual = mode(drops) if drops else 0.0
    full = [
        (a, b)
        for a, b in pairs
        if a.page == b.page
        and a.end_y - b.y < usual * PDF_PARAGRAPH_GAP
        and a.right + b.first_word > margin - PDF_FIT_SLACK
    ]
    blanks_tell = bool(full) and sum(a.text.endswith(_OPEN_ENDS) for a, _ in full) >= PDF_BLANK_AT_WRAP * len(full)
    glossary = False
    pieces = [lines[0].text.strip()]
    for before, line in pairs:
        text = line.text.strip()
        glossary = (glossary or (before.bold and before.text.strip() == "Glossary")) and not (
            before.bold and before.text.strip() == "Credits"
        )
        if _goes_on(before, line, margin, usual, blanks_tell):
            pieces[-1] = _with_next(pieces[-1], text, blank=before.text.endswith(" "))
            continue
        # Across pages no distance tells; in the glossary, where only terms are bold, an entry may go on.
        near = (
            before.end_y - line.y < usual * PDF_PARAGRAPH_GAP
            if before.page == line.page
            else glossary and not line.bold
        )
        pieces += [text] if near else ["", text]
    return _with_hyphens("".join(f"{piece}\n" for piece in pieces))


def _goes_on(before: _Line, line: _Line, margin: float, usual: float, blanks_tell: bool) -> bool:
    same_page = before.page == line.page
    if same_page and before.end_y - line.y >= usual * PDF_PARAGRAPH_GAP:
        return False
    open_end = before.text.endswith(_OPEN_ENDS)
    if not open_end and ((before.bold and not line.bold) or _BEGINS.match(line.text)):
        return False
    # A blank may be lost where the type face changes; on one page the distance has spoken for going on.
    if blanks_tell and not open_end and not same_page and _SENTENCE_END.search(before.text):
        return False
    slack = PDF_RIGHT_INDENT if blanks_tell else PDF_FIT_SLACK
    return before.right + line.first_word > margin - slack


def _with_next(before: str, line: str, *, blank: bool) -> str:
    """``before`` and ``line`` as one; ``blank`` tells that the page has a blank between them."""
    # A dash has a blank on both sides or on none.
    closed_up = before.endswith(("-", "—", "–", "/", _HYPHEN)) and before[-2:-1] != " "
    closed_up = closed_up or (line.startswith(("—", "–")) and line[1:2] != " ")
    return f"{before}{line}" if closed_up and not blank else f"{before} {line}"


def _with_hyphens(text: str) -> str:
    """A hyphen at which a line was broken stays, unless the document elsewhere writes the word without it."""
    if _HYPHEN not in text:
        return text
    words = Counter(re.findall(r"[\w’'-]+", text))

    def shown(match: re.Match[str]) -> str:
        head, tail = match.groups()
        return f"{head}{tail}" if words[f"{head}{tail}"] > words[f"{head}-{tail}"] else f"{head}-{tail}"

    return re.sub(rf"([\w’'-]*){_HYPHEN}([\w’']*)", shown, text)
