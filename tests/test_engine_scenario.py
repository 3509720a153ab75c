"""Scenario files: a closed vocabulary whose errors say where, and what the right word is."""

from __future__ import annotations

import copy
import pickle
import time
from pathlib import Path

import pytest

from rulehist.engine import load_scenario, parse_scenario
from rulehist.errors import ScenarioError
from rulehist.resources import data_folder
from rulehist.thresholds import SCENARIO_BYTES

MALFORMED = sorted((Path(__file__).parent / "data" / "malformed-scenarios").glob("*.yaml"))
BUNDLED = sorted((data_folder() / "scenarios").glob("*.yaml"))


@pytest.mark.parametrize("path", MALFORMED, ids=lambda path: path.stem)
def test_a_malformed_scenario_is_told_file_line_and_remedy(path: Path) -> None:
    first, *_ = path.read_text(encoding="utf-8").splitlines() or ["# words: is empty"]
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    message = str(caught.value)
    assert path.name in message
    assert "\n" not in message
    for words in first.removeprefix("# words: ").split(" | "):
        assert words in message


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_a_scenario_that_ships_with_the_program_can_be_read(path: Path) -> None:
    assert load_scenario(path).objects


def test_a_scenario_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"objects: {}\n" * (10 * SCENARIO_BYTES // 12))
    start = time.perf_counter()
    with pytest.raises(ScenarioError, match=r"large\.yaml: is .* bytes long"):
        load_scenario(path)
    assert time.perf_counter() - start < 1


def test_bytes_that_are_not_utf_8_are_told_with_their_line() -> None:
    with pytest.raises(ScenarioError, match="line 2: is not UTF-8"):
        parse_scenario(b"objects:\n  bear: {name: J\xf6tun}\n")


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_scenario(tmp_path / "nowhere.yaml")


def test_numbers_that_look_like_something_else_stay_what_they_were() -> None:
    scenario = parse_scenario('objects: {a: {name: "1e3", power: "*", toughness: 1+*, kind: token}}')
    assert scenario.objects["a"].printed == {"name": "1e3", "power": "*", "toughness": "1+*"}


def test_a_scenario_can_be_sent_to_another_process() -> None:
    scenario = parse_scenario(
        "objects: {bear: {name: Bear, card types: [Creature], power: 2, toughness: 2, rules text: [Changeling]}}\n"
        "steps: [{put counters: {object: bear, counters: {+1/+1: 1}}}]\nexpect: {bear.power: 3}"
    )
    assert pickle.loads(pickle.dumps(scenario)) == scenario  # noqa: S301 - what was just dumped
    assert copy.deepcopy(scenario) == scenario


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ("[{tap: {object: zebra}}]", 'there is no object "zebra" here; there are: bear.'),
        ("[{tap: {object: bera}}]", 'there is no object "bera" here; did you mean "bear"? There are: bear.'),
        ("[{merge: {object: bear, with: bear, on: botom}}]", 'did you mean "bottom"? There are: top, bottom.'),
    ],
)
def test_an_error_is_one_sentence_after_the_other(steps: str, says: str) -> None:
    with pytest.raises(ScenarioError) as told:
        parse_scenario(f"objects:\n  bear: {{name: Bear}}\nsteps: {steps}\n")
    assert says in str(told.value)
