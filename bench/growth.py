"""Benchmarks of growth, as ratios measured in one run: ten times as many versions, one version beside a full store.

Usage: python bench/growth.py [ARCHIVE]    (the folder with ``cr/``; else RULEHIST_ARCHIVE, else ../shared/archive)

The ten times as many versions are real texts, each again and again with its date some years later.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rulehist.reading import read, to_text

RULEHIST = str(Path(sys.executable).with_name("rulehist"))
TEXTS = 12
TIMES = 10
SHOWS = 15


def seconds(*command: str | Path) -> float:
    """Wall time of a whole process."""
    start = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - start


def write_again(text: Path, folder: Path, years: int) -> None:
    """Write a text as one of another year, by the date that it says it is effective from."""
    data = text.read_bytes()
    words, _ = to_text(data, text.name)
    effective = read(data, text.name).documents[0].effective
    if effective is None:
        sys.exit(f"{text}: has no date; leave it out")
    year = effective.year + years
    day = min(effective.day, 28)  # no 29th of February in a common year
    dated = re.sub(rf"\b{effective.day}, {effective.year}\b", f"{day}, {year}", words, count=2)
    (folder / f"{year}-{effective:%m}-{day:02d}.txt").write_text(dated, encoding="utf-8", newline="")


def ten_times(texts: Sequence[Path], folder: Path) -> None:
    """How much longer ten times as many versions take."""
    span = int(texts[-1].name[:4]) - int(texts[0].name[:4]) + 1
    taken = []
    for times in (1, TIMES):
        sources = folder / f"{times}-times"
        sources.mkdir()
        for again in range(times):
            for text in texts:
                write_again(text, sources, again * span)
        # by force: words that are years too old for their date would be refused
        taken.append(seconds(RULEHIST, "ingest", "--force", sources, "--db", folder / f"{times}.db"))
    print(
        f"{TIMES} times as many versions: {taken[1] / taken[0]:.1f} times the time"
        f" ({taken[0]:.1f} s, {taken[1]:.1f} s; at most 11)"
    )


def show_in_a_full_store(texts: Sequence[Path], folder: Path) -> None:
    """How much longer it takes to find a rule among all versions than in one alone. Runs take turns."""
    one, full = folder / "one.db", folder / "full.db"
    newest = read(texts[-1].read_bytes(), texts[-1].name).documents[0].effective
    seconds(RULEHIST, "ingest", texts[-1], "--db", one)
    seconds(RULEHIST, "ingest", *texts, "--db", full)
    best = [
        min(times)
        for times in zip(
            *(
                [seconds(RULEHIST, "show", f"100.1@{newest}", "--db", database) for database in (one, full)]
                for _ in range(SHOWS)
            ),
            strict=True,
        )
    ]
    print(
        f"show among {len(texts)} versions / in one: {best[1] / best[0]:.2f}"
        f" ({best[1] * 1000:.0f} ms, {best[0] * 1000:.0f} ms; at most 1.1)"
    )


def main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RULEHIST_ARCHIVE", "../shared/archive")
    texts = sorted((Path(named) / "cr").glob("*.txt"))
    if len(texts) < TEXTS:
        sys.exit(f"{named}: has no archive of texts; name its folder")
    with tempfile.TemporaryDirectory() as folder:
        ten_times(texts[-TEXTS:], Path(folder))
        show_in_a_full_store(texts, Path(folder))


if __name__ == "__main__":
    main()
