"""What the commands share: their common options, the store that they answer from, JSON out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulehist.commands.answering import opened_store, print_json

__all__ = ["Db", "Json", "opened_store", "print_json"]

Db = Annotated[
    Path | None,
    typer.Option("--db", help="The database (else RULEHIST_DB, else a file in your data folder).", metavar="FILE"),
]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]
