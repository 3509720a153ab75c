"""Citations of rules in code and prose: ``cite check``, ``cite move``, ``cite annotate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rulehist.commands.common import Db, Json, opened_store, progress_bar

group = typer.Typer(no_args_is_help=True, help="Check, move and annotate citations of rules in code and prose.")
app = typer.Typer()
app.add_typer(group, name="cite")

Paths = Annotated[list[Path], typer.Argument(help="Files or folders.", metavar="PATH...")]
Baseline = Annotated[
    Path | None, typer.Option(help="Accepted findings (else .rulehist-baseline.json, where there is one).")
]


def _moment(words: str | None) -> Any:
    """``--written``: a moment, ``git``, or nothing where it is unknown."""
    from rulehist.when import parse_when

    if words is None or words == "unknown":
        return None
    return "git" if words == "git" else parse_when(words)


@group.command()
def check(
    paths: Paths,
    *,
    written: Annotated[
        str | None,
        typer.Option(help="Of when the citations are: a date, a set code, or git for each line's last commit."),
    ] = None,
    as_of: Annotated[str, typer.Option(help="Seen from a date, a set code or latest.", metavar="WHEN")] = "latest",
    output_format: Annotated[
        str, typer.Option("--format", help="text, json, sarif or github.", metavar="FORMAT")
    ] = "text",
    baseline: Baseline = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Accept all that is found, and write it to the baseline.")
    ] = False,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Kinds that are no findings here, such as reworded.", metavar="STATUS")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say which citations are right, and what became of the others. Exit code 1 where there is something to do."""
    from rulehist.citations import baseline as accepting
    from rulehist.citations import formats
    from rulehist.citations.check import checker
    from rulehist.citations.parallel import report_on
    from rulehist.when import parse_when

    formats.refuse_unknown("json" if json else output_format, ignore or ())
    with opened_store(db) as connection, progress_bar("citations") as on_progress:
        ready = checker(connection, paths, _moment(written), parse_when(as_of))
        found = report_on(ready, paths, on_progress)
    formats.leave_out(found, ignore or ())
    accepted = baseline or ready.root / ready.patterns.baseline
    if update_baseline:
        accepting.write(accepted, found)
        typer.echo(f"{accepted}: accepts {len(found.findings)} findings")
        return
    if baseline is not None or accepted.exists():
        accepting.accept(found, accepting.read(accepted))
    typer.echo(_printable(formats.rendered(found, "json" if json else output_format)), nl=False)
    raise typer.Exit(1 if found.findings else 0)


@group.command()
def move(
    paths: Paths,
    *,
    written: Annotated[
        str, typer.Option(help="Of when the citations are: a date, a set code, or git for each line's last commit.")
    ],
    to: Annotated[str, typer.Option(help="The version to move them to: a date, a set code or latest.", metavar="WHEN")],
    write: Annotated[bool, typer.Option("--write", help="Write the files; else only show what would be done.")] = False,
    trust_date: Annotated[
        bool,
        typer.Option("--trust-date", help="The date holds for all, whatever words beside some say."),
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Rewrite the citations that moved with certainty; list what is left. Exit code 1 where something is to do."""
    from rulehist.citations import move as moving
    from rulehist.citations import move_text
    from rulehist.citations.check import checker
    from rulehist.when import parse_when

    with opened_store(db) as connection, progress_bar("citations") as on_progress:
        ready = checker(connection, paths, _moment(written), parse_when(to))
        planned = moving.plan(ready, paths, trust_date=trust_date, on_progress=on_progress)
    if write:
        moving.carry_out(ready, planned)
    if json:
        _print_values(move_text.as_values(planned))
    else:
        typer.echo(_printable(move_text.as_text(planned)), nl=False)
    raise typer.Exit(1 if planned.left or (planned.files and not write) else 0)


def _print_values(values: Any) -> None:
    """JSON, in which bytes that are no text have a mark in their place."""
    import json

    typer.echo(_printable(json.dumps(values, ensure_ascii=False, indent=2)))


def _printable(text: str) -> str:
    """Bytes that are no text are carried along in it; a terminal gets a mark in their place."""
    return text.encode("utf-8", "replace").decode("utf-8")


@group.command()
def annotate(
    file: Annotated[Path, typer.Argument(help="An article in Markdown or HTML.", metavar="FILE")],
    *,
    as_of: Annotated[str, typer.Option(help="The words of a date, a set code or latest.", metavar="WHEN")] = "latest",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write (else standard output).", metavar="FILE")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Add the words of the cited rules to an article as footnotes. Exit code 1 where a number named no rule."""
    from rulehist.citations import notes
    from rulehist.citations.files import article, write_article
    from rulehist.citations.patterns import project_patterns
    from rulehist.when import parse_when

    read = article(file)
    with opened_store(db) as connection:
        made = notes.annotate(connection, read.text, file.name, parse_when(as_of), project_patterns(file))
    if output is not None:
        write_article(output, read, made.text)
    if json:
        _print_values({"as_of": made.as_of, "notes": made.notes, "missing": made.missing, "text": made.text})
    elif output is None:
        typer.echo(_printable(made.text), nl=False)
    else:
        typer.echo(f"{output}: {len(made.notes)} footnotes in the words of {made.as_of}")
    for number in made.missing:
        typer.echo(f"rulehist: {number} named no rule on {made.as_of}: it has no footnote", err=True)
    raise typer.Exit(1 if made.missing else 0)
