"""Inverse dynamics of a seven-joint arm on a fixed base, called from Python: one state, and many."""

import numpy as np

from softdock.arm import sawyer
from softdock.bench import pinocchio_peer
from softdock.bench.rows import Limit, Result, Row, Say, ratio
from softdock.bench.timing import least, repeated
from softdock.dynamics import Dynamics

SINGLE, MANY = "inverse-dynamics-7/single", "inverse-dynamics-7/batch"


def run(say: Say, *, calls: int = 20_000, batch: int = 10_000, rounds: int = 15) -> Result:
    """A call takes no longer than Pinocchio's; a batch at most 0.3 µs for each state."""
    world = sawyer().world()
    dynamics = Dynamics(world, announce=say)
    q, v, a = np.random.default_rng(7).uniform(-1, 1, (3, 7))
    listed = a.tolist()  # not an array: the general way, through Numba's dispatcher
    Q, V, A = np.random.default_rng(8).uniform(-1, 1, (3, batch, 7))
    jobs = {
        "single": repeated(lambda: dynamics.inverse_dynamics(q, v, a), calls),
        "general": repeated(lambda: dynamics.inverse_dynamics(q, v, listed), max(1, calls // 10)),
        "batch": repeated(lambda: dynamics.inverse_dynamics(Q, V, A), 3),
    }
    torque = None
    if pinocchio_peer.installed():
        import pinocchio as pin

        model = pinocchio_peer.pinocchio_model(world)
        data = model.createData()
        torque = pin.rnea(model, data, q, v, a).copy()
        jobs["rnea"] = repeated(lambda: pin.rnea(model, data, q, v, a), calls)
    else:
        say(f"{SINGLE}: Pinocchio is not installed (pip install 'softdock[bench]'); its row is left out")
    say(f"{SINGLE}: {', '.join(jobs)} in turn")
    best = least(jobs, rounds=rounds, seconds=20.0)
    error = None if torque is None else float(np.abs(torque - dynamics.inverse_dynamics(q, v, a)).max())
    us = {key: 1e6 * seconds for key, seconds in best.items()}
    each = us["batch"] / batch
    rows = [
        Row(SINGLE, "softdock", "inverse_dynamics", us_per_step=us["single"], error=error),
        Row(SINGLE, "softdock", "inverse_dynamics, without kernels/direct.py", us_per_step=us["general"]),
        Row(MANY, "softdock", "inverse_dynamics", us_per_step=each, total_ms=us["batch"] / 1e3),
    ]
    if "rnea" in us:
        rows.append(Row(SINGLE, "pinocchio", "rnea", us_per_step=us["rnea"]))
    limits = [
        Limit(f"{SINGLE}: softdock / Pinocchio, a call from Python", ratio(us["single"], us.get("rnea")), 1.0),
        Limit(f"{MANY}: µs each", each, 0.3),
    ]
    return Result(rows, limits)
