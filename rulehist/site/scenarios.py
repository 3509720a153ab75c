"""The scenarios of the site: what each came to under every version, and the words that made the difference."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rulehist import pages
from rulehist.engine import compare, load_scenario
from rulehist.engine.answer_text import render_answer
from rulehist.engine.evaluation import Answer, Because
from rulehist.engine.scenario import Scenario
from rulehist.resources import data_folder
from rulehist.rules_at import StoredRules
from rulehist.site.addresses import root_from, scenario_path
from rulehist.site.plan import Plan
from rulehist.when import When


@dataclass(frozen=True, slots=True)
class Stretch:
    """Versions in a row with the same answer: ``first`` and ``last`` name them, ``because`` is what is new in it."""

    first: str
    last: str
    answer: Answer
    because: tuple[Because, ...]


def scenario_files() -> list[Path]:
    """The scenarios that ship with the program, those of the rules' own examples apart."""
    return sorted((data_folder() / "scenarios").glob("*.yaml"))


def stretches(connection: sqlite3.Connection, scenario: Scenario, planned: Plan) -> list[Stretch]:
    """The answers under all versions that are compared, oldest first, equal neighbours joined."""
    listed = [old for old, _ in planned.pairs[:1]] + [new for _, new in planned.pairs] or list(planned.versions[-1:])
    found: list[Stretch] = []
    for each in listed:
        rules = StoredRules(connection, When(each.version.effective, each.name))
        if found:
            earlier = found[-1]
            comparison = compare(scenario, [StoredRules(connection, When(_day(earlier.first), earlier.first)), rules])
            if not comparison.differs[1]:
                found[-1] = Stretch(earlier.first, each.name, earlier.answer, earlier.because)
            else:
                found.append(Stretch(each.name, each.name, comparison.answers[1], _distinct(comparison.deciding(1))))
            continue
        answer = compare(scenario, [rules]).answers[0]
        found.append(Stretch(each.name, each.name, answer, ()))
    return found


def _distinct(reasons: tuple[Because, ...]) -> tuple[Because, ...]:
    """The reasons with each quotation once."""
    return tuple({(reason.number, reason.quote): reason for reason in reasons}.values())


def _day(name: str) -> str | None:
    return None if name.startswith("undated") else name


def scenario_pages(
    connection: sqlite3.Connection, planned: Plan, frame: Callable[[str, str], pages.SiteFrame]
) -> Iterator[tuple[str, str]]:
    """The list of scenarios and a page for each, as ``(path, page)``."""
    lines = []
    for file in scenario_files():
        scenario = load_scenario(file)
        found = stretches(connection, scenario, planned)
        title = scenario.title or file.stem
        path = scenario_path(file.stem)
        lines.append((title, path, found))
        yield (
            path,
            pages.render(
                "scenario.html.jinja",
                site=frame(path, f"{title}: the answer under every version of the rules."),
                title=title,
                stretches=found[::-1],
                source=file.read_text(encoding="utf-8"),
                told=render_answer,
                root=root_from(path),
            ),
        )
    site = frame("scenarios.html", "What interactions did under the rules of each day.")
    yield "scenarios.html", pages.render("scenarios.html.jinja", site=site, lines=lines)
