"""Scenario files as pytest tests: ``pytest --rulehist-db FILE scenarios/``.

Without ``--rulehist-db`` the plugin does nothing. With it every ``.yaml`` file that pytest is pointed at is a test for
each version that the file names under ``as of``, else for the last before its ``until``, else for that of
``--rulehist-as-of``. A test fails where an
expectation is not met, and is skipped with the reason where the answer is refused, unless ``--rulehist-no-refusals``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import sqlite3

    from rulehist.engine.evaluation import Answer
    from rulehist.engine.scenario import Scenario


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("rulehist")
    group.addoption("--rulehist-db", metavar="FILE", help="the database of rulehist; scenario files become tests")
    group.addoption("--rulehist-as-of", metavar="WHEN", default="latest", help="the version where a file names none")
    group.addoption("--rulehist-no-refusals", action="store_true", help="fail, instead of skip, what is not answered")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A scenario file, where a database was named."""
    if file_path.suffix != ".yaml" or not parent.config.getoption("--rulehist-db"):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)


class ScenarioFile(pytest.File):
    """A scenario file: a test for each version."""

    def collect(self) -> Iterator[pytest.Item]:
        """The tests of the file."""
        from rulehist.engine.scenario_files import load_scenario
        from rulehist.errors import ScenarioError

        try:
            scenario = load_scenario(self.path)
        except ScenarioError as error:
            raise self.CollectError(str(error)) from error
        for moment in scenario.as_of or (_default(scenario, self.config.getoption("--rulehist-as-of")),):
            yield ScenarioTest.from_parent(self, name=moment, scenario=scenario)


class ScenarioTest(pytest.Item):
    """A scenario under the rules of one version."""

    def __init__(self, *, scenario: Scenario, **rest: Any) -> None:
        super().__init__(**rest)
        self.scenario = scenario
        self.answer: Answer | None = None

    def runtest(self) -> None:
        """Answer the scenario and hold the answer against what is expected."""
        from rulehist.engine.evaluation import evaluate

        semantics = _semantics(self.config, self.name)
        day = semantics.rules.effective
        if day is not None and day.isoformat() < self.scenario.since:
            pytest.skip(f"states what was so from {self.scenario.since} on")
        self.answer = answer = evaluate(self.scenario, semantics)
        if any(checked.ok is False for checked in answer.expectations):
            raise NotAsExpectedError(answer)
        if answer.verdict == "refused":
            if self.config.getoption("--rulehist-no-refusals"):
                raise NotAsExpectedError(answer)
            pytest.skip(f"no answer: {answer.refusals[0]}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The answer with the words that bear it, in place of a traceback of the program's own."""
        from rulehist.engine.answer_text import render_answer
        from rulehist.errors import RulehistError

        if isinstance(excinfo.value, NotAsExpectedError):
            return render_answer(excinfo.value.answer)
        if isinstance(excinfo.value, RulehistError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where the test is: its file and version."""
        return self.path, None, f"{self.scenario.title or self.path.stem} [{self.name}]"


class NotAsExpectedError(Exception):
    """The answer is not what the scenario expects."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.scenario)
        self.answer = answer


def _default(scenario: Scenario, wanted: str) -> str:
    """The version for a file that names none: the last for which it states what was so."""
    if not scenario.until:
        return wanted
    return (date.fromisoformat(scenario.until) - timedelta(days=1)).isoformat()


_STORE: pytest.StashKey[sqlite3.Connection] = pytest.StashKey()
_READ: pytest.StashKey[dict[str, Any]] = pytest.StashKey()


def _semantics(config: pytest.Config, moment: str) -> Any:
    """The rules of a moment as the engine reads them, compiled once for a run."""
    from rulehist.engine.semantics import compile_semantics
    from rulehist.rules_at import StoredRules
    from rulehist.store import open_for_reading
    from rulehist.when import parse_when

    if _STORE not in config.stash:
        config.stash[_STORE] = open_for_reading(Path(config.getoption("--rulehist-db")))
        config.stash[_READ] = {}
    known = config.stash[_READ]
    if moment not in known:
        known[moment] = compile_semantics(StoredRules(config.stash[_STORE], parse_when(moment)))
    return known[moment]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close the database."""
    if _STORE in config.stash:
        config.stash[_STORE].close()
        del config.stash[_STORE]
