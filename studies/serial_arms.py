"""Sawyer along the two motions of Korczyk et al.: do methods agree, what do its slips do, where may 4 N m come from?

python studies/serial_arms.py
"""

import argparse

import numpy as np
from report import heading

from softdock.arm import (
    CONTROL_BOX,
    SerialArm,
    balance,
    bearing_torque,
    block,
    coriolis_matrix,
    discrepancy,
    inverse_dynamics,
    masses_that_explain,
    newton_euler,
    rest_to_upright,
    sawyer,
    table_1,
)
from softdock.arm.platform import bearing_torque_as_printed
from softdock.arm.trajectories import Samples
from softdock.dynamics import Dynamics

PAPER_NM, PAPER_JOINT = 4.0, 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2001)
    options = parser.parse_args()
    print(heading("serial arms", options))
    arm = sawyer()
    for title, motion in (
        ("Table 1, 0 to 2π s", table_1(np.linspace(0.0, 2 * np.pi, options.samples))),
        ("rest to upright, 5 s", rest_to_upright(np.linspace(0.0, 5.0, options.samples))),
    ):
        print(f"\n# {title}")
        methods(arm, motion)
        slips(arm, motion)
        parameters(arm, motion)
    weight = balance(arm, CONTROL_BOX, np.zeros(7), 0.5)
    print(f"\nbalance mass 0.5 m from the bearing, arm along x: {weight.mass:.3f} kg at {weight.position.round(3)}")


def methods(arm: SerialArm, s: Samples) -> None:
    """Largest torque, and largest difference of every method from the product of exponentials (N m)."""
    q, v, a = s.q, s.v, s.a
    ours = inverse_dynamics(arm, q, v, a)
    others = {
        "D-H standard": newton_euler(arm, q, v, a),
        "D-H modified": newton_euler(arm, q, v, a, "modified"),
        "block matrices": block.inverse_dynamics(arm, q, v, a),
        "softdock's kernels": Dynamics(arm.world()).inverse_dynamics(q, v, a),
    }
    print("largest torque (N m) by joint:", most(ours))
    for name, torques in others.items():
        print(f"{name} - product of exponentials: {np.max(np.abs(torques - ours)):.1e} N m")
    N = len(q)
    unit, zero = np.tile([1.0, 0, 0, 0], (N, 1)), np.zeros((N, 3))
    on_bearing = Dynamics(arm.world("bearing"))
    held = on_bearing.inverse_dynamics(np.hstack([unit, q]), np.hstack([zero, v]), np.hstack([zero, a]))[:, :3]
    momentum = bearing_torque(arm, CONTROL_BOX, q, v, a)
    print("largest bearing torque (N m), x y z:", most(momentum))
    print(f"spherical joint - momentum method: {np.max(np.abs(held - momentum)):.1e} N m")


def slips(arm: SerialArm, s: Samples) -> None:
    """What the equations as printed do."""
    right, printed = (
        np.einsum("bij,bj->bi", C(arm, s.q, s.v), s.v) for C in (coriolis_matrix, block.coriolis_as_printed)
    )
    print("eq. 4 as printed, error (N m) by joint:", most(printed - right))
    torque, as_printed = (f(arm, CONTROL_BOX, s.q, s.v, s.a) for f in (bearing_torque, bearing_torque_as_printed))
    print("eq. 14 as printed, error of the bearing torque (N m):", most(as_printed - torque))


def parameters(arm: SerialArm, s: Samples) -> None:
    """The two public parameter sets, and what alone would make the paper's difference."""
    found = discrepancy(arm, sawyer("mjcf"), s)
    print(
        f"urdf - mjcf: {found.max_torque:.3f} N m at joint {found.joint}, t = {found.time:.2f} s; by joint:",
        found.per_joint.round(3),
    )
    for cause in found.causes[:6]:
        at = f"{cause.max_torque:.3f} N m at joint {cause.joint}"
        print(f"  {cause.parameter} of {cause.link}: {cause.share:.1%} ({at})")
    print(f"to make {PAPER_NM} N m at joint {PAPER_JOINT} alone:")
    for one in masses_that_explain(arm, s, PAPER_JOINT, PAPER_NM):
        print(f"  {one.mass:6.3f} kg at {one.where:9s} (by joint: {one.per_joint.round(2)})")


def most(values: np.ndarray) -> np.ndarray:
    return np.max(np.abs(values), axis=0).round(3)


if __name__ == "__main__":
    main()
