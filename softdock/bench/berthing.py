"""The whole berthing (plan, computed torque, wheels, latch, contact over a patch) at h = 0.1 ms, and with steps that
change on the way, of 2.5 ms at most."""

from softdock.bench.missions import Mission, against_real_time
from softdock.bench.rows import Result, Say


def run(say: Say, *, seconds: float = 7.0, rounds: int = 5) -> Result:
    """At least 20, and 100, times faster than real time, with contact on."""
    coarse = ["run.h=2.5e-3", "run.record_every=2", "run.contact_error=1e-2"]
    missions = {"berthing": Mission("berthing", [], 20.0), "berthing-coarse": Mission("berthing", coarse, 100.0)}
    return against_real_time(say, missions, seconds, rounds)
