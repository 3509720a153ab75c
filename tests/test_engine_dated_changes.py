"""Dated changes of the rules, each told by a scenario whose answer changes with it (docs/semantics.md has the rows).

The first line of each file in ``data/dated-changes`` says what comes out under the version of which day:
``as expected``, ``otherwise`` or ``no answer``, which is what silence before a change comes to.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulehist.engine import evaluate, load_scenario
from rulehist.engine.semantics import Semantics
from rulehist.semantics_history import semantics_through_time
from rulehist.store import open_for_reading

FILES = sorted((Path(__file__).parent / "data" / "dated-changes").glob("*.yaml"))


@pytest.fixture(scope="module")
def versions(archive_database: Path) -> Iterator[list[Semantics]]:
    connection = open_for_reading(archive_database)
    yield semantics_through_time(connection)
    connection.close()


@pytest.mark.archive
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_answer_changes_with_the_rules(path: Path, versions: list[Semantics]) -> None:
    first, *_ = path.read_text(encoding="utf-8").splitlines()
    expected = dict(entry.split(" ", 1) for entry in first.removeprefix("# ").split("; "))
    scenario, found = load_scenario(path), {}
    for day in expected:
        semantics = [each for each in versions if each.rules.label <= day][-1]
        answer = evaluate(scenario, semantics)
        wrong = any(checked.ok is False for checked in answer.expectations)
        found[day] = "as expected" if answer.right else "otherwise" if wrong else "no answer"
    assert found == expected
