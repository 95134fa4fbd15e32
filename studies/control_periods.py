"""How exactly controllers do their work, against the period at which they are called.

Asci & Nanjangud's reach under computed torque with wheels, a reactionless motion of a seven-joint arm, a circle of its
hand in space; the figures of docs/control.md.

    python studies/control_periods.py [--periods 0.02 0.01 0.005]
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "control"))

from craft import ARM, BENT, GOAL, JOINTS, START, berthing_craft, seven_joint_flyer

from softdock.control import CartesianControl, ComputedTorque, Follow, Reactionless, Target
from softdock.dynamics import Dynamics
from softdock.planning import minimum_acceleration
from softdock.runs.simulation import Simulation


def reach(period: float) -> tuple[float, float, float]:
    """Largest joint error (rad), base attitude (rad) and drift of angular momentum (N m s)."""
    world, wheels = berthing_craft()
    d = Dynamics(world)
    q, v = d.state({name: {"position": x} for name, x in zip(ARM, START, strict=True)})
    plan = minimum_acceleration(START, GOAL, 5.0)
    control = ComputedTorque(
        d, Follow(d, plan, ARM, q), kp=100.0, kd=20.0, period=period, actuators=(*ARM, *wheels),
        tracked=(*ARM, "A.wx", "A.wy", "A.wz"),
    )  # fmt: skip
    path = Simulation(d, q, v, h=min(period, 0.005), controllers=[control]).run(5.0)
    off = np.abs(path.q[:, 7:11] - plan.at(path.t).q).max()
    return float(off), attitude(path.q), float(np.abs(d.balance(path.q, path.v).angular_momentum).max())


def attitude(q: np.ndarray) -> float:
    """Largest turn of the base from where it was (rad)."""
    return float(2 * np.abs(q[:, 4:7]).max())


def flyer() -> tuple[Dynamics, np.ndarray, np.ndarray]:
    d = Dynamics(seven_joint_flyer())
    q = d.layout.neutral()
    q[7:] = BENT
    return d, q, np.zeros(d.nv)


def reactionless(period: float) -> tuple[float, float, float]:
    """Attitude of the base (rad), the same under plain computed torque, and how far a joint went (rad)."""
    d, q, v = flyer()
    goal = BENT + np.array([0.8, -0.6, 0.9, 0.5, -0.7, 0.6, -0.4])
    wanted = Follow(d, minimum_acceleration(BENT, goal, 10.0), JOINTS, q)
    path = Simulation(
        d, q, v, h=period, controllers=[Reactionless(d, "base", wanted, period=period, kd=2.0)]
    ).run(10.0)  # fmt: skip
    plain = ComputedTorque(d, wanted, kp=100.0, kd=20.0, period=period)
    other = Simulation(d, q, v, h=period, controllers=[plain]).run(10.0)
    return attitude(path.q), attitude(other.q), float(np.abs(path.q[-1, 7:] - BENT).max())


def circle(period: float) -> tuple[float, float]:
    """Error of the hand on a circle of 0.15 m at 0.5 rad/s after 4 s (m), and how far the base turned (rad)."""
    d, q, v = flyer()
    R, p = d.pose("link7", q)

    def target(t: float) -> Target:
        c, s = np.cos(0.5 * t), np.sin(0.5 * t)
        return Target(
            R, p + 0.15 * np.array([0, s, 1 - c]), v=0.075 * np.array([0, c, s]), a=0.0375 * np.array([0, -s, c])
        )

    control = CartesianControl(d, "link7", target, kp=16.0, kd=8.0, period=period, actuators=JOINTS)
    path = Simulation(d, q, v, h=period, controllers=[control]).run(6.0)
    late = path.t > 4.0
    off = d.pose("link7", path.q[late])[1] - [target(t).p for t in path.t[late]]
    return float(np.abs(off).max()), attitude(path.q)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--periods", type=float, nargs="+", default=[0.02, 0.01, 0.005])
    options = parser.parse_args()
    print(heading("control periods", options))
    print("period: reach: joints, base, momentum | reactionless: base, base otherwise, joint | circle: hand, base")
    for period in options.periods:
        rows = (reach(period), reactionless(period), circle(period))
        print(f"{period:g} s: " + " | ".join(", ".join(f"{x:.2e}" for x in row) for row in rows), flush=True)


if __name__ == "__main__":
    main()
