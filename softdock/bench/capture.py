"""The whole capture (camera, registration, filter, plans, control, physics), with scans and with ideal poses."""

from softdock.bench.missions import Mission, against_real_time
from softdock.bench.rows import Limit, Result, Say

FASTER = {"scan": 15.0, "ideal": 50.0}
DURATION, RUN = 150.0, 2.5
"""Of the whole scenario (s), and how many processor seconds it may take."""


def run(say: Say, *, seconds: float = DURATION, rounds: int = 2) -> Result:
    """At least 15 times faster than real time with scans, 50 times with ideal poses."""
    missions = {
        f"capture/{pose}": Mission("capture", [f'vision.pose="{pose}"', "run.record_every=50"], faster)
        for pose, faster in FASTER.items()
    }
    result = against_real_time(say, missions, seconds, rounds)
    whole = next(row.total_ms for row in result.rows if (row.case, row.integrator) == ("capture/scan", "whole run"))
    if whole is not None and seconds >= DURATION:
        result.limits.append(
            Limit("capture/scan: processor seconds of a run, with set-up and metrics", whole / 1e3, RUN)
        )
    return result
