"""Processes that perform runs; any of them may die, hang or be killed, and the rest goes on.

Each worker has a pipe, gets a few indices ahead and sends rows as soon as they are made; what it has sent is not
lost with it. A worker that dies is replaced, and the run it was at is done once more; if that kills a second worker,
it becomes a row that says so. A run over its time limit is ended, with its worker, and is a row at once. Without
limits, workers may do several runs side by side; when one dies so, nobody knows at which, and its replacement does them
one by one.
"""

import gc
import multiprocessing as mp
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Self

from threadpoolctl import threadpool_limits

from softdock.campaign.trial import Row, failure
from softdock.kernels.lanes import LANES
from softdock.kernels.signals import unbroken

AHEAD = 0.8
"""Seconds of work that a worker is given ahead."""
MOST_TOGETHER = 32
"""Runs side by side; at most half of what a worker is given, so that it has more to do while their rows are heard."""
MOST_AHEAD = 4 * MOST_TOGETHER
"""So that it is given two lots of the most when half of what it had is done."""
LAST, LEAST = 0.05, 2 * LANES
"""At the end too a worker is given so many runs, if they take less than so long (s): fewer take longer, each."""
LOOK = 0.1
"""The clock is looked at so often (s)."""
GATHER = 0.03
"""Rows may gather for so long (s) while every worker has more to do: to be woken for each would take a core from the
workers each time."""

Task = tuple[Any, ...]
"""Arguments of the work, the index first."""


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class Worker:
    """A process, the pipe to it, and what it was given and has not answered."""

    process: Any
    pipe: Connection
    several: bool = False
    """Does it several runs side by side?"""
    waiting: deque[Task] = field(default_factory=deque)
    since: float = 0.0
    """When it began the first of those."""
    pace: float = 0.0
    """Seconds a run, lately."""

    def give(self, tasks: Iterable[Task]) -> None:
        """More to do."""
        batch = list(tasks)
        if not batch:
            return
        if not self.waiting:
            self.since = time.monotonic()
        self.waiting += batch
        self.pipe.send(batch)

    def take(self) -> list[Row]:
        """The rows that it has sent."""
        rows: list[Row] = self.pipe.recv()
        for row in rows:
            self.waiting.popleft()
            self.pace = 0.8 * self.pace + 0.2 * row["seconds"] if self.pace else row["seconds"]
        self.since = time.monotonic()
        return rows

    @property
    def supplied(self) -> float:
        """For how long (s) it has more to do, the run that it is at not counted."""
        return self.pace * (len(self.waiting) - 1)

    def room(self, share: int) -> int:
        """How many more it should have waiting: one at first, until it is known how long they take; at the end little
        more than its share of those that are left, so that no worker has much to do when the others have nothing."""
        if not self.pace:
            return 1 - len(self.waiting)
        least = min(LEAST, int(LAST / self.pace)) if self.several else 1
        wanted = min(MOST_AHEAD, max(1, least, share), 1 + int(AHEAD / self.pace))
        return wanted - len(self.waiting) if len(self.waiting) <= wanted // 2 else 0


class Pool:
    """`workers` processes that do `work(*task)`, or without limits `several` tasks in one call; `blank` makes the row
    of a run that gave none."""

    def __init__(
        self,
        work: Callable[..., Row],
        blank: Callable[..., Row],
        *,
        workers: int | None = None,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        several: Callable[[list[Task]], list[Row]] | None = None,
    ) -> None:
        self._work, self._blank, self._time_limit, self._memory_limit = work, blank, time_limit, memory_limit
        self._several = None if time_limit or memory_limit else several
        self._count = workers or cores()
        # A fork starts with everything that the parent has loaded and compiled.
        self._context: Any = mp.get_context("fork" if sys.platform == "linux" else "spawn")
        self._workers: list[Worker] = []
        self._next: deque[Task] = deque()
        self._deaths: dict[int, int] = {}

    def __enter__(self) -> Self:
        # A process per core already: threads of linear algebra would only wait for each other. Forks are made while
        # this process has none: told so themselves, they would begin with new threads, which spin for 50 ms.
        self._limits = threadpool_limits(1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            self._end(worker)
        self._workers.clear()
        self._limits.restore_original_limits()

    @property
    def processes(self) -> list[int]:
        """Ids of the workers."""
        return [worker.process.pid for worker in self._workers]

    def rows(self, tasks: Iterable[Task]) -> Iterator[Row | None]:
        """Rows of all tasks, in the order in which they are done; None now and then while none comes."""
        left = iter(tasks)
        while True:
            self._look_ahead(left)
            self._give()
            busy = {worker.pipe: worker for worker in self._workers if worker.waiting}
            if not busy:
                return
            time.sleep(min(GATHER, *(worker.supplied for worker in busy.values())))
            ready = wait(list(busy), timeout=LOOK)
            for pipe in ready:
                yield from self._heard(busy[pipe])  # type: ignore[index]
            yield from self._overdue()
            if not ready:
                yield None

    def _look_ahead(self, left: Iterator[Task]) -> None:
        """Have as many of the tasks as workers may be given next, or all that are left."""
        self._next += islice(left, max(0, 2 * self._count * MOST_AHEAD - len(self._next)))

    def _give(self) -> None:
        while len(self._workers) < self._count:
            with unbroken():  # a worker is known when it exists, and hears no Ctrl-C of the terminal's
                self._workers.append(self._started())
        for worker in self._workers:
            left = len(self._next) + sum(len(one.waiting) for one in self._workers)
            if room := worker.room(-(-left // (2 * self._count))):
                batch = [self._next.popleft() for _ in range(min(room, len(self._next)))]
                with suppress(OSError):  # it is dead: its pipe tells, and what it was given is done again
                    worker.give(batch)

    def _heard(self, worker: Worker) -> Iterator[Row]:
        try:
            while worker.pipe.poll():
                yield from worker.take()
        except (EOFError, OSError):
            yield from self._died(worker)

    def _died(self, worker: Worker) -> Iterator[Row]:
        """Do again what it had not done; but not a second time the run that it died at."""
        self._end(worker)
        self._workers.remove(worker)
        if not worker.waiting:
            return
        if worker.several:
            self._several = None
            self._next.extendleft(reversed(worker.waiting))
            return
        index = worker.waiting[0][0]
        self._deaths[index] = self._deaths.get(index, 0) + 1
        if self._deaths[index] > 1:
            yield self._blank(*worker.waiting.popleft()) | failure(
                f"its worker died twice ({_cause(worker.process.exitcode)})"
            )
        self._next.extendleft(reversed(worker.waiting))

    def _overdue(self) -> Iterator[Row]:
        for worker in [w for w in self._workers if w.waiting and self._time_limit]:
            spent = time.monotonic() - worker.since
            if spent > (self._time_limit or spent) and not worker.pipe.poll():
                self._end(worker)
                self._workers.remove(worker)
                yield (
                    self._blank(*worker.waiting.popleft())
                    | failure(f"took longer than the time limit of {self._time_limit:g} s")
                    | {"seconds": spent}
                )
                self._next.extendleft(reversed(worker.waiting))

    def _started(self) -> Worker:
        mine, theirs = self._context.Pipe()
        forked = self._context.get_start_method() == "fork"
        foreign = [mine, *(worker.pipe for worker in self._workers if forked)]
        process = self._context.Process(
            target=_serve, args=(theirs, foreign, self._work, self._several, self._memory_limit, forked), daemon=True
        )
        process.start()
        theirs.close()
        return Worker(process, mine, self._several is not None)

    @staticmethod
    def _end(worker: Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()


def _serve(
    pipe: Connection,
    foreign: list[Connection],
    work: Callable[..., Row],
    several: Callable[[list[Task]], list[Row]] | None,
    memory_limit: float | None,
    forked: bool,
) -> None:
    """A worker's life. It ends when its pipe does: so it outlives neither the pool nor a killed parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})  # as its parent had it
    for other in foreign:  # ends of the parent's that a fork has copied; open, they would hide the parent's death
        other.close()
    if memory_limit and sys.platform == "linux":
        _limit_memory(memory_limit)
    gc.freeze()  # what the parent had loaded is not garbage, and need not be looked through again and again
    gc.set_threshold(20_000, 10, 10)  # nor what a lot of runs is using; a run leaves next to none
    if not forked:
        threadpool_limits(1)
    try:
        while True:
            tasks = pipe.recv()
            size = lot_of(len(tasks)) if several else 1
            for first in range(0, len(tasks), size):
                lot = tasks[first : first + size]
                pipe.send(several(lot) if several and size > 1 else [work(*task) for task in lot])
    except (EOFError, OSError):
        os._exit(0)


def lot_of(tasks: int) -> int:
    """How many of so many tasks are done side by side: half of them, in whole groups that are stepped together; one
    is done alone."""
    half = (tasks + 1) // 2
    return min(MOST_TOGETHER, half + -half % LANES) if tasks > 1 else 1


def _limit_memory(megabytes: float) -> None:
    """At most so much more than the process has now; NumPy and Python then raise MemoryError."""
    import resource

    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    limit = now + int(megabytes * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _cause(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit status {code}"
    name = signal.Signals(-code).name
    return f"{name}: killed, or out of memory" if name == "SIGKILL" else name
