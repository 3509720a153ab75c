"""The scenarios of the site: what each came to under every version, and the words that made the difference."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rulehist import pages
from rulehist.answer_page import shown_answer
from rulehist.engine import load_scenario
from rulehist.engine.scenario_files import scenario_files
from rulehist.engine.turning_points import Turn, bisect
from rulehist.resources import data_folder
from rulehist.rule_page import MovedAnswer
from rulehist.rule_report import moved_answer
from rulehist.semantics_history import semantics_through_time
from rulehist.site.addresses import scenario_path


@dataclass(frozen=True, slots=True)
class ScenarioHistory:
    """A scenario file and its answers through time, oldest first; ``name`` is that of the file."""

    name: str
    title: str
    source: str
    turns: tuple[Turn, ...]

    @property
    def question(self) -> str:
        """What the file says of itself before anything else, in a comment."""
        lines = takewhile(lambda line: line.startswith("#"), self.source.splitlines())
        return " ".join(line.lstrip("# ") for line in lines).strip()

    @property
    def path(self) -> str:
        """Its page."""
        return scenario_path(self.name)


def scenario_histories(connection: sqlite3.Connection, since: str | None) -> tuple[ScenarioHistory, ...]:
    """Every scenario that ships with the program under every whole text in force since the ISO date ``since``."""
    versions = [each for each in semantics_through_time(connection) if since is None or each.rules.label >= since]
    found = []
    for file in scenario_files(data_folder() / "scenarios"):
        scenario = load_scenario(file)
        source = file.read_text(encoding="utf-8")
        found.append(ScenarioHistory(file.stem, scenario.title or file.stem, source, bisect(scenario, versions)))
    return tuple(found)


def answers_moved(histories: Sequence[ScenarioHistory]) -> dict[str, list[tuple[ScenarioHistory, Turn]]]:
    """For each rule by its identity, the scenarios whose answer a change of it moved, each with the turn."""
    moved: dict[str, list[tuple[ScenarioHistory, Turn]]] = {}
    for history in histories:
        for turn in history.turns:
            rules = {text.rule for one in turn.decisions for text in (one.old, one.new) if text is not None}
            for rule in sorted(rules):
                moved.setdefault(rule, []).append((history, turn))
    return moved


def moved_lines(moved: Sequence[tuple[ScenarioHistory, Turn]], root: str) -> tuple[MovedAnswer, ...]:
    """What a rule's page shows of these."""
    return tuple(moved_answer(history.title, turn, root + history.path) for history, turn in moved)


def scenario_pages(
    histories: Sequence[ScenarioHistory],
    frame: Callable[[str, str], pages.SiteFrame],
    rule_address: Callable[[str, str], str],
) -> Iterator[tuple[str, str]]:
    """The list of scenarios and a page for each, as ``(path, page)``.

    ``rule_address`` gives, from the page at a path, the address of the page of a rule by its identity.
    """
    for history in histories:
        yield (
            history.path,
            pages.render(
                "scenario.html.jinja",
                site=frame(history.path, f"{history.title}: the answer under every version of the rules."),
                history=history,
                told=lambda answer, path=history.path: shown_answer(answer, lambda rule, _: rule_address(path, rule)),
                rule_address=lambda rule, path=history.path: rule_address(path, rule),
            ),
        )
    site = frame("scenarios.html", "What interactions did under the rules of each day.")
    yield "scenarios.html", pages.render("scenarios.html.jinja", site=site, histories=histories)
