"""The index that the browser searches without a server: words of every rule, past and present, split in parts.

Each part is a script that hands its words over, because a page opened from a disk may load scripts beside it but may
not read files.
"""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterator

from rulehist.site.lists import opening
from rulehist.site.plan import Plan
from rulehist.thresholds import SEARCH_ENTRIES_A_PART

_WORD = re.compile(r"[a-z0-9]+")


def search_words(text: str) -> list[str]:
    """The words of a text as the index knows them: small letters and digits without accents; site.js does the same."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("æ", "ae").replace("œ", "oe"))
    return _WORD.findall("".join(letter for letter in plain if not unicodedata.combining(letter)))


def part_of(word: str) -> str:
    """The part of the index that holds a word: its first two letters."""
    return word[:2]


def search_scripts(connection: sqlite3.Connection, planned: Plan) -> Iterator[tuple[str, str]]:
    """The files of the index as ``(path, script)``: ``search/words-XX.js`` and ``search/entries-N.js``."""
    places = {rule: place for place, rule in enumerate(planned.rules)}
    words: dict[str, dict[str, set[int]]] = {}
    rows = connection.execute(
        "SELECT DISTINCT rules.name, spans.number, texts.folded FROM spans JOIN rules ON rules.id = spans.rule_id"
        " JOIN texts ON texts.id = spans.text_id WHERE spans.kind <> 'example'"
    )
    for rule, number, folded in rows:
        place = places.get(rule)
        if place is None:
            continue
        for word in {*search_words(folded), *search_words(number)}:
            words.setdefault(part_of(word), {}).setdefault(word, set()).add(place)
    for part, held in sorted(words.items()):
        yield f"search/words-{part}.js", _script("words", part, {word: sorted(held[word]) for word in sorted(held)})
    entries = [
        [each.number, opening(each.text), each.path, each.until or "", each.since or ""]
        for each in planned.rules.values()
    ]
    for start in range(0, len(entries), SEARCH_ENTRIES_A_PART):
        part = str(start // SEARCH_ENTRIES_A_PART)
        yield f"search/entries-{part}.js", _script("entries", part, entries[start : start + SEARCH_ENTRIES_A_PART])
    yield "search/parts.js", _script("parts", "", {"words": sorted(words), "entries": SEARCH_ENTRIES_A_PART})


def _script(kind: str, part: str, value: object) -> str:
    written = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return f'rulehistSearch("{kind}","{part}",{written});\n'
