"""Getting texts in and out: ``fetch``, ``ingest``, ``versions``, ``export``, ``doctor``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulehist.commands.common import Db, Json, opened_store, print_json, print_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulehist.doctor import Examined

app = typer.Typer()


@app.command()
def fetch(
    whens: Annotated[
        list[str] | None, typer.Argument(help="Dates or set codes: the text in force then.", metavar="[WHEN...]")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every text whose address is known.")] = False,
    newest: Annotated[bool, typer.Option("--latest", help="The newest text on the official rules page.")] = False,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to put the files in.", metavar="FOLDER")
    ] = Path("rules-texts"),
    listed: Annotated[
        Path | None, typer.Option("--list", help="Another list of addresses than data/sources.tsv.", metavar="FILE")
    ] = None,
    page: Annotated[str, typer.Option(help="Another rules page, should it move.", metavar="ADDRESS")] = "",
    json: Json = False,
) -> None:
    """Download published texts, from the publisher or the Wayback Machine. What is there already is kept."""
    from rulehist import fetch as fetching
    from rulehist import fetch_text
    from rulehist.errors import SourceError
    from rulehist.releases import known_releases
    from rulehist.when import parse_when

    if not whens and not everything and not newest:
        raise typer.BadParameter("say what to fetch: a date (2021-07-23), a set code (AFR), --all or --latest")
    sources = fetching.known_sources(listed)
    moments = [parse_when(words) for words in whens or ()]
    days = [moment.day for moment in moments if moment.day is not None]
    missing = fetching.without_address(sources, [release.effective for release in known_releases()], days)
    unknown = sorted(set(missing.values()))
    downloads = list(fetching.plan(sources, None if everything else [day for day in days if day not in missing]))
    complaints = []
    if newest or len(days) < len(moments):
        address = page or fetching.RULES_PAGE
        try:
            downloads.append(fetching.latest(fetching.fetch_page(address), address, sources))
        except SourceError as error:
            complaints.append(str(error))
    with fetch_text.progress(downloads) as (on_progress, on_outcome):
        outcomes = fetching.fetch_all(downloads, output, on_progress=on_progress, on_outcome=on_outcome)
    if json:
        print_json(fetch_text.as_json(outcomes, unknown))
    elif outcomes or unknown:
        typer.echo(fetch_text.as_text(outcomes, unknown, output))
    failed = sum(outcome.status is fetching.Status.FAILED for outcome in outcomes) + len(unknown)
    if failed:
        texts = "one text" if failed == 1 else f"{failed} texts"
        complaints.append(f"{texts} could not be had: the reasons stand in the list; try again later, the rest is kept")
    for complaint in complaints:
        typer.echo(f"rulehist: {complaint}", err=True)
    if complaints:
        raise typer.Exit(2)


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders with rules texts.", metavar="PATH...")],
    db: Db = None,
    number: Annotated[str, typer.Option(help="The rule that a history list is about, where it does not say.")] = "",
    force: Annotated[bool, typer.Option(help="Take a damaged text too, marked as damaged.")] = False,
    json: Json = False,
) -> None:
    """Read rules texts into the store. The same bytes a second time change nothing."""
    import gc

    from rulehist import ingest as ingesting
    from rulehist import ingest_text, store
    from rulehist.thresholds import INGEST_NEW_OBJECTS
    from rulehist.workers import processors

    gc.set_threshold(INGEST_NEW_OBJECTS)
    path = db or store.default_path()
    with ingest_text.progress() as on_progress:
        outcomes = ingesting.ingest_files(
            path,
            paths,
            number=number,
            force=force,
            processes=processors(),
            on_progress=on_progress,
            on_wait=lambda: typer.echo("rulehist: another ingest is writing; waiting for it to end", err=True),
        )
    if json:
        print_json(ingest_text.as_json(outcomes))
    else:
        typer.echo(ingest_text.as_text(outcomes, path))
    if any(outcome.status == "refused" for outcome in outcomes):
        raise typer.Exit(2)


@app.command()
def versions(
    db: Db = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="With the sources of each, and what re-issues differ in.")
    ] = False,
    json: Json = False,
) -> None:
    """List every version of the rules in the store, oldest first, and name the releases without a text."""
    from rulehist import dated_versions, gaps, placing, terminal, version_sources, versions_answers

    with opened_store(db) as connection:
        listed = dated_versions.versions(connection)
        missing = gaps.gaps(connection)
        excerpts = placing.placed(connection)
        if verbose:
            more = versions_answers.Verbose(
                version_sources.sources_by_version(connection), version_sources.reissues(connection)
            )
    if json:
        print_json(
            versions_answers.verbose_json(listed, missing, excerpts, more)
            if verbose
            else versions_answers.versions_json(listed)
        )
    elif verbose:
        print_text(versions_answers.verbose_text(listed, missing, excerpts, more))
    elif terminal.on_terminal():
        from rulehist.screen_tables import versions_table

        typer.echo(versions_table(listed, missing, excerpts))
    else:
        typer.echo(versions_answers.versions_text(listed, missing, excerpts))


@app.command()
def export(
    when: Annotated[str, typer.Argument(help="A date, a set code or latest.", metavar="WHEN")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write (else standard output).")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Give the text of a version back: its words as published, parts apart by an empty line, without indents."""
    from rulehist import answers, dated_versions, stored_documents
    from rulehist.export import published_text
    from rulehist.when import parse_when

    if json and output is not None:
        raise typer.BadParameter("--json is printed: leave out --output, or leave out --json")
    with opened_store(db) as connection:
        version = dated_versions.version_at(connection, parse_when(when))
        text = published_text(stored_documents.document_of(connection, version).document)
    if json:
        print_json({"version": answers.version_json(version), "text": text})
    elif output is None:
        typer.echo(text)
    else:
        answers.write_file(output, text)
        typer.echo(f"{output}: the text of {version.label}")


@app.command()
def doctor(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders; else the store.", metavar="[PATH...]")
    ] = None,
    db: Db = None,
    digest: Annotated[
        bool, typer.Option("--digest", help="Print only the digest of what the store holds: same content, same digest.")
    ] = False,
    json: Json = False,
) -> None:
    """Report every fault of the sources, with its place. Exit code 1 where there are any."""
    from rulehist import doctor as doctoring

    if digest:
        _print_digest(paths, db, json=json)
        return
    if paths:
        from rulehist.ingest import files_of

        examined = doctoring.examine_files([path for path, _ in files_of(paths)])
    else:
        with opened_store(db) as connection:
            examined = doctoring.examine_store(connection)
    if json:
        typer.echo(doctoring.as_json(examined))
    else:
        print_text(_faults_text(examined))
    raise typer.Exit(1 if doctoring.has_faults(examined) else 0)


def _faults_text(examined: Sequence[Examined]) -> str:
    from rulehist import doctor as doctoring
    from rulehist import terminal

    if terminal.on_terminal():
        from rulehist.screen_tables import faults_table, fits

        if fits():
            return faults_table(examined)
    return doctoring.as_text(examined) + doctoring.summary(examined)


def _print_digest(paths: list[Path] | None, db: Path | None, *, json: bool) -> None:
    from rulehist.digest import content_digest

    if paths:
        raise typer.BadParameter("--digest is of the store; name it with --db, without any PATH")
    with opened_store(db) as connection:
        value = content_digest(connection)
    if json:
        print_json({"digest": value})
    else:
        typer.echo(value)
