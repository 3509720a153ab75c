"""Work shared out among processes is the work that one would have done."""

from __future__ import annotations

import os
import signal

import pytest

from rulehist.errors import RulehistError, SourceError
from rulehist.thresholds import TASKS_WORTH_PROCESSES
from rulehist.workers import Workers, processors, runs

MANY = list(range(TASKS_WORTH_PROCESSES * 3))


def process_of(_: int) -> int:
    return os.getpid()


def doubled(number: int) -> int:
    return number * 2


def refused(number: int) -> int:
    raise SourceError(f"{number}: not this one")


def killed(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_results_come_in_the_order_of_the_tasks() -> None:
    with Workers(2) as workers:
        assert list(workers.each(doubled, MANY)) == [doubled(number) for number in MANY]


def test_little_work_is_done_here_and_much_elsewhere() -> None:
    with Workers(2) as workers:
        assert set(workers.each(process_of, MANY[: TASKS_WORTH_PROCESSES - 1])) == {os.getpid()}
        assert os.getpid() not in set(workers.each(process_of, MANY))


def test_one_process_is_this_one() -> None:
    with Workers(1) as workers:
        assert set(workers.each(process_of, MANY)) == {os.getpid()}


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_is_the_same_wherever_it_happens(processes: int) -> None:
    with Workers(processes) as workers, pytest.raises(SourceError, match="0: not this one"):
        list(workers.each(refused, MANY))


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_process_ended_from_outside_is_told_in_a_sentence() -> None:
    with Workers(2) as workers, pytest.raises(RulehistError, match="run it again"):
        list(workers.each(killed, MANY))


def test_runs_follow_each_other_and_miss_nothing() -> None:
    assert runs("abcdefg", 3) == ["abc", "def", "g"]
    assert runs([], 3) == []


def test_there_is_at_least_one_processor() -> None:
    assert processors() >= 1
