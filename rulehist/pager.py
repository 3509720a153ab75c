"""Long answers through a pager, as git has it: only on a terminal, and only where one reads."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rulehist.visible import Screen

PAGED = frozenset({
    "bisect", "blame", "bulletin", "compare", "diff", "doctor", "log", "patterns", "references", "search", "semantics",
    "show", "versions",
})  # fmt: skip
"""The commands whose answers are text to read."""


class _ToPager(Screen):
    """Standard output while a pager shows it: a terminal, though it is a pipe."""

    def isatty(self) -> bool:
        return True


@contextmanager
def paged(words: Sequence[str]) -> Iterator[None]:
    """Send what a command line prints through ``RULEHIST_PAGER``, else ``PAGER``, else ``less``.

    Nothing is changed where standard output is no terminal, the command is none of ``PAGED``, or the pager is blank
    or ``cat``. ``less`` ends by itself where the answer fits the screen, and keeps colours.
    """
    command = os.environ.get("RULEHIST_PAGER", os.environ.get("PAGER", "less")).strip()
    if not words or words[0] not in PAGED or not sys.stdout.isatty() or command in {"", "cat"}:
        yield
        return
    import shutil
    import subprocess

    if shutil.which(command.split()[0]) is None:
        yield
        return
    screen = sys.stdout
    with subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env={"LESS": "FRX", **os.environ}) as process:  # noqa: S602 - the reader's own command, as git runs it
        pipe = process.stdin
        if pipe is None:
            yield
            return
        sys.stdout = _ToPager(pipe, encoding="utf-8", line_buffering=False)
        try:
            yield
        finally:
            with suppress(BrokenPipeError):
                sys.stdout.close()
            sys.stdout = screen
