"""Benchmarks as ratios measured in one run: whole processes against a bare interpreter and against git.

Usage: python bench/ratios.py [ARCHIVE]    (the folder with ``cr/``; else RULEHIST_ARCHIVE, else ../shared/archive)
"""

from __future__ import annotations

import compileall
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import best_time, best_times

RUNS = 7
HISTORY_RUNS = 20


def main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RULEHIST_ARCHIVE", "../shared/archive")
    texts = sorted((Path(named) / "cr").glob("*.txt"))
    if len(texts) < 22:
        sys.exit(f"{named}: has no archive of texts; name its folder")
    rulehist = str(Path(sys.executable).with_name("rulehist"))
    compileall.compile_dir(str(Path(__file__).parents[1] / "rulehist"), quiet=1)  # no run shall pay for compiling
    bare = best_time(sys.executable, "-c", "pass", runs=RUNS)
    with tempfile.TemporaryDirectory() as folder:
        twenty = str(Path(folder) / "twenty.db")
        subprocess.run([rulehist, "ingest", *map(str, texts[-21:-1]), "--db", twenty], check=True, capture_output=True)
        show = best_time(rulehist, "show", "707.2@latest", "--db", twenty, runs=RUNS)
        print(f"show / bare python: {show / bare:.1f} ({show * 1000:.0f} ms; at most 10)")
        old, new = texts[-3], texts[-2]
        git = best_time("git", "diff", "--no-index", "--word-diff", str(old), str(new), runs=RUNS)
        diff = best_time(rulehist, "diff", f"{old.stem}..latest", "--db", twenty, runs=RUNS)
        print(f"diff / git --word-diff: {diff / git:.1f} ({diff * 1000:.0f} ms; at most 5)")
        one_more = best_time(rulehist, "ingest", str(texts[-1]), "--db", twenty, runs=1)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"one more text into twenty: {one_more:.2f} s (at most 1), {memory:.0f} MB so far (at most 250)")
        full = str(Path(folder) / "full.db")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        whole = best_time(rulehist, "ingest", str(Path(named) / "cr"), "--db", full, runs=1)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        again = best_time(rulehist, "ingest", str(Path(named) / "cr"), "--db", full, runs=RUNS)
        size = Path(full).stat().st_size / 1e6
        # on a busy machine the processor time tells more
        print(f"whole archive: {whole:.1f} s (at most 12), {used.ru_utime - before:.1f} s of processor time;", end=" ")
        print(f"{size:.0f} MB (at most 30), largest process {used.ru_maxrss / 1024:.0f} MB (at most 400)")
        print(f"the same archive again: {again:.2f} s (at most 1)")
        histories(rulehist, full)


def histories(rulehist: str, full: str) -> None:
    """``log`` and ``blame`` against ``show`` on a full store, taken in turns so that all see the same machine."""
    times = best_times(
        {command: (rulehist, command, "707.2", "--db", full) for command in ("show", "log", "blame")}, HISTORY_RUNS
    )
    for command in ("log", "blame"):
        print(f"{command} / show: {times[command] / times['show']:.2f} ({times[command] * 1000:.0f} ms; at most 1.5)")


if __name__ == "__main__":
    main()
