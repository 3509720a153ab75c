"""The pages' figures, in one run: ``python bench/pages.py DATABASE [--serve]`` (the live view alone).

Reports of two neighbours and the page of a rule, the site of all versions, a second build of it, and the live view
asked for arbitrary pairs of versions, four at a time.
"""

from __future__ import annotations

import json
import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REQUESTS = 200
AT_ONCE = 4


def seconds(*words: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "rulehist", *words], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def reports(database: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        for subject, kilobytes in (("2024-07-30", 150), ("2009-07-11", 1000), ("707.2", 150)):
            took = min(seconds("report", subject, "-o", str(page), "--db", database) for _ in range(3))
            size = page.stat().st_size / 1000
            print(f"report {subject}: {took:.2f} s (at most 1 of two releases), {size:.0f} kB (at most {kilobytes})")


def site(database: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first = seconds("site", f"{folder}/site", "--db", database)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        second = seconds("site", f"{folder}/site", "--db", database)
    print(f"whole site: {first:.1f} s (at most 120), largest process {peak:.0f} MB (at most 1000)")
    print(f"second build without changes: {second:.1f} s (at most 5)")


def processor_time(process: int) -> float:
    """Seconds of the processor that a process and those that it started have had (Linux; 0 elsewhere)."""
    own = Path(f"/proc/{process}")
    try:
        fields = (own / "stat").read_text().rpartition(")")[2].split()
        children = (own / "task" / str(process) / "children").read_text().split()
    except OSError:
        return 0.0
    ticks = int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK") + sum(map(processor_time, map(int, children)))


def serve(database: str) -> None:
    listed = json.loads(
        subprocess.run(
            [sys.executable, "-m", "rulehist", "versions", "--json", "--db", database],
            check=True,
            capture_output=True,
        ).stdout
    )
    days = [row["effective"] for row in listed if row["effective"]]
    chosen = random.Random(1)  # noqa: S311 - the same pairs each time
    pairs = [sorted(chosen.sample(days, 2)) for _ in range(REQUESTS)]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    served = subprocess.Popen([sys.executable, "-m", "rulehist", "serve", "--db", database, "--port", str(port)])

    def ask(path: str) -> float:
        start = time.perf_counter()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=60) as answer:
            weight.append(len(answer.read()))
        return time.perf_counter() - start

    weight: list[int] = []

    try:
        for _ in range(100):
            try:
                ask("rules")
                break
            except OSError:
                time.sleep(0.1)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(ask, [f"diff/{days[0]}..{days[1]}"] * AT_ONCE))  # both processes are up
            before = processor_time(served.pid)
            took = list(pool.map(ask, [f"diff/{old}..{new}" for old, new in pairs]))
            spent = processor_time(served.pid) - before
    finally:
        served.terminate()
        served.wait()
    print(
        f"live view: {REQUESTS} diffs of arbitrary pairs, {AT_ONCE} at a time: median"
        f" {statistics.median(took) * 1000:.0f} ms (at most 150), slowest {max(took) * 1000:.0f} ms; processor time of"
        f" the server's processes {spent / REQUESTS * 1000:.0f} ms a request, a page"
        f" {statistics.mean(weight[-REQUESTS:]) / 1000:.0f} kB"
    )
    halves = took[: REQUESTS // 2], took[REQUESTS // 2 :]
    print(
        "  medians of the first and the second hundred:",
        *(f"{statistics.median(half) * 1000:.0f} ms" for half in halves),
    )


if __name__ == "__main__":
    if "--serve" not in sys.argv:
        reports(sys.argv[1])
        site(sys.argv[1])
    serve(sys.argv[1])
