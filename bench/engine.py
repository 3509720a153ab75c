"""How fast the engine answers: a whole process against ``show``, through all versions, and ten thousand times in one.

Usage: python bench/engine.py DATABASE
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import rulehist
from rulehist.engine.semantics import compile_semantics

RUNS = 7
TIMES = 10_000
SCENARIOS = Path(__file__).resolve().parents[1] / "data" / "scenarios"


def seconds(*commands: Sequence[str]) -> list[float]:
    """The best wall time of each command as a whole process, run in turn: a busy machine is so for all of them."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(RUNS):
        for command, taken in zip(commands, times, strict=True):
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=False)
            taken.append(time.perf_counter() - start)
    return [min(taken) for taken in times]


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python bench/engine.py DATABASE")
    database = sys.argv[1]
    program = str(Path(sys.executable).with_name("rulehist"))
    copied = str(SCENARIOS / "stickered-creature-copied.yaml")
    ogre = str(SCENARIOS / "rules-examples" / "gray-ogre-becomes-0-1.yaml")
    show, answered = seconds(
        (program, "show", "707.2@latest", "--db", database), (program, "eval", copied, "--db", database)
    )
    print(f"eval / show: {answered / show:.2f} ({answered * 1000:.0f} ms; at most 1.5)")
    (bisected,) = seconds((program, "bisect", ogre, "--db", database))
    print(f"bisect over all versions: {bisected:.2f} s (at most 3)")
    with rulehist.open_for_reading(Path(database)) as connection:
        semantics = compile_semantics(rulehist.StoredRules(connection, rulehist.parse_when("latest")))
        for path in (copied, ogre):
            scenario = rulehist.load_scenario(Path(path))
            rulehist.evaluate(scenario, semantics)
            start = time.perf_counter()
            for _ in range(TIMES):
                rulehist.evaluate(scenario, semantics)
            print(f"{TIMES:,} evaluations of {Path(path).stem}: {time.perf_counter() - start:.1f} s (at most 5)")


if __name__ == "__main__":
    main()
