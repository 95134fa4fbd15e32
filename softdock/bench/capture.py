"""The whole capture, with scans and with ideal poses, against real time."""

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import clock, least
from softdock.scenarios.load import load
from softdock.scenarios.scenario import Play

CASE = "capture"
FASTER = {"scan": 5.0, "ideal": 50.0}
"""How many times faster than real time each must be."""


def run(say: Say, *, seconds: float = 150.0, rounds: int = 2) -> Result:
    """Processor time of the loop (camera, registration, filter, plans, control, physics), nothing recorded."""

    def job(pose: str) -> float:
        scenario = load("capture", [f'vision.pose="{pose}"', f"run.duration={seconds}"])
        play = Play(scenario)
        began = clock()
        play.simulation.run(seconds, record_every=50)
        return clock() - began

    say(f"{CASE}: {', '.join(FASTER)} in turn")
    best = least({pose: lambda pose=pose: job(pose) for pose in FASTER}, rounds=rounds)  # type: ignore[misc]
    rows = [Row(f"{CASE}/{pose}", "softdock", "whole run", total_ms=1e3 * best[pose]) for pose in FASTER]
    limits = [
        Limit(f"{CASE}/{pose}: processor seconds per second of the mission", best[pose] / seconds, 1 / most)
        for pose, most in FASTER.items()
    ]
    return Result(rows, limits)
