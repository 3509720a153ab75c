"""What changed between two versions: ``diff``, ``report``, ``bulletin``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulehist.commands.common import Db, Json, opened_store, print_json

if TYPE_CHECKING:
    from rulehist.version_diff import VersionDiff

app = typer.Typer()


Compared = Annotated[
    list[str], typer.Argument(help="OLD..NEW (dates, set codes, latest), or two files.", metavar="OLD..NEW")
]


def compared_versions(words: list[str], db: Path | None) -> VersionDiff:
    """Two versions by ``OLD..NEW``, by two moments, or two files by their paths."""
    from rulehist import version_diff
    from rulehist.errors import QueryError
    from rulehist.when import parse_range, parse_when

    if len(words) == 2 and any(Path(word).is_file() for word in words):
        return version_diff.diff_files(Path(words[0]), Path(words[1]))
    if len(words) > 2:
        raise QueryError(f"{' '.join(words)}: compare two at a time, as OLD..NEW or as two files")
    old, new = parse_range(words[0]) if len(words) == 1 else (parse_when(words[0]), parse_when(words[1]))
    with opened_store(db) as connection:
        return version_diff.diff_versions(connection, old, new)


@app.command()
def diff(
    versions: Compared,
    output_format: Annotated[str, typer.Option("--format", help="text, html or md.", metavar="FORMAT")] = "text",
    everything: Annotated[bool, typer.Option("--all", help="Open what the text folds into counts.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show what changed between two versions. Exit code 1 where something did, 0 where nothing did."""
    from rulehist import reports

    compared = compared_versions(versions, db)
    typer.echo(reports.rendered(compared, "json" if json else output_format, everything=everything), nl=False)
    raise typer.Exit(1 if compared.differs else 0)


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
