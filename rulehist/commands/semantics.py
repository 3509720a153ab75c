"""How the engine reads the rules of a day: ``semantics``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rulehist.commands.common import Db, Json, opened_store, print_json, print_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from rulehist.engine.said import Reading, Refusal
    from rulehist.engine.switches import Switch
    from rulehist.semantics_history import Held
    from rulehist.when import When

app = typer.Typer()


@app.command()
def semantics(
    when: Annotated[
        str, typer.Argument(help="A date, a set code or latest; or OLD..NEW.", metavar="[WHEN|OLD..NEW]")
    ] = "latest",
    *,
    switch: Annotated[str, typer.Option("--switch", help="Only this one.", metavar="NAME")] = "",
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
    from rulehist.engine.switches import switches
    from rulehist.engine.text_reading import asked_switch

    if sum((history, unread, known_words, when != "latest")) > 1:
        raise typer.BadParameter("a WHEN, --history, --unread and --known-words are different questions: choose one")
    chosen = [asked_switch(switch)] if switch else list(switches().values())
    with opened_store(db) as connection:
        if known_words:
            _known_words(connection, json=json)
        elif history or unread:
            _through_time(connection, chosen, unread=unread, json=json)
        elif ".." in when:
            _between(connection, when, chosen, json=json)
        else:
            _at(connection, when, chosen, json=json)


def _at(connection: sqlite3.Connection, when: str, chosen: Sequence[Switch], *, json: bool) -> None:
    from rulehist import semantics_text, terminal
    from rulehist.thresholds import TEXT_WIDTH
    from rulehist.when import parse_when

    reads = _readings(connection, parse_when(when), chosen)
    if json:
        print_json([semantics_text.reading_json(*pair) for pair in zip(chosen, reads, strict=True)])
    else:
        print_text(semantics_text.readings_text(chosen, reads, terminal.text_width(TEXT_WIDTH)))


def _between(connection: sqlite3.Connection, words: str, chosen: Sequence[Switch], *, json: bool) -> None:
    from rulehist import semantics_text, terminal
    from rulehist.thresholds import TEXT_WIDTH
    from rulehist.when import parse_range

    old, new = (_readings(connection, moment, chosen) for moment in parse_range(words))
    changes = semantics_text.changed(chosen, old, new)
    if json:
        print_json([semantics_text.change_json(change) for change in changes])
    else:
        print_text(semantics_text.changes_text(changes, terminal.text_width(TEXT_WIDTH)))
    raise typer.Exit(1 if changes else 0)


def _through_time(connection: sqlite3.Connection, chosen: Sequence[Switch], *, unread: bool, json: bool) -> None:
    from rulehist import semantics_history, semantics_text, terminal
    from rulehist.thresholds import TEXT_WIDTH

    find = semantics_history.unread if unread else semantics_history.history
    found = find(connection, chosen)
    if json:
        print_json([held.as_json() for held in found])
    elif unread:
        print_text(semantics_text.unread_text(found, terminal.text_width(TEXT_WIDTH)))
    else:
        print_text(_history_text(found))
    raise typer.Exit(1 if unread and found else 0)


def _history_text(found: Sequence[Held]) -> str:
    from rulehist import semantics_text, terminal
    from rulehist.thresholds import TEXT_WIDTH

    if terminal.on_terminal():
        from rulehist.screen_tables import fits, history_table

        if fits():
            return history_table(found)
    return semantics_text.history_text(found, terminal.text_width(TEXT_WIDTH))


def _known_words(connection: sqlite3.Connection, *, json: bool) -> None:
    from rulehist import semantics_history

    if json:
        print_json(semantics_history.words_in(connection))
    else:
        typer.echo(semantics_history.known_words_table(semantics_history.sentences_in(connection)), nl=False)


def _readings(connection: sqlite3.Connection, when: When, chosen: Sequence[Switch]) -> list[Reading | Refusal]:
    from rulehist.engine.semantics import compile_semantics
    from rulehist.rules_at import StoredRules

    compiled = compile_semantics(StoredRules(connection, when))
    return [compiled.read(each.name) for each in chosen]
