"""A small made-up history of rules whose numbers move in chains, with a split, a rule that goes, and rewordings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulehist.ingest import ingest_files
from rulehist.store import open_for_reading
from tests.small_texts import rules_text

GLOSSARY = {"Marble": "A small ball. See rule 701.", "Melody": "What is whistled."}

GENERAL = [
    "100.1. These rules tell what the words on a card mean and who has to do what they say.",
    "100.2. A player who cannot do what a card says does as much of it as can be done.",
]
JUGGLE = (
    "Juggle",
    "To juggle a marble, its owner tosses it from one hand into the other hand without looking.",
    "A marble that is dropped while it is juggled leaves the table.",
)
WHISTLE = (
    "Whistle",
    "To whistle a melody, a player names a song and hums it until another player joins in.",
    "Nobody may whistle during a thunderstorm unless every window of the house stands open.",
    "A melody ends when its last note fades or when its whistler laughs.",
)
STACK = (
    "Stack",
    "To stack two pebbles, put the smaller pebble on top of the larger pebble so that neither rolls away.",
)
BALANCE = (
    "Balance",
    "To balance a feather, its owner lays it across the tip of one finger and counts to seven.",
)
COPYING = [
    "When copying an object, the copy acquires the copiable values of the original object and its printed colors.",
    "A copy of a copy has the copiable values of the first original.",
]
DICE = [
    "To roll a die, its owner shakes it inside a cup and turns the cup upside down.",
    "The number on the upper face of a die is its result.",
]
SCORE = "A player scores one point for each marble in that player's bowl at the end of a round."
TIE = "When two players tie, both of them win the game and share the biscuits."
LEAVE = (
    "A player who forfeits puts every marble and every pebble back into the bag, wipes the table with a clean cloth, "
    "and thanks the other players for the game."
)
LEMONADE = "Whoever forfeits twice in one evening brings the lemonade and the paper cups to the next."
FORFEIT = f"{LEAVE} {LEMONADE}"


def keywords(section: str, *entries: tuple[str, ...], first: int = 2) -> list[str]:
    """The rules of keywords: a title each, and its subrules."""
    lines = [f"{section}.1. A keyword stands for the longer instructions that are given below its name."]
    for at, (title, *below) in enumerate(entries, start=first):
        lines.append(f"{section}.{at}. {title}")
        lines += [f"{section}.{at}{letter} {text}" for letter, text in zip("abcdefghijkmnp", below, strict=False)]
    return lines


def numbered(section: str, *texts: str) -> list[str]:
    return [f"{section}.{at}. {text}" for at, text in enumerate(texts, start=1)]


MARCH = rules_text(
    "March 1, 2030",
    {
        "100. General": GENERAL,
        "701. Keyword Actions": keywords("701", JUGGLE, WHISTLE, STACK),
        "702. Copying Objects": numbered("702", *COPYING),
        "703. Scoring": numbered("703", SCORE, TIE, FORFEIT),
    },
    GLOSSARY,
)
"""701.2 juggle, 701.3 whistle, 701.4 stack; 702 copying; 703 scoring."""

JUNE = rules_text(
    "June 1, 2030",
    {
        "100. General": GENERAL,
        "701. Keyword Actions": keywords("701", BALANCE, JUGGLE, WHISTLE, STACK),
        "702. Dice": numbered("702", *DICE),
        "703. Copying Objects": numbered("703", *COPYING),
        "704. Scoring": numbered(
            "704",
            SCORE.replace("one point", "two points"),
            LEAVE,
            LEMONADE,
        ),
    },
    GLOSSARY,
)
"""Balance came first, so 701.2 to 701.4 moved on by one each; dice took 702; ties are gone; forfeiting was split."""

SEPTEMBER = rules_text(
    "September 1, 2030",
    {
        "100. General": [GENERAL[0], GENERAL[1].replace("as can be done", "as is possible")],
        "701. Keyword Actions": keywords("701", BALANCE, WHISTLE, STACK, JUGGLE),
        "702. Dice": numbered("702", *DICE),
        "703. Copying Objects": numbered("703", COPYING[0].replace("its printed colors", "no stickers"), COPYING[1]),
        "704. Scoring": numbered(
            "704",
            SCORE.replace("one point", "two points"),
            LEAVE,
            LEMONADE,
        ),
    },
    GLOSSARY,
)
"""Juggle went behind stack; 100.2 and 703.1 were reworded."""

TEXTS = {"2030-03.txt": MARCH, "2030-06.txt": JUNE, "2030-09.txt": SEPTEMBER}


@pytest.fixture(scope="session")
def cited_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cited")
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    ingest_files(folder / "cited.db", [folder])
    return folder / "cited.db"


@pytest.fixture
def rules(cited_database: Path) -> Iterator[sqlite3.Connection]:
    connection = open_for_reading(cited_database)
    yield connection
    connection.close()
