"""The whole berthing (plan, computed torque, wheels, latch, contact over a patch) at h = 0.1 ms."""

from softdock.bench.missions import Mission, against_real_time
from softdock.bench.rows import Result, Say


def run(say: Say, *, seconds: float = 7.0, rounds: int = 5) -> Result:
    """At least 20 times faster than real time, with contact on."""
    return against_real_time(say, {"berthing": Mission("berthing", [], 20.0)}, seconds, rounds)
