"""The plain forms of the commands that people type most, answered without loading the command line's library.

The grammar is Typer's (see ``rulehist.commands``); this knows a small part of it, and knows that part in full. A
command line with anything else in it, were it only a misspelt option, is left to Typer, which has the words for it.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMS: Mapping[str, Mapping[str, str]] = {
    "bisect": {"--json": "json"},
    "blame": {"--json": "json"},
    "compare": {"--json": "json"},
    "diff": {"--json": "json", "--all": "everything"},
    "eval": {"--json": "json", "--explain": "explain"},
    "log": {"--json": "json", "--by-number": "by_number"},
    "show": {"--json": "json"},
}
"""The commands and their options that are on or off, with the parameter of ``commands.answering`` for each.

Each takes one word (``compare`` one and at least one more) and ``--db FILE`` beside these, and what ``WITH_VALUES``
says.
"""

WITH_VALUES: Mapping[str, Mapping[str, str]] = {"eval": {"--as-of": "as_of"}}
"""The options of a command that take a word, beside ``--db``."""


def run(words: Sequence[str]) -> int | None:
    """Answer a plain command line and give the exit code; ``None``, with nothing done, for any other."""
    read = plain_form(words)
    if read is None:
        return None
    command, (subject, *more), options = read
    from rulehist.commands import answering

    if "db" in options:
        from pathlib import Path

        options["db"] = Path(options["db"])
    name = "eval_" if command == "eval" else command
    gc.disable()  # one answer makes no garbage worth looking for
    try:
        answer = getattr(answering, name)
        if command == "compare":
            code: int = answer(subject, more, **options)
        else:
            code = answer([subject] if command == "diff" else subject, **options)
    finally:
        gc.enable()
    return code


def plain_form(words: Sequence[str]) -> tuple[str, list[str], dict[str, Any]] | None:
    """The command, its words and its options; ``None`` for what this grammar does not know in full."""
    if not words or words[0] not in FORMS:
        return None
    flags = FORMS[words[0]]
    valued = {"--db": "db", **WITH_VALUES.get(words[0], {})}
    subjects: list[str] = []
    options: dict[str, Any] = {}
    rest = iter(words[1:])
    for word in rest:
        if word in flags and flags[word] not in options:
            options[flags[word]] = True
        elif word in valued and valued[word] not in options:
            value = next(rest, "")
            if not value or value.startswith("-"):
                return None
            options[valued[word]] = value
        elif word and not word.startswith("-") and (not subjects or words[0] == "compare"):
            subjects.append(word)
        else:
            return None
    enough = len(subjects) >= (2 if words[0] == "compare" else 1)
    return (words[0], subjects, options) if enough else None
