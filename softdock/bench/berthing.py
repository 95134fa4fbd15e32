"""The whole berthing (plan, computed torque, wheels, latch, contact over a patch) in steps of 1 ms, and of 0.1 ms."""

from softdock.bench.missions import Mission, against_real_time
from softdock.bench.rows import Result, Say


def run(say: Say, *, seconds: float = 7.0, rounds: int = 5) -> Result:
    """At least 100, and 20, times faster than real time, with contact on."""
    fine = ["run.h=1e-4", "run.record_every=50"]
    missions = {"berthing": Mission("berthing", [], 100.0), "berthing-fine": Mission("berthing", fine, 20.0)}
    return against_real_time(say, missions, seconds, rounds)
