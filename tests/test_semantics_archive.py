"""The semantic switches against the published texts: every dated change, on its day and under its number."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from rulehist.engine.known_words import FILE
from rulehist.engine.rules import ListedRules
from rulehist.engine.semantics import Reading, compile_semantics
from rulehist.engine.switches import switches
from rulehist.reading import read
from rulehist.resources import data_folder
from rulehist.semantics_history import Held, history, known_words_table
from rulehist.store import open_for_reading
from rulehist.tables import rows

pytestmark = pytest.mark.archive

CHANGES = [
    cells
    for _, cells in rows(
        Path(__file__).parent / "data" / "semantic-changes.tsv",
        ("row", "date", "number", "switch", "before", "after"),
    )
]


@pytest.fixture(scope="module")
def held(archive_database: Path) -> dict[str, list[Held]]:
    found: dict[str, list[Held]] = {}
    with open_for_reading(archive_database) as connection:
        for each in history(connection):
            found.setdefault(each.switch, []).append(each)
    return found


@pytest.mark.parametrize("change", CHANGES, ids=[f"{cells[0]}-{cells[3]}" for cells in CHANGES])
def test_a_change_of_the_rules_is_read_on_its_day(change: list[str], held: dict[str, list[Held]]) -> None:
    row, day, number, switch, before, after = change
    old, new = (each for each in held[switch] if row in each.rows)
    assert (old.until, new.since, new.number) == (day, day, number)
    assert [old.value or "not said", new.value] == [before, after]


OTHER = [("basic-land-type-removes", "2003-07-01")]
"""Changes that the list of rows does not have: until then a land that became a basic land kept no ability at all."""


def test_a_switch_changes_on_no_other_days(held: dict[str, list[Held]]) -> None:
    """But on the day on which the rules first spoke of the question at all."""
    known = {(cells[3], cells[1]) for cells in CHANGES}
    other = [
        (new.switch, new.since)
        for each in held.values()
        if switches()[each[0].switch].rows
        for old, new in pairwise(each)
        if (new.switch, new.since) not in known and old.value is not None
    ]
    assert other == OTHER


def test_every_wording_in_the_archive_is_read(held: dict[str, list[Held]]) -> None:
    assert [(each.switch, each.since, each.unread) for every in held.values() for each in every if each.unread] == []


def test_the_known_words_are_those_of_the_archive(archive_database: Path) -> None:
    with open_for_reading(archive_database) as connection:
        table = known_words_table(connection)
    file = (data_folder() / FILE).read_text(encoding="utf-8")
    assert file == table, "look at what changed; then write it with: rulehist semantics --known-words"


def test_every_value_was_once_read(held: dict[str, list[Held]]) -> None:
    """A value that no text of 26 years gives would be a guess."""
    given = {(each.switch, each.value) for every in held.values() for each in every}
    for switch in switches().values():
        for wording in switch.wordings:
            assert (switch.name, wording.value) in given, wording.words


@pytest.mark.parametrize("name", ["2001-07-23", "2005-10-01", "2012-05-01", "2019-10-04", "2026-01-16"])
def test_a_text_alone_is_read_by_words_as_it_is_by_identity(
    name: str, archive: Path, held: dict[str, list[Held]]
) -> None:
    path = next(path for path in sorted((archive / "cr").glob("*.txt")) if _effective(path) == name)
    (document,) = read(path.read_bytes(), path.name).documents
    alone = compile_semantics(ListedRules.of_document(document))
    wrong = []
    for switch, every in held.items():
        (there,) = (each for each in every if each.since <= name and (each.until is None or name < each.until))
        here = alone.read(switch)
        if not isinstance(here, Reading) or here.value != there.value:
            wrong.append((switch, there.value, here))
    assert wrong == []


def _effective(path: Path) -> str:
    (document, *_) = read(path.read_bytes(), path.name).documents
    return document.effective.isoformat() if document.effective else ""
