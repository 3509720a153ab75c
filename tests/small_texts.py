"""Small made-up rules texts in the shape of the official ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rulehist.ingest import ingest_files
from rulehist.store import open_for_reading

INTRODUCTION = "This document is made up for tests. It consists of numbered rules followed by a glossary."


def rules_text(effective: str, sections: Mapping[str, list[str]], glossary: Mapping[str, str]) -> str:
    """A whole text: ``effective`` in words, sections ("100. General") with their rule lines, glossary entries."""
    chapters: dict[str, list[str]] = {}
    for title in sections:
        chapters.setdefault(title[0], []).append(title)
    names = {"1": "1. Game Concepts", "7": "7. Additional Rules"}
    contents = [line for digit, titles in chapters.items() for line in (names[digit], *titles)]
    body = [
        line
        for digit, titles in chapters.items()
        for line in (names[digit], *(line for title in titles for line in (title, *sections[title])))
    ]
    entries = [f"{term}\n{meaning}" for term, meaning in glossary.items()]
    blocks = [
        "Magic: The Gathering Comprehensive Rules",
        f"These rules are effective as of {effective}.",
        "Introduction",
        INTRODUCTION,
        "Contents",
        "\n".join([*contents, "Glossary", "Credits"]),
        *body,
        "Glossary",
        *entries,
        "Credits",
        "Made by nobody in particular.",
    ]
    return "\n\n".join(blocks) + "\n"


MARCH_2030 = rules_text(
    "March 1, 2030",
    {
        "100. General": [
            "100.1. These rules apply to any game with two or more players who sit at one table.",
            "100.1a A two-player game is a game that begins with only two players.",
            "100.2. To play, each player needs a deck of cards and some small items to represent tokens.\n"
            "Example: A player may use glass beads for tokens.",
        ],
        "701. Copying Objects": [
            "701.1. Some objects become or turn another object into a copy of a spell, permanent, or card.",
            "701.2. When copying an object, the copy acquires the copiable values. Status and counters are not copied.",
        ],
    },
    {"Deck": "The collection of cards a player starts the game with. See rule 100.2.", "Token": "A marker."},
)

JUNE_2030 = rules_text(
    "June 1, 2030",
    {
        "100. General": [
            "100.1. These rules apply to any game with two or more players who sit at one table.",
            "100.1a A two-player game is a game that begins with only two players.",
            "100.2. To play, each player needs a deck of cards and some small items to represent tokens.\n"
            "Example: A player may use glass beads for tokens.",
        ],
        "701. Whistling": ["701.1. A player may whistle a melody while another player considers what to do."],
        "702. Copying Objects": [
            "702.1. Some objects become or turn another object into a copy of a spell, permanent, or card.",
            "702.2. When copying an object, the copy acquires the copiable values. Status, counters, and stickers"
            " are not copied.",
        ],
    },
    {
        "Deck": "The collection of cards a player starts the game with. See rule 100.2.",
        "Whistle": "A melody.",
    },
)


@contextmanager
def stored(folder: Path, *texts: str) -> Iterator[sqlite3.Connection]:
    """A store of these texts, made in ``folder``."""
    for place, text in enumerate(texts):
        (folder / f"{place}.txt").write_text(text, encoding="utf-8")
    ingest_files(folder / "rules.db", sorted(folder.glob("*.txt")))
    connection = open_for_reading(folder / "rules.db")
    yield connection
    connection.close()
