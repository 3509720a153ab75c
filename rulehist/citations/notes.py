"""Footnotes with the words of the rules that an article cites: Markdown and HTML."""

from __future__ import annotations

import html
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from rulehist.citations.finding import Citation, Finder
from rulehist.citations.patterns import Patterns, default_patterns
from rulehist.citations.rules import Held, Moment, RulesThroughTime
from rulehist.errors import QueryError
from rulehist.when import When

_AFTER_IN_MARKDOWN = re.compile(r"(?:\*\*|[_`*])?(?:\]\([^()\s]{0,300}\)|\])?(?:\*\*|[_*])?")
_AFTER_IN_HTML = re.compile(r"(?:</(?:a|b|i|em|strong|span|code)>)*", re.IGNORECASE)
_FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MARKDOWN_NOTE = re.compile(r"^\[\^cr-[^\]\n]+\]:.*(?:\r?\n(?: {4}.*|[ \t]*(?=\r?\n {4})))*(?:\r?\n|\Z)", re.MULTILINE)
_MARKDOWN_MARK = re.compile(r"\[\^cr-[a-z0-9-]+\](?!:)")
_HTML_NOTES = re.compile(r"<section class=\"cr-notes\">.*?</section>\n?", re.DOTALL)
_HTML_MARK = re.compile(r"<sup class=\"cr-note\">.*?</sup>", re.DOTALL)
_NOT_PROSE = re.compile(
    r"<(script|style|pre|code|textarea|title)\b.*?</\1\s*>|<!--.*?-->|<[^<>]*>", re.DOTALL | re.IGNORECASE
)
_BODY_END = re.compile(r"</body\s*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Annotated:
    """An article with footnotes. ``notes`` are the numbers that got one, ``missing`` those that named no rule."""

    text: str
    as_of: str
    notes: tuple[str, ...]
    missing: tuple[str, ...]


def annotate(
    connection: sqlite3.Connection, text: str, name: str, as_of: When, patterns: Patterns | None = None
) -> Annotated:
    """The article ``text`` with a footnote for each rule that it cites, in the words of ``as_of``.

    ``name`` tells by its ending whether it is Markdown or HTML. Notes that the article has from before are made anew.
    Raises ``QueryError`` for other kinds and for a moment before the first version.
    """
    ending = PurePath(name).suffix.lower()
    if ending in {".md", ".markdown", ".mdown", ".qmd"}:
        bare = _MARKDOWN_MARK.sub("", _MARKDOWN_NOTE.sub("", text))
        spared = [match.span() for match in _FENCE.finditer(bare)]
        mark, after, write = _markdown_mark, _AFTER_IN_MARKDOWN, _markdown_notes
    elif ending in {".html", ".htm", ".xhtml"}:
        bare = _HTML_MARK.sub("", _HTML_NOTES.sub("", text))
        spared = [match.span() for match in _NOT_PROSE.finditer(bare)]
        mark, after, write = _html_mark, _AFTER_IN_HTML, _html_notes
    else:
        raise QueryError(f"{name}: footnotes are made in Markdown (.md) and HTML (.html); rename or convert the file")
    rules = RulesThroughTime(connection)
    moment = rules.moment(as_of)
    found = Finder(patterns or default_patterns()).find(bare)
    known: dict[str, list[Held]] = {}
    missing: dict[str, None] = {}
    pieces: list[str] = []
    at = 0
    for citation in found:
        if any(low <= citation.place[0] < high for low, high in spared):
            continue
        cited = _cited(rules, citation, moment)
        if not cited:
            missing[citation.words] = None
            continue
        end = _end_of(bare, citation, after)
        if ending.startswith(".m") and _in_code(bare, end):
            continue
        known[citation.words] = cited
        pieces += [bare[at:end], mark(citation.words)]
        at = end
    body = "".join([*pieces, bare[at:]])
    made = write(body, list(known.items()), rules, moment)
    return Annotated(made if known else bare, moment.day, tuple(known), tuple(missing))


def _cited(rules: RulesThroughTime, citation: Citation, moment: Moment) -> list[Held]:
    numbers = rules.between(citation.number, citation.last, moment) if citation.last else [citation.number]
    return [held for number in numbers for held in rules.at(number, moment)]


def _end_of(text: str, citation: Citation, after: re.Pattern[str]) -> int:
    match = after.match(text, citation.end)
    return citation.end if match is None else match.end()


def _in_code(text: str, at: int) -> bool:
    """Whether a place stands within `code` in its line."""
    return text.count("`", text.rfind("\n", 0, at) + 1, at) % 2 == 1


def _label(number: str) -> str:
    return "cr-" + re.sub(r"[^a-z0-9]+", "-", number)


def _markdown_mark(number: str) -> str:
    return f"[^{_label(number)}]"


def _markdown_notes(body: str, notes: Sequence[tuple[str, list[Held]]], rules: RulesThroughTime, moment: Moment) -> str:
    end = "\r\n" if "\r\n" in body else "\n"
    lines = [body.rstrip("\r\n"), ""]
    for number, cited in notes:
        told = [f"**{held.number}** ({moment.day}) {_one_line(rules.text(held))}" for held in cited]
        lines.append(f"[^{_label(number)}]: " + f"{end}{end}    ".join(told))
    return end.join(lines) + end


def _html_mark(number: str) -> str:
    return f'<sup class="cr-note"><a href="#{_label(number)}">{number}</a></sup>'


def _html_notes(body: str, notes: Sequence[tuple[str, list[Held]]], rules: RulesThroughTime, moment: Moment) -> str:
    items = [
        f'<li id="{_label(number)}">'
        + " ".join(f"<b>{held.number}</b> {html.escape(_one_line(rules.text(held)), quote=False)}" for held in cited)
        + "</li>"
        for number, cited in notes
    ]
    section = "\n".join(
        [f'<section class="cr-notes"><h2>Rules cited, as of {moment.day}</h2>', "<ol>", *items, "</ol></section>", ""]
    )
    found = _BODY_END.search(body)
    if found is not None:
        return body[: found.start()] + section + body[found.start() :]
    return body + ("" if body.endswith("\n") or not body else "\n") + section


def _one_line(text: str) -> str:
    return " ".join(text.split())
