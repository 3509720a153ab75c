"""What changed between two versions: ``diff``, ``patterns``, ``report``, ``bulletin``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulehist.commands import answering
from rulehist.commands.answering import compared_versions
from rulehist.commands.common import Db, Json, print_json, print_text

if TYPE_CHECKING:
    from rulehist.engine.scenario import Scenario
    from rulehist.patterns import Pattern
    from rulehist.version_diff import VersionDiff

app = typer.Typer()


Compared = Annotated[
    list[str],
    typer.Argument(
        help="OLD..NEW (dates, set codes, latest); NEW alone, for what changed with it; or two files.",
        metavar="OLD..NEW|NEW",
    ),
]


@app.command()
def diff(
    versions: Compared,
    output_format: Annotated[
        str, typer.Option("--format", help="text, html, md, wikitext, csv, json or bulletin.", metavar="FORMAT")
    ] = "text",
    everything: Annotated[bool, typer.Option("--all", help="Open what the text folds into counts.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show what changed between two versions. Exit code 1 where something did, 0 where nothing did."""
    raise typer.Exit(answering.diff(versions, db, output_format=output_format, everything=everything, json=json))


@app.command()
def patterns(versions: Compared, db: Db = None, json: Json = False) -> None:
    """List mass rewordings: the same words for the same others in many rules. Exit code 1 where there are any."""
    from rulehist.diff_text import pattern_json
    from rulehist.patterns import find_patterns

    found = find_patterns(compared_versions(versions, db).diff.changes).patterns
    if json:
        print_json([pattern_json(pattern) for pattern in found])
    else:
        print_text(_patterns_text(found))
    raise typer.Exit(1 if found else 0)


def _patterns_text(found: Sequence[Pattern]) -> str:
    from rulehist import terminal

    if found and terminal.on_terminal():
        from rulehist.screen_tables import fits, patterns_table

        if fits():
            return patterns_table(found)
    from rulehist.diff_text import patterns_text

    return "\n".join(patterns_text(found, terminal.text_width()))


@app.command()
def report(
    versions: Annotated[
        list[str],
        typer.Argument(
            help="OLD..NEW (dates, set codes, latest), NEW alone, two files, or NUMBER@WHEN for the page of a rule.",
            metavar="OLD..NEW|NEW|NUMBER@WHEN",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.", metavar="FILE")],
    output_format: Annotated[
        str, typer.Option("--format", help="html, md, wikitext, csv, json or text.", metavar="FORMAT")
    ] = "html",
    *,
    site: Annotated[
        str,
        typer.Option(
            help="Where a site of this store is: each rule links to its pages there, and tells no history itself.",
            metavar="URL",
        ),
    ] = "",
    scenarios: Annotated[
        Path | None,
        typer.Option(
            help="For the page of a rule: the folder of scenarios of which it tells whose answer the rule moved "
            "(else those that ship with the program).",
            metavar="FOLDER",
        ),
    ] = None,
    no_scenarios: Annotated[
        bool, typer.Option("--no-scenarios", help="For the page of a rule: tell of no scenarios.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write a change report, or the page of a rule: one self-contained page, or another format."""
    from rulehist import answers
    from rulehist.errors import QueryError

    if len(versions) == 1 and not _names_versions(versions[0]):
        told = _scenarios(scenarios, none=no_scenarios)
        _rule_page(versions[0], output, output_format, told, db, site=site, json=json)
        return
    if site and output_format != "html":
        raise QueryError(f"--site {site}: links to a site go with the format html, not with {output_format}")
    if scenarios is not None or no_scenarios:
        option = "--no-scenarios" if no_scenarios else "--scenarios"
        raise QueryError(f"{option}: a change report tells of no scenarios; it goes with the page of a rule, as 707.2")
    compared, text = _change_report(versions, output_format, db, site)
    answers.write_file(output, text)
    if json:
        print_json({"file": str(output), "summary": compared.diff.summary})
    else:
        typer.echo(f"{output}: changes from {compared.old.label} to {compared.new.label}")


def _change_report(versions: list[str], output_format: str, db: Path | None, site: str) -> tuple[VersionDiff, str]:
    from rulehist import reports, version_diff

    if output_format != "html" or answering.compared_files(versions) is not None:
        compared = compared_versions(versions, db, headings=output_format == "bulletin")
        return compared, reports.rendered(compared, output_format)
    old, new = answering.compared_moments(versions)
    with answering.opened_store(db) as connection:
        compared = version_diff.diff_versions(connection, old, new)
        return compared, reports.html_with_histories(connection, compared, site=site)


def _names_versions(word: str) -> bool:
    """Whether a word is ``OLD..NEW`` or a moment, and not a rule or a term, which may have ``@WHEN`` behind it."""
    from rulehist.errors import QueryError
    from rulehist.when import parse_when

    try:
        return ".." in word or bool(parse_when(word).words)
    except QueryError:
        return False


def _scenarios(folder: Path | None, *, none: bool) -> Callable[[], Sequence[Scenario]] | None:
    """What reads the scenarios when they are needed; those of a folder that somebody named are read at once."""
    from rulehist.engine.scenario_files import load_scenario, scenario_files, shipped_scenarios
    from rulehist.errors import QueryError

    if none and folder is not None:
        raise QueryError(f"--scenarios {folder}: --no-scenarios leaves them out; give one of the two")
    if none:
        return None
    if folder is None:
        return shipped_scenarios
    read = [load_scenario(file) for file in scenario_files(folder)]
    return lambda: read


def _rule_page(
    address: str,
    output: Path,
    output_format: str,
    scenarios: Callable[[], Sequence[Scenario]] | None,
    db: Path | None,
    *,
    site: str,
    json: bool,
) -> None:
    from rulehist import answers, rule_report
    from rulehist.errors import QueryError
    from rulehist.when import parse_address

    if output_format != "html":
        raise QueryError(
            f"{output_format}: the page of a rule is html; its history as data: rulehist log {address} --json"
        )
    subject, when = parse_address(address)
    with answering.opened_store(db) as connection:
        page = rule_report.rule_report(connection, subject, when, address=_site_address(site), scenarios=scenarios)
    answers.write_file(output, page)
    if json:
        print_json({"file": str(output), "query": address})
    else:
        typer.echo(f"{output}: the history of {address}")


def _site_address(site: str) -> Callable[[str], str]:
    """The address of a rule's page in a site, by the rule's identity; empty where no site was named."""
    if not site:
        return lambda _: ""
    from rulehist.site.addresses import rule_path

    return lambda rule: f"{site.rstrip('/')}/{rule_path(rule)}" if rule else ""


@app.command()
def bulletin(versions: Compared, db: Db = None, json: Json = False) -> None:
    """Draft an article on what changed, in Markdown, ready for a person to add the reasons."""
    from rulehist import reports

    text = reports.rendered(compared_versions(versions, db, headings=True), "bulletin")
    if json:
        print_json({"markdown": text})
    else:
        typer.echo(text, nl=False)
