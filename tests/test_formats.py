"""DOCX, RTF, PDF and old Word documents give the lines that the publisher's plain text would have."""

from __future__ import annotations

import io
import re
import stat
import sys
import textwrap
import zipfile
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from rulehist import old_word, pdf, rtf, word_documents
from rulehist.document import PartKind
from rulehist.errors import SourceError
from rulehist.folding import fold
from rulehist.reading import read, to_text

# --- Word (DOCX) -------------------------------------------------------------------------------------------


def word(*paragraphs: str, numbering: str = "") -> bytes:
    """A Word document of paragraphs, each given as the XML inside ``<w:p>``."""
    document = docx.Document()
    body = document.element.body
    for inner in reversed(paragraphs):
        body.insert(0, parse_xml(f"<w:p {nsdecls('w')}>{inner}</w:p>"))
    if numbering:
        element = document.part.numbering_part.element
        for child in list(element):
            element.remove(child)
        for child in parse_xml(f"<w:numbering {nsdecls('w')}>{numbering}</w:numbering>"):
            element.append(child)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def run(text: str) -> str:
    return f"<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>"


def test_a_paragraph_is_a_line() -> None:
    data = word(run("100. General"), "", run("100.1. A ") + run("rule."))
    assert word_documents.to_text(data, "a.docx") == "100. General\n\n100.1. A rule.\n"


def test_nothing_that_word_shows_is_lost() -> None:
    data = word(
        "<w:hyperlink>" + run("link") + "</w:hyperlink>",
        "<w:ins w:id='1' w:author='x'>" + run("inserted") + "</w:ins>",
        "<w:del w:id='2' w:author='x'><w:r><w:delText>deleted</w:delText></w:r></w:del>" + run("kept"),
        "<w:smartTag>" + run("tagged") + "</w:smartTag>",
        "<w:sdt><w:sdtContent>" + run("control") + "</w:sdtContent></w:sdt>",
        "<w:fldSimple w:instr='PAGE'>" + run("field") + "</w:fldSimple>",
        "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:br w:type='page'/></w:r>",
        "<w:r><w:t>non</w:t><w:noBreakHyphen/><w:t>basic</w:t><w:sym w:font='Symbol' w:char='F0D4'/></w:r>",
    )
    assert word_documents.to_text(data, "a.docx").splitlines() == [
        "link",
        "inserted",
        "kept",
        "tagged",
        "control",
        "field",
        "a\tb",
        "c",
        "non\u2011basic™",
    ]


def test_a_table_gives_its_cells() -> None:
    document = docx.Document()
    document.add_table(rows=1, cols=2).cell(0, 1).text = "in a table"
    stream = io.BytesIO()
    document.save(stream)
    assert "in a table" in word_documents.to_text(stream.getvalue(), "a.docx")


def test_automatic_numbers_are_printed_as_word_shows_them() -> None:
    levels = "".join(
        f"<w:lvl w:ilvl='{depth}'><w:start w:val='{start}'/><w:numFmt w:val='{form}'/>"
        f"<w:lvlText w:val='{text}'/></w:lvl>"
        for depth, start, form, text in (
            (0, 100, "decimal", "%1."),
            (1, 1, "decimal", "%1.%2."),
            (2, 1, "lowerLetter", "%1.%2%3"),
        )
    )
    numbering = (
        f"<w:abstractNum w:abstractNumId='7'>{levels}</w:abstractNum>"
        "<w:num w:numId='3'><w:abstractNumId w:val='7'/></w:num>"
    )

    def item(depth: int, text: str) -> str:
        return f"<w:pPr><w:numPr><w:ilvl w:val='{depth}'/><w:numId w:val='3'/></w:numPr></w:pPr>" + run(text)

    depths = (0, 1, 2, 2, 1, 2, 0, 1)
    data = word(*(item(depth, "x") for depth in depths), numbering=numbering)
    assert word_documents.to_text(data, "a.docx").splitlines() == [
        "100. x", "100.1. x", "100.1a x", "100.1b x", "100.2. x", "100.2a x", "101. x", "101.1. x",
    ]  # fmt: skip


def packed(name: str, content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (word(run("x"))[:-200], "damaged"),
        (word(run("x"))[:2000], "damaged"),
        (packed("[Content_Types].xml", bytes(80 * 1024 * 1024)), "unpacks to"),
        (packed("[Content_Types].xml", b"<not"), "damaged"),
        (packed("rules.txt", b"100. General"), "no Word document"),
    ],
)
def test_a_broken_or_swollen_word_document_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=rf"a\.docx: .*{words}"):
        to_text(data, "a.docx")


# --- RTF ---------------------------------------------------------------------------------------------------


def test_rtf_gives_quotes_dashes_and_letters_however_they_are_written() -> None:
    data = (
        rb"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0 Times;}}{\*\generator x;}{\info{\title hidden}}"
        rb"\pard 100.1. \ldblquote It\rquote s\rdblquote  a \{T\} \emdash  \'93x\'94"
        rb" \u8217?s El-Hajj\'e2j \u8722?1\par"
        rb"\par 2.\tab b\line c\~d\_e\par}"
    )
    assert rtf.to_text(data, "a.rtf").splitlines() == [
        "100.1. “It’s” a {T} — “x” ’s El-Hajjâj −1",
        "",
        "2.\tb",
        "c\xa0d\u2011e",
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (rb"{\rtf1\ansi 100.1. A rule that is cut o", "cut off"),
        (rb"{\rtf1\ansi\ansicpg99999 a}", "damaged"),
        (rb"{\rtf1\ansi\ansicpg1252 \'81}", "damaged"),
        (rb"{\rtf1" + b"{" * 100_000, "cut off"),
    ],
)
def test_a_broken_rtf_file_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=rf"a\.rtf: .*{words}"):
        to_text(data, "a.rtf")


def test_deeply_nested_rtf_is_read() -> None:
    assert rtf.to_text(rb"{\rtf1 " + b"{" * 50_000 + b"x" + b"}" * 50_000 + b"}", "a.rtf") == "x\n"


# --- PDF ---------------------------------------------------------------------------------------------------

COLUMNS = 80


def set_page(*lines: tuple[float, str], bold: bool = False) -> str:
    """The content of a page: lines in Courier, 10 points, each at its height."""
    font = "B" if bold else "F"
    shown = (text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for _, text in lines)
    return "".join(f"BT /{font} 10 Tf 60 {y} Td ({text}) Tj ET\n" for (y, _), text in zip(lines, shown, strict=True))


def pdf_of(pages: Sequence[str], trailer: str = "", extra: Sequence[str] = ()) -> bytes:
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(f'{5 + 2 * i} 0 R' for i in range(len(pages)))}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold>>",
    ]
    for number, content in enumerate(pages):
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R/B 4 0 R>>>>"
            f"/Contents {6 + 2 * number} 0 R>>"
        )
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    objects += extra
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    return out + f"trailer<</Root 1 0 R/Size {len(objects) + 1}{trailer}>>\nstartxref\n{start}\n%%EOF".encode("latin-1")


WORDS = "that says what a player may do and when and how often and in which order of all the others it is done"


def paragraphs(count: int) -> list[str]:
    return [f"100.{number}. A rule {' '.join([WORDS] * (1 + number % 4))} {number}." for number in range(1, count + 1)]


def set_in_pages(texts: Sequence[str]) -> bytes:
    """Sets paragraphs with wrapped lines, a blank line between them, a header and page numbers."""
    rows: list[str] = []
    for text in texts:
        rows += [*textwrap.wrap(text, COLUMNS), ""]
    pages = []
    for number, start in enumerate(range(0, len(rows), 45), start=1):
        lines = [(720.0 - 12 * place, row) for place, row in enumerate(rows[start : start + 45]) if row]
        pages.append(set_page((760, "Rules of the Game"), *lines, (30, f"Page {number}")))
    return pdf_of(pages)


def test_the_paragraphs_of_a_pdf_are_joined_over_lines_and_pages() -> None:
    texts = paragraphs(60)
    found = [line for line in pdf.to_text(set_in_pages(texts), "a.pdf").splitlines() if line]
    assert found == texts


def test_lines_that_end_early_are_paragraphs_without_a_gap_between() -> None:
    wide = "x" * COLUMNS
    data = pdf_of(
        [set_page((720, wide), (700, "Active Player"), (688, "The player whose turn it is."), (676, "1. One"))]
    )
    assert pdf.to_text(data, "a.pdf") == f"{wide}\n\nActive Player\nThe player whose turn it is.\n1. One\n"


def test_a_hyphen_at_the_end_of_a_line_stays() -> None:
    first = ("a state-based action and a " * 4)[: COLUMNS - 7] + " state-"
    data = pdf_of([set_page((720, first), (708, "based action is done."))])
    assert pdf.to_text(data, "a.pdf").strip() == f"{first}based action is done."


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"%PDF-1.4\nnothing", "damaged"),
        (set_in_pages(paragraphs(3))[:300], "damaged"),
        (pdf_of([""]), "without text"),
        (
            pdf_of(
                [set_page((720, "x"))],
                "/Encrypt 7 0 R/ID[<00><00>]",
                [f"<</Filter/Standard/V 1/R 2/P -4/O<{'41' * 32}>/U<{'42' * 32}>>>"],
            ),
            "password",
        ),
    ],
)
def test_a_broken_locked_or_empty_pdf_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=rf"a\.pdf: .*{words}"):
        to_text(data, "a.pdf")


# --- Old Word ----------------------------------------------------------------------------------------------

OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def program(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!{sys.executable}\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def test_without_a_program_for_old_word_documents_the_error_names_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="install antiword or catdoc"):
        to_text(OLD, "a.doc")


def test_old_word_documents_are_read_by_the_program_that_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    program(tmp_path, "antiword", "raise SystemExit('not a Word document')")
    with pytest.raises(SourceError, match=r"a\.doc: .*damaged .*not a Word document"):
        to_text(OLD, "a.doc")
    program(tmp_path, "catdoc", "import sys; sys.stdout.buffer.write('100.1. It’s a rule.\\n'.encode())")
    assert to_text(OLD, "a.doc")[0] == "100.1. It’s a rule.\n"


def test_a_locked_word_document_is_said_to_be_locked() -> None:
    with pytest.raises(SourceError, match="password"):
        to_text(OLD + "EncryptedPackage".encode("utf-16-le"), "a.docx")


def test_an_old_word_document_that_no_program_reads_is_refused() -> None:
    with pytest.raises(SourceError, match=r"a\.doc: "):
        old_word.to_text(OLD, "a.doc")


# --- Without the optional libraries ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("library", "module", "data"),
    [
        ("docx", "rulehist.word_documents", b"PK\x03\x04"),
        ("striprtf", "rulehist.rtf", b"{\\rtf1 x}"),
        ("pypdfium2", "rulehist.pdf", b"%PDF-1.4"),
    ],
)
def test_without_the_library_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, library: str, module: str, data: bytes
) -> None:
    for name in [name for name in sys.modules if name == library or name.startswith(f"{library}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, module)
    with pytest.raises(SourceError, match=r"pip install 'rulehist\[documents\]'"):
        to_text(data, "a")


# --- The publisher's own files -----------------------------------------------------------------------------

ADDRESSES_IN_BRACKETS = {"100.6", "100.6b", "108.1", "112.6m", "800.3", "Oracle"}
"""The plain text of September 2011 writes web addresses between < and >; the RTF does not."""
DASHES_CLOSED_UP = {"700.2", "Modal, Mode"}
"""It writes the dash of "Choose one —" without the blank before it; the RTF has the blank."""


def parts(path: Path) -> list[tuple[PartKind, str, str]]:
    [document] = read(path.read_bytes(), path.name).documents
    return [
        (part.kind, fold(part.number), fold(part.label + part.text))
        for part in document.parts
        if part.kind not in {PartKind.NOTICE, PartKind.INTRODUCTION}
    ]


@pytest.mark.archive
@pytest.mark.parametrize(
    ("document", "text", "differing"),
    [
        ("2011-09-30.rtf", "2011-09-30.txt", ADDRESSES_IN_BRACKETS | DASHES_CLOSED_UP),
        ("2014-05-01.docx", "2014-05-01.txt", set()),
        ("2023-02-03.docx", "2023-02-03.txt", set()),
        ("2024-08-02.docx", "2024-08-02.txt", set()),
        ("2024-08-02.pdf", "2024-08-02.txt", set()),
    ],
)
def test_one_release_in_two_formats_has_the_same_rules(
    archive: Path, document: str, text: str, differing: set[str]
) -> None:
    converted = parts(archive / "other-formats" / document)
    published = parts(archive / "cr" / text)
    assert [part[:2] for part in converted] == [part[:2] for part in published]
    assert {a[1] for a, b in zip(converted, published, strict=True) if a != b} == differing


@pytest.mark.archive
@pytest.mark.parametrize("document", ["2014-05-01.docx", "2023-02-03.docx", "2024-08-02.docx"])
def test_nothing_of_a_document_is_lost(archive: Path, document: str) -> None:
    data = (archive / "other-formats" / document).read_bytes()
    xml = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()
    texts = unescape("".join(re.findall(r"<w:t(?: [^>]*)?>([^<]*)</w:t>", xml)))
    assert "".join(to_text(data, document)[0].split()) == "".join(texts.split())
