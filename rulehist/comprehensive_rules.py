"""The official Comprehensive Rules text of every era, from April 1999 on.

The publisher's layout is plain: title, a line with the date, introduction, contents, numbered rules,
glossary, credits. What differs from era to era is told from the text itself: whether paragraphs are
wrapped, what is underlined or indented, which back matter follows. A number at the start of a line makes
it a rule only where the order of the numbering, the shape of the label and the paragraph that it stands in
allow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from rulehist import damage
from rulehist.dates import find_date
from rulehist.decoding import split_lines
from rulehist.document import Coverage, Document, Finding, Part, PartKind, Severity
from rulehist.folding import INVISIBLE
from rulehist.thresholds import (
    GLOSSARY_LAST_LETTER,
    GLOSSARY_TERM_LONGEST,
    RULE_NUMBER_JUMP,
    SECTION_TITLE_LONGEST,
    WRAP_LONGEST,
    WRAPPED_PAIRS,
)

NAME = "comprehensive-rules"

_RULE = re.compile(
    r"(?P<section>\d{3,4})(?P<dot>\.[ \t]?)(?P<rule>\d{1,4})(?P<letters>[a-z]{0,2})(?![a-z0-9])"
    r"(?P<point>(?:\.+|\))?)(?P<blank>\s*)(?=\S)(?!(?<!\s)\.*\d)"
)
_UNSEEN = str.maketrans(dict.fromkeys(INVISIBLE, ""))
_UNSEEN_AT_START = re.compile(
    rf"[\s{INVISIBLE}]*(?:\d[{INVISIBLE}]*){{0,4}}\.?[\s{INVISIBLE}]*(?:\d[{INVISIBLE}]*){{0,4}}"
    rf"(?:[a-z][{INVISIBLE}]*){{0,2}}[\s.{INVISIBLE}]*"
)
_ODD_RULE = re.compile(r"[^A-Za-z0-9\s]{0,3}\s?[A-Z]?\d{3,5}\s?[.,:–-]\s?(?:\d|[ivx]{1,4}\b)")
_SECTION = re.compile(r"(?P<number>\d{1,4})(?P<point>\.?)(?P<blank>\s+)(?P<title>\S.*)")
_EXAMPLE = re.compile(r"(?:_?examples?_?(?:\s\d+)?[:.]_?|_example:_)\s*", re.IGNORECASE)
_ROW = re.compile(r"[-=_*~]{3,}")
_PAGE = re.compile(r"(?:\s*[.…_]{3,}\s*|\t+\s*|\s{3,})(?:\d{1,3}|[ivx]+)$")
_CONTENTS_LINE = re.compile(
    r"(?:\d{1,4}\.?\s+\S.*|introduction|contents|glossary|index|credits|questions\??|.*information|copyrights?)"
)
_EFFECTIVE = re.compile(r"(?:effective|current)\s+as\s+of\s+", re.IGNORECASE)
_TITLE = re.compile(r"\b(?:comprehensive|rules)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?:;…][)\]\"”’'_*]*$|[)\]\"”’][)\]\"”’.]*$")
_SENSE = re.compile(r"\d{1,2}\.\s")
_TERM_AND_SENSE = re.compile(r"(.*[^\W\d])(1\. .*)", re.DOTALL)  # "Ante1. A zone ...": a lost line break
_BACK_MATTER = frozenset(
    {"index", "credits", "questions?", "questions", "customer service information", "contact information",
     "copyright", "copyrights", "legal"}
)  # fmt: skip
_RULE_LINE = re.compile(r"(?:\A|[\r\n])[ \t]*\d{3,4}\.\d{1,3}(?:[a-z]|\.)")
_FIRST_SECTION = re.compile(r"(?:\A|[\r\n])\s*100\.\s+General")
_SKIPPED_LETTERS = "lo"  # too like 1 and 0: the introduction says so


_TEXTS = frozenset({PartKind.RULE, PartKind.SUBRULE, PartKind.EXAMPLE, PartKind.CONTINUATION, PartKind.GLOSSARY})


class _Line(NamedTuple):
    number: int  # 1-based
    text: str  # without the blanks around it
    indent: int
    after_blank: bool


def recognizes(text: str) -> float:
    """How surely ``text`` is a Comprehensive Rules text: 0 (not) to 1 (says so and is)."""
    start = text[:3000].lower()
    rules = 0
    for rules, _ in enumerate(_RULE_LINE.finditer(text), 1):
        if rules >= 20:
            break
    named = bool(re.search(r"comprehensive\s+rules", start)) and "from the comprehensive rules" not in start
    if named and (rules or _FIRST_SECTION.search(text)):
        return 1.0
    return 0.6 if rules >= 20 else 0.0


def read(text: str, name: str) -> tuple[Document, ...]:
    """Read one text; ``name`` is used by no part of it. Every fault is a finding of the document."""
    del name
    lines = _lines(text)
    reader = _Reader(lines, _is_wrapped(lines))
    reader.read()
    reader.findings += damage.in_characters(text) + damage.in_structure(reader.parts, reader.findings)
    effective = _effective_date(lines, reader.findings)
    return (
        Document(
            kind=NAME,
            coverage=Coverage.FULL,
            effective=effective,
            parts=tuple(reader.parts),
            findings=tuple(sorted(reader.findings, key=lambda finding: finding.line)),
        ),
    )


def _lines(text: str) -> list[_Line]:
    lines = []
    blank = True
    unseen = not text.isascii() and any(character in text for character in INVISIBLE)
    for number, line in enumerate(split_lines(text), 1):
        raw = _seen(line) if unseen else line
        stripped = raw.strip()
        if not stripped:
            blank = True
            continue
        indent = len(raw) - len(raw.lstrip()) if raw[0].isspace() else 0
        lines.append(_Line(number, stripped, indent, blank))
        blank = stripped[0] in "-=_*~" and _ROW.fullmatch(stripped) is not None
    return lines


def _seen(line: str) -> str:
    """``line`` without invisible characters before or inside a number at its start, where they would hide a rule."""
    start = _UNSEEN_AT_START.match(line)
    return line if start is None else start[0].translate(_UNSEEN) + line[start.end() :]


def _is_wrapped(lines: Sequence[_Line]) -> bool:
    """Whether paragraphs are broken over lines: no long lines, and many lines that go on in lower case."""
    pairs = lower = long = 0
    for line in lines:
        if len(line.text) > WRAP_LONGEST:
            long += 1
        if not line.after_blank:
            pairs += 1
            lower += line.text[0].islower()
    return long * 100 <= len(lines) and lower > pairs * WRAPPED_PAIRS


def _effective_date(lines: Sequence[_Line], findings: list[Finding]) -> date | None:
    """Date of effect by the statement in the first lines, else a date in the title, else the last lines."""

    def stated(some: Sequence[_Line]) -> tuple[date, int] | None:
        for line, following in zip(some, [*some[1:], None], strict=True):
            match = _EFFECTIVE.search(line.text)
            if match is None:
                continue
            whole = line.text if following is None else f"{line.text} {following.text}"
            found = find_date(whole, match.end())
            if found is not None and found[1] <= match.end() + 12:
                return found[0], line.number
        return None

    first = stated(lines[:60])
    last = stated(lines[-60:]) if len(lines) > 60 else None
    titled = next(((found[0], line.number) for line in lines[:10] if (found := find_date(line.text)) is not None), None)
    dated = first or titled or last
    if dated is None:
        findings.append(
            Finding(
                "no-date",
                "No line says from when these rules are effective: give the text with its first lines.",
                0,
                Severity.FATAL,
            )
        )
        return None
    for other in (first, titled, last):
        if other is not None and other[0] != dated[0]:
            findings.append(
                Finding(
                    "dates-differ",
                    f"Line {dated[1]} says {dated[0]}, but line {other[1]} says {other[0]}: {dated[0]} is taken.",
                    other[1],
                )
            )
    return dated[0]


@dataclass
class _Reader:
    """Goes through the lines once, in order, and gives each to exactly one part."""

    lines: Sequence[_Line]
    wrapped: bool
    parts: list[Part] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    at: int = 0
    promised: dict[int, str] = field(default_factory=dict)  # section number -> title by the contents
    promised_words: set[str] = field(default_factory=set)

    def read(self) -> None:
        """Fill ``parts`` and ``findings``."""
        body = self._body_start()
        self._front_matter(body)
        self._body()
        self._back_matter()
        self._check_whole()

    # --- Parts ---------------------------------------------------------------------------------------------

    def _add(self, kind: PartKind, lines: Sequence[_Line], label: str = "", number: str = "", *, skip: int = 0) -> None:
        """One part of ``lines``, of whose first ``skip`` characters are the label."""
        self.parts.append(Part(kind, self._joined(lines, skip), number, label or lines[0].text[:skip], lines[0].number))

    def _joined(self, lines: Sequence[_Line], skip: int = 0) -> str:
        text = lines[0].text[skip:]
        if len(lines) == 1:
            return text
        pieces = [text]
        for before, line in pairwise(lines):
            pieces.append("\n" if self._goes_on(before, line) else "\n\n")
            pieces.append(line.text)
        return "".join(pieces)

    def _goes_on(self, before: _Line, line: _Line) -> bool:
        """Whether ``line`` goes on with the paragraph of ``before``, broken there only to fit the page."""
        return (
            self.wrapped
            and not line.after_blank
            and line.indent <= before.indent
            and not (
                len(before.text) < WRAP_LONGEST // 3
                and _SENTENCE_END.search(before.text) is not None
                and line.text[0].isupper()
            )
        )

    # --- Front matter --------------------------------------------------------------------------------------

    def _body_start(self) -> int:
        """Index of the first line of the numbered rules: the chapter and section headings before rule one."""
        for index, line in enumerate(self.lines):
            match = _RULE.match(line.text) if line.text[0].isdigit() else None
            if match is None:
                continue
            start = index
            while start > 0 and (
                _ROW.fullmatch(self.lines[start - 1].text)
                or self._leads_to(self.lines[start - 1], int(match["section"]))
            ):
                start -= 1
            return start
        return len(self.lines)

    @staticmethod
    def _leads_to(line: _Line, section: int) -> bool:
        match = _SECTION.fullmatch(line.text)
        return match is not None and int(match["number"]) in {section, section // 100}

    def _front_matter(self, end: int) -> None:
        mode = PartKind.TITLE
        while self.at < end:
            line = self.lines[self.at]
            word = _bare(line.text)
            if word == "introduction" and mode is not PartKind.CONTENTS:
                mode = PartKind.INTRODUCTION
                self._add(PartKind.HEADING, [line])
            elif word in {"contents", "table of contents"}:
                mode = PartKind.CONTENTS
                self._add(PartKind.HEADING, [line])
            elif _ROW.fullmatch(line.text):
                self._add(PartKind.NOTICE, [line])
            elif mode is PartKind.CONTENTS:
                if self._contents_line(line):
                    self._add(PartKind.CONTENTS, [line])
                else:
                    mode = PartKind.NOTICE
                    continue
            elif (
                (mode is PartKind.TITLE or (len(self.parts) and self.parts[-1].kind is PartKind.NOTICE))
                and len(line.text) <= SECTION_TITLE_LONGEST
                and _EFFECTIVE.search(line.text) is None
                and ((_TITLE.search(line.text) and mode is PartKind.TITLE) or _is_title(line.text))
            ):
                self._add(PartKind.TITLE, [line])
            else:
                if mode is PartKind.TITLE:
                    mode = PartKind.NOTICE
                block = self._paragraph(end)
                self._add(mode, block)
                self.at += len(block) - 1
            self.at += 1

    def _contents_line(self, line: _Line) -> bool:
        text = _PAGE.sub("", line.text)
        if not _CONTENTS_LINE.fullmatch(text.lower()) or len(text) > SECTION_TITLE_LONGEST:
            return False
        match = _SECTION.fullmatch(text)
        if match is None:
            self.promised_words.add(_bare(text))
        else:
            self.promised.setdefault(int(match["number"]), match["title"].strip())
        return True

    def _paragraph(self, end: int) -> list[_Line]:
        """The line in hand and those that go on with its paragraph."""
        block = [self.lines[self.at]]
        for at in range(self.at + 1, end):
            line = self.lines[at]
            if line.after_blank or not self.wrapped or line.indent > block[-1].indent or _ROW.fullmatch(line.text):
                break
            block.append(line)
        return block

    # --- Numbered rules ------------------------------------------------------------------------------------

    def _body(self) -> None:
        order = _Order()
        block: list[_Line] = []
        kind, number, owner, label = PartKind.NOTICE, "", "", 0

        def close() -> None:
            nonlocal block
            if block:
                self._add(kind, block, number=number, skip=label)
                block = []

        while self.at < len(self.lines):
            line = self.lines[self.at]
            text = line.text
            numbered = text[0].isdigit()
            if not numbered and self._ends_body(line):
                break
            if numbered:
                found = self._rule(line, order)
                if found is not None:
                    close()
                    rule, place = found
                    number = owner = order.accept(rule, place, line, self.findings)
                    kind = PartKind.SUBRULE if rule["letters"] else PartKind.RULE
                    block, label = [line], rule.end()
                    self.at += 1
                    continue
                section = self._section(line)
                if section is not None:
                    close()
                    number = owner = str(int(section["number"]))
                    order.open_section(int(number), line, self.findings)
                    kind, block, label = PartKind.SECTION, [line], section.start("title")
                    close()
                    self.at += 1
                    continue
            elif _ODD_RULE.match(text) and self._begins_sentence(line):
                self._report_look_alike(line)
            example = _EXAMPLE.match(text) if text[0] in "Ee_" else None
            if example is not None and owner:
                close()
                kind, number, block, label = PartKind.EXAMPLE, owner, [line], example.end()
            elif _ROW.fullmatch(text):
                close()
                self._add(PartKind.NOTICE, [line])
            elif not block or (kind is PartKind.EXAMPLE and not self._example_goes_on(block[-1], line)):
                close()
                kind = PartKind.CONTINUATION if owner else PartKind.NOTICE
                number, block, label = owner, [line], 0
            else:
                block.append(line)
            self.at += 1
        close()

    def _example_goes_on(self, before: _Line, line: _Line) -> bool:
        return self.wrapped and not line.after_blank and line.indent <= before.indent

    def _ends_body(self, line: _Line) -> bool:
        return _bare(line.text) == "glossary" or (line.after_blank and self._is_back_matter(line))

    def _is_back_matter(self, line: _Line) -> bool:
        if len(line.text) > 40 or _bare(line.text) not in _BACK_MATTER:
            return False
        index = self.at + 1
        return index >= len(self.lines) or self.lines[index].after_blank or bool(_ROW.fullmatch(self.lines[index].text))

    def _rule(self, line: _Line, order: _Order) -> tuple[re.Match[str], str] | None:
        """The label of a rule that begins here and its place, or None; what only looks like one is reported."""
        match = _RULE.match(line.text)
        if match is None:
            if _ODD_RULE.match(line.text) and self._begins_sentence(line):
                self._report_look_alike(line)
            return None
        first = line.text[match.end()]
        shaped = (
            match["dot"] == "."
            and bool(match["blank"])
            and bool(match["letters"] or match["point"])
            and not first.islower()
        )
        place = order.place(match)
        if self._begins_paragraph(line):
            if place in {"next", "soon"}:
                return match, place
            if shaped and (match["point"] or place != "elsewhere"):
                return match, place
            self._report_look_alike(line)
            return None
        if self._begins_sentence(line) and shaped:
            if place == "next":
                return match, place
            self._report_look_alike(line)
        return None

    def _report_look_alike(self, line: _Line) -> None:
        self.findings.append(
            Finding(
                "looks-like-rule",
                f"Line {line.number} begins like a rule ({line.text[:24]!r}) where the numbering has no "
                "place for it: it is kept as text of the rule above.",
                line.number,
            )
        )

    def _begins_paragraph(self, line: _Line) -> bool:
        return line.after_blank or not self.wrapped

    def _begins_sentence(self, line: _Line) -> bool:
        return self._begins_paragraph(line) or _SENTENCE_END.search(self.lines[self.at - 1].text) is not None

    def _section(self, line: _Line) -> re.Match[str] | None:
        match = _SECTION.fullmatch(line.text)
        if match is None or not self._begins_paragraph(line) or len(line.text) > SECTION_TITLE_LONGEST:
            return None
        number, title = int(match["number"]), match["title"]
        if number in self.promised and (
            _letters(self.promised[number]) == _letters(title) or (match["point"] and not title.endswith("."))
        ):
            return match
        if title[-1] in ".;:," or not (title[0].isupper() or title[0] in "\"“'_{"):
            return None
        following = self._following_number()
        if following is None:
            return None
        leads = following in {number, number * 100} or (number < 100 and following // 100 == number)
        return match if leads and match["point"] else None

    def _following_number(self) -> int | None:
        """The section of the number with which the next line (rows aside) begins."""
        for line in self.lines[self.at + 1 : self.at + 4]:
            if _ROW.fullmatch(line.text):
                continue
            match = re.match(r"(\d{3,4})\.", line.text)
            return int(match[1]) if match else None
        return None

    # --- Glossary and what follows -------------------------------------------------------------------------

    def _back_matter(self) -> None:
        mode = ""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            word = _bare(line.text)
            if word == "glossary" and not mode:
                mode = "glossary"
                self._add(PartKind.HEADING, [line])
                self.at += 1
            elif line.after_blank and self._is_back_matter(line):
                mode = word
                self._add(PartKind.HEADING, [line])
                self.at += 1
            elif _ROW.fullmatch(line.text):
                self._add(PartKind.NOTICE, [line])
                self.at += 1
            elif mode == "glossary":
                self._glossary_entry()
            else:
                if _EFFECTIVE.search(line.text):
                    mode = "notice"
                block = self._block()
                self._add(PartKind.CREDITS if mode == "credits" else PartKind.NOTICE, block)
                self.at += len(block)

    def _block(self) -> list[_Line]:
        """Lines up to the next empty line."""
        block = [self.lines[self.at]]
        for at in range(self.at + 1, len(self.lines)):  # a slice would copy all the rest for each block
            line = self.lines[at]
            if line.after_blank or _ROW.fullmatch(line.text):
                break
            block.append(line)
        return block

    def _glossary_entry(self) -> None:
        block = self._block()
        start = self.at
        self.at += len(block)
        term = block[0].text
        if len(block) == 1 and (len(term) > GLOSSARY_TERM_LONGEST or _SENTENCE_END.search(term)):
            self._go_on_with_entry(block)
            return
        if (block[0].indent and self.wrapped) or _SENSE.match(term):
            self._go_on_with_entry(block)
            return
        if len(block) == 1 and self.at < len(self.lines):
            following = self.lines[self.at]
            if _SENTENCE_END.search(following.text) and not self._is_back_matter(following):
                text = self._block()
                self.at += len(text)
                self.parts.append(
                    Part(PartKind.GLOSSARY, self._joined(text), term, term + "\n\n", self.lines[start].number)
                )
                return
        text = block[1:]
        run_on = _TERM_AND_SENSE.fullmatch(term)
        if run_on is not None and text and text[0].text.startswith("2. "):
            senses = f"{run_on[2]}\n{self._joined(text)}"
            self.parts.append(Part(PartKind.GLOSSARY, senses, run_on[1], run_on[1], self.lines[start].number))
            return
        self.parts.append(
            Part(
                PartKind.GLOSSARY,
                self._joined(text) if text else "",
                term,
                term + "\n",
                self.lines[start].number,
            )
        )

    def _go_on_with_entry(self, block: Sequence[_Line]) -> None:
        """A paragraph after an empty line that belongs to the entry above."""
        last = self.parts[-1]
        if last.kind is not PartKind.GLOSSARY:
            self._add(PartKind.NOTICE, block)
            return
        self.parts[-1] = Part(last.kind, f"{last.text}\n\n{self._joined(block)}", last.number, last.label, last.line)

    # --- The whole -----------------------------------------------------------------------------------------

    def _check_whole(self) -> None:
        sections = {int(part.number) for part in self.parts if part.kind is PartKind.SECTION}
        missing = [number for number in self.promised if number not in sections]
        if missing:
            shown = ", ".join(f"{number} ({self.promised[number]})" for number in missing[:5])
            shown += f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            self._fatal("section-missing", f"The contents promise sections that never come: {shown}.")
        headings = {_bare(part.text) for part in self.parts if part.kind is PartKind.HEADING}
        glossary = any(part.kind is PartKind.GLOSSARY for part in self.parts)
        if not glossary and "glossary" in self.promised_words:
            self._fatal("cut-off", "The text is cut off before the glossary that its contents promise.")
        elif not glossary:
            self.findings.append(Finding("no-glossary", "The text has no glossary."))
        if "credits" not in headings and self.promised_words & {"glossary", "credits"}:
            self._check_end_of_glossary()
        last = self.parts[-1] if self.parts else None
        if last is not None and last.kind in _TEXTS and not _SENTENCE_END.search(last.text):
            self.findings.append(Finding("cut-off", "The text ends in mid-sentence.", last.line))

    def _check_end_of_glossary(self) -> None:
        entries = [part for part in self.parts if part.kind is PartKind.GLOSSARY]
        if entries and not _SENTENCE_END.search(entries[-1].text):
            self._fatal("cut-off", "The text is cut off in mid-sentence, inside its glossary.")
        elif entries and entries[-1].number[:1].lower() < GLOSSARY_LAST_LETTER:
            self._fatal("cut-off", f"The text is cut off in its glossary, after {entries[-1].number!r}.")
        elif "credits" in self.promised_words:
            self.findings.append(Finding("no-credits", "The text lacks the credits that its contents promise."))

    def _fatal(self, code: str, message: str) -> None:
        self.findings.append(Finding(code, message + " Get the whole file again.", 0, Severity.FATAL))


class _Order:
    """Where the numbering stands, and whether a number has its place there."""

    def __init__(self) -> None:
        self.section = 0
        self.rule = 0
        self.letters = ""
        self.seen: dict[str, int] = {}
        self.sections: set[int] = set()

    def place(self, label: re.Match[str]) -> str:
        """``next`` in order, ``soon`` after a gap, ``again`` or ``earlier`` in the section, or ``elsewhere``.

        ``misprinted`` is a number whose section is wrong and whose rest is the next in order.
        """
        section, rule, letters = int(label["section"]), int(label["rule"]), label["letters"]
        if section != self.section:
            following = rule == self.rule and letters == next_letters(self.letters)
            return "misprinted" if following and len(str(section)) == len(str(self.section)) else "elsewhere"
        here, there = (self.rule, len(self.letters), self.letters), (rule, len(letters), letters)
        if there <= here:
            return "again" if there == here else "earlier"
        if rule == self.rule and letters == next_letters(self.letters):
            return "next"
        if rule == self.rule + 1 and letters in {"", "a"}:
            return "next"
        return "soon" if rule - self.rule <= RULE_NUMBER_JUMP else "later"

    def open_section(self, number: int, line: _Line, findings: list[Finding]) -> None:
        """Take note of a section or chapter heading."""
        if number in self.sections:
            findings.append(
                Finding(
                    "number-twice",
                    f"Section {number} comes a second time in line {line.number}.",
                    line.number,
                )
            )
        self.sections.add(number)
        if number >= 100:
            if number < self.section:
                findings.append(
                    Finding("out-of-order", f"Section {number} comes after section {self.section}.", line.number)
                )
            self.section, self.rule, self.letters = number, 0, ""

    def accept(self, label: re.Match[str], place: str, line: _Line, findings: list[Finding]) -> str:
        """Take note of a rule at its ``place``, report what is odd about its number, and give the number."""
        section, rule, letters = int(label["section"]), int(label["rule"]), label["letters"]
        number = f"{section}.{rule}{letters}"
        if number in self.seen:
            findings.append(
                Finding(
                    "number-twice",
                    f"Number {number} is used twice, in lines {self.seen[number]} and {line.number}; both are kept.",
                    line.number,
                )
            )
        else:
            if place in {"earlier", "elsewhere", "misprinted"}:
                findings.append(
                    Finding(
                        "out-of-order",
                        f"Number {number} comes after {self.section}.{self.rule}{self.letters}.",
                        line.number,
                    )
                )
            elif place in {"soon", "later"}:
                findings.append(
                    Finding(
                        "number-missing",
                        f"Numbers are missing between {self.section}.{self.rule}{self.letters} and {number}.",
                        line.number,
                    )
                )
            self.seen[number] = line.number
            if place == "misprinted":
                section = self.section
        self.section, self.rule, self.letters = section, rule, letters
        return number


def next_letters(letters: str) -> str:
    """The letters that follow in the publisher's order: a after none, m after k, aa after z."""
    if not letters:
        return "a"
    last = letters[-1]
    if last == "z":
        return (next_letters(letters[:-1]) if letters[:-1] else "a") + "a"
    following = chr(ord(last) + 1)
    return letters[:-1] + (chr(ord(following) + 1) if following in _SKIPPED_LETTERS else following)


def _bare(text: str) -> str:
    return text.strip(" \t_*-=:.").lower()


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _is_title(text: str) -> bool:
    return bool(re.fullmatch(r"_?magic: the gathering.{0,12}comprehensive\s+rules_?", text, re.IGNORECASE))


def numbers(parts: Iterable[Part]) -> list[str]:
    """The rule numbers of ``parts`` in their order."""
    return [part.number for part in parts if part.kind in {PartKind.RULE, PartKind.SUBRULE}]
