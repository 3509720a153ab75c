"""The examples in docstrings and in the page on the engine run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

import rulehist.scenario_answers

ROOT = Path(__file__).resolve().parents[1]


def test_the_example_of_the_public_function_runs() -> None:
    found = doctest.testmod(rulehist.scenario_answers)
    assert (found.failed, found.attempted > 3) == (0, True)


def test_the_example_of_the_page_on_the_engine_runs() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "engine.md"), module_relative=False)
    assert (found.failed, found.attempted > 3) == (0, True)
