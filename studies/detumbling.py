"""Detumbling after a capture: plans of least time and of least effort, how far they replay, and with feedback.

python studies/detumbling.py
"""

from typing import Any

import numpy as np

from softdock import Actuator, Body, Dynamics, Fixed, Free, Pose, Revolute, Simulation, World, with_wheels
from softdock.optimal import Cost, Limits, Plan, Planner, Task, Tracking, at_rest, frame_turned

LENGTHS = (0.3, 0.3, 0.6, 0.2, 0.5, 0.2, 0.25)
MASSES = (6.0, 6.0, 8.0, 5.0, 6.0, 4.0, 5.0)
JOINTS = tuple(f"j{k + 1}" for k in range(7))
START = np.array([0.3, 0.8, -0.2, 1.2, 0.1, 0.6, 0.0])
RATES = np.array([0.10, -0.08, 0.12, 0.06, -0.10, 0.08, 0.15])


def moments(x: float, y: float, z: float) -> tuple:
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def world() -> World:
    """The chaser, its arm, and the target fixed to the last joint."""
    bodies = [Body(name="base", joint=Free(), mass=200.0, inertia=moments(50.0, 60.0, 70.0))]
    parent, at = "base", 0.5
    for k, (name, length, mass) in enumerate(zip(JOINTS, LENGTHS, MASSES, strict=True)):
        across = mass * (length**2 / 12 + 0.06**2 / 4)
        axis = (0.0, 0.0, 1.0) if k % 2 == 0 else (0.0, 1.0, 0.0)
        inertia = moments(across, across, mass * 0.06**2 / 2)
        place, center = Pose(position=(0.0, 0.0, at)), (0.0, 0.0, length / 2)
        bodies.append(
            Body(
                name=name,
                parent=parent,
                placement=place,
                joint=Revolute(axis=axis),
                mass=mass,
                center=center,
                inertia=inertia,
            )
        )
        parent, at = name, length
    target = Pose(position=(0.0, 0.0, at + 0.5))
    bodies.append(
        Body(
            name="target", parent=parent, placement=target, joint=Fixed(), mass=100.0, inertia=moments(20.0, 25.0, 15.0)
        )
    )
    return World(name="captured", bodies=tuple(bodies))


def planned(dynamics: Dynamics, duration: float | tuple[float, float], steps: int, least: float | None, **how) -> Plan:
    q, v = dynamics.state()
    q[7:], v[6:] = START, RATES
    ranges = {name: (x - 1.5, x + 1.5) for name, x in zip(JOINTS, START, strict=True)}
    if least is not None:
        ranges |= {name: (least, ranges[name][1]) for name in ("j2", "j4", "j6")}
    limits = Limits(torque=5.0, rate=0.5, joints=ranges)
    return Planner(
        Task(dynamics, q, v, duration=duration, steps=steps, end=[at_rest(*JOINTS)], limits=limits, **how)
    ).plan()


TORQUE, MOMENTUM, SPIN = 4.0, 80.0, 0.2
"""Of each wheel: N m, N m s, kg m²."""
CALM = 100.0
"""Weight of the joints' squared rates beside squared torques (N² m² s²): least effort alone lets the arm drift."""


def with_three_wheels() -> tuple[Dynamics, tuple[str, ...]]:
    motor = Actuator(effort=TORQUE, rate=MOMENTUM / SPIN)
    wheeled, wheels = with_wheels(world(), "base", inertia=SPIN, mass=5.0, actuator=motor)
    return Dynamics(wheeled), wheels


def bound(dynamics: Dynamics, q: np.ndarray, v: np.ndarray) -> float:
    """No motion that ends at rest with the base turned as it is can end sooner (s): a wheel's momentum along its axis
    changes by its torque alone, and at rest the wheels hold all angular momentum H about the centre of mass, which is
    kept: T ≥ max |H_i − h_i(0)|/τ, along the base's axes."""
    H = np.asarray(dynamics.balance(q, v).angular_momentum)
    return float(np.abs(dynamics.pose("base", q)[0].T @ H - SPIN * (v[13:16] + v[3:6])).max() / TORQUE)


def rest(dynamics: Dynamics, wheels: tuple[str, ...], duration: Any, cost: Cost) -> Task:
    """Everything at rest, the base turned as before, the momentum in the wheels; durations are shares of the bound."""
    q, v = dynamics.state()
    q[7:14], v[6:13] = START, RATES
    v[:3] = -dynamics.balance(q, v).momentum / dynamics.mass  # the centre of mass is at rest
    ranges = {name: (x - 1.5, x + 1.5) for name, x in zip(JOINTS, START, strict=True)}
    limits = Limits(torque=dict.fromkeys(JOINTS, 20.0), rate=dict.fromkeys(JOINTS, 0.5), joints=ranges)
    end = [at_rest(*JOINTS, "base.wx", "base.wy", "base.wz"), frame_turned("base", (1.0, 0.0, 0.0, 0.0))]
    seconds = tuple(np.ravel(duration) * bound(dynamics, q, v))
    return Task(
        dynamics, q, v, duration=seconds if len(seconds) > 1 else seconds[0], steps=60, actuators=(*JOINTS, *wheels),
        end=end, limits=limits, cost=cost,
    )  # fmt: skip


def main() -> None:
    wheeled, wheels = with_three_wheels()
    calm, first = Cost(rates=dict.fromkeys(JOINTS, CALM)), None
    for share, starts in ((1.05, 3), (1.02, 1), (1.01, 1)):
        plan = Planner(rest(wheeled, wheels, share, calm)).plan(starts=starts)
        tell(wheeled, f"{share} of the bound", plan)
        first = first or plan
    soon = Cost(effort=1e-3, rates=dict.fromkeys(JOINTS, 1e-3 * CALM), time=100.0)
    plan = Planner(rest(wheeled, wheels, (0.9, 1.3), soon)).plan(guess=first)
    least = bound(wheeled, *plan.start[:2])
    tell(wheeled, f"least time from the first of these, {plan.duration / least:.9f} of the bound", plan)
    joints_alone()


def tell(dynamics: Dynamics, name: str, plan: Plan) -> None:
    check = plan.check()
    run = Simulation(dynamics, *plan.start[:2], h=float(plan.motion.h[0]), controllers=[Tracking(plan)])
    tracked = np.abs(run.run(plan.duration).q - plan.q).max()
    print(
        f"all at rest by wheels, {name}: {plan.duration:.3f} s, effort {plan.effort:.4g}, "
        f"{plan.status} of {[round(cost, 3) for cost in plan.costs]}, "
        f"{plan.solved.iterations} iterations, KKT {plan.solved.kkt:.1e}; replay {check.replay_error:.1e}, "
        f"conditioning {check.conditioning:.3g}, amplification {check.amplification:.1e}, tracked {tracked:.1e}; "
        f"at limits: {'; '.join(check.active)}",
        flush=True,
    )


def joints_alone() -> None:
    """Only the joints come to rest; the whole goes on turning."""
    dynamics, soon = Dynamics(world()), {"cost": Cost(effort=1e-4, time=1.0)}
    for name, duration, steps, least, how in (
        ("least time", (0.5, 10.0), 50, None, soon),
        ("least time", (0.5, 10.0), 100, None, soon),
        ("least effort", 10.0, 100, None, {}),
        ("least effort off alignments", 10.0, 100, 0.3, {}),
    ):
        plan = planned(dynamics, duration, steps, least, **how)
        check = plan.check()
        run = Simulation(dynamics, *plan.start[:2], h=float(plan.motion.h[0]), controllers=[Tracking(plan)])
        tracked = np.abs(run.run(plan.duration).q - plan.q).max()
        print(
            f"{name}, {steps} steps: {plan.duration:.4f} s, effort {plan.effort:.4g}; replay {check.replay_error:.1e}, "
            f"conditioning {check.conditioning:.3g}, amplification {check.amplification:.1e}, tracked {tracked:.1e}",
            flush=True,
        )


if __name__ == "__main__":
    main()
