"""Pages to read: ``overview``, ``site``, ``serve``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rulehist.commands.common import Db, Json, opened_store, print_json, progress_bar

app = typer.Typer()

Output = Annotated[Path, typer.Option("--output", "-o", help="The file to write.", metavar="FILE")]


@app.command()
def overview(output: Output, db: Db = None, json: Json = False) -> None:
    """Draw the history of the rules: their size, what each release did, what changed most, with tables."""
    from dataclasses import asdict

    from rulehist import answers
    from rulehist.overview import overview as figures_of
    from rulehist.overview_page import overview_html

    with opened_store(db) as connection:
        figures = figures_of(connection)
    answers.write_file(output, overview_html(figures))
    if json:
        print_json({"file": str(output), **asdict(figures)})
    else:
        typer.echo(f"{output}: {len(figures.releases)} texts in pictures")


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(help="The folder to write; made where there is none.", metavar="OUT")],
    since: Annotated[
        str | None, typer.Option(help="Only versions and rules in force from this date or set code on.", metavar="WHEN")
    ] = None,
    base_url: Annotated[
        str, typer.Option(help="Where the site will be; with it there are a sitemap and whole links.", metavar="URL")
    ] = "",
    db: Db = None,
    json: Json = False,
) -> None:
    """Build a static site of all texts, changes and rules. A second build writes only what changed."""
    from dataclasses import asdict

    from rulehist.site import build_site
    from rulehist.when import parse_when

    first = parse_when(since).day if since is not None else None
    with opened_store(db) as connection, progress_bar("pages") as on_progress:
        built = build_site(connection, folder, since=first, base_url=base_url, on_progress=on_progress)
    if json:
        print_json({"folder": str(folder), **asdict(built)})
    elif built.written or built.removed:
        gone = f", {built.removed} old ones removed" if built.removed else ""
        typer.echo(f"{folder}: {built.files} files, {built.written} written{gone}; open {folder / 'index.html'}")
    else:
        typer.echo(f"{folder}: {built.files} files, nothing changed")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; by default only this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 for any that is free.", min=0, max=65535)] = 8001,
    db: Db = None,
    json: Json = False,
) -> None:
    """Serve the live view: pages for any rule, any two versions and any scenario, and the tables with Datasette."""
    from rulehist.live.server import serve as run

    def tell(address: str) -> None:
        if json:
            print_json({"address": address})
            sys.stdout.flush()
        else:
            typer.echo(f"rulehist: at {address} (stop with Ctrl+C)", err=True)

    with opened_store(db) as connection:
        run(connection, host, port, tell)
