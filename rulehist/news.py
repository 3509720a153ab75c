"""What an editor would put first: what joined and left the sections, keywords, tokens, types and terms.

Found from the structure and the wording of the rules ("Keyword Abilities" as a section's title, "The artifact
types are ..."), never from a list of names or from rule numbers. So it works under any numbering since July
2009; of older texts it tells what their structure allows, and its notes say what it does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from rulehist.change_words import listed
from rulehist.changes import RENUMBERED, Change
from rulehist.document import Part, PartKind
from rulehist.folding import fold
from rulehist.lists import ListChanges, items, joined_and_left, long_list, sentences
from rulehist.thresholds import KEYWORD_WORDS, TEXTS_KEPT

_CALLED = re.compile(r"\bcalled (?:an? )?(\w+) types?\b")
_TYPES_ARE = re.compile(r"(?:the|that|the only|all other|one) (\w+) types?\b.*\b(?:are|is)\b", re.IGNORECASE)
_GLOSSARY_TYPES = re.compile(r"(\w+) types?", re.IGNORECASE)
_CARD_TYPES = re.compile(r"^The (card |super)types are\b")
_ABILITY_WORDS = re.compile(r"\bability words are\b", re.IGNORECASE)
_PREDEFINED = re.compile(r"\bpredefined token\b")
_TOKEN = re.compile(r"An? ([^.,]*?) token is\b")
_COUNTER = re.compile(r"([+-][\dXY]+/[+-][\dXY]+|[A-Za-z]+) counters?\b")
_NO_COUNTER = frozenset(
    re.findall(
        r"\S+",
        """a an the of or and no any each all other more these those that its one two such given moved keyword
        additional many main-game with put kind to on have has if when counter""",
    )
)
"""Words before "counter" that name no kind of counter."""


class SectionShift(NamedTuple):
    """Sections that kept their titles and moved together, as behind an inserted section."""

    old_first: str
    old_last: str
    new_first: str
    new_last: str


class News(NamedTuple):
    """What joined and what left, by subject. Names are as published.

    ``sections`` are numbers with titles ("721. Station Cards"), ``types`` is by kind of subtype ("artifact");
    "card" are the card types themselves and "super" the supertypes. ``notes`` say what could not be told.
    """

    sections: ListChanges
    shifts: tuple[SectionShift, ...]
    keyword_abilities: ListChanges
    keyword_actions: ListChanges
    ability_words: ListChanges
    tokens: ListChanges
    counters: ListChanges
    types: Mapping[str, ListChanges]
    glossary: ListChanges
    notes: tuple[str, ...] = ()

    def subjects(self) -> Iterator[tuple[str, ListChanges]]:
        """Each subject with anything to tell, in the reader's order, by its name for people."""
        told = [
            ("sections", self.sections),
            ("keyword abilities", self.keyword_abilities),
            ("keyword actions", self.keyword_actions),
            ("ability words", self.ability_words),
            ("predefined tokens", self.tokens),
            ("counters", self.counters),
            *((_types_name(kind), change) for kind, change in self.types.items()),
            ("glossary terms", self.glossary),
        ]
        return ((name, change) for name, change in told if change.joined or change.left or change.renamed)


class Inventory(NamedTuple):
    """What one text names, by subject; ``None`` where it has no such list."""

    sections: Mapping[str, str]  # number to title
    keyword_abilities: tuple[str, ...] | None
    keyword_actions: tuple[str, ...] | None
    ability_words: tuple[str, ...] | None
    tokens: tuple[str, ...]
    counters: tuple[str, ...]
    types: Mapping[str, tuple[str, ...]]
    glossary: tuple[str, ...]


def news(old: Sequence[Part], new: Sequence[Part], speaks_of: Callable[[str], tuple[bool, bool]] | None = None) -> News:
    """What joined and left between two full texts.

    Where ``old`` and ``new`` are only the parts that matter here, ``speaks_of`` says of words whether each of the
    two whole texts has them in a row.
    """
    return news_between(inventory(old), inventory(new), speaks_of or _speaks_of_in(old, new))


def news_between(before: Inventory, after: Inventory, speaks_of: Callable[[str], tuple[bool, bool]]) -> News:
    """What joined and left between what two texts name; ``speaks_of``: see :func:`news`."""
    without: dict[str, list[str]] = {}

    def compared(subject: str, one: tuple[str, ...] | None, other: tuple[str, ...] | None) -> ListChanges:
        if one is None or other is None:
            which = "Neither text has" if one is other else f"The {'older' if one is None else 'newer'} text has"
            without.setdefault(which, []).append(subject)
            return ListChanges((), ())
        return joined_and_left(one, other)

    types: dict[str, ListChanges] = {}
    for kind in sorted({*before.types, *after.types}):
        lists = [side.types.get(kind) for side in (before, after)]
        if None in lists:  # a text that knows no such type at all has an empty list
            known = speaks_of("supertypes" if kind == "super" else f"{kind} type")
            lists = [() if one is None and not speaks else one for one, speaks in zip(lists, known, strict=True)]
        change = compared(_types_name(kind), *lists)
        if change.joined or change.left:
            types[kind] = change
    return News(
        sections=_sections(before.sections, after.sections),
        shifts=_shifts(before.sections, after.sections),
        keyword_abilities=compared("keyword abilities", before.keyword_abilities, after.keyword_abilities),
        keyword_actions=compared("keyword actions", before.keyword_actions, after.keyword_actions),
        ability_words=compared("ability words", before.ability_words, after.ability_words),
        tokens=joined_and_left(before.tokens, after.tokens),
        counters=joined_and_left(before.counters, after.counters),
        types=types,
        glossary=joined_and_left(before.glossary, after.glossary),
        notes=tuple(_no_lists(which, subjects) for which, subjects in without.items()),
    )


def is_marked_obsolete(old: str, new: str) -> bool:
    """Whether a glossary term went on with nothing but the remark that it is obsolete."""
    return new.casefold() == f"{old} (Obsolete)".casefold()


def _no_lists(which: str, subjects: Sequence[str]) -> str:
    """One sentence for all the lists that a text does not have: ``The older text has no list of tokens: ...``."""
    no = "a" if which.startswith("Neither") else "no"
    them = "them" if len(subjects) > 1 else "it"
    return f"{which} {no} list of {listed(subjects, 'or')}: nothing is said of what joined or left {them}."


def with_renamings(found: News, changes: Iterable[Change]) -> News:
    """The news where a section with another title, or an entry with another term, neither joined nor left.

    ``changes`` are those of the same two texts: they know which section and which entry is which. Of glossary
    entries the news tell what they tell, so that no entry is new here and reworded there.
    """
    sections: list[tuple[str, str]] = []
    joined: list[str] = []
    left: list[str] = []
    terms: list[tuple[str, str]] = []
    for change in changes:
        old, new = change.old, change.new
        if change.part == "glossary":
            if old is None or new is None:
                (left if new is None else joined).append(change.number)
            elif change.kind in RENUMBERED:
                terms.append((old.number, new.number))
        elif old is None or new is None or old.kind is not new.kind or old.kind is not PartKind.SECTION:
            continue
        elif _named(old.text) != _named(new.text):
            sections.append((f"{old.number}. {old.text.strip()}", f"{new.number}. {new.text.strip()}"))
    glossary = ListChanges(tuple(joined), tuple(left), tuple(terms))
    return found._replace(sections=_renamed(found.sections, sections), glossary=glossary)


def _named(name: str) -> str:
    return fold(name).casefold()


def _renamed(change: ListChanges, pairs: Sequence[tuple[str, str]]) -> ListChanges:
    joined, left = set(change.joined), set(change.left)
    known = [(old, new) for old, new in pairs if old in left and new in joined]
    gone, come = {old for old, _ in known}, {new for _, new in known}
    return ListChanges(
        tuple(name for name in change.joined if name not in come),
        tuple(name for name in change.left if name not in gone),
        tuple(known),
    )


def _speaks_of_in(old: Iterable[Part], new: Iterable[Part]) -> Callable[[str], tuple[bool, bool]]:
    return lambda words: (any(words in part.text for part in old), any(words in part.text for part in new))


def inventory(parts: Sequence[Part]) -> Inventory:
    """What a text names: its sections, keywords, ability words, tokens, counters, types and terms."""
    sections = {part.number: part.text.strip() for part in parts if part.kind is PartKind.SECTION}
    by_title = {_title(title): number for number, title in sections.items()}
    rules = [part for part in parts if part.kind in {PartKind.RULE, PartKind.SUBRULE}]
    glossary = [part for part in parts if part.kind is PartKind.GLOSSARY]
    return Inventory(
        sections=sections,
        keyword_abilities=_headings(rules, by_title.get("keyword abilities")),
        keyword_actions=_headings(rules, by_title.get("keyword actions")),
        ability_words=_ability_words(rules),
        tokens=_tokens(rules),
        counters=_counters(rules, by_title.get("counters"), glossary),
        types=_types_in_glossary(glossary) | _types(rules),
        glossary=tuple(part.number for part in glossary),
    )


def news_json(found: News) -> dict[str, Any]:
    """The shape that ``diff --json`` gives."""
    return {
        "sections": _json(found.sections)
        | {"renumbered": [[s.old_first, s.old_last, s.new_first, s.new_last] for s in found.shifts]},
        "keyword_abilities": _json(found.keyword_abilities),
        "keyword_actions": _json(found.keyword_actions),
        "ability_words": _json(found.ability_words),
        "tokens": _json(found.tokens),
        "counters": _json(found.counters),
        "types": {kind: _json(change) for kind, change in found.types.items()},
        "glossary": _json(found.glossary),
        "notes": list(found.notes),
    }


def _json(change: ListChanges) -> dict[str, list[Any]]:
    shape: dict[str, list[Any]] = {"added": list(change.joined), "removed": list(change.left)}
    return shape | ({"renamed": [list(pair) for pair in change.renamed]} if change.renamed else {})


def _types_name(kind: str) -> str:
    return "supertypes" if kind == "super" else f"{kind} types"


def _headings(rules: Iterable[Part], section: str | None) -> tuple[str, ...] | None:
    """The rules of a section that are a name alone: "702.184. Station"."""
    if section is None:
        return None
    return tuple(
        part.text.strip()
        for part in rules
        if part.kind is PartKind.RULE
        and part.number.startswith(f"{section}.")
        and len(part.text.split()) <= KEYWORD_WORDS
        and part.text.strip().removesuffix(")")[-1:] not in {".", ":", "”", '"'}
    )


def _ability_words(rules: Iterable[Part]) -> tuple[str, ...] | None:
    for part in rules:
        if "bility words are" not in part.text:
            continue
        named = [items(sentence) for sentence in sentences(part.text) if _ABILITY_WORDS.search(sentence)]
        if named:
            return max(named, key=len)
    return None


def _types(rules: Iterable[Part]) -> dict[str, tuple[str, ...]]:
    types: dict[str, tuple[str, ...]] = {}
    for part in rules:
        if " type" in part.text or "supertypes" in part.text:
            for kind, listed in _types_in(part.text):
                types.setdefault(kind, listed)
    return types


@lru_cache(maxsize=TEXTS_KEPT)
def _types_in(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The kinds of types that a rule lists, each with its list."""
    found = []
    if (named := _CALLED.search(text)) is not None:
        kind = named[1].lower()
        if listed := _typed(kind, text[named.end() :]):
            found.append((kind, listed))
    for sentence in sentences(text):
        if (own := _CARD_TYPES.match(sentence)) is not None:
            found.append((own[1].strip(), items(sentence)))
    return tuple(found)


def _typed(kind: str, text: str) -> tuple[str, ...]:
    """The types listed after "called ... types", in however many sentences."""
    return tuple(
        item
        for sentence in sentences(text)
        if (says := _TYPES_ARE.match(sentence)) is not None and says[1].lower() == kind
        for item in items(sentence)
    )


def _types_in_glossary(glossary: Iterable[Part]) -> dict[str, tuple[str, ...]]:
    """Before rules listed the subtypes, the glossary did, under "Creature Types" and its like."""
    types: dict[str, tuple[str, ...]] = {}
    for part in glossary:
        named = _GLOSSARY_TYPES.fullmatch(part.number.strip())
        if named is None:
            continue
        listed = long_list(part.text)
        if listed:
            types[named[1].lower()] = listed
    return types


def _tokens(rules: Sequence[Part]) -> tuple[str, ...]:
    """The subrules of the rule that speaks of predefined tokens first: "A Treasure token is ..."."""
    heads = [
        part.number
        for part in rules
        if part.kind is PartKind.RULE and "predefined" in part.text and _PREDEFINED.search(part.text)
    ]
    return tuple(
        named[1]
        for part in rules
        if part.kind is PartKind.SUBRULE
        and part.number.rstrip("abcdefghijklmnopqrstuvwxyz") in heads
        and (named := _TOKEN.match(part.text)) is not None
    )


def _counters(rules: Iterable[Part], section: str | None, glossary: Iterable[Part]) -> tuple[str, ...]:
    """Kinds of counters that have a rule of their own in the section on counters, or a glossary entry."""
    found: dict[str, None] = {}
    for part in rules:
        if section is None or part.kind is not PartKind.SUBRULE or not part.number.startswith(f"{section}.1"):
            continue
        named = _COUNTER.search(fold(part.text))
        if named is not None and named[1].lower() not in _NO_COUNTER:
            found[named[1].lower()] = None
    for part in glossary:
        named = _COUNTER.fullmatch(fold(part.number)) if "ounter" in part.number else None
        if named is not None and named[1].lower() not in _NO_COUNTER:
            found[named[1].lower()] = None
    return tuple(found)


@lru_cache(maxsize=1024)
def _title(title: str) -> str:
    return fold(title).casefold()


def _sections(old: Mapping[str, str], new: Mapping[str, str]) -> ListChanges:
    before, after = ({_title(title) for title in side.values()} for side in (old, new))
    return ListChanges(
        tuple(f"{number}. {title}" for number, title in new.items() if _title(title) not in before),
        tuple(f"{number}. {title}" for number, title in old.items() if _title(title) not in after),
    )


def _shifts(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[SectionShift, ...]:
    """Runs of sections that kept their titles and moved by the same distance."""
    titles = Counter(_title(title) for side in (old, new) for title in side.values())
    place = {
        name: int(number)
        for number, title in new.items()
        if titles[name := _title(title)] <= 2  # "General"
    }
    runs: list[list[int]] = []
    for number, title in sorted(old.items(), key=lambda item: int(item[0])):
        before, after = int(number), place.get(_title(title))
        if after is None or after == before:
            continue
        if runs and runs[-1][1] + 1 == before and runs[-1][3] + 1 == after:
            runs[-1][1], runs[-1][3] = before, after
        else:
            runs.append([before, before, after, after])
    return tuple(SectionShift(*map(str, run)) for run in runs)
