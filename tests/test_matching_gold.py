"""The matcher against matches that people checked, and against the numbers that some rules once had."""

from __future__ import annotations

import csv
import random
from collections import defaultdict
from pathlib import Path

import pytest

from rulehist import tables
from rulehist.changes import ChangeKind, diff_documents
from rulehist.document import NUMBERED, Part, PartKind
from rulehist.folding import fold
from rulehist.lineage import VersionParts, assign
from rulehist.matching import Relation, match
from rulehist.reading import Reading, read

pytestmark = pytest.mark.archive


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        pytest.skip(f"no {path.name} beside the archive")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _parts(archive: Path, stem: str) -> tuple[Part, ...]:
    path = archive / "cr" / f"{stem}.txt"
    return read(path.read_bytes(), path.name).documents[0].parts


def _found(old: tuple[Part, ...], new: tuple[Part, ...]) -> set[tuple[str, str]]:
    """Old number and new number of all rules; empty where there is none."""
    found: set[tuple[str, str]] = set()
    for link in match(old, new):
        if link.relation is Relation.SAME:
            before = None if link.old is None else old[link.old]
            after = None if link.new is None else new[link.new]
            if (before or after).kind in NUMBERED:  # type: ignore[union-attr]
                found.add((before.number if before else "", after.number if after else ""))
    return found


def test_matches_without_overrides_agree_with_people_in_99_of_100_cases(archive: Path) -> None:
    wanted: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for row in _rows(archive.parent / "gold" / "rule-pairs.tsv"):
        wanted[row["old_file"], row["new_file"]].append((row["old_number"], row["new_number"]))
    missed = []
    for (old, new), numbers in wanted.items():
        found = _found(_parts(archive, old), _parts(archive, new))
        missed += [(old, new, *pair) for pair in numbers if pair not in found]
    assert len(missed) <= 0.01 * sum(map(len, wanted.values())), missed


def _july_2009() -> list[tuple[str, list[str], str]]:
    """Number in May 2009, numbers in July 2009, and fate, of 150 rules."""
    path = Path(__file__).parent / "data" / "july-2009.tsv"
    return [
        (old, new.split(",") if new else [], fate)
        for _, (old, new, fate, _) in tables.rows(path, ("old", "new", "fate", "note"))
    ]


def test_the_rules_of_july_2009_were_drawn_as_the_table_says(archive: Path) -> None:
    numbers = [part.number for part in _parts(archive, "2009-05-01") if part.kind in {PartKind.RULE, PartKind.SUBRULE}]
    drawn = sorted(random.Random(20090711).sample(range(len(numbers)), 150))  # noqa: S311 - a draw, no secret
    assert [numbers[place] for place in drawn] == [old for old, _, _ in _july_2009()]


def test_rules_are_followed_through_the_renumbering_of_july_2009(archive: Path) -> None:
    """Agreement with 150 rules read by a person; docs/matching.md explains each of the others."""
    old, new = _parts(archive, "2009-05-01"), _parts(archive, "2009-07-11")
    became: dict[str, str] = {}
    for link in match(old, new):
        if link.relation is Relation.SAME and link.old is not None and old[link.old].kind in NUMBERED:
            became[old[link.old].number] = "" if link.new is None else new[link.new].number
    missed = []
    for number, heirs, fate in _july_2009():
        right = {"same": heirs, "split": heirs, "merged": [*heirs, ""], "gone": [""]}[fate]
        if became[number] not in right:
            missed.append((number, became[number], right))
    assert len(missed) <= 0.05 * len(_july_2009()), missed


@pytest.fixture(scope="module")
def versions(readings: dict[str, Reading]) -> list[VersionParts]:
    found = []
    for reading in readings.values():
        for document in reading.documents:
            found.append(VersionParts(document.effective, document.parts, [fold(part.text) for part in document.parts]))
    return sorted(found, key=lambda version: str(version.effective or "~"))


def test_rules_had_the_numbers_that_they_are_known_to_have_had(archive: Path, versions: list[VersionParts]) -> None:
    lineage = assign(versions)
    courses: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    newest: dict[str, int] = {}
    for version, rules in zip(versions, lineage.rules, strict=True):
        for part, rule in zip(version.parts, rules, strict=True):
            if part.kind in NUMBERED:
                newest[part.number] = rule
                if not courses[rule] or courses[rule][-1][0] != part.number:
                    courses[rule].append((part.number, str(version.effective)))
    wanted: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in _rows(archive.parent / "engine" / "chains.tsv"):
        wanted[row["number_2026_01_16"]].append((row["number"], row["from_effective"]))
    for number, chain in wanted.items():
        # an ancestor older than the first row is no disagreement
        assert courses[newest[number]][-len(chain) :] == chain


def test_june_2021_is_told_whole(archive: Path) -> None:
    """Clue tokens became predefined (111.10f), investigate (701.36a) names them, 702.6d was deleted: all is told."""
    old, new = (
        read((archive / "cr" / f"{stem}.txt").read_bytes(), stem).documents[0] for stem in ("2021-04-19", "2021-06-09")
    )
    told = {
        (change.kind, change.old.number if change.old else "", change.new.number if change.new else ""): change
        for change in diff_documents(old, new).changes
        if change.part == "rule"
    }
    assert told[ChangeKind.ADDED, "", "111.10f"].related == ("701.36a",)
    assert (ChangeKind.REWORDED, "701.36a", "701.36a") in told
    assert (ChangeKind.REMOVED, "702.6d", "") in told
    assert (ChangeKind.RENUMBERED, "702.6e", "702.6d") in told
