"""The engine: ``eval``, ``compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulehist.commands.common import Db, Json, opened_store, print_json

app = typer.Typer()


@app.command("eval")
def eval_(
    scenario: Annotated[Path, typer.Argument(help="A scenario file.", metavar="SCENARIO.yaml")],
    as_of: Annotated[str, typer.Option(help="A date, a set code or latest.", metavar="WHEN")] = "latest",
    db: Db = None,
    json: Json = False,
) -> None:
    """Answer a scenario under the rules of a day. Exit code 1 where an expectation fails or there is no answer."""
    from rulehist.engine import evaluate, load_scenario
    from rulehist.engine.answer_text import render_answer
    from rulehist.rules_at import StoredRules
    from rulehist.when import parse_when

    read = load_scenario(scenario)
    with opened_store(db) as connection:
        answer = evaluate(read, StoredRules(connection, parse_when(as_of)))
    if json:
        print_json(answer.as_json())
    else:
        typer.echo(render_answer(answer))
    raise typer.Exit(0 if answer.verdict == "answered" and all(check.ok for check in answer.expectations) else 1)


@app.command()
def compare(
    scenario: Annotated[Path, typer.Argument(help="A scenario file.", metavar="SCENARIO.yaml")],
    moments: Annotated[list[str], typer.Argument(help="Dates, set codes, latest.", metavar="WHEN...")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Answer a scenario under several versions. Exit code 1 where the answers differ."""
    from rulehist.engine import compare as compare_answers
    from rulehist.engine import load_scenario
    from rulehist.engine.answer_text import render_comparison
    from rulehist.rules_at import StoredRules
    from rulehist.when import parse_when

    read = load_scenario(scenario)
    with opened_store(db) as connection:
        comparison = compare_answers(read, [StoredRules(connection, parse_when(moment)) for moment in moments])
    if json:
        print_json([answer.as_json() for answer in comparison.answers])
    else:
        typer.echo(render_comparison(comparison))
    raise typer.Exit(1 if any(comparison.differs) else 0)
