"""Runs on a Ray cluster: the same tasks, the same rows.

Tasks go out in lots, so that a worker loads its kernels once; kernels are compiled on each node's first
use and kept in that node's cache. A lot whose worker or node dies is done again run by run.
"""

import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import TracebackType
from typing import Any, Self

from softdock.campaign.plan import Campaign
from softdock.campaign.pool import LOOK, Task
from softdock.campaign.store import CampaignError
from softdock.campaign.trial import Row, Trial, failure, trial_of

LOT, LOTS_AHEAD = 16, 2
"""Runs in a lot, once it is known that they are short; lots that each worker has waiting."""
SECONDS = 0.5
"""How long a lot should take."""
START = 30.0
"""Seconds that a worker may take to start."""
ANSWER = 5.0
"""Seconds in which a cluster must answer."""
MOST_DEATHS = 3
"""A run that has lost so many workers is a row that says so: nodes may die, a run that kills them must not go on."""

_trials: dict[str, Trial] = {}


def perform(plan: str, tasks: list[Task]) -> list[Row]:
    """What a Ray worker does; it keeps its campaign, loaded, for the next lot."""
    if plan not in _trials:
        _trials.clear()
        _trials[plan] = trial_of(plan)
    return [_trials[plan](*task) for task in tasks]


class Cluster:
    """The engine `ray`: an existing cluster by its address, or one on this machine alone."""

    def __init__(
        self, campaign: Campaign, blank: Callable[..., Row], *, workers: int | None = None, address: str | None = None
    ) -> None:
        self._campaign, self._blank, self._address, self._workers = campaign, blank, address, workers
        self._deaths: dict[int, int] = {}
        self._pace = 0.0
        self._ray: Any = None
        self._again: deque[list[Task]] = deque()

    def __enter__(self) -> Self:
        try:
            import ray
        except ImportError:
            raise CampaignError("--engine ray needs the package ray: pip install 'softdock[ray]'") from None
        self._ray, self._mine = ray, not ray.is_initialized()
        if self._mine:
            self._refuse_silent()
            try:
                where = {"address": self._address} if self._address else {"num_cpus": self._workers}
                ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
            except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
                raise CampaignError(f"--address {self._address}: no Ray cluster answers there: {error}") from None
        self._remote = ray.remote(max_retries=0)(perform)
        self._plan = ray.put(self._campaign.written())
        return self

    def _refuse_silent(self) -> None:
        """Ray itself would try for minutes."""
        host, colon, port = (self._address or "").removeprefix("ray://").rpartition(":")
        if not colon:
            return
        try:
            socket.create_connection((host, int(port)), timeout=ANSWER).close()
        except (OSError, ValueError) as error:
            raise CampaignError(f"--address {self._address}: no Ray cluster answers there: {error}") from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._mine:
            self._ray.shutdown()

    def rows(self, tasks: Iterable[Task]) -> Iterator[Row | None]:
        """Rows of all tasks, in the order in which they are done; None now and then while none comes."""
        left = iter(tasks)
        flying: dict[Any, tuple[list[Task], float]] = {}
        while True:
            while len(flying) < self._capacity and (lot := self._next(left)):
                flying[self._remote.remote(self._plan, lot)] = (lot, time.monotonic())
            if not flying:
                return
            ready, _ = self._ray.wait(list(flying), num_returns=1, timeout=LOOK)
            for reference in ready:
                lot, began = flying.pop(reference)
                yield from self._answer(reference, lot, began)
            for reference in [r for r, (lot, began) in flying.items() if self._late(lot, began)]:
                lot, _ = flying.pop(reference)
                self._ray.cancel(reference, force=True)
                yield from self._overdue(lot)
            if not ready:
                yield None

    @property
    def _capacity(self) -> int:
        available = int(self._ray.cluster_resources().get("CPU", 1))
        lots = 1 if self._campaign.time_limit else LOTS_AHEAD  # one that waits would have its time running
        return lots * min(available, self._workers or available)

    def _next(self, left: Iterator[Task]) -> list[Task]:
        if self._again:
            return self._again.popleft()
        size = 1 if not self._pace or self._campaign.time_limit else max(1, min(LOT, int(SECONDS / self._pace)))
        return list(islice(left, size))

    def _answer(self, reference: Any, lot: list[Task], began: float) -> Iterator[Row]:
        try:
            rows = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            yield from self._lost(lot, error)
            return
        self._pace = max(row["seconds"] for row in rows)
        yield from rows

    def _lost(self, lot: list[Task], error: Exception) -> Iterator[Row]:
        """Its worker or node died: again, one by one."""
        for task in lot:
            self._deaths[task[0]] = self._deaths.get(task[0], 0) + (len(lot) == 1)
            if self._deaths[task[0]] >= MOST_DEATHS:
                yield self._blank(*task) | failure(f"its worker died ({type(error).__name__})")
            else:
                self._again.append([task])

    def _late(self, lot: list[Task], began: float) -> bool:
        """With a time limit lots are single runs, and none waits; a worker may have to start first."""
        limit = self._campaign.time_limit
        return limit is not None and time.monotonic() - began > limit + START

    def _overdue(self, lot: list[Task]) -> Iterator[Row]:
        for task in lot:
            limit = self._campaign.time_limit
            yield self._blank(*task) | failure(f"took longer than the time limit of {limit:g} s")
