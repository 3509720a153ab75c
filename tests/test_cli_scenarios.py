"""The commands of the engine, and scenario files as pytest tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulehist.ingest import ingest_files
from tests.engine_rules import COPYING
from tests.small_texts import rules_text

SCENARIO = """
scenario: A creature with a sticker is copied
objects:
  bear: {name: Bear, card types: [Creature], power: 2, toughness: 2, stickers: [flying]}
  clone: {name: Clone}
steps:
  - enters as a copy: {object: clone, of: bear}
expect: {clone.power: 2, clone.stickers: none}
"""
WITHOUT_STICKERS = COPYING.replace("status, counters, and stickers", "status, and counters")


def text(effective: str, copying: str) -> str:
    sections = {
        "100. General": ["100.1. These rules apply to any game with two or more players who sit at one table."],
        "707. Copying Objects": [
            "707.1. Some objects become or turn another object into a copy of a spell, permanent, or card.",
            f"707.2. {copying}",
        ],
    }
    return rules_text(effective, sections, {"Token": "A marker."})


@pytest.fixture
def database(tmp_path: Path) -> Path:
    (tmp_path / "2030-03-01.txt").write_text(text("March 1, 2030", WITHOUT_STICKERS), encoding="utf-8")
    (tmp_path / "2030-06-01.txt").write_text(text("June 1, 2030", COPYING), encoding="utf-8")
    ingest_files(tmp_path / "rules.db", [tmp_path / "2030-03-01.txt", tmp_path / "2030-06-01.txt"])
    return tmp_path / "rules.db"


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "sticker.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    return path


Command = Callable[..., str]


def test_eval_explains_each_effect(command: Command, database: Path, scenario: Path) -> None:
    told = command("eval", scenario, "--db", database, "--as-of", "2030-06-01", "--explain")
    assert "answered" in told
    assert "derivation:" in told
    assert "copy of bear -> clone" in told
    data = json.loads(command("eval", scenario, "--db", database, "--as-of", "2030-06-01", "--explain", "--json"))
    assert data["derivation"][0]["effect"] == "copy of bear"


def test_compare_is_a_table_with_the_deciding_rule(command: Command, database: Path, scenario: Path) -> None:
    told = command("compare", scenario, "2030-03-01", "2030-06-01", "--db", database)
    assert "clone.power     refused     2 *" in told
    assert "rule 707.2" in told
    data = json.loads(command("compare", scenario, "2030-03-01", "2030-06-01", "--db", database, "--json"))
    assert [answer["verdict"] for answer in data] == ["refused", "answered"]


def test_bisect_finds_the_version_and_shows_its_words(command: Command, database: Path, scenario: Path) -> None:
    told = command("bisect", scenario, "--db", database)
    assert "2030-06-01 (until 2030-03-01 otherwise)" in told
    assert "stickers+}" in told
    data = json.loads(command("bisect", scenario, "--db", database, "--json"))
    assert [turn["version"] for turn in data] == ["2030-03-01", "2030-06-01"]
    assert data[1]["decisions"][0]["new"]["number"] == "707.2"


def test_the_schema_is_printed(command: Command) -> None:
    assert json.loads(command("scenario-schema"))["properties"].keys() >= {"objects", "steps", "expect"}


def test_a_folder_of_scenarios_is_a_test_suite(database: Path, scenario: Path) -> None:
    wrong = scenario.parent / "suite" / "wrong.yaml"
    wrong.parent.mkdir()
    scenario.rename(wrong.parent / "right.yaml")
    wrong.write_text(SCENARIO.replace("clone.power: 2", "clone.power: 3"), encoding="utf-8")
    early = wrong.parent / "early.yaml"
    early.write_text("as of: [2030-03-01]\n" + SCENARIO, encoding="utf-8")
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "rulehist.pytest_plugin",
            "--rulehist-db",
            database,
            wrong.parent,
            "-rs",
        ],
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        cwd=wrong.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 1 passed, 1 skipped" in run.stdout
    assert "NOT AS EXPECTED: clone.power expected 3, got 2" in run.stdout
    assert "did not mention stickers" in run.stdout
