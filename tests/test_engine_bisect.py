"""Where the answer to a scenario changes, and which words changed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulehist.engine import load_scenario, parse_scenario
from rulehist.engine.answer_text import render_turns
from rulehist.engine.comparison import compare
from rulehist.engine.deciding import outcome
from rulehist.engine.evaluation import evaluate
from rulehist.engine.semantics import Semantics
from rulehist.engine.turning_points import bisect
from rulehist.resources import data_folder
from rulehist.semantics_history import semantics_through_time
from rulehist.store import open_for_reading
from tests.engine_rules import COPYING, modern

LEGENDS = """
scenario: A legend is copied
objects:
  first: {name: K, supertypes: [Legendary], card types: [Creature], power: 2, toughness: 2}
  clone: {name: Clone, zone: hand, owner: opponent}
steps:
  - enters as a copy: {object: clone, of: first}
  - state-based actions: {}
expect: {first.zone: battlefield, clone.zone: battlefield}
"""
ALL_GO = "If there are two or more legendary permanents with the same name, all are put into their owners’ graveyards."
WITH_BADGES = COPYING.replace("and stickers are", "stickers, and badges are")


def days(*versions: Semantics) -> list[Semantics]:
    return [
        Semantics(each.rules._replace(label=f"2030-01-0{n}"))  # type: ignore[attr-defined]
        for n, each in enumerate(versions, start=1)
    ]


def test_the_version_and_the_words_that_changed_an_answer_are_found() -> None:
    turns = bisect(parse_scenario(LEGENDS), days(modern(rule_4_5=ALL_GO), modern(rule_4_5=ALL_GO), modern(), modern()))
    assert [turn.answer.version for turn in turns] == ["2030-01-01", "2030-01-03"]
    (decision,) = turns[1].decisions
    assert (decision.switch, decision.before, decision.after) == (
        "legend-rule",
        "all are put into graveyards",
        "each player keeps one",
    )
    told = render_turns("A legend is copied", turns)
    assert "2030-01-03 (until 2030-01-02 otherwise)" in told
    assert "first.zone: graveyard -> battlefield" in told
    assert "[-" in told
    assert "{+" in told


def test_a_change_of_words_that_changes_no_answer_is_no_turn() -> None:
    turns = bisect(parse_scenario(LEGENDS), days(modern(), modern(rule_7_2=WITH_BADGES)))
    assert len(turns) == 1


def test_versions_that_read_alike_are_evaluated_once(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    from rulehist.engine import turning_points as module

    evaluated = []
    original = module.evaluate
    monkeypatch.setattr(module, "evaluate", lambda *given: evaluated.append(given) or original(*given))
    elsewhere = modern(rule_1_4c="Layer 7c: The words of a layer of which nothing is asked.")
    bisect(parse_scenario(LEGENDS), days(*[modern()] * 5, elsewhere, modern()))
    assert len(evaluated) == 1


@pytest.mark.archive
def test_what_is_evaluated_once_would_come_out_the_same_under_every_version(archive_database: Path) -> None:
    files = sorted((data_folder() / "scenarios").rglob("*.yaml"))[::8]
    with open_for_reading(archive_database) as connection:
        versions = semantics_through_time(connection)
        for scenario in map(load_scenario, files):
            came = [(each.rules.label, outcome(evaluate(scenario, each))) for each in versions]
            begins = [
                day for (day, one), before in zip(came, [None, *came], strict=False) if not before or one != before[1]
            ]
            assert [turn.answer.version for turn in bisect(scenario, versions)] == begins


def test_a_comparison_marks_what_differs_from_the_left() -> None:
    compared = compare(parse_scenario(LEGENDS), days(modern(rule_4_5=ALL_GO), modern(), modern()))
    assert compared.differs == (False, True, True)
    assert [len(each) for each in compared.decided] == [0, 1, 0]
