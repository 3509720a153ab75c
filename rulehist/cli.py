"""The command line: a thin layer, one short function per command.

Exit codes: 0 same or done, 1 different or found, 2 error.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulehist.errors import RulehistError

if TYPE_CHECKING:
    from rulehist.version_diff import VersionDiff

app = typer.Typer(
    name="rulehist",
    help="The complete memory of the rules of Magic: The Gathering: any rule on any date, and what changed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Db = Annotated[
    Path | None,
    typer.Option("--db", help="The database (else RULEHIST_DB, else a file in your data folder).", metavar="FILE"),
]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]


def main() -> None:
    """Run the program; an error becomes one sentence on stderr and exit code 2."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
        sys.stderr.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        app()
    except RulehistError as error:
        typer.echo(f"rulehist: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


@contextmanager
def _store(db: Path | None) -> Iterator[sqlite3.Connection]:
    """The store to answer from; the bundled texts where there is no database and none was named."""
    from rulehist import store

    path = db or store.default_path()
    import os

    if db is None and "RULEHIST_DB" not in os.environ and not path.exists():
        from rulehist.bundled import bundled_store

        typer.echo(
            "rulehist: no database yet: answering from the bundled excerpts (fill one with: rulehist ingest PATH)",
            err=True,
        )
        with bundled_store() as connection:
            yield connection
        return
    connection = store.open_for_reading(path)
    try:
        yield connection
    finally:
        connection.close()


def _print_json(value: Any) -> None:
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders with rules texts.", metavar="PATH...")],
    db: Db = None,
    number: Annotated[str, typer.Option(help="The rule that a history list is about, where it does not say.")] = "",
    force: Annotated[bool, typer.Option(help="Take a damaged text too, marked as damaged.")] = False,
    json: Json = False,
) -> None:
    """Read rules texts into the store. The same bytes a second time change nothing."""
    from rulehist import ingest as ingesting
    from rulehist import ingest_text, store

    path = db or store.default_path()
    with ingest_text.progress() as on_progress:
        outcomes = ingesting.ingest_files(
            path,
            paths,
            number=number,
            force=force,
            on_progress=on_progress,
            on_wait=lambda: typer.echo("rulehist: another ingest is writing; waiting for it to end", err=True),
        )
    if json:
        _print_json(ingest_text.as_json(outcomes))
    else:
        typer.echo(ingest_text.as_text(outcomes, path))
    if any(outcome.status == "refused" for outcome in outcomes):
        raise typer.Exit(2)


@app.command()
def versions(db: Db = None, json: Json = False) -> None:
    """List every version of the rules in the store, oldest first."""
    from rulehist import answers, history

    with _store(db) as connection:
        listed = history.versions(connection)
    if json:
        _print_json(answers.versions_json(listed))
    else:
        typer.echo(answers.versions_text(listed))


@app.command()
def show(
    address: Annotated[
        str,
        typer.Argument(
            help="NUMBER@WHEN or TERM@WHEN: 707.2@2015-06-01, 707.2@AFR, deathtouch@latest.",
            metavar="NUMBER@WHEN",
        ),
    ],
    db: Db = None,
    json: Json = False,
) -> None:
    """Show a rule, section or glossary entry as it stood on a day."""
    from rulehist import answers, history
    from rulehist.when import parse_address

    subject, when = parse_address(address)
    with _store(db) as connection:
        answer = history.show(connection, subject, when)
    if json:
        _print_json(answers.show_json(answer))
    else:
        typer.echo(answers.show_text(answer))


@app.command()
def search(
    words: Annotated[str, typer.Argument(help="Words that stand in a row in the rule's text.")],
    as_of: Annotated[str, typer.Option(help="As of a date, a set code or latest.", metavar="WHEN")] = "latest",
    ever: Annotated[bool, typer.Option("--ever", help="At any time, with since when and until when.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Find the rules that have these words. Exit code 1 where some were found, 0 where none."""
    from rulehist import answers, history
    from rulehist.when import parse_when

    with _store(db) as connection:
        found = history.search(connection, words, None if ever else parse_when(as_of))
    if json:
        _print_json(answers.search_json(found))
    else:
        typer.echo(answers.search_text(found, words, ever=ever))
    raise typer.Exit(1 if found else 0)


@app.command()
def export(
    when: Annotated[str, typer.Argument(help="A date, a set code or latest.", metavar="WHEN")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write (else standard output).")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Give the text of a version back as it was published."""
    from rulehist import answers, history
    from rulehist.export import published_text
    from rulehist.when import parse_when

    with _store(db) as connection:
        version = history.version_at(connection, parse_when(when))
        text = published_text(history.document_of(connection, version).document)
    if json:
        _print_json({"version": answers.version_json(version), "text": text})
    elif output is None:
        typer.echo(text)
    else:
        answers.write_file(output, text)
        typer.echo(f"{output}: the text of {version.label}")


def _compared(words: list[str], db: Path | None) -> VersionDiff:
    """Two versions by ``OLD..NEW``, by two moments, or two files by their paths."""
    from rulehist import version_diff
    from rulehist.errors import QueryError
    from rulehist.when import parse_range, parse_when

    if len(words) == 2 and any(Path(word).is_file() for word in words):
        return version_diff.diff_files(Path(words[0]), Path(words[1]))
    if len(words) > 2:
        raise QueryError(f"{' '.join(words)}: compare two at a time, as OLD..NEW or as two files")
    old, new = parse_range(words[0]) if len(words) == 1 else (parse_when(words[0]), parse_when(words[1]))
    with _store(db) as connection:
        return version_diff.diff_versions(connection, old, new)


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
    from rulehist import reports

    compared = _compared(versions, db)
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

    compared = _compared(versions, db)
    answers.write_file(output, reports.rendered(compared, output_format))
    if json:
        _print_json({"file": str(output), "summary": compared.diff.summary})
    else:
        typer.echo(f"{output}: changes from {compared.old.label} to {compared.new.label}")


@app.command()
def bulletin(versions: Compared, db: Db = None, json: Json = False) -> None:
    """Draft an article on what changed, in Markdown, ready for a person to add the reasons."""
    from rulehist import reports

    text = reports.rendered(_compared(versions, db), "bulletin")
    if json:
        _print_json({"markdown": text})
    else:
        typer.echo(text, nl=False)


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
    with _store(db) as connection:
        answer = evaluate(read, StoredRules(connection, parse_when(as_of)))
    if json:
        _print_json(answer.as_json())
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
    with _store(db) as connection:
        comparison = compare_answers(read, [StoredRules(connection, parse_when(moment)) for moment in moments])
    if json:
        _print_json([answer.as_json() for answer in comparison.answers])
    else:
        typer.echo(render_comparison(comparison))
    raise typer.Exit(1 if any(comparison.differs) else 0)


@app.command()
def doctor(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders; else the store.", metavar="[PATH...]")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Report every fault of the sources, with its place. Exit code 1 where there are any."""
    from rulehist import doctor as doctoring
    from rulehist.ingest import files_of

    if paths:
        examined = doctoring.examine_files([path for path, _ in files_of(paths)])
    else:
        with _store(db) as connection:
            examined = doctoring.examine_store(connection)
    if json:
        typer.echo(doctoring.as_json(examined))
    else:
        typer.echo(doctoring.as_text(examined))
    raise typer.Exit(1 if doctoring.has_faults(examined) else 0)


if __name__ == "__main__":
    main()
