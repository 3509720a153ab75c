"""How the engine reads the rules of a day: ``semantics``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rulehist.commands.common import Db, Json, opened_store, print_json

if TYPE_CHECKING:
    import sqlite3

    from rulehist.engine.semantics import Reading, Refusal

app = typer.Typer()


@app.command()
def semantics(
    when: Annotated[
        str, typer.Argument(help="A date, a set code or latest; or OLD..NEW.", metavar="[WHEN|OLD..NEW]")
    ] = "latest",
    *,
    history: Annotated[bool, typer.Option("--history", help="Every value from when until when.")] = False,
    unread: Annotated[bool, typer.Option("--unread", help="Wordings that no data file reads.")] = False,
    known_words: Annotated[
        bool, typer.Option("--known-words", help="data/semantics/known-words.tsv for this store, once all is read.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show how the engine reads the rules: every switch with the words that decide it.

    OLD..NEW shows what changed. Exit code 1 where something did, or where --unread finds something.
    """
    with opened_store(db) as connection:
        if known_words:
            from rulehist.semantics_history import known_words_table

            typer.echo(known_words_table(connection), nl=False)
        elif history or unread:
            _through_time(connection, unread=unread, json=json)
        elif ".." in when:
            _between(connection, when, json=json)
        else:
            _at(connection, when, json=json)


def _at(connection: sqlite3.Connection, when: str, *, json: bool) -> None:
    from rulehist import semantics_text
    from rulehist.engine.switches import switches

    known = switches().values()
    reads = _readings(connection, when)
    if json:
        print_json([semantics_text.reading_json(*pair) for pair in zip(known, reads, strict=True)])
    else:
        typer.echo(semantics_text.readings_text(known, reads))


def _between(connection: sqlite3.Connection, words: str, *, json: bool) -> None:
    from rulehist import semantics_text
    from rulehist.engine.switches import switches
    from rulehist.when import parse_range

    old, new = (_readings(connection, moment.words) for moment in parse_range(words))
    changes = semantics_text.changed(switches().values(), old, new)
    if json:
        print_json([semantics_text.change_json(change) for change in changes])
    else:
        typer.echo(semantics_text.changes_text(changes))
    raise typer.Exit(1 if changes else 0)


def _through_time(connection: sqlite3.Connection, *, unread: bool, json: bool) -> None:
    from rulehist import semantics_history, semantics_text

    found = semantics_history.unread(connection) if unread else semantics_history.history(connection)
    if json:
        print_json([held.as_json() for held in found])
    else:
        typer.echo(semantics_text.unread_text(found) if unread else semantics_text.history_text(found))
    raise typer.Exit(1 if unread and found else 0)


def _readings(connection: sqlite3.Connection, words: str) -> list[Reading | Refusal]:
    from rulehist.engine import compile_semantics
    from rulehist.rules_at import StoredRules
    from rulehist.when import parse_when

    return list(compile_semantics(StoredRules(connection, parse_when(words))).all())
