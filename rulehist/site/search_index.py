"""The index that the browser searches without a server: words of every rule, past and present, split in parts.

Each part is a script that hands its words over, because a page opened from a disk may load scripts beside it but may
not read files.
"""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterator, Mapping

from rulehist.site.lists import opening
from rulehist.site.plan import Plan
from rulehist.thresholds import SEARCH_ENTRIES_A_PART

_WORD = re.compile(r"[a-z0-9]+")


def search_words(text: str) -> list[str]:
    """The words of a text as the index knows them: small letters and digits without accents; site.js does the same."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("æ", "ae").replace("œ", "oe"))
    return _WORD.findall("".join(letter for letter in plain if not unicodedata.combining(letter)))


def part_of(word: str) -> str:
    """The part of the index that holds a word or number: its first two letters or digits."""
    return word[:2]


def search_scripts(connection: sqlite3.Connection, planned: Plan) -> Iterator[tuple[str, str]]:
    """The files of the index as ``(path, script)``: ``search/words-XX.js``, ``numbers-NN.js`` and ``entries-N.js``.

    A word has the places of the rules whose newest text has it, and, as ``-1 - place``, of those that had it before.
    """
    places = {rule: place for place, rule in enumerate(planned.rules)}
    words = _words(connection, planned, places)
    for part, held in sorted(words.items()):
        said = {word: [place if now else -1 - place for place, now in sorted(held[word].items())] for word in held}
        yield f"search/words-{part}.js", _script("words", part, dict(sorted(said.items())))
    numbers = _numbers(planned, places)
    for part, had in sorted(numbers.items()):
        yield f"search/numbers-{part}.js", _script("numbers", part, had)
    entries = [
        [each.number, opening(each.text), each.path, each.until or "", each.since or ""]
        for each in planned.rules.values()
    ]
    for start in range(0, len(entries), SEARCH_ENTRIES_A_PART):
        part = str(start // SEARCH_ENTRIES_A_PART)
        yield f"search/entries-{part}.js", _script("entries", part, entries[start : start + SEARCH_ENTRIES_A_PART])
    parts = {"words": sorted(words), "numbers": sorted(numbers), "entries": SEARCH_ENTRIES_A_PART}
    yield "search/parts.js", _script("parts", "", parts)


def _words(
    connection: sqlite3.Connection, planned: Plan, places: Mapping[str, int]
) -> dict[str, dict[str, dict[int, bool]]]:
    """By part of the index and word: the places of the rules that ever had it, and whether the newest text has it."""
    words: dict[str, dict[str, dict[int, bool]]] = {}
    rows = connection.execute(
        "SELECT DISTINCT rules.name, spans.number, texts.folded, spans.valid_until FROM spans"
        " JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id WHERE spans.kind <> 'example'"
    )
    for rule, number, folded, until in rows:
        place = places.get(rule)
        if place is None:
            continue
        newest = until == planned.rules[rule].until
        for word in {*search_words(folded), *search_words(number)}:
            held = words.setdefault(part_of(word), {}).setdefault(word, {})
            held[place] = held.get(place, False) or newest
    return words


def _numbers(planned: Plan, places: Mapping[str, int]) -> dict[str, dict[str, list[int]]]:
    """By part of the index: the places of the rules that ever had a number."""
    numbers: dict[str, dict[str, list[int]]] = {}
    for number, held in sorted(planned.numbers.items()):
        had = sorted({places[each.rule] for each in held if each.rule in places})
        if had:
            numbers.setdefault(part_of(number), {})[number] = had
    return numbers


def _script(kind: str, part: str, value: object) -> str:
    written = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return f'rulehistSearch("{kind}","{part}",{written});\n'
