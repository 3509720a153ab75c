"""A check of a large tree by several processes, each with the rules in its own memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Literal, NamedTuple

from rulehist.citations.check import Checker
from rulehist.citations.findings import Report, empty_report, report
from rulehist.citations.patterns import Patterns
from rulehist.citations.record import Record
from rulehist.citations.rules import Moment, RulesThroughTime
from rulehist.thresholds import CITED_FILES_FOR_ONE

_AT_A_TIME = 40
"""Files that a process is given at a time: few enough for the bar to move."""

_MOST = 4
"""Processes at most: each takes about 150 megabytes."""


class _State(NamedTuple):
    """What each process must know."""

    database: str
    end: Moment
    patterns: Patterns
    root: Path
    written: Moment | Literal["git"] | None
    record: Record


def report_on(checker: Checker, paths: Sequence[Path], on_progress: Callable[[int, int], None] | None = None) -> Report:
    """The report on everything below ``paths``, by one process or several, which makes no difference to it."""
    names = checker.names(paths)
    database = checker.rules.connection.execute("PRAGMA database_list").fetchone()[2]
    jobs = min(os.cpu_count() or 1, _MOST)
    if len(names) <= CITED_FILES_FOR_ONE or jobs < 2 or not database:
        return report(checker, checker.among(names, on_progress))
    told = empty_report(checker)
    told.skipped = checker.skipped
    chunks = [names[i : i + _AT_A_TIME] for i in range(0, len(names), _AT_A_TIME)]
    state = _State(database, checker.end, checker.patterns, checker.root, checker.written, checker.record)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (state,)) as pool:
        for done, part in enumerate(pool.map(_part, chunks), start=1):
            told.findings += part.findings
            told.counts.update(part.counts)
            told.skipped += part.skipped
            told.files += part.files
            if on_progress is not None:
                on_progress(min(done * _AT_A_TIME, len(names)), len(names))
    told.order()
    return told


_checker: Checker | None = None


def _begin(state: _State) -> None:
    """Make a process ready."""
    from rulehist.store import open_for_reading

    global _checker  # noqa: PLW0603 - a process has one checker for all its files
    rules = RulesThroughTime(open_for_reading(Path(state.database)))
    _checker = Checker(rules, state.end, state.patterns, state.root, state.written, state.record)


def _part(names: Sequence[Path]) -> Report:
    """The report on some files."""
    if _checker is None:
        raise RuntimeError("the process was not made ready")
    _checker.skipped, _checker.files = [], 0
    return report(_checker, _checker.among(names))
