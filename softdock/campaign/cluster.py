"""Runs on a Ray cluster: the same tasks, the same rows.

Each worker is a Ray actor on one core, with one thread: it loads its kernels once and gets runs in lots, so that little
time goes into sending; kernels are compiled on each node's first use and kept in that node's cache. The lots of one
that dies, with its node or alone, are done again run by run. With limits of time or memory an actor has a local worker
do its runs: limits mean and cost the same as on one machine.
"""

import logging
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from types import TracebackType
from typing import Any, Self

from softdock.campaign.plan import Campaign
from softdock.campaign.pool import LOOK, Pool, Task
from softdock.campaign.store import CampaignError
from softdock.campaign.trial import Metrics, Row, blank, failure, trial_of

LOT, LOTS_AHEAD = 32, 2
"""Most runs in a lot; lots that each worker has, the one that it is at included."""
SECONDS = 0.5
"""How long a lot should take."""
ANSWER = 5.0
"""Seconds in which a cluster must answer."""
MOST_DEATHS = 3
"""A run that has lost so many workers is a row that says so: nodes may die, a run that kills them must not go on."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Worker:
    """What a Ray worker does; it keeps its campaign, loaded."""

    def __init__(self, plan: str, metrics: Metrics | None = None) -> None:
        self._trial = trial_of(plan, metrics)
        campaign = self._trial.campaign
        self._pool: Pool | None = None
        if campaign.time_limit or campaign.memory_limit:
            self._trial.warm()  # what the limits are beyond
            self._pool = Pool(
                self._trial, self._blank, workers=1, time_limit=campaign.time_limit, memory_limit=campaign.memory_limit
            )

    def perform(self, tasks: list[Task]) -> list[Row]:
        """The rows of a lot."""
        if self._pool:
            return [row for row in self._pool.rows(tasks) if row]
        return [self._trial(*task) for task in tasks]

    def _blank(self, index: int, values: Any = None) -> Row:
        return blank(self._trial.campaign, index, values)


@dataclass
class Hand:
    """A worker of the cluster, and the lots that it has."""

    actor: Any
    lots: dict[Any, list[Task]] = field(default_factory=dict)
    proven: bool = False
    """Has it answered once?"""


class Cluster:
    """The engine `ray`: an existing cluster by its address, or one on this machine alone."""

    def __init__(
        self,
        campaign: Campaign,
        blank: Callable[..., Row],
        *,
        workers: int | None = None,
        address: str | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self._metrics = metrics
        self._campaign, self._blank, self._address, self._workers = campaign, blank, address, workers
        self._deaths: dict[int, int] = {}
        self._pace = 0.0
        self._ray: Any = None
        self._again: deque[list[Task]] = deque()
        self._hands: list[Hand] = []

    def __enter__(self) -> Self:
        try:
            import ray
        except ImportError:
            raise CampaignError("--engine ray needs the package ray: pip install 'softdock[ray]'") from None
        self._ray, self._mine = ray, not ray.is_initialized()
        if self._mine:
            self._refuse_silent()
            try:
                alone = {"num_cpus": self._workers, "include_dashboard": False}  # through which jobs could be sent
                where: dict[str, Any] = {"address": self._address} if self._address else alone
                ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
            except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
                raise CampaignError(f"--address {self._address}: no Ray cluster answers there: {error}") from None
        self._kind = ray.remote(num_cpus=1, max_restarts=0, runtime_env={"env_vars": ONE_THREAD})(Worker)
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
        for hand in self._hands:
            self._ray.kill(hand.actor)
        self._hands.clear()
        if self._mine:
            self._ray.shutdown()

    def rows(self, tasks: Iterable[Task]) -> Iterator[Row | None]:
        """Rows of all tasks, in the order in which they are done; None now and then while none comes."""
        left = iter(tasks)
        while True:
            self._give(left)
            flying = {reference: hand for hand in self._hands for reference in hand.lots}
            if not flying and self._again:  # all that were at work were recalled: others begin
                continue
            if not flying:
                return
            ready, _ = self._ray.wait(list(flying), num_returns=1, timeout=LOOK)
            for reference in ready:
                yield from self._answer(flying[reference], reference)
            if not ready:
                yield None

    def ready(self) -> None:
        """Call all workers, and wait until they have loaded what they need."""
        while len(self._hands) < self._count:
            self._hands.append(Hand(self._kind.remote(self._plan, self._metrics)))
        self._ray.get([hand.actor.perform.remote([]) for hand in self._hands])
        for hand in self._hands:
            hand.proven = True

    def _give(self, left: Iterator[Task]) -> None:
        """A lot for whoever has room; a worker is called when there is something for it to do."""
        count = self._count
        for turn in range(LOTS_AHEAD):
            for k in range(count):
                known = k < len(self._hands)
                if known and len(self._hands[k].lots) > (turn if self._hands[k].proven else 0):
                    continue
                if not (lot := self._next(left)):
                    self._recall(count)
                    return
                if not known:
                    self._hands.append(Hand(self._kind.remote(self._plan, self._metrics)))
                hand = self._hands[min(k, len(self._hands) - 1)]
                hand.lots[hand.actor.perform.remote(lot)] = lot
        self._recall(count)

    def _recall(self, count: int) -> None:
        """Take back what was given to workers that have never answered and for which there may be no core any more,
        or that others could do at once."""
        idle = any(hand.proven and not hand.lots for hand in self._hands)
        for hand in [hand for hand in self._hands if not hand.proven and (idle or len(self._hands) > count)]:
            self._again += self._dismissed(hand)

    @property
    def _count(self) -> int:
        """How many workers there should be; nodes come and go."""
        cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return min(cores, self._workers or cores)

    def _next(self, left: Iterator[Task]) -> list[Task]:
        if self._again:
            return self._again.popleft()
        size = max(1, min(LOT, int(SECONDS / self._pace))) if self._pace else 1
        return list(islice(left, size))

    def _answer(self, hand: Hand, reference: Any) -> Iterator[Row]:
        if reference not in hand.lots:
            return
        try:
            rows = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            yield from self._lost(self._dismissed(hand), error)
            return
        del hand.lots[reference]
        hand.proven = True
        self._pace = max(row["seconds"] for row in rows)
        yield from rows

    def _dismissed(self, hand: Hand) -> list[list[Task]]:
        """End a worker, or what is left of it; the lots that it had."""
        self._hands.remove(hand)
        self._ray.kill(hand.actor)
        return list(hand.lots.values())

    def _lost(self, lots: list[list[Task]], error: Exception) -> Iterator[Row]:
        """Their worker or node died: again, one by one. Only the first lot can have been the cause."""
        for lot in lots:
            for task in lot:
                self._deaths[task[0]] = self._deaths.get(task[0], 0) + (len(lot) == 1 and lot is lots[0])
                if self._deaths[task[0]] >= MOST_DEATHS:
                    yield self._blank(*task) | failure(f"its worker died ({type(error).__name__})")
                else:
                    self._again.append([task])
