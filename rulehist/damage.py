"""Damage done to a text before it came here: by conversions, by editors, by a download that broke off.

The published texts have faults of their own: two of them lost some hundred dashes to question marks, three lost as
many characters altogether. Those are warnings. What goes through a whole text is fatal, for it would turn up in the
history as thousands of changes that nobody made. The shares that divide the two are in ``thresholds``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from string import ascii_lowercase
from typing import Final

from rulehist.decoding import KNOWN_CHARACTERS, split_lines
from rulehist.document import Finding, Part, PartKind, Severity
from rulehist.folding import INVISIBLE
from rulehist.keywords import keyword_names
from rulehist.thresholds import (
    APOSTROPHES_SOUGHT,
    DAMAGED_LINE_SHARE,
    GLOSSARY_ENTRY_LONGEST,
    GLOSSARY_KEYWORDS_LOST,
    GLOSSARY_KEYWORDS_MISSED,
    GLOSSARY_OF_ALL_LETTERS,
    GLOSSARY_RARE_LETTERS,
    HEADING_LONGEST,
    LOST_APOSTROPHE_SHARE,
    RULE_LONGEST,
    RULES_AFTER_THE_END,
    UNEXPLAINED_TERM_SHARE,
    UNFINISHED_RULE_LENGTH,
    UNFINISHED_RULE_SHARE,
    UNREAD_NUMBER_SHARE,
)

_ASCII: Final = bytes(range(128))
_CONTROLS: Final = bytes([*range(1, 9), *range(14, 32), 127])
_OFTEN = frozenset("‘’“”–—•·…™®©−∞\u00a0\ufffd")
_REORDERING = "\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # Unicode UAX #9
_UNSEEN = frozenset(INVISIBLE + _REORDERING)
_TYPOGRAPHIC = frozenset("‚‛`´′„‟«»″‐‑‒―℠ﬁﬂﬀﬃﬄ\ufffd") | _UNSEEN  # folded away or told elsewhere
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f\x7f-\x9f]")
_QUESTION_MARK = re.compile(r"(?<!\.asp)(?<!\.aspx)(?<!\.htm)(?<!\.html)(?<!/)\?(?=[A-Za-z])|(?<=\s)\?(?=[\s\w])")
_MOJIBAKE = ("â€", "Ã¢", "Ã¡", "Ã»", "Ãº", "Ã¶", "Ã†", "Â®", "Â©", "‚Äô", "‚Äú", "‚Äù", "ΓÇ")
_SPOILT_MARK = re.compile(r"\s*(\ufeff|ï»¿|∩╗┐|Ôªø|´╗┐|\+AP8-|\+/v)")
_ESCAPE_STARTS = ("&", "<", "=", "\\", "+I")
_ESCAPE = re.compile(
    r"&(?:[A-Za-z]{2,8}|#\d{2,5}|#x[0-9A-Fa-f]{2,5});|</?(?:p|br|b|i|em|div|span|a)\b[^<>\n]{0,200}>"
    r"|=[0-9A-F]{2}(?:=[0-9A-F]{2})+|(?<![=\s])=$|\\u[0-9a-f]{4}|\+I[A-F][0-9A-Za-z]-",
    re.MULTILINE,
)
_WITHOUT_APOSTROPHE = ("isnt", "doesnt", "isn t", "doesn t")
_FIRST_NUMBER = "100.1"
_RULE_LINE = re.compile(r"\d{3,4}\.\d{1,4}[a-z]{0,3}\.? [A-Z\"“{]")
_ENDS = tuple(".!?:;…)]\"”’'_*,")
_SENTENCES = frozenset({PartKind.RULE, PartKind.SUBRULE, PartKind.EXAMPLE})
_RULES = frozenset({PartKind.RULE, PartKind.SUBRULE})
_BEHIND = frozenset({PartKind.NOTICE, PartKind.CREDITS, PartKind.GLOSSARY})


# --- Characters ----------------------------------------------------------------------------------------------


def in_characters(text: str) -> list[Finding]:
    """What conversions did to the characters of ``text`` (decoded, line ends as they were): one finding a kind."""
    found: list[Finding] = []
    lines = max(1, text.count("\n"), text.count("\r"))

    def report(code: str, places: Sequence[int], what: str, share: float = DAMAGED_LINE_SHARE) -> None:
        if places:
            line = len(split_lines(text[: places[0]]))
            severity = Severity.FATAL if len(places) > share * lines else Severity.WARNING
            found.append(Finding(code, f"{what}: {len(places)}, first in line {line}.", line, severity))

    if mark := _SPOILT_MARK.match(text):
        found.append(Finding("spoilt-mark", f"Begins with a byte-order mark spoilt by a conversion ({mark[1]!r}).", 1))
    places = [place for place in _all(text, "?") if _QUESTION_MARK.match(text, place)]
    report("question-marks", places, "Apostrophes, quotes or dashes turned into question marks")
    data = text.encode("utf-8", "surrogatepass")
    beyond = data.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    if beyond:
        _report_beyond_ascii(text, beyond, lines, report)
    if len(data.translate(None, _CONTROLS)) < len(data) or any(
        "\x80" <= character <= "\x9f" for character in set(beyond)
    ):
        report("control-character", [match.start() for match in _CONTROL.finditer(text)], "Control characters")
    places = [place for place in _all(text, _ESCAPE_STARTS) if _ESCAPE.match(text, place)]
    report("escapes", places, "Pieces of markup left by a conversion")
    opening = text[:APOSTROPHES_SOUGHT]  # what a conversion drops it drops everywhere
    share = LOST_APOSTROPHE_SHARE * len(opening) / max(1, len(text))
    report("apostrophes-lost", _all(opening, _WITHOUT_APOSTROPHE), "Words that lost their apostrophe", share)
    return found


def _report_beyond_ascii(text: str, beyond: str, lines: int, report: Callable[[str, Sequence[int], str], None]) -> None:
    """``beyond`` are the characters of ``text`` outside ASCII."""
    if "\ufffd" in beyond:
        report("replacement-character", _all(text, "\ufffd"), "Characters lost in a conversion (U+FFFD)")
    used = set(beyond)
    if unseen := sorted(used & _UNSEEN):
        named = " ".join(f"U+{ord(each):04X}" for each in unseen[:5])
        report("invisible-character", _all(text, unseen), f"Invisible characters ({named})")
    strange = {character for character in used - _OFTEN - _UNSEEN if not "\x80" <= character <= "\x9f"}
    if sum(beyond.count(character) for character in strange) > DAMAGED_LINE_SHARE * lines:
        report("mojibake", _all(text, strange), "Characters decoded in the wrong encoding")
    elif wrong := [sign for sign in _MOJIBAKE if sign[0] in used and sign in text]:
        report("mojibake", _all(text, wrong), "Characters decoded in the wrong encoding")
    elif odd := sorted(each for each in strange - KNOWN_CHARACTERS - _TYPOGRAPHIC if not each.isspace()):
        report("odd-character", _all(text, odd), f"Characters that rules texts do not use ({' '.join(odd[:5])})")


def _all(text: str, signs: Iterable[str]) -> list[int]:
    """The places of any of ``signs`` in ``text``, in order."""
    found = []
    for sign in signs:
        place = text.find(sign)
        while place >= 0:
            found.append(place)
            place = text.find(sign, place + 1)
    return sorted(found)


# --- Structure -----------------------------------------------------------------------------------------------


def in_structure(parts: Sequence[Part], findings: Sequence[Finding]) -> list[Finding]:
    """What was lost or run together in a full text read into ``parts``; ``findings`` are those of its reading."""
    found = []
    rules = [part for part in parts if part.kind in _RULES]
    if rules and rules[0].number != _FIRST_NUMBER:
        found.append(_fatal("cut-off", f"The text begins with rule {rules[0].number}: its beginning is missing"))
    elif missing := _missing_at_the_beginning(parts):
        what = f"The text has no {' and no '.join(missing)}: its beginning may be missing"
        found.append(Finding("no-beginning", f"{what}, and with it what the rest is checked against.", 1))
    sentences = [part.text for part in parts if part.kind in _SENTENCES and len(part.text) > UNFINISHED_RULE_LENGTH]
    unfinished = sum(not text.endswith(_ENDS) for text in sentences)
    if unfinished > max(2, UNFINISHED_RULE_SHARE * len(sentences)):
        found.append(
            _fatal("cut-off", f"{unfinished} of {len(sentences)} rules end in mid-sentence: lines were cut off")
        )
    if long := next((part for part in parts if len(part.text) > RULE_LONGEST), None):
        what = f"A paragraph has {len(long.text):,} characters ({long.number or long.kind}): something else ran into it"
        found.append(_fatal("run-together", what, long.line))
    unread = sum(finding.code == "looks-like-rule" for finding in findings)
    if unread > max(2, UNREAD_NUMBER_SHARE * len(rules)):
        found.append(_fatal("numbers-unread", f"{unread} lines begin with numbers that cannot be read as rules"))
    entries = [part for part in parts if part.kind is PartKind.GLOSSARY]
    bare = sum(not part.text for part in entries)
    if bare > max(2, UNEXPLAINED_TERM_SHARE * len(entries)):
        found.append(_fatal("glossary-torn", f"{bare} of {len(entries)} glossary entries have no text"))
    for part in entries:
        if len(part.text) > GLOSSARY_ENTRY_LONGEST:
            found.append(_fatal("glossary-torn", f"The glossary runs together from {part.number!r} on", part.line))
            break
    return found + _lost_from_glossary(parts, [part.number for part in entries]) + _after_the_end(parts)


def _missing_at_the_beginning(parts: Sequence[Part]) -> list[str]:
    """What every published text has before its rules, and this one has not."""
    kinds = {part.kind for part in parts}
    wanted = {"title": PartKind.TITLE, "introduction": PartKind.INTRODUCTION, "contents": PartKind.CONTENTS}
    return [name for name, kind in wanted.items() if kind not in kinds]


def _lost_from_glossary(parts: Sequence[Part], terms: Sequence[str]) -> list[Finding]:
    """A stretch lost from the middle of a glossary: it explains the keywords that the rules define, nearly all.

    Of the keywords in order of the alphabet no published text leaves out two in a row, and only the rarest letters
    begin no entry.
    """
    if not terms:
        return []
    named = {word.strip() for term in terms for word in (term, term.split("(")[0], *term.split(","))}
    explained = {name.rstrip(".").casefold() for name in named}
    headings = {part.text.strip().rstrip(".").casefold() for part in parts if _may_be_heading(part)}
    keywords = sorted(headings & keyword_names())
    lost: list[str] = []
    run: list[str] = []
    for keyword in keywords:
        run = [] if keyword in explained else [*run, keyword]
        lost = max(lost, run, key=len)
    if len(lost) >= GLOSSARY_KEYWORDS_MISSED:
        shown = ", ".join(name.capitalize() for name in lost[:3]) + (", ..." if len(lost) > 3 else "")
        what = f"The glossary lacks {len(lost)} keywords in a row ({shown}): a part of it is missing"
        if len(lost) >= GLOSSARY_KEYWORDS_LOST:
            return [_fatal("glossary-hole", what)]
        return [Finding("glossary-hole", f"{what}, or was never there.")]
    if len(terms) >= GLOSSARY_OF_ALL_LETTERS:
        begun = {term.lstrip('"“(_')[:1].casefold() for term in terms}
        unused = [letter for letter in ascii_lowercase if letter not in begun and letter not in GLOSSARY_RARE_LETTERS]
        if unused:
            what = f"No glossary entry begins with {', '.join(unused).upper()}: a part of the glossary is missing"
            return [_fatal("glossary-hole", what)]
    return []


def _may_be_heading(part: Part) -> bool:
    return part.kind is PartKind.RULE and len(part.text) < HEADING_LONGEST


def _after_the_end(parts: Sequence[Part]) -> list[Finding]:
    """Rules that come after the credits or the glossary: a second text appended to the first."""
    last = next((at for at in range(len(parts) - 1, -1, -1) if parts[at].kind in _RULES), 0)
    behind = [part for part in parts[last + 1 :] if part.kind in _BEHIND]
    lines = sum(_RULE_LINE.match(line) is not None for part in behind for line in part.text.split("\n"))
    if lines <= RULES_AFTER_THE_END:
        return []
    return [_fatal("rules-after-end", f"{lines} numbered rules come after the end of the rules: two texts in one file")]


def _fatal(code: str, what: str, line: int = 0) -> Finding:
    return Finding(code, f"{what}. Get the whole file again.", line, Severity.FATAL)
