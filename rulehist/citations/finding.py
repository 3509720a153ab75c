"""Finds citations of rules by number in any text: source code, Markdown, HTML, wikitext, data, plain text.

A number alone is never a citation: it needs a lead ("CR", "rules", "§"), a key of a data file, or a pattern of the
project's own. What a list or a range goes on with leans on the citation before it: "702.19b-c", "701.21a/b",
"603.3b and d", "509.1, 510.1c".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rulehist.citations.patterns import (
    BLANK,
    WRAP,
    Find,
    Patterns,
    after_pattern,
    before_pattern,
    default_patterns,
    keyed_pattern,
    lead_pattern,
)
from rulehist.numbers import sort_key
from rulehist.thresholds import RULES_TEXT_LINES, RULES_TEXT_RISING

Place = tuple[int, int]
"""Start and end in the text, in characters."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation in a text.

    ``number`` is the rule, subrule or section it names, in full (``701.21b`` for the "b" of "701.21a/b"), ``last`` the
    end of a range in full, else empty. ``text[start:end]`` is all that is written of it, from its lead on;
    ``text[place[0]:place[1]]`` the number, or the shorthand, and ``last_place`` the same of the end of a range.
    ``leans`` is the index, among the citations of the text, of the one that it cannot be read without (-1: none),
    ``listed`` of the one whose lead it shares. ``pieces`` are the places of section, rule and letters where a
    project's own pattern found it. ``open_end``: it goes on in a way that is not understood, so it is never rewritten.
    """

    number: str
    start: int
    end: int
    place: Place
    last: str = ""
    last_place: Place | None = None
    leans: int = -1
    listed: int = -1
    pieces: tuple[Place, Place, Place | None] | None = None
    movable: bool = True
    open_end: bool = False

    @property
    def words(self) -> str:
        """The number or range in full, as people say it."""
        return f"{self.number}-{self.last}" if self.last else self.number


_RULE = r"[1-9]\d\d\.[1-9]\d{0,2}(?!\d)[a-z]{0,2}(?![^\W_])(?!\.\d)"
_NO_SECTION = r"/\d{1,2}(?!\d)|/\d{4}|\w"
_SECTION = rf"[1-9]\d\d(?![\d.\-–,]\d|{_NO_SECTION})"
_NUMBER = (
    r"\d\d(?:(?<=(\d\d\d))\.[1-9]\d{0,2}(?!\d)[a-z]{0,2}(?![^\W_])(?!\.\d)"
    rf"|(?![\d.\-–]\d|,\d\d\d|{_NO_SECTION}))"
)
_KEYED_ANCHOR = re.compile(rf"[1-9](?<![\d.][1-9]){_NUMBER}")
_ANCHOR = re.compile(
    # what no lead ends with is ruled out here, because most numbers in code stand after it
    rf"[1-9](?<![\d.,=+<{{}}$€£@\"'!?~^\\-][1-9])(?<![,=+<!?{{}}] [1-9])(?<!\w [>*/-] [1-9])(?<!\w\([1-9]){_NUMBER}"
)
_LOOK_BACK = 60
_LOOK_BACK_OVER_TAGS = 300
"""Characters before a number in which its lead must begin, without and with a tag between them."""

_COMMA_REACH = 4
"""Letters from one subrule to the next where only a comma joins them: "104.3a, c"; farther ones are names, as x is."""

_GLUE_LETTERS = " \t\r\n\u00a0#[(*`|:_;/-%>&"
"""What may stand between a lead and its number, apart from tags and the names of blanks ("&nbsp;", "&#160;")."""

_TAIL = re.compile(r"(?:[^\W\d_]|[.§])+\Z")
_LONGEST_TAIL = 16
_DATA_ENDS = ('"', "'", "=", "]")

_CLOSERS = r"(?:\]\([^()\s]{0,300}\)|\*\*|[`\])}]|(?<=\d)_(?=\W)|(?<=[a-z])_(?=\W)|</[^<>\n]{1,20}>)*"
_BETWEEN = rf"(?:{BLANK}|{WRAP})"
_OPENERS = r"(?:<[^<>\n]{0,200}>|\*\*|[`\[])*"
_JOIN = (
    rf"(?:{_BETWEEN}{{0,3}},{_BETWEEN}{{0,3}}(?:(?:and|or|&){_BETWEEN}{{1,3}})?"
    rf"|{_BETWEEN}{{1,3}}(?:and|or|&|plus){_BETWEEN}{{1,3}}|{_BETWEEN}?[/+&;]{_BETWEEN}?)"
)
_DASH = r"(?:[-‐‑–—]|\.{2,3})"
_RANGE_FULL = re.compile(
    rf"{_CLOSERS}(?:{BLANK}?{_DASH}{BLANK}?|{_BETWEEN}{{1,3}}(?:to|through|thru){_BETWEEN}{{1,3}})"
    rf"{_OPENERS}(?:§{BLANK}?)?(?P<number>{_RULE})"
)
_RANGE_SHORT = re.compile(
    rf"(?:{_DASH}|{BLANK}(?:to|through|thru){BLANK}(?=[b-z]\b))"
    r"(?:(?P<letters>[a-z])(?![\w'’])|(?P<rule>[1-9]\d{0,2})(?![\w.]*\w))"
)
_ASIDE = rf"(?:{_BETWEEN}?\([^()\n]{{1,60}}\))?"
"""What stands in brackets after a number of a list: "701.27 (Transform), 701.28 (Convert)"."""
_NEXT_FULL = re.compile(rf"{_CLOSERS}[\"']?{_ASIDE}{_JOIN}[\"']?{_OPENERS}(?:§{BLANK}?)?(?P<number>{_RULE})")
_NEXT_SECTION = re.compile(rf"{_CLOSERS}[\"']?{_JOIN}[\"']?{_OPENERS}(?P<number>{_SECTION})")
_SLASHED_SECTION = re.compile(rf"{_CLOSERS}{_BETWEEN}?/{_BETWEEN}?{_OPENERS}(?P<number>{_SECTION})")
"""A section after a rule, where a comma would make it an amount: "CR 701.7/614"."""
_NEXT_LETTER = re.compile(
    rf"(?:{BLANK}?[/&]{BLANK}?|{BLANK}?,{BLANK}?(?:(?:and|or){BLANK})?|{BLANK}(?:and|or|&){BLANK})"
    r"(?P<letters>[a-z])(?!\w)(?!['’.](?!s\b)\w)"
)
_GOES_ON = re.compile(
    r"[-‐‑–—/&+,]\d*[a-z]?(?!\w)(?<=\w)|\([a-z0-9]{1,2}\)|[*+~](?![*\s])|\.(?:[a-z]\b|\*|x\b)|f{1,2}\."
)
_CODE_LIKE = re.compile(r"\A[a-z]{1,3}\W|[:|\[]")
"""A section in code that is none: "cr[613]", "cr: 100"."""
_LETTERED = re.compile(r"[\d.]+[a-z]")
_RULE_LINE = re.compile(
    r"(?:^|(?<=[{,\[]))[^\w\n]{0,8}(?:\w+[\"']?: ?[\"'])?([1-9]\d\d\.\d{1,3}[a-z]{0,2})\b"
    r"[^\w\n]{1,8}(?:\w+[\"']?: ?[\"'])?[^\n\"]{40}",
    re.MULTILINE,
)
_RULE_LENGTH = 100
"""Characters of a rule in a text of the rules, at least: 180 on average."""
_STEM = re.compile(r"[a-z]*\Z")


def find_citations(text: str, patterns: Patterns | None = None) -> list[Citation]:
    """The citations of ``text`` in order, by the patterns that ship with the program where none are given."""
    return Finder(patterns or default_patterns()).find(text)


def is_rules_text(text: str) -> bool:
    """Whether a text is a copy of the rules: its references are of its own date, and nobody's to move."""
    if len(text) < RULES_TEXT_LINES * _RULE_LENGTH:
        return False
    keys = [sort_key(number) for number in _RULE_LINE.findall(text)]
    rising = sum(one < other for one, other in pairwise(keys))
    return len(keys) >= RULES_TEXT_LINES and rising >= RULES_TEXT_RISING * (len(keys) - 1)


class Finder:
    """Finds citations by one set of patterns. ``keyed`` and ``finds`` are those that hold for the file at hand."""

    def __init__(self, patterns: Patterns, *, keyed: bool = False, finds: tuple[Find, ...] = ()) -> None:
        self._leads = patterns.leads
        self._finds = finds
        self._lead, self._after, self._before, self._keyed = _compiled(patterns)
        self._is_keyed = keyed
        self._last_words = {word.split()[-1].lower() for lead in patterns.leads for word in lead.words} | {"nbsp"}

    def find(self, text: str) -> list[Citation]:
        """The citations of ``text`` in order; none overlaps another."""
        found: list[Citation] = []
        weak: list[int] = []
        place = 0
        for anchor in (_KEYED_ANCHOR if self._is_keyed else _ANCHOR).finditer(text):
            start = anchor.start()
            if start < place:
                continue
            whole = anchor[1] is not None
            lead = self._lead_of(text, start, whole, weak, len(found))
            if lead < 0 or self._before.match(text, anchor.end()):
                continue
            first = len(found)
            found += self._chain(text, lead, anchor, first, whole)
            place = found[-1].end
        if weak and not any("." in one.number for i, one in enumerate(found) if not {i, one.listed} & set(weak)):
            found = _without(found, weak)
        return self._with_own(text, found) if self._finds else found

    def _lead_of(self, text: str, start: int, whole: bool, weak: list[int], index: int) -> int:
        """Where the lead before ``start`` begins, or -1; a section that counts only beside others joins ``weak``."""
        if text[start - 1 : start] != ">" and not self._may_lead(text, start):
            return -1
        low = max(0, start - (_LOOK_BACK_OVER_TAGS if text[start - 1 : start] == ">" else _LOOK_BACK))
        before = text[low:start]
        match = self._lead.search(before)
        if match is None:
            return start if self._is_keyed and whole and self._has_key(text, before, start) else -1
        at = low + match.start()
        if self._after.search(text, max(0, at - 30), at):
            return -1
        if not whole:
            lead = self._leads[int(str(match.lastgroup)[4:])]
            if lead.sections == "never" or (lead.short and _CODE_LIKE.search(match[0])):
                return -1
            if lead.sections == "beside others":
                weak.append(index)
        return at

    def _may_lead(self, text: str, start: int) -> bool:
        """Whether what stands before a number ends as a lead does: that rules out most numbers in code at once."""
        before = text[max(0, start - _LOOK_BACK) : start].rstrip(_GLUE_LETTERS)
        tail = _TAIL.search(before, max(0, len(before) - _LONGEST_TAIL))
        if tail is None:
            return before.endswith(("0", *(_DATA_ENDS if self._is_keyed else ())))
        return tail[0].lower() in self._last_words or self._is_keyed

    def _has_key(self, text: str, before: str, start: int) -> bool:
        """Whether the number is the value of a key, and a text rather than a number with a fraction."""
        match = self._keyed.search(before)
        return match is not None and (match["quote"] is not None or _LETTERED.match(text, start) is not None)

    def _chain(self, text: str, lead: int, anchor: re.Match[str], first: int, whole: bool) -> Iterator[Citation]:
        """A citation and what goes on from it."""
        place = (anchor.start(), anchor.end())
        number = anchor[0]
        current = self._ranged(text, Citation(number, lead, place[1], place)) if whole else Citation(
            number, lead, place[1], place
        )  # fmt: skip
        index, base = first, first
        while True:
            following = self._following(text, current, first, base)
            if following is None:
                yield _ended(text, current)
                return
            yield current
            index += 1
            if following.leans < 0:
                base = index
            current = following

    def _following(self, text: str, current: Citation, first: int, base: int) -> Citation | None:
        end = current.end
        if "." not in current.number:
            return self._listed(text, _NEXT_FULL.match(text, end) or _NEXT_SECTION.match(text, end), first)
        letter = _NEXT_LETTER.match(text, end)
        stem = _STEM.sub("", current.last or current.number)
        written = (current.last or current.number)[len(stem) :]
        if letter is not None and _is_next_letter(written, letter):
            place = letter.span("letters")
            one = Citation(stem + letter["letters"], place[0], place[1], place, leans=base, listed=first)
            return self._ranged(text, one)
        return self._listed(text, _NEXT_FULL.match(text, end) or _SLASHED_SECTION.match(text, end), first)

    def _listed(self, text: str, match: re.Match[str] | None, first: int) -> Citation | None:
        """The rule or section that a list goes on with, unless it is an amount."""
        if match is None or self._before.match(text, match.end()):
            return None
        place = match.span("number")
        one = Citation(match["number"], place[0], place[1], place, listed=first)
        return self._ranged(text, one) if "." in one.number else one

    def _ranged(self, text: str, citation: Citation) -> Citation:
        """The citation with the end of its range, where it has one."""
        section, _, rule = citation.number.partition(".")
        stem = _STEM.sub("", citation.number)
        full = _RANGE_FULL.match(text, citation.end)
        if full is not None and _comes_before(citation.number, full["number"]):
            last, place = full["number"], full.span("number")
        else:
            short = _RANGE_SHORT.match(text, citation.end)
            if short is None:
                return citation
            if short["letters"]:
                last, place = stem + short["letters"], short.span("letters")
            else:
                last, place = f"{section}.{short['rule']}", short.span("rule")
            if not _comes_before(citation.number, last) or bool(short["letters"]) != rule[-1:].isalpha():
                return citation
        return Citation(
            citation.number, citation.start, place[1], citation.place, last, place, citation.leans, citation.listed
        )

    def _with_own(self, text: str, found: list[Citation]) -> list[Citation]:
        """Those of the project's own patterns too, where no other citation stands."""
        taken = [(citation.start, citation.end) for citation in found]
        own: list[Citation] = []
        for find in self._finds:
            for match in find.pattern.finditer(text):
                start, end = match.span()
                if any(low < end and start < high for low, high in taken):
                    continue
                letters = match["letters"] if "letters" in find.pattern.groupindex else None
                number = f"{match['section']}.{match['rule']}{letters or ''}"
                pieces = (
                    match.span("section"),
                    match.span("rule"),
                    match.span("letters") if letters is not None else None,
                )
                own.append(Citation(number, start, end, (start, end), pieces=pieces, movable=find.move))
                taken.append((start, end))
        if not own:
            return found
        return _reordered(found, own)


@lru_cache(maxsize=16)
def _compiled(
    patterns: Patterns,
) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    return lead_pattern(patterns), after_pattern(patterns), before_pattern(patterns), keyed_pattern(patterns)


def _is_next_letter(written: str, match: re.Match[str]) -> bool:
    """Whether a letter after a subrule is another subrule, rather than a word or the name of something."""
    letter = match["letters"]
    if len(written) != 1 or letter <= written:
        return False
    joined = match[0][:-1].strip()
    if joined in {"/", "&"}:
        return True
    return letter not in "ai" and (joined != "," or ord(letter) - ord(written) <= _COMMA_REACH)


def _comes_before(number: str, last: str) -> bool:
    """Whether the two are the ends of a range: rules of one section, or subrules of one rule."""
    stem, other = _STEM.sub("", number), _STEM.sub("", last)
    if number[len(stem) :] or last[len(other) :]:
        return stem == other and bool(number[len(stem) :]) and number < last
    section, _, rule = stem.partition(".")
    other_section, _, other_rule = other.partition(".")
    return section == other_section and int(rule) < int(other_rule)


def _ended(text: str, citation: Citation) -> Citation:
    """The last of a chain, marked where what follows belongs to it but is not understood."""
    if _GOES_ON.match(text, citation.end) is None:
        return citation
    return Citation(
        citation.number, citation.start, citation.end, citation.place, citation.last, citation.last_place,
        citation.leans, citation.listed, open_end=True,
    )  # fmt: skip


def _moved_index(citation: Citation, new: dict[int, int]) -> Citation:
    return Citation(
        citation.number, citation.start, citation.end, citation.place, citation.last, citation.last_place,
        new.get(citation.leans, -1), new.get(citation.listed, -1), citation.pieces, citation.movable, citation.open_end,
    )  # fmt: skip


def _without(found: list[Citation], dropped: list[int]) -> list[Citation]:
    """``found`` less the chains that begin at the indexes ``dropped``."""
    gone = set(dropped)
    kept = [i for i, citation in enumerate(found) if i not in gone and citation.listed not in gone]
    new = {old: i for i, old in enumerate(kept)}
    return [_moved_index(found[i], new) for i in kept]


def _reordered(found: list[Citation], own: list[Citation]) -> list[Citation]:
    together = [*found, *own]
    order = sorted(range(len(together)), key=lambda i: together[i].start)
    new = {old: i for i, old in enumerate(order)}
    return [_moved_index(together[i], new) for i in order]
