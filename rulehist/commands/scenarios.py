"""The engine: ``eval``, ``compare``, ``bisect``, ``scenario-schema``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulehist.commands.common import Db, Json, print_json

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
    from rulehist.commands import answering

    raise typer.Exit(answering.compare(str(scenario), moments, db, json=json))


@app.command()
def bisect(
    scenario: Annotated[Path, typer.Argument(help="A scenario file.", metavar="SCENARIO.yaml")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Find every version at which the answer changes, and the words that changed it. Exit code 1 where it does."""
    from rulehist.commands import answering

    raise typer.Exit(answering.bisect(str(scenario), db, json=json))


@app.command("scenario-schema")
def scenario_schema(
    db: Db = None,  # noqa: ARG001 - every command takes it
    json: Json = False,  # noqa: ARG001 - it is JSON anyhow
) -> None:
    """Print the JSON Schema of scenario files, for editors that complete and check them."""
    from rulehist.engine.schema import scenario_schema as schema

    print_json(schema())
