"""A rule on a day and through time: ``show``, ``search``, ``log``, ``blame``, ``references``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulehist.commands import answering
from rulehist.commands.common import Db, Json, opened_store, print_json, print_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulehist.text_search import Found

app = typer.Typer()


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
    answering.show(address, db, json=json)


@app.command()
def search(
    words: Annotated[str, typer.Argument(help="Words that stand in a row in the rule's text.")],
    *,
    as_of: Annotated[
        str | None, typer.Option(help="As of a date, a set code or latest (the default).", metavar="WHEN")
    ] = None,
    ever: Annotated[bool, typer.Option("--ever", help="At any time, with since when and until when.")] = False,
    first: Annotated[bool, typer.Option("--first", help="When the words entered the rules, and where.")] = False,
    last: Annotated[bool, typer.Option("--last", help="When the words left the rules, and where from.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Find the rules that have these words in a row. Exit code 1 where some were found, 0 where none."""
    from rulehist import answers, phrase_answers, phrase_events, text_search
    from rulehist.when import parse_when

    if as_of is not None and (ever or first or last):
        raise typer.BadParameter("--as-of is about one day, --ever, --first and --last about all: choose one")
    if ever and (first or last):
        raise typer.BadParameter("--ever lists what had the words at any time, --first and --last when: choose one")
    if first or last:
        with opened_store(db) as connection:
            told = phrase_events.phrase_history(connection, words)
        if json:
            print_json(phrase_answers.phrase_json(told, first=first, last=last))
        else:
            print_text(phrase_answers.phrase_text(told, first=first, last=last))
        raise typer.Exit(1 if told.first else 0)
    with opened_store(db) as connection:
        found = text_search.search(
            connection, words, None if ever else parse_when("latest" if as_of is None else as_of)
        )
    if json:
        print_json(answers.search_json(found))
    else:
        print_text(_search_text(found, words, ever=ever))
    raise typer.Exit(1 if found else 0)


def _search_text(found: Sequence[Found], words: str, *, ever: bool) -> str:
    from rulehist import answers, terminal

    if found and terminal.on_terminal():
        from rulehist.screen_tables import fits, found_table

        if fits():
            return found_table(found, words)
    return answers.search_text(found, words, ever=ever, width=terminal.text_width())


@app.command()
def log(
    address: Annotated[
        str,
        typer.Argument(
            help="NUMBER@WHEN, a section, TERM@WHEN or an example: 707.2, 503.2@2005-06-01, 707, deathtouch, 707.2#1.",
            metavar="NUMBER[@WHEN]",
        ),
    ],
    by_number: Annotated[bool, typer.Option("--by-number", help="What stood under the number, whatever rule.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Tell the history of a rule, newest first: releases, numbers, kinds of change and the words that changed."""
    answering.log(address, db, by_number=by_number, json=json)


@app.command()
def blame(
    address: Annotated[
        str, typer.Argument(help="NUMBER@WHEN, TERM@WHEN or an example (707.2#1).", metavar="NUMBER[@WHEN]")
    ],
    html: Annotated[bool, typer.Option("--html", help="As a page: a heat map by age.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write instead of printing.", metavar="FILE")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Tell for every word of a rule the release in which it arrived."""
    if json and (html or output is not None):
        raise typer.BadParameter("--json is printed; leave out --html and --output, or leave out --json")
    answering.blame(address, db, html=html, output=output, json=json)


@app.command()
def references(
    asked: Annotated[
        str,
        typer.Argument(help="NUMBER@WHEN; with --broken a WHEN: 2024-04-12, OTJ, latest.", metavar="NUMBER@WHEN|WHEN"),
    ],
    broken: Annotated[
        bool, typer.Option("--broken", help="References of a version that are wrong. Exit code 1 where some are.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Tell what a rule cites and what cites it, or which references of a version are broken."""
    from rulehist import cross_references, reference_answers
    from rulehist.errors import QueryError
    from rulehist.when import is_moment, parse_address, parse_when

    with opened_store(db) as connection:
        if broken:
            told = cross_references.broken_references(connection, parse_when(asked))
        else:
            try:
                citations = cross_references.references_of(connection, *parse_address(asked))
            except QueryError as error:
                if not is_moment(asked):
                    raise
                raise QueryError(
                    f"{asked}: is a WHEN and names no rule; write NUMBER@{asked}, or for the broken references of the "
                    f"whole version: rulehist references {asked} --broken"
                ) from error
    if not broken:
        if json:
            print_json(reference_answers.citations_json(citations))
        else:
            print_text(reference_answers.citations_text(citations))
        return
    if json:
        print_json(reference_answers.broken_json(told))
    else:
        print_text(reference_answers.broken_text(told))
    raise typer.Exit(1 if told.references else 0)
