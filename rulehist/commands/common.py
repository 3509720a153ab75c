"""What the commands share: their common options, the store that they answer from, JSON out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from rulehist.commands.answering import opened_store, print_json, terminal_text

__all__ = ["Db", "Json", "opened_store", "print_json", "print_text", "progress_bar"]

Db = Annotated[
    Path | None,
    typer.Option("--db", help="The database (else RULEHIST_DB, else a file in your data folder).", metavar="FILE"),
]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]


def print_text(text: str) -> None:
    """Print an answer, on a terminal with lines that fit it."""
    print(terminal_text(text))


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function that moves a bar on a terminal: ``what`` done, and all; ``None`` where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
