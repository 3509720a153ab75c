"""The changes of a report by subject: what an article tells together, under a heading in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rulehist.headings import Headings, is_name
from rulehist.numbers import parent, parse, sort_key
from rulehist.report_view import Entry, View
from rulehist.thresholds import NUMBERS_IN_A_HEADING


class Subject(NamedTuple):
    """What changes are about, in words (empty where no heading is known), and the changes."""

    words: str
    entries: tuple[Entry, ...]

    @property
    def heading(self) -> str:
        """``Copying Objects (707.2, 707.10)``; the numbers alone where there are no words."""
        rules = [entry for entry in self.entries if entry.part != "glossary"]
        numbers = list(dict.fromkeys(_rule(entry.number) for entry in rules))
        if not numbers:
            return f"{self.words} (glossary)"
        if "." not in numbers[0]:
            numbers = numbers[:1]  # the section itself changed, and its rules with it
        told = ", ".join(numbers) if len(numbers) <= NUMBERS_IN_A_HEADING else f"{numbers[0]} to {numbers[-1]}"
        return f"{self.words} ({told})" if self.words else told


def subjects(view: View, headings: Headings | None = None) -> tuple[Subject, ...]:
    """The changes worth an article by subject, in the order of the rules; glossary entries last.

    A subject is a keyword, or else a section; where no heading is known, the rule that changes belong to (707.2 for
    707.2a and its examples). A glossary entry of the same name stands with it.
    """
    shown = [entry for key in ("added", "removed", "reworded", "examples") for entry in view.group(key)]
    shown.sort(key=lambda entry: (sort_key(entry.number), entry.part == "example"))
    names = headings or Headings({}, {})
    names = Headings(_with_names(names.old, shown, new=False), _with_names(names.new, shown, new=True))
    found: dict[tuple[str, str], list[Entry]] = {}
    for entry in shown:
        found.setdefault(_subject(entry, names), []).append(entry)
    home = {words.rpartition(": ")[2].casefold(): (words, at) for words, at in found if words}
    for entry in view.group("glossary"):
        found.setdefault(home.get(entry.number.casefold(), (entry.number, "")), []).append(entry)
    return tuple(Subject(words, tuple(entries)) for (words, _), entries in found.items())


def _with_names(known: Mapping[str, str], entries: Iterable[Entry], *, new: bool) -> Mapping[str, str]:
    """The headings, with the names of keywords that changed themselves."""
    sides = ((entry, entry.new_number if new else entry.old_number) for entry in entries if entry.part == "rule")
    texts = ((number, (entry.new_text if new else entry.old_text).strip()) for entry, number in sides if number)
    return {**known, **{number: text for number, text in texts if is_name(text)}}


def _subject(entry: Entry, headings: Headings) -> tuple[str, str]:
    """The words of a subject, and the number that keeps it apart from others of the same words."""
    number, known = (entry.new_number, headings.new) if entry.new_number else (entry.old_number, headings.old)
    for above in _upwards(_rule(number)):
        if above in known:
            chapter = known.get(parent(above) or "", "") if known[above] == "General" else ""
            return (f"{chapter}: {known[above]}" if chapter else known[above]), above
    return "", _rule(number)


def _upwards(number: str) -> Iterator[str]:
    """A rule and its section; a chapter says too little of a change."""
    read = parse(number)
    if read is not None:
        yield number
        if read.rule is not None:
            yield str(read.section)


def _rule(number: str) -> str:
    """The rule of a subrule: ``707.2`` for ``707.2a``."""
    read = parse(number)
    return (parent(number) or number) if read is not None and read.letters else number
