"""References from one rule to others: "rule 706", "rules 702.2b-d", "section 7".

When rules are renumbered, every text that refers to them is reprinted without having changed. So matching and
diffing look at a text with its references masked, and ask apart which rules the references point to.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MASK = "§"
"""What stands for a reference in a masked text; no published rules text uses it."""

_DASH = r"[-‐‑–—\x96]"
_RANGE = rf"(?:\s?{_DASH}\s?(?P<last>\d{{1,3}}(?:\.\d{{1,3}}[a-z]{{0,2}})?|[a-z]{{1,2}})(?![\w.]*\w))?"
_FULL = rf"(?<![\w.])(?P<number>\d{{3}}\.\d{{1,3}}[a-z]{{0,2}}){_RANGE}(?!\w)(?!\.\d)"
_NAMED = rf"(?P<number>\d{{1,4}}(?:\.\d{{1,3}}[a-z]{{0,2}})?){_RANGE}(?!\w)(?!\.\d)"
_LEAD = re.compile(r"(?<!\w)(?P<word>rules?|sections?)\s+(?=\d)", re.IGNORECASE)
_FIRST = re.compile(_NAMED)
_BARE = re.compile(_FULL)
_NEXT = re.compile(rf"(?:\s*,\s*(?:and|or)\s+|\s*,\s*|\s+(?:and|or|to|through)\s+|/)(?:{_NAMED})")
_LETTER = re.compile(r"\s+(?:and|or)\s+(?P<letters>[b-z])(?![\w'’])")
_TITLE = re.compile(r",\s*[\"“](?P<title>[^\"“”]{2,80}?)[.,]?[\"”]|,\s*'(?P<plain>[A-Z][^'\"]{2,80}?)[.,]?'(?!\w)")
_LIKELY = re.compile(r"\d")


class Reference(NamedTuple):
    """One reference in a text: ``text[start:end]`` is its number or range of numbers as printed.

    ``number`` is the (first) rule or section referred to, ``last`` the last of a range, written out in full
    (``702.2d`` for "702.2b-d"), else empty. ``title`` is the title that the text gives with it; ``stop`` is
    where that ends (``end`` where there is none).
    """

    start: int
    end: int
    number: str
    last: str = ""
    title: str = ""
    stop: int = 0


def find_references(text: str) -> tuple[Reference, ...]:
    """The references in ``text``, published or folded, in order; none overlaps another."""
    return _find(text)


@lru_cache(maxsize=32768)
def _find(text: str) -> tuple[Reference, ...]:
    if not _LIKELY.search(text):
        return ()
    found: list[Reference] = []
    place = 0
    lead, bare = _LEAD.search(text), _BARE.search(text)
    while True:
        if lead is not None and lead.start() < place:
            lead = _LEAD.search(text, place)
        if bare is not None and bare.start() < place:
            bare = _BARE.search(text, place)
        if lead is not None and (bare is None or lead.start() < bare.start()):
            match = _FIRST.match(text, lead.end())
            if match is None:
                place = lead.end()
                continue
            many = lead["word"].lower().endswith("s")
        elif bare is not None:
            match, many = bare, True
        else:
            return tuple(found)
        found += _list_from(text, match, many)
        place = found[-1].stop


def _list_from(text: str, match: re.Match[str], many: bool) -> list[Reference]:
    """The references of a list that begins with ``match``: "rules 103.1, 103.2, and 608.3a and b"."""
    found = [_reference(text, match)]
    while True:
        last = found[-1]
        following = _NEXT.match(text, last.stop)
        if following is not None and ("." in following["number"] or (many and len(following["number"]) == 3)):
            found.append(_reference(text, following))
            continue
        letter = _LETTER.match(text, last.stop)
        if many and letter is not None and last.number[-1].isalpha():
            stem = last.number.rstrip("abcdefghijklmnopqrstuvwxyz")
            end = letter.end("letters")
            found.append(Reference(letter.start("letters"), end, stem + letter["letters"], stop=end))
            continue
        return found


def _reference(text: str, match: re.Match[str]) -> Reference:
    number = match["number"]
    last, end = match["last"] or "", match.end()
    if last and not _is_range(number, last):
        last, end = "", match.end("number")
    title = _TITLE.match(text, end)
    stop = end if title is None else title.end()
    words = "" if title is None else title["title"] or title["plain"]
    return Reference(match.start("number"), end, number, _whole(number, last), words, stop)


def _is_range(number: str, last: str) -> bool:
    return last[0].isdigit() or number[-1].isalpha()


def _whole(number: str, last: str) -> str:
    """The end of a range in full: ``_whole("702.2b", "d")`` is ``702.2d``, of "712.9-10" it is ``712.10``."""
    if not last or "." in last or "." not in number:
        return last
    section, _, rule = number.partition(".")
    return f"{section}.{last}" if last[0].isdigit() else f"{section}.{rule.rstrip('abcdefghijklmnopqrstuvwxyz')}{last}"


def masked(text: str) -> str:
    """``text`` with every reference, its range and title replaced by ``§``; lists of any length become one.

    Two texts whose masked forms are equal differ in nothing but where they refer to.
    """
    references = _find(text)
    if not references:
        return text
    pieces: list[str] = []
    place = 0
    for reference in references:
        between = text[place : reference.start]
        if pieces and _ONLY_LIST.fullmatch(between):
            place = reference.stop
            continue
        pieces += [between, MASK]
        place = reference.stop
        if reference.title and text[place - 2] in ".,":
            pieces.append(text[place - 2])
    pieces.append(text[place:])
    return _PLURAL.sub(lambda word: word[1], "".join(pieces))


_ONLY_LIST = re.compile(r"\s*,?\s*(?:(?:and|or|to|through|see)\s+)?(?:rules?\s+|sections?\s+)?|/", re.IGNORECASE)
_PLURAL = re.compile(rf"\b([Rr]ule|[Ss]ection)s(?= {MASK})")
