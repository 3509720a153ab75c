"""What cannot happen in a game is an error of the scenario, told with its line; it is never played."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulehist.engine import evaluate, load_scenario, parse_scenario
from rulehist.errors import ScenarioError
from tests.engine_rules import modern

BEAR = "card types: [Creature], power: 2, toughness: 2"


@pytest.mark.parametrize(
    ("objects", "step", "words"),
    [
        (f"bear: {{{BEAR}}}", "attach: {object: bear, to: bear}", '"bear" cannot be attached to itself'),
        (f"bear: {{{BEAR}}}", "merge: {object: bear, with: bear}", '"bear" cannot merge with itself'),
        ("bolt: {card types: [Instant], zone: hand}", "enters: {object: bolt}", '"bolt" is an instant or sorcery'),
        ("land: {card types: [Land], zone: hand}", "cast: {object: land}", '"land" is a land; lands are played'),
        (f"bear: {{{BEAR}, zone: hand}}", "cast: {object: bear, prototyped: yes}", '"bear" has no prototype'),
        (f"bear: {{{BEAR}, zone: hand}}", "enters: {object: bear, prototyped: yes}", '"bear" has no prototype'),
        (f"bear: {{{BEAR}, zone: hand}}", "enters: {object: bear, face: back}", '"bear" has no back face'),
    ],
)
def test_a_step_that_cannot_happen_is_told(objects: str, step: str, words: str) -> None:
    scenario = parse_scenario(f"objects:\n  {objects}\nsteps:\n  - {step}\n")
    with pytest.raises(ScenarioError, match=words) as caught:
        evaluate(scenario, modern())
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device here")
def test_of_a_file_without_end_no_more_is_read_than_a_scenario_has() -> None:
    with pytest.raises(ScenarioError, match="a scenario has at most"):
        load_scenario(Path("/dev/zero"))
