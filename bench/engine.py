"""How fast the engine answers: a whole process against ``show``, through all versions, and ten thousand times in one.

Usage: python bench/engine.py DATABASE
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from timing import best_time, best_times

import rulehist
from rulehist.engine.semantics import compile_semantics

RUNS = 7
TIMES = 10_000
SCENARIOS = Path(__file__).resolve().parents[1] / "data" / "scenarios"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python bench/engine.py DATABASE")
    database = sys.argv[1]
    program = str(Path(sys.executable).with_name("rulehist"))
    copied = str(SCENARIOS / "stickered-creature-copied.yaml")
    ogre = str(SCENARIOS / "rules-examples" / "gray-ogre-becomes-0-1.yaml")
    times = best_times(
        {
            "show": (program, "show", "707.2@latest", "--db", database),
            "eval": (program, "eval", copied, "--db", database),
        },
        RUNS,
    )
    print(f"eval / show: {times['eval'] / times['show']:.2f} ({times['eval'] * 1000:.0f} ms; at most 1.5)")
    bisected = best_time(program, "bisect", ogre, "--db", database, runs=RUNS)
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
