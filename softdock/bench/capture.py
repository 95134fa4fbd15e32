"""The whole capture (camera, registration, filter, plans, control, physics), with scans and with ideal poses."""

from softdock.bench.missions import Mission, against_real_time
from softdock.bench.rows import Result, Say

FASTER = {"scan": 15.0, "ideal": 50.0}


def run(say: Say, *, seconds: float = 150.0, rounds: int = 2) -> Result:
    """At least 15 times faster than real time with scans, 50 times with ideal poses."""
    missions = {
        f"capture/{pose}": Mission("capture", [f'vision.pose="{pose}"', "run.record_every=50"], faster)
        for pose, faster in FASTER.items()
    }
    return against_real_time(say, missions, seconds, rounds)
