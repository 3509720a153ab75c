"""Interactions as judges and official rulings answered them, each under the rules of the days under its ``as of``."""

from __future__ import annotations

import sqlite3
from functools import cache
from pathlib import Path

import pytest

from rulehist.engine import evaluate, load_scenario
from rulehist.engine.semantics import Semantics, compile_semantics
from rulehist.rules_at import StoredRules
from rulehist.when import parse_when

FOLDER = Path(__file__).parent / "data" / "judged-scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))


@cache
def rules_of(day: str, store: sqlite3.Connection) -> Semantics:
    return compile_semantics(StoredRules(store, parse_when(day)))


@pytest.mark.archive
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_answer_is_that_of_the_judges(path: Path, store: sqlite3.Connection) -> None:
    scenario = load_scenario(path)
    assert scenario.as_of
    for day in scenario.as_of:
        answer = evaluate(scenario, rules_of(day, store))
        assert answer.right, (day, answer.refusals, [each for each in answer.expectations if not each.ok])
