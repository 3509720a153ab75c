"""A text's date held against what the text itself holds, and against the name of its file.

The titles of chapters (``data/chapters.tsv``) and the keywords (``data/keywords.tsv``) tell to within about a year
when a text was published. What they say depends on no other text, so that it is the same in whatever order texts come.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from rulehist import tables
from rulehist.document import Coverage, Document, Finding, PartKind, Severity
from rulehist.errors import DataError
from rulehist.file_names import dates_in_name
from rulehist.folding import fold
from rulehist.keywords import known_keywords
from rulehist.resources import data_folder
from rulehist.thresholds import (
    ERA_KEYWORDS,
    ERA_KEYWORDS_LACKING,
    ERA_KEYWORDS_STRANGE,
    ERA_SLACK,
    HEADING_LONGEST,
    NAME_DATE_APART,
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A title of a chapter and the known texts that had it; ``last`` is ``None`` for a title still in use."""

    number: str
    title: str
    first: date
    last: date | None


def of_document(document: Document) -> list[Finding]:
    """What a full text holds that speaks against its date; nothing for an excerpt or an undated text."""
    if document.effective is None or document.coverage is not Coverage.FULL:
        return []
    titles = set()
    headings = set()
    for part in document.parts:
        if part.kind is PartKind.SECTION and len(part.number) == 1:
            titles.add((part.number, fold(part.text)))
        elif part.kind is PartKind.RULE and len(part.text) < HEADING_LONGEST:
            headings.add(part.text)
    return era_faults(document.effective, titles, headings)


def era_faults(effective: date, titles: Iterable[tuple[str, str]], headings: Iterable[str]) -> list[Finding]:
    """Chapter ``titles`` (number, folded title) and ``headings`` of rules that belong to another time."""
    return _chapter_faults(effective, titles) or _keyword_faults(effective, headings)


def name_faults(effective: date, name: str) -> list[Finding]:
    """A date in the file's name that cannot be that of the same text."""
    named = dates_in_name(Path(name).name)
    if not named or any(abs((day - effective).days) <= NAME_DATE_APART for day in named):
        return []
    return [
        Finding(
            "name-date",
            f"The file's name says {named[0]}, but the text says it is effective from {effective}: "
            "check that the file is what its name says.",
        )
    ]


def _chapter_faults(effective: date, titles: Iterable[tuple[str, str]]) -> list[Finding]:
    known = {(chapter.number, fold(chapter.title).casefold()): chapter for chapter in known_chapters()}
    met = [known[key] for number, title in titles if (key := (number, title.casefold())) in known]

    def fits(chapter: Chapter) -> bool:
        late = chapter.last is not None and (effective - chapter.last).days > ERA_SLACK
        return not late and (chapter.first - effective).days <= ERA_SLACK

    if not met or any(fits(chapter) for chapter in met):
        return []
    chapter = min(met, key=lambda each: each.number)
    time = f"from {chapter.first} on" if chapter.last is None else f"from {chapter.first} to {chapter.last}"
    return [
        Finding(
            "other-era",
            f"The text says it is effective from {effective}, but its chapters are those of another time: "
            f"chapter {chapter.number} was called {chapter.title!r} in the texts {time}. Check its date.",
            0,
            Severity.FATAL,
        )
    ]


def _keyword_faults(effective: date, headings: Iterable[str]) -> list[Finding]:
    known = {keyword.name.casefold(): keyword for keyword in known_keywords()}
    met = {name for heading in headings if (name := fold(heading).casefold()) in known}
    if len(met) < ERA_KEYWORDS:
        return []
    strange = [
        keyword
        for keyword in (known[name] for name in met)
        if (keyword.absent is not None and (keyword.absent - effective).days > ERA_SLACK)
        or (keyword.gone is not None and (effective - keyword.gone).days > ERA_SLACK)
    ]
    lacking = [
        keyword
        for name, keyword in known.items()
        if name not in met
        and (effective - keyword.first).days > ERA_SLACK
        and (keyword.last is None or (keyword.last - effective).days > ERA_SLACK)
    ]
    if len(strange) < ERA_KEYWORDS_STRANGE and len(lacking) < max(
        ERA_KEYWORDS_STRANGE, ERA_KEYWORDS_LACKING * len(met)
    ):
        return []
    told = strange or lacking
    named = ", ".join(keyword.name for keyword in sorted(told, key=lambda each: (each.first, each.name))[-3:])
    what = f"has {len(strange)} keywords that no text of that time has" if strange else f"lacks {len(lacking)} keywords"
    return [
        Finding(
            "other-era",
            f"The text says it is effective from {effective}, but {what} ({named} among them). Check its date.",
            0,
            Severity.FATAL,
        )
    ]


@cache
def known_chapters(path: Path | None = None) -> tuple[Chapter, ...]:
    """The chapters of ``data/chapters.tsv`` (or ``path``). Raises ``DataError`` with file, line, remedy."""
    path = path or data_folder() / "chapters.tsv"
    chapters = []
    for line, (number, title, first, last) in tables.rows(path, ("chapter", "title", "first", "last")):
        if not number.isdigit() or not title:
            raise DataError(f"{path}:{line}: write the chapter as a number such as 7, and its title")
        try:
            chapter = Chapter(number, title, date.fromisoformat(first), date.fromisoformat(last) if last else None)
        except ValueError as error:
            raise DataError(f"{path}:{line}: {error}; write dates as 2021-07-23") from None
        if chapter.last is not None and chapter.last < chapter.first:
            raise DataError(f"{path}:{line}: {last} is before {first}; write the first date first")
        chapters.append(chapter)
    return tuple(chapters)
