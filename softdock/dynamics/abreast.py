"""Whole runs side by side: their long stretches of steps are taken together, in lanes (lanes.py).

A run is a generator: it yields its motion where that was asked for steps that are worth a lane, and is sent how they
ended. When all have yielded or ended, the steps are taken. So runs need know nothing of each other. Steps with engaged
latches are the same in a lane as alone, to the last bit; only those are left to others, so that nothing depends on who
runs beside whom. Between two parts of its work a run yields nothing: what one after the other does there stays in the
processor's caches.
"""

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from softdock.dynamics.motion import Motion

Result = TypeVar("Result")
Going = Generator["Motion | None", int, Result]
"""A run on its way."""
WORTH = 200
"""Steps for which a run waits for others."""
_ROOM: dict[Any, Any] = {}
"""Lanes for so many worlds of a structure."""


def fits(motion: "Motion") -> bool:
    """Are the motion's steps as it is those that may be taken beside others?"""
    latched = motion.order == 2 and motion._watches and motion._latched and not motion._bears
    return latched and bool(motion._state.held.engaged.any()) and not motion._state.held.sprung


def make_ready(motion: "Motion") -> bool:
    """Compile or load what takes such steps; False if the motion's are none."""
    from softdock.dynamics.many import run_abreast

    if not fits(motion):
        return False
    motion.run(0, ledger=True)
    run_abreast([motion], True, motion.dynamics.new_lanes(1, True))
    return True


def alone(going: Going[Result]) -> Result:
    """What a run returns that leaves no steps to others."""
    try:
        next(going)
    except StopIteration as end:
        result: Result = end.value
        return result
    raise AssertionError("a run alone takes its own steps")


def side_by_side(runs: Sequence[Going[Result]]) -> list[Result]:
    """What several runs return, each as if it was alone."""
    results: dict[int, Result] = {}
    going, answers = list(range(len(runs))), list[Any]([None] * len(runs))
    while going:
        on, asked = list[int](), dict[int, "Motion"]()
        for k in going:
            try:
                motion = runs[k].send(answers[k])
            except StopIteration as end:
                results[k] = end.value
                continue
            answers[k] = None
            on.append(k)
            if motion is not None:
                asked[k] = motion
        if asked:
            for k, status in zip(asked, _taken([*asked.values()]), strict=True):
                answers[k] = status
        going = on
    return [results[k] for k in range(len(runs))]


def _taken(motions: "list[Motion]") -> list[int]:
    """Take the steps that motions were asked for; how each ended."""
    from softdock.dynamics.many import run_abreast

    together: dict[Any, list[int]] = {}
    for k, motion in enumerate(motions):
        ledger = bool(motion._request.record.options["ledger"])
        together.setdefault((motion.dynamics._structure, ledger), []).append(k)
    statuses = [0] * len(motions)
    for (structure, ledger), group in together.items():
        kind = structure, ledger, len(group)
        if kind not in _ROOM:
            _ROOM[kind] = motions[group[0]].dynamics.new_lanes(len(group), ledger)
        for k, status in zip(group, run_abreast([motions[k] for k in group], True, _ROOM[kind]), strict=True):
            statuses[k] = status
    return statuses
