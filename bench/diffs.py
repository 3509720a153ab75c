"""Benchmarks of comparing versions: whole processes against ``git diff --no-index --word-diff`` on the same texts.

Usage: python bench/diffs.py DATABASE [ARCHIVE]    (a store of the whole archive, and the folder with ``cr/``; else
RULEHIST_ARCHIVE, else ../shared/archive)

All commands are taken in turns, so that each sees the same machine; the best run of each counts.
"""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

RUNS = 6


def best_times(commands: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The best wall time in seconds of each whole process."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(RUNS):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=False)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(str(__doc__))
    compileall.compile_dir(str(Path(__file__).parents[1] / "rulehist"), quiet=1)  # no run shall pay for compiling
    database = sys.argv[1]
    archive = Path(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("RULEHIST_ARCHIVE", "../shared/archive"))
    rulehist = str(Path(sys.executable).with_name("rulehist"))
    listed = subprocess.run(
        [rulehist, "versions", "--json", "--db", database], capture_output=True, text=True, check=True
    )
    source = {row["effective"]: row["source"] for row in json.loads(listed.stdout)}
    days = sorted(day for day in source if day)
    pairs = {
        "neighbours": [*zip(days[-5:-1], days[-4:], strict=True), ("2024-06-07", "2024-07-30")],
        "far apart": [("2009-05-01", "2009-07-11"), ("2019-10-04", "2024-07-30")],
    }
    limits = {"neighbours": "at most 5", "far apart": "at most 6, and at most 600 ms"}
    for kind, several in pairs.items():
        for old, new in several:
            texts = [str(archive / "cr" / source[day]) for day in (old, new)]
            times = best_times(
                {
                    "git": ["git", "diff", "--no-index", "--word-diff", *texts],
                    "diff": [rulehist, "diff", f"{old}..{new}", "--db", database],
                }
            )
            ratio = times["diff"] / times["git"]
            print(f"diff {old}..{new} / git: {ratio:.1f} ({times['diff'] * 1000:.0f} ms; {limits[kind]})")
    with tempfile.TemporaryDirectory() as folder:
        for old, new, most in (("2024-06-07", "2024-07-30", "150"), ("2009-05-01", "2009-07-11", "1,000")):
            page = Path(folder) / "page.html"
            command = [rulehist, "report", f"{old}..{new}", "-o", str(page), "--db", database]
            seconds = best_times({"report": command})["report"]
            size = page.stat().st_size / 1000
            print(f"report {old}..{new}: {seconds:.2f} s (at most 1), {size:,.0f} kB (at most {most})")


if __name__ == "__main__":
    main()
