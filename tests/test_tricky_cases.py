"""docs/tricky-cases.md is a corpus: what it says of the history of a rule is what the archive gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from rulehist import overrides
from rulehist.document import NUMBERED, PartKind
from rulehist.folding import fold
from rulehist.lineage import EventKind, Lineage, VersionParts, assign, neighbours
from rulehist.matching import match
from rulehist.reading import Reading

PAGE = Path(__file__).parents[1] / "docs" / "tricky-cases.md"
_ROW = re.compile(r"^\| (\d{4}-\d\d-\d\d) \| (.+?) \| (\d{4}-\d\d-\d\d) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Past:
    """All versions of the archive by date, and who is who in them, decisions by hand included."""

    versions: list[VersionParts]
    lineage: Lineage

    @cached_property
    def place(self) -> Mapping[str, int]:
        return {str(version.effective): place for place, version in enumerate(self.versions)}

    def rule(self, number: str, place: int) -> int:
        """The identity of the rule, section or glossary entry of that number at a version."""
        for at, part in enumerate(self.versions[place].parts):
            if part.number == number and (part.kind in NUMBERED or part.kind is PartKind.GLOSSARY):
                return self.lineage.rules[place][at]
        raise AssertionError(f"{self.versions[place].effective} has no {number}")

    def numbers(self, place: int) -> dict[int, str]:
        """The number of each identity at a version."""
        parts = zip(self.lineage.rules[place], self.versions[place].parts, strict=True)
        return {rule: part.number for rule, part in parts if part.kind in NUMBERED or part.kind is PartKind.GLOSSARY}

    def became(self, since: str, asked: str, until: str) -> str:
        """In the words of the page, what became of a rule, or of what rule a new one came."""
        older, newer = self.place[since], self.place[until]
        there, here = self.numbers(older), self.numbers(newer)
        events = [event for event in self.lineage.events if older < event.version <= newer]
        splits = {event.rule: event.other for event in events if event.kind is EventKind.SPLIT}
        merges = {event.rule: event.other for event in events if event.kind is EventKind.MERGE}
        if asked.startswith("new "):
            rule = self.rule(asked.removeprefix("new "), newer)
            source = _follow(rule, splits, there)
            return there.get(rule, "new") + (f", split from {source}" if source and rule not in there else "")
        rule = self.rule(asked, older)
        parts = [
            number for one, number in here.items() if one not in there and _follow(one, splits, there, rule) is not None
        ]
        said = [here.get(rule, "gone")]
        if parts:
            said.append(f"split {' '.join(parts)}")
        heir = _follow(rule, merges, here)
        if rule not in here and heir:
            said.append(f"merged into {heir}")
        return ", ".join(said)


def _follow(rule: int, steps: Mapping[int, int], goal: Mapping[int, str], wanted: int | None = None) -> str | None:
    """The number of the first rule of ``goal`` on the way; only of ``wanted``, where that is asked for."""
    seen = {rule}
    while rule in steps and (rule := steps[rule]) not in seen:
        seen.add(rule)
        if rule in goal:
            return goal[rule] if wanted in {None, rule} else None
    return None


@pytest.fixture(scope="module")
def past(readings: dict[str, Reading]) -> Past:
    versions = sorted(
        (
            VersionParts(document.effective, document.parts, [fold(part.text) for part in document.parts])
            for reading in readings.values()
            for document in reading.documents
        ),
        key=lambda version: str(version.effective or "~"),
    )
    links = {}
    for older, newer in neighbours(versions):
        old, new = versions[older], versions[newer]
        by_hand = overrides.verdicts(overrides.load(), str(old.effective), old.parts, str(new.effective), new.parts)
        links[older, newer] = match(
            old.parts,
            new.parts,
            folded_old=old.folded,
            folded_new=new.folded,
            forced=by_hand.forced,
            forbidden=by_hand.forbidden,
        )
    return Past(versions, assign(versions, links))


def _rows() -> list[tuple[str, ...]]:
    return [found.groups() for found in _ROW.finditer(PAGE.read_text(encoding="utf-8"))]


@pytest.mark.archive
def test_what_the_page_says_we_give_is_what_we_give(past: Past) -> None:
    wrong = [
        (since, asked, until, given, found)
        for since, asked, until, _, given, _ in _rows()
        if (found := past.became(since, asked, until)) != given
    ]
    assert not wrong


def test_the_page_counts_its_cases_right() -> None:
    rows = _rows()
    right = sum(wanted == given for _, _, _, wanted, given, _ in rows)
    assert f"Of {len(rows)} cases {right} are given as they are wanted." in PAGE.read_text(encoding="utf-8")
    assert right >= 0.8 * len(rows)
