"""Whole runs side by side: their long stretches of steps are taken together, in lanes (lanes.py).

Each run has a thread of its own, of which one at a time goes on: until its run is done, or until it waits for steps
that are worth a lane. When all wait, their steps are taken. So runs need know nothing of each other. Steps with engaged
latches are the same in a lane as alone, to the last bit; only those wait, so that nothing depends on who runs beside
whom.
"""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from softdock.dynamics.motion import Motion

Result = TypeVar("Result")
WORTH = 200
"""Steps for which a run waits for others."""
_HERE = threading.local()


class _Run(threading.Thread):
    """A run in its thread; `turn` is released when it is to go on, and `back` when it waits or has ended."""

    def __init__(self, work: Callable[[], Any], back: threading.Semaphore) -> None:
        super().__init__(daemon=True)
        self._work, self._back = work, back
        self.turn = threading.Semaphore(0)
        self.motion: Motion | None = None
        self.status = 0
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        """The thread's life."""
        self.turn.acquire()
        _HERE.run = self
        try:
            self.result = self._work()
        except BaseException as error:  # it is raised where the results are asked for
            self.error = error
        self.motion = None
        self._back.release()

    def wait(self, motion: "Motion") -> int:
        """Let others go on until the steps that `motion` was asked for are taken; how they ended."""
        self.motion = motion
        self._back.release()
        self.turn.acquire()
        return self.status


def fits(motion: "Motion") -> bool:
    """Are the motion's steps as it is those that wait?"""
    latched = motion.order == 2 and motion._watches and motion._latched and not motion._bears
    return latched and bool(motion._state.held.engaged.any()) and not motion._state.held.sprung


def waiting(motion: "Motion") -> "_Run | None":
    """The run in which the motion is, if it is one beside others, and if it is to wait."""
    run: _Run | None = getattr(_HERE, "run", None)
    return run if run is not None and fits(motion) else None


def make_ready(motion: "Motion") -> bool:
    """Compile or load what takes such steps; False if the motion's are none."""
    from softdock.dynamics.many import run_abreast

    if not fits(motion):
        return False
    motion.run(0, ledger=True)
    run_abreast([motion], True, motion.dynamics.new_lanes(1, True))
    return True


def side_by_side(works: Sequence[Callable[[], Result]]) -> list[Result]:
    """What several runs return, each as if it was alone."""
    back = threading.Semaphore(0)
    runs = [_Run(work, back) for work in works]
    for run in runs:
        run.start()
    going = runs
    while going:
        for run in going:
            run.turn.release()
            back.acquire()
        going = [run for run in runs if run.motion is not None]
        for run, status in zip(going, _taken([run.motion for run in going if run.motion]), strict=True):
            run.status = status
    for run in runs:
        run.join()
        if run.error:
            raise run.error
    return [run.result for run in runs]


def _taken(motions: "list[Motion]") -> list[int]:
    """Take the steps that motions were asked for; how each ended."""
    from softdock.dynamics.many import run_abreast

    together: dict[Any, list[int]] = {}
    for k, motion in enumerate(motions):
        ledger = bool(motion._request.record.options["ledger"])
        together.setdefault((motion.dynamics._structure, ledger), []).append(k)
    statuses, known = [0] * len(motions), _HERE.__dict__.setdefault("lanes", {})
    for (structure, ledger), group in together.items():
        kind = structure, ledger, len(group)
        if kind not in known:
            known[kind] = motions[group[0]].dynamics.new_lanes(len(group), ledger)
        for k, status in zip(group, run_abreast([motions[k] for k in group], True, known[kind]), strict=True):
            statuses[k] = status
    return statuses
