"""What changed between two versions: ``diff``, ``report``, ``bulletin``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulehist.commands import answering
from rulehist.commands.answering import compared_versions
from rulehist.commands.common import Db, Json, print_json

app = typer.Typer()


Compared = Annotated[
    list[str], typer.Argument(help="OLD..NEW (dates, set codes, latest), or two files.", metavar="OLD..NEW")
]


@app.command()
def diff(
    versions: Compared,
    output_format: Annotated[str, typer.Option("--format", help="text, html or md.", metavar="FORMAT")] = "text",
    everything: Annotated[bool, typer.Option("--all", help="Open what the text folds into counts.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show what changed between two versions. Exit code 1 where something did, 0 where nothing did."""
    raise typer.Exit(answering.diff(versions, db, output_format=output_format, everything=everything, json=json))


@app.command()
def report(
    versions: Compared,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.", metavar="FILE")],
    output_format: Annotated[
        str, typer.Option("--format", help="html, md, wikitext, csv, json or text.", metavar="FORMAT")
    ] = "html",
    db: Db = None,
    json: Json = False,
) -> None:
    """Write a change report: one self-contained page, or another format."""
    from rulehist import answers, reports

    compared = compared_versions(versions, db)
    answers.write_file(output, reports.rendered(compared, output_format))
    if json:
        print_json({"file": str(output), "summary": compared.diff.summary})
    else:
        typer.echo(f"{output}: changes from {compared.old.label} to {compared.new.label}")


@app.command()
def bulletin(versions: Compared, db: Db = None, json: Json = False) -> None:
    """Draft an article on what changed, in Markdown, ready for a person to add the reasons."""
    from rulehist import reports

    text = reports.rendered(compared_versions(versions, db), "bulletin")
    if json:
        print_json({"markdown": text})
    else:
        typer.echo(text, nl=False)
