"""The figures of ``cite check``, in one run: ``python bench/citations.py DATABASE``.

A tree of 3,000 files, 60 megabytes and 90,000 citations is made from the numbers in the store: code with comments that
cite a rule and say a few of its words, written a year and a half before the newest version.
"""

from __future__ import annotations

import json
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES = 3000
CITATIONS = 25  # every fifth cites two rules
BYTES = 20_000
SHAPES = ("CR {0}: {1}", "{1} (CR {0})", "see rule {0}, {1}", "[CR#{0}] {1}", "CR {0} / {2}: {1}")


def make_tree(folder: Path, database: str) -> str:
    """Fill ``folder``; gives the date of the version that is cited."""
    connection = sqlite3.connect(f"{Path(database).resolve().as_uri()}?mode=ro", uri=True)
    days = [row[0] for row in connection.execute("SELECT effective FROM versions WHERE effective NOTNULL ORDER BY 1")]
    day = days[-8]
    rules = connection.execute(
        "SELECT number, folded FROM spans JOIN texts ON texts.id = text_id WHERE kind IN ('rule', 'subrule')"
        " AND valid_from <= ?1 AND (valid_until IS NULL OR valid_until > ?1)",
        [day],
    ).fetchall()
    connection.close()
    chosen = random.Random(7)  # noqa: S311 - the same tree each time
    filler = ["    let total = compute(state, 100, 12.5) + offset_of(index);", "    if value > 613.7 { return None; }"]
    for place in range(FILES):
        lines: list[str] = []
        between = BYTES // CITATIONS
        for _ in range(CITATIONS):
            number, text = chosen.choice(rules)
            said = " ".join(text.split()[: chosen.randint(3, 12)])
            lines.append("    // " + chosen.choice(SHAPES).format(number, said, chosen.choice(rules)[0]))
            room = between - len(lines[-1])
            while room > 0:
                lines.append(chosen.choice(filler))
                room -= len(lines[-1]) + 1
            lines.append("")
        path = folder / f"module{place // 100}" / f"rules_{place}.rs"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
    return day


def main() -> None:
    database = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        day = make_tree(folder, database)
        size = sum(path.stat().st_size for path in folder.rglob("*.rs"))
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "rulehist", "cite", "check", name, "--written", day, "--json", "--db", database],
            capture_output=True,
            check=False,
        )
        took = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = used.ru_maxrss / 1024
    if done.returncode == 2:
        sys.exit(done.stderr.decode())
    told = json.loads(done.stdout)
    print(
        f"cite check: {FILES} files, {size / 1e6:.0f} MB, {told['citations']} citations: {took:.1f} s (at most 12; "
        f"{used.ru_utime + used.ru_stime:.1f} s of processor time), peak {peak:.0f} MB (at most 400)"
    )
    print(f"  {told['counts']}")


if __name__ == "__main__":
    main()
