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
from pathlib import Path

from timing import best_times

RUNS = 6


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
                },
                RUNS,
            )
            ratio = times["diff"] / times["git"]
            print(f"diff {old}..{new} / git: {ratio:.1f} ({times['diff'] * 1000:.0f} ms; {limits[kind]})")


if __name__ == "__main__":
    main()
