"""Wall times of whole processes, for the other benchmarks."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence


def best_times(commands: Mapping[str, Sequence[str]], runs: int) -> dict[str, float]:
    """The best time in seconds of each command, by its name, run in turn: a busy machine is so for all of them."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(runs):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=False)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def best_time(*command: str, runs: int) -> float:
    """The best time in seconds of one command."""
    return best_times({"": command}, runs)[""]
