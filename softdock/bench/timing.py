"""Measuring on a machine that does other things too: one core, engines in turn, the least of many.

Work in this process is timed by the thread's own clock (wall time where that is coarse), which stands still while
other processes have the core: long jobs would otherwise look slower than short ones, which fit between two of them.
"""

import contextlib
import os
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)
Job = Callable[[], float]
"""Does its set-up, then its work; returns the seconds that the work alone took."""

clock = time.thread_time if time.get_clock_info("thread_time").resolution < 1e-6 else time.perf_counter


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and those that it starts, on one core where the platform can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


@contextlib.contextmanager
def all_cores() -> Iterator[None]:
    """Let this process and those that it starts use every core again: as users run them."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def least(jobs: Mapping[Key, Job], *, rounds: int = 9, seconds: float = 4.0) -> dict[Key, float]:
    """Least time of each job (s). They take turns, so that a slow spell of the machine meets them all.

    The first round warms up and does not count; `rounds` more follow, or as many as fit in `seconds`, but
    at least two. Short jobs go on until they have had a tenth of a second each.
    """
    best = dict.fromkeys(jobs, float("inf"))
    spent = dict.fromkeys(jobs, 0.0)
    for job in jobs.values():
        job()
    start = time.perf_counter()
    for done in range(50 * rounds):
        active = [key for key in jobs if done < rounds or spent[key] < 0.1]
        if not active or (done >= 2 and time.perf_counter() - start > seconds):
            break
        for key in active:
            took = jobs[key]()
            best[key], spent[key] = min(best[key], took), spent[key] + took
    return best


def timed(work: Callable[[], Any]) -> float:
    """Seconds that a call takes."""
    start = clock()
    work()
    return clock() - start


def repeated(work: Callable[[], Any], number: int) -> Job:
    """A job that does something many times over: seconds of one."""

    def job() -> float:
        start = clock()
        for _ in range(number):
            work()
        return (clock() - start) / number

    return job
