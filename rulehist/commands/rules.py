"""A rule on a day and through time: ``show``, ``search``, ``log``, ``blame``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulehist.commands.common import Db, Json, opened_store, print_json

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
    from rulehist import answers, history
    from rulehist.when import parse_address

    subject, when = parse_address(address)
    with opened_store(db) as connection:
        answer = history.show(connection, subject, when)
    if json:
        print_json(answers.show_json(answer))
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

    with opened_store(db) as connection:
        found = history.search(connection, words, None if ever else parse_when(as_of))
    if json:
        print_json(answers.search_json(found))
    else:
        typer.echo(answers.search_text(found, words, ever=ever))
    raise typer.Exit(1 if found else 0)


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
    from rulehist import log_answers, rule_log
    from rulehist.when import parse_address

    subject, when = parse_address(address)
    with opened_store(db) as connection:
        told = rule_log.log(connection, subject, when, by_number=by_number)
    if json:
        print_json(log_answers.log_json(told))
    else:
        typer.echo(log_answers.log_text(told))


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
    from rulehist import answers, blame_answers, rule_blame
    from rulehist.when import parse_address

    subject, when = parse_address(address)
    with opened_store(db) as connection:
        told = rule_blame.blame(connection, subject, when)
    if json:
        print_json(blame_answers.blame_json(told))
        return
    text = blame_answers.blame_page(told) if html else blame_answers.blame_text(told) + "\n"
    if output is None:
        typer.echo(text, nl=False)
    else:
        answers.write_file(output, text)
        typer.echo(f"{output}: where the words of {told.number} came from, as of {told.version.label}")
