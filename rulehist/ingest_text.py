"""What an ingest tells: progress on a terminal, and at its end one line a file that matters."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulehist.document import Severity
from rulehist.ingest import Ingested
from rulehist.visible import one_line


@contextmanager
def progress() -> Iterator[Callable[[Path], None] | None]:
    """A function to call with each file as its turn comes; ``None`` where nobody watches (a pipe)."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield lambda path: status.update(f"reading {one_line(path.name)}")


def as_json(outcomes: Sequence[Ingested]) -> list[dict[str, Any]]:
    """One object a file: ``{name, sha256, status, versions, parts, reason, findings}``."""
    return [
        {
            "name": outcome.name,
            "sha256": outcome.sha256,
            "status": outcome.status,
            "versions": list(outcome.versions),
            "parts": outcome.parts,
            "reason": outcome.reason,
            "findings": [
                {"code": f.code, "severity": str(f.severity), "line": f.line, "message": f.message}
                for f in outcome.findings
            ],
        }
        for outcome in outcomes
    ]


def as_text(outcomes: Sequence[Ingested], database: Path) -> str:
    """For people: what was stored, what was known already, what was left out and why, and what is worth a look."""
    lines: list[str] = []
    for outcome in outcomes:
        if outcome.status == "stored":
            span = outcome.versions[0] if len(outcome.versions) == 1 else f"{len(outcome.versions)} versions"
            lines.append(f"stored   {one_line(outcome.name)}: {span}, {outcome.parts} parts")
            lines += [
                f"         warning: {f.message}" + (f" (line {f.line})" if f.line else "")
                for f in outcome.findings
                if f.severity is not Severity.NOTE
            ]
        elif outcome.status != "known":
            lines.append(f"{outcome.status:<8} {one_line(outcome.reason)}")
    known = sum(outcome.status == "known" for outcome in outcomes)
    stored = sum(outcome.status == "stored" for outcome in outcomes)
    if known:
        were, by = ("file was", "it") if known == 1 else ("files were", "them")
        lines.append(f"{known} {were} in the store already: nothing changed by {by}")
    lines.append(f"{database}: {stored} {'source' if stored == 1 else 'sources'} added")
    return "\n".join(lines)
