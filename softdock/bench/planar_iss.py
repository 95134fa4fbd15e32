"""The planar ISS problem: 40 s under proportional-derivative torques, and 40 s free."""

import numpy as np

from softdock.bench.precision import Problem, judged, measure
from softdock.bench.rows import Result, Say
from softdock.bench.softdock_engine import LOOSE, Adaptive, Variational
from softdock.bench.worlds import MEAN_MOTION, planar_iss

SPAN = 40.0
ARM = ("upper", "fore", "hand")
# Joint angles at 40 s: DOP853 at rtol 1e-13, as the design's experiments give them (comoving_frame.py, which derives
# the equations of motion apart from softdock).
EXACT = {
    "pd40": (2.8998675883468947, 0.33390251873288757, 0.444368821116289),
    "free40": (5.917134872284193, -0.13585542896409522, 0.8405736972586199),
}
STEPS = (1.0, 0.8, 0.5, 0.4, 0.25, 0.2, 0.1, 0.08, 0.05)
METHODS = (
    Variational(2, 0.01),
    *(Variational(4, h) for h in (0.1, 0.05, 0.025)),
    *(Variational(6, h, tolerance) for h in STEPS for tolerance in (1e-14, LOOSE)),
    *(Adaptive(rtol) for rtol in (1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)),
)  # fmt: skip
PEER = (("Euler", 0.01), *(("RK4", h) for h in (0.01, 0.02, 0.025, 0.04, 0.05, 0.1)))


def problem(name: str) -> Problem:
    """`pd40` or `free40`, as PEERS defines them."""
    driven = name == "pd40"
    rate = 0.0 if driven else 0.05
    return Problem(
        case=f"planar-iss/{name}",
        world=planar_iss(10.0, 2.0) if driven else planar_iss(0.0, 0.0),
        q=np.array([0.0, 0.0, 0.0, 2.4, 1.2, 0.3]),
        v=np.array([0.0, 0.0, MEAN_MOTION, rate, rate, rate]),
        span=SPAN,
        exact=np.array([0.0, 0.0, 0.0, *EXACT[name]]),
        joints=slice(3, 6),
        targets=dict(zip(ARM, (2.932, 0.741, 0.776), strict=True)) if driven else {},
    )


def run(name: str, say: Say, *, methods: tuple = METHODS, peer: tuple = PEER, rounds: int = 9) -> Result:  # type: ignore[type-arg]
    """At most half of MuJoCo Euler's time per step; a fifth of MuJoCo RK4's total time at 1e-9 rad."""
    rows = measure(problem(name), methods, peer, say, rounds)
    return judged(f"planar-iss/{name}", rows, h=0.01, step_limit=0.5, error=1e-9, total_limit=0.2)
