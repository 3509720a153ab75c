"""The command line: a thin layer over the library. The commands are in ``rulehist.commands``.

Exit codes: 0 same or done, 1 different or found, 2 error.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from rulehist.errors import RulehistError

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOMES = {
    "fetch": "sources",
    "ingest": "sources",
    "versions": "sources",
    "show": "rules",
    "search": "rules",
    "log": "rules",
    "blame": "rules",
    "diff": "changes",
    "report": "changes",
    "bulletin": "changes",
    "overview": "pages",
    "site": "pages",
    "serve": "pages",
    "export": "sources",
    "doctor": "sources",
    "eval": "scenarios",
    "compare": "scenarios",
}
"""The module of ``rulehist.commands`` that holds each command, in the order in which the help lists them."""


class _LoadedWhenAsked(TyperGroup):
    """A group that imports a command's module only when that command is asked for: start-up time counts."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature is Typer's
        return list(_HOMES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the signature is Typer's
        if cmd_name not in self.commands and cmd_name in _HOMES:
            module = import_module(f"rulehist.commands.{_HOMES[cmd_name]}")
            self.commands.update(typer.main.get_group(module.app).commands)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in _HOMES and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], _HOMES, 3)
            hint = f"; near it are {', '.join(near)}" if near else "; rulehist --help lists them"
            ctx.fail(f"{args[0]}: there is no such command{hint}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="rulehist",
    cls=_LoadedWhenAsked,
    help="The complete memory of the rules of Magic: The Gathering: any rule on any date, and what changed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _program() -> None:
    """The complete memory of the rules of Magic: The Gathering: any rule on any date, and what changed."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program; whatever goes wrong becomes one sentence on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(words or ["--help"], prog_name="rulehist", standalone_mode=False)
    except SystemExit as stop:
        # Typer ends with 1, which means "different" here, when the reader (head, less) has what it wanted
        sys.exit(0 if isinstance(stop.__context__, BrokenPipeError) else stop.code)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if "RULEHIST_DEBUG" in os.environ:
            raise
        typer.echo(f"rulehist: {_sentence(error)}", err=True)
        sys.exit(2)
    sys.exit(code or 0)


def _sentence(error: Exception) -> str:
    """One sentence for any error, with what to do about it."""
    if isinstance(error, RulehistError):
        return str(error)
    # Typer brings its own copy of click in some versions and imports it in others, so its errors are known by shape.
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        return (
            f"this is a fault of rulehist itself ({what}); run it again with RULEHIST_DEBUG=1 and report what it prints"
        )
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "rulehist"
    return f"{' '.join(format_message().split()).rstrip('.')} (see: {command} --help)"


if __name__ == "__main__":
    main()
