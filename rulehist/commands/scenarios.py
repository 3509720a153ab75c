"""The engine: ``eval``, ``compare``, ``bisect``, ``scenario-schema``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulehist.commands.common import Db, Json, opened_store, print_json, print_text

if TYPE_CHECKING:
    from rulehist.engine.comparison import Comparison

app = typer.Typer()


@app.command("eval")
def eval_(
    scenario: Annotated[Path, typer.Argument(help="A scenario file.", metavar="SCENARIO.yaml")],
    as_of: Annotated[str, typer.Option(help="A date, a set code or latest.", metavar="WHEN")] = "latest",
    explain: Annotated[bool, typer.Option("--explain", help="Tell each effect in the order applied, and why.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Answer a scenario under the rules of a day. Exit code 1 where an expectation fails or there is no answer."""
    from rulehist.commands import answering

    raise typer.Exit(answering.eval_(str(scenario), db, as_of=as_of, explain=explain, json=json))


@app.command()
def compare(
    scenario: Annotated[Path, typer.Argument(help="A scenario file, or a folder of them.", metavar="SCENARIO.yaml")],
    moments: Annotated[list[str], typer.Argument(help="Dates, set codes, latest.", metavar="WHEN...")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Answer a scenario under several versions, as a table. Exit code 1 where the answers differ."""
    from rulehist.engine import compare as compare_answers
    from rulehist.engine import compile_semantics, load_scenario
    from rulehist.engine.scenario import scenario_files
    from rulehist.rules_at import StoredRules
    from rulehist.when import parse_when

    read = [load_scenario(file) for file in scenario_files(scenario)]
    with opened_store(db) as connection:
        compiled = [compile_semantics(StoredRules(connection, parse_when(moment))) for moment in moments]
        found = [compare_answers(each, compiled) for each in read]
    if json:
        print_json([answer.as_json() for comparison in found for answer in comparison.answers])
    else:
        typer.echo("\n\n".join(map(_comparison_text, found)))
    raise typer.Exit(1 if any(any(comparison.differs) for comparison in found) else 0)


def _comparison_text(comparison: Comparison) -> str:
    from rulehist import terminal

    if terminal.on_terminal():
        from rulehist.screen_tables import comparison_table

        return comparison_table(comparison)
    from rulehist.engine.answer_text import render_comparison

    return render_comparison(comparison)


@app.command()
def bisect(
    scenario: Annotated[Path, typer.Argument(help="A scenario file.", metavar="SCENARIO.yaml")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Find every version at which the answer changes, and the words that changed it. Exit code 1 where it does."""
    from rulehist import terminal
    from rulehist.engine import load_scenario
    from rulehist.engine.answer_text import render_turns
    from rulehist.engine.turning_points import bisect as find_turns
    from rulehist.semantics_history import semantics_through_time
    from rulehist.thresholds import TEXT_WIDTH

    read = load_scenario(scenario)
    with opened_store(db) as connection:
        turns = find_turns(read, semantics_through_time(connection))
    if json:
        print_json([turn.as_json() for turn in turns])
    elif not turns:
        print_text("there is no dated version with a whole text in the store")
    else:
        print_text(render_turns(read.title or read.source, turns, terminal.text_width(TEXT_WIDTH)))
    raise typer.Exit(1 if len(turns) > 1 else 0)


@app.command("scenario-schema")
def scenario_schema(
    db: Db = None,  # noqa: ARG001 - every command takes it
    json: Json = False,  # noqa: ARG001 - it is JSON anyhow
) -> None:
    """Print the JSON Schema of scenario files, for editors that complete and check them."""
    from rulehist.engine.schema import scenario_schema as schema

    print_json(schema())
