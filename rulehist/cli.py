"""The command line: a thin layer over the library. The commands are in ``rulehist.commands``, and their program,
with Typer, in ``rulehist.commands.program``; a plain command line is answered without it (``rulehist.quick``).

Exit codes: 0 same or done, 1 different or found, 2 error.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from typing import TYPE_CHECKING

from rulehist import quick
from rulehist.errors import RulehistError
from rulehist.pager import paged
from rulehist.visible import Screen, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

HOMES = {
    "fetch": "sources",
    "ingest": "sources",
    "versions": "sources",
    "show": "rules",
    "search": "rules",
    "log": "rules",
    "blame": "rules",
    "references": "rules",
    "diff": "changes",
    "patterns": "changes",
    "report": "changes",
    "bulletin": "changes",
    "overview": "pages",
    "site": "pages",
    "serve": "pages",
    "cite": "cite",
    "export": "sources",
    "doctor": "sources",
    "eval": "scenarios",
    "compare": "scenarios",
    "bisect": "scenarios",
    "scenario-schema": "scenarios",
    "semantics": "semantics",
}
"""The module of ``rulehist.commands`` that holds each command, in the order in which the help lists them."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program; whatever goes wrong becomes one sentence on stderr and exit code 2."""
    # Python has no stream where the caller closed it: what is said there is said to nobody
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout.isatty() and hasattr(sys.stdout, "buffer"):
        sys.stdout = Screen(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace", line_buffering=True)
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with paged(words):
            code = quick.run(words)
            if code is None:
                from rulehist.commands.program import app

                code = app(words or ["--help"], prog_name="rulehist", standalone_mode=False)
            sys.stdout.flush()
    except SystemExit as stop:
        # Typer ends with 1, which means "different" here, when the reader (head, less) has what it wanted
        sys.exit(0 if isinstance(stop.__context__, BrokenPipeError) else stop.code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it closes it
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if "RULEHIST_DEBUG" in os.environ:
            raise
        print(f"rulehist: {one_line(_sentence(error))}", file=sys.stderr)
        sys.exit(2)
    gc.freeze()  # or Python would look for garbage in all of it once more before it ends
    sys.exit(code or 0)


def _sentence(error: Exception) -> str:
    """One sentence for any error, with what to do about it."""
    if isinstance(error, RulehistError):
        return str(error)
    if isinstance(error, OSError) and error.filename is None and error.errno in {errno.ENOSPC, errno.EFBIG, errno.EIO}:
        return f"standard output: cannot be written ({error.strerror}); make room, or send it elsewhere"
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
