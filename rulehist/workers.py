"""Work shared out among processes, with the same results in the same order as without them.

Processes are spawned, on every system: a forked one would inherit the open store. They end with the process that
started them, even where that one was killed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from rulehist.errors import RulehistError
from rulehist.thresholds import TASKS_WORTH_PROCESSES, WORKERS_AT_MOST

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def processors() -> int:
    """How many processes are of use on this machine: its processors, as far as this process may use them."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, WORKERS_AT_MOST)


class Workers:
    """Some processes, started at the first work that is worth it; with ``processes=1`` there are none.

    ``prepare`` is done first in each process that works, this one too where it works itself; it must be able to travel.
    """

    def __init__(self, processes: int, prepare: Callable[[], None] | None = None) -> None:
        self._processes = processes
        self._prepare = prepare
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def each(self, work: Callable[[_Task], _Result], tasks: Sequence[_Task]) -> Iterator[_Result]:
        """``work`` done on each of ``tasks``, in their order; with few tasks, or one process, it is done here.

        ``work`` must be a function at the top of a module, and its tasks and results must be able to travel.
        Raises what ``work`` raises, and ``RulehistError`` where a process was ended from outside.
        """
        if self._processes < 2 or len(tasks) < TASKS_WORTH_PROCESSES:
            if self._prepare is not None:
                self._prepare()
            return map(work, tasks)
        return self._elsewhere(work, tasks)

    def _elsewhere(self, work: Callable[[_Task], _Result], tasks: Sequence[_Task]) -> Iterator[_Result]:
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._processes, get_context("spawn"), begin, (self._prepare,))
        waiting = [self._pool.submit(work, task) for task in tasks]
        waiting.reverse()
        try:
            while waiting:
                yield waiting.pop().result()
        except BrokenProcessPool as error:
            raise RulehistError(
                "a process that helped was ended from outside, perhaps for want of memory; nothing was changed: "
                "run it again"
            ) from error


def begin(prepare: Callable[[], None] | None = None) -> None:
    """Leave Ctrl-C to the process that started this one, end when it ends, and ``prepare`` for its work."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(parent_process(),), daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with(parent: BaseProcess | None) -> None:
    if parent is not None:
        parent.join()
        os._exit(1)


def runs(items: Sequence[_Task], length: int) -> list[Sequence[_Task]]:
    """``items`` in runs of at most ``length`` that follow each other."""
    return [items[start : start + length] for start in range(0, len(items), length)]
