"""The program that Typer runs: it loads only the command that was asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rulehist.cli import HOMES


class _LoadedWhenAsked(TyperGroup):
    """A group that imports a command's module only when that command is asked for: start-up time counts."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature is Typer's
        return list(HOMES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the signature is Typer's
        if cmd_name not in self.commands and cmd_name in HOMES:
            module = import_module(f"rulehist.commands.{HOMES[cmd_name]}")
            self.commands.update(typer.main.get_group(module.app).commands)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in HOMES and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], HOMES, 3)
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


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"rulehist {version('rulehist')}")
        raise typer.Exit


@app.callback()
def _program(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version and end.")
    ] = False,
) -> None:
    """The complete memory of the rules of Magic: The Gathering: any rule on any date, and what changed."""
