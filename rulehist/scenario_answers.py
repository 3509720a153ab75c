"""One call for a scenario under the rules of a day: what ``rulehist.evaluate`` is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rulehist.engine.evaluation import Answer
from rulehist.engine.evaluation import evaluate as evaluate_under
from rulehist.engine.rules import RulesAt
from rulehist.engine.scenario import Scenario
from rulehist.engine.scenario_files import load_scenario
from rulehist.engine.semantics import Semantics, compile_semantics


def evaluate(
    scenario: Scenario | Path | str,
    rules: RulesAt | Semantics | None = None,
    *,
    as_of: str = "latest",
    connection: sqlite3.Connection | None = None,
    explain: bool = False,
) -> Answer:
    """What a scenario comes to under ``rules``, else under those of ``as_of`` (a date, a set code, ``latest``).

    The rules of ``as_of`` are read from ``connection``; without one from the user's store, or from the bundled excerpts
    where there is none. Pass compiled ``Semantics`` as ``rules`` where the same rules serve often. A scenario to which
    the rules of that day give no answer is no error: its answer is refused, with the reason. Raises ``ScenarioError``
    for a scenario that cannot be read or played, ``QueryError`` for a moment before the first text.

    >>> import rulehist
    >>> from rulehist.engine import parse_scenario
    >>> scenario = parse_scenario('''
    ... objects:
    ...   bear: {name: Runeclaw Bear, power: 2, toughness: 2, stickers: [flying]}
    ...   clone: {name: Clone}
    ... steps:
    ...   - enters as a copy: {object: clone, of: bear}
    ... expect: {clone.power: 2, clone.stickers: none}
    ... ''')
    >>> with rulehist.bundled_store() as connection:
    ...     now = rulehist.evaluate(scenario, as_of="2022-10-07", connection=connection)
    >>> now.verdict, [checked.ok for checked in now.expectations]
    ('answered', [True, True])
    >>> now.because[0].number
    '707.2'
    """
    read = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    if rules is not None:
        return evaluate_under(read, rules, explain=explain)
    from rulehist.rules_at import StoredRules
    from rulehist.when import parse_when

    when = parse_when(as_of)
    if connection is not None:
        return evaluate_under(read, compile_semantics(StoredRules(connection, when)), explain=explain)
    from rulehist.commands.answering import opened_store

    with opened_store(None) as opened:
        return evaluate_under(read, compile_semantics(StoredRules(opened, when)), explain=explain)
