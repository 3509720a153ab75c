"""The rules' own examples on copying, face-down objects, self-reference and layers, in every version that has them."""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from pathlib import Path

import pytest

from rulehist.engine import evaluate, load_scenario
from rulehist.engine.scenario import Scenario
from rulehist.engine.semantics import Semantics
from rulehist.resources import data_folder
from rulehist.semantics_history import semantics_through_time

FOLDER = data_folder() / "scenarios" / "rules-examples"
SCENARIOS = sorted(FOLDER.glob("*.yaml"))
TITLES = re.compile(
    r"interaction of continuous effects|copying (?:objects|spells and abilities)|name|face-down spells and permanents",
    re.IGNORECASE,
)
"""How the sections are called, under whatever number: layers, copying, self-reference (under names), face down."""


@cache
def scenarios() -> dict[Path, Scenario]:
    return {path: load_scenario(path) for path in SCENARIOS}


@pytest.fixture(scope="module")
def versions(store: sqlite3.Connection) -> dict[str, Semantics]:
    return {semantics.rules.label: semantics for semantics in semantics_through_time(store)}


def spans(store: sqlite3.Connection, condition: str) -> list[tuple[str, str, str, str, str]]:
    return [
        tuple(row)
        for row in store.execute(
            "SELECT rules.name, spans.number, spans.valid_from, coalesce(spans.valid_until, '9999'), texts.published"
            " FROM spans JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
            f" WHERE spans.valid_from IS NOT NULL AND {condition}"
        )
    ]


def examples_of_these_rules(store: sqlite3.Connection) -> dict[str, set[tuple[str, str]]]:
    """Each example with the stretches of time (from, until) in which it stood in one of the sections."""
    sections = [span for span in spans(store, "spans.kind IN ('section', 'rule')") if TITLES.fullmatch(span[4].strip())]
    found: dict[str, set[tuple[str, str]]] = {}
    for name, number, since, until, _ in spans(store, "spans.kind = 'example'"):
        for _, section, section_since, section_until, _ in sections:
            inside = re.fullmatch(rf"{re.escape(section.rstrip('.'))}(?:\..*|[a-z]*)", number)
            if inside and since < section_until and section_since < until:
                found.setdefault(name, set()).add((max(since, section_since), min(until, section_until)))
    return found


def days_of(scenario: Scenario, stretches: set[tuple[str, str]], days: list[str]) -> list[str]:
    return [
        day
        for day in days
        if any(since <= day < until for since, until in stretches)
        and day >= scenario.since
        and (not scenario.until or day < scenario.until)
    ]


@pytest.mark.archive
def test_every_example_of_these_rules_is_a_scenario_in_every_version_that_has_it(
    store: sqlite3.Connection, versions: dict[str, Semantics]
) -> None:
    days = list(versions)
    uncovered = {}
    for name, stretches in examples_of_these_rules(store).items():
        of_it = [scenario for scenario in scenarios().values() if name in scenario.examples]
        covered = {day for scenario in of_it for day in days_of(scenario, stretches, days)}
        missing = [day for day in days if any(s <= day < u for s, u in stretches) and day not in covered]
        if missing:
            uncovered[name] = missing
    assert uncovered == {}


@pytest.mark.archive
def test_every_scenario_names_an_example_that_the_rules_have(store: sqlite3.Connection) -> None:
    known = {name for name, *_ in spans(store, "spans.kind = 'example'")}
    assert {name for scenario in scenarios().values() for name in scenario.examples} <= known


@pytest.mark.archive
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_answer_is_what_the_example_states_in_every_version_that_has_it(
    path: Path, store: sqlite3.Connection, versions: dict[str, Semantics]
) -> None:
    scenario = scenarios()[path]
    stretches = {
        (since, until)
        for name, _, since, until, _ in spans(store, "spans.kind = 'example'")
        if name in scenario.examples
    }
    days = days_of(scenario, stretches, list(versions))
    assert days
    for day in days:
        answer = evaluate(scenario, versions[day])
        assert answer.right, (day, answer.refusals, [checked for checked in answer.expectations if not checked.ok])


def test_every_scenario_of_an_example_expects_something() -> None:
    assert all(scenario.examples and scenario.expectations for scenario in scenarios().values())
