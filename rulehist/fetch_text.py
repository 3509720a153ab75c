"""What a fetch tells: a progress bar on a terminal, and at its end one line a text and one for each failed address."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulehist.fetch import Download, Outcome, Progress, Status


@contextmanager
def progress(
    downloads: Sequence[Download],
) -> Iterator[tuple[Callable[[Progress], None] | None, Callable[[Outcome], None] | None]]:
    """Functions to call with each block and with each end of a download; ``None`` where nobody watches (a pipe)."""
    if not sys.stderr.isatty():
        yield None, None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    received: dict[Download, int] = {}
    columns = (TextColumn("fetching"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=len(downloads))

        def on_progress(step: Progress) -> None:
            received[step.download] = step.received
            bar.update(task, description=f"{step.download.effective}  {sum(received.values()) / 1e6:.1f} MB")

        yield on_progress, lambda _: bar.advance(task)


def as_json(outcomes: Sequence[Outcome], without_address: Sequence[str]) -> dict[str, Any]:
    """``{texts: [{effective, status, path, address, failures: [{address, reason}]}], without_address: [dates]}``."""
    return {
        "texts": [
            {
                "effective": outcome.download.effective or None,
                "status": str(outcome.status),
                "path": None if outcome.path is None else str(outcome.path),
                "address": outcome.address or None,
                "failures": [{"address": each.address, "reason": each.reason} for each in outcome.failures],
            }
            for outcome in outcomes
        ],
        "without_address": list(without_address),
    }


def as_text(outcomes: Sequence[Outcome], without_address: Sequence[str], folder: Path) -> str:
    """For people: each text with its file, below it the addresses that failed, and what to do next."""
    lines: list[str] = []
    for outcome in outcomes:
        if outcome.status is not Status.PRESENT or outcome.failures:
            what = outcome.path if outcome.path is not None else "none of its addresses gave the text"
            lines.append(f"{outcome.status:<8} {outcome.download.effective or 'date unknown'}: {what}")
        lines += [f"         {each.address}: {each.reason}" for each in outcome.failures]
    lines += [f"unknown  {day}: no address is known for this text (data/sources.tsv)" for day in without_address]
    count = {status: sum(outcome.status is status for outcome in outcomes) for status in Status}
    told = [f"{number} {status}" for status, number in count.items() if number]
    if count[Status.FETCHED] or count[Status.PRESENT]:
        told.append(f"read them into the store with: rulehist ingest {folder}")
    lines.append(f"{folder}: {'; '.join(told) or 'nothing fetched'}")
    return "\n".join(lines)
