"""Two welds and a hinge between the same two free bodies, 17 rows for 6 freedoms, beside one weld alone: multipliers
must stay as small as the load, and momenta as they were. The pair's centre of mass is at rest, so that its angular
momentum is not lost among the digits of how far it went.

python studies/redundant_latches.py [--steps 1000000] [--h 0.01] [--orders 2 4 6] [--seed 1]
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "dynamics"))
from worlds import mated, pair

from softdock.dynamics import Dynamics, Motion
from softdock.world import Latch, World


def held(redundant: bool) -> World:
    world = pair("weld")
    weld = world.latches[0]
    hinge = Latch(name="hinge", kind="hinge", frame_a=weld.frame_a, frame_b=weld.frame_b)
    return world.altered(latches=(weld, weld.altered(name="second"), hinge)) if redundant else world


def started(dynamics: Dynamics, options: argparse.Namespace, order: int) -> tuple[Motion, float]:
    """Engaged, with the centre of mass at rest; and the momentum (kg m/s) that one of the bodies has then."""
    q, v = mated(dynamics, np.random.default_rng(options.seed))
    drift = dynamics.balance(q, v).momentum / dynamics.mass
    for body in dynamics.world.bodies:
        at = dynamics.layout.v[body.name].start
        v[at : at + 3] -= body.placement.rotation.T @ drift
    motion = Motion(dynamics, q, v, h=options.h, order=order)
    for latch in dynamics.world.latches:
        motion.engage(latch.name)
    body = dynamics.world.bodies[0]
    R_WB, _ = dynamics.pose(body.name, motion.q)
    turn, slide = np.split(dynamics.jacobian(body.name, motion.q) @ motion.v, 2)
    return motion, float(np.linalg.norm(body.mass * (slide + np.cross(turn, R_WB @ body.center))))


def row(dynamics: Dynamics, order: int, options: argparse.Namespace) -> str:
    motion, momentum = started(dynamics, options, order)
    motion.warm()
    start, began = dynamics.balance(motion.q, motion.v), time.perf_counter()
    force = linear = angular = violation = 0.0
    for _ in range(1000):
        motion.run(options.steps // 1000, every=options.steps // 1000)
        now = dynamics.balance(motion.q, motion.v)
        force = max(force, float(np.abs(motion._state.held.multipliers).max()))
        linear = max(linear, float(np.abs(now.momentum - start.momentum).max() / momentum))
        turned = np.abs(now.angular_momentum - start.angular_momentum).max()
        angular = max(angular, float(turned / np.linalg.norm(start.angular_momentum)))
        violation = max(violation, motion.violation())
    each = (time.perf_counter() - began) / motion.counts["steps"] * 1e6
    names = " + ".join(latch.kind for latch in dynamics.world.latches)
    evaluations = motion.counts["evaluations"] / motion.counts["steps"]
    return (
        f"| {order} | {names} | {force:.3f} | {linear:.1e} | {angular:.1e} | {violation:.1e} | {evaluations:.2f} "
        f"| {each:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--h", type=float, default=0.01)
    parser.add_argument("--orders", type=int, nargs="+", default=[2, 4, 6])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(heading("redundant latches", options))
    print(
        "| order | latches | largest multiplier (N, N m) | momentum, of one body's | angular momentum, relative "
        "| violation (m, rad) | evaluations a step | µs a step |\n|---|---|---:|---:|---:|---:|---:|---:|"
    )
    worlds = [Dynamics(held(redundant)) for redundant in (False, True)]
    for order in options.orders:
        for dynamics in worlds:
            print(row(dynamics, order, options), flush=True)


if __name__ == "__main__":
    main()
