"""What changes energy and angular momentum is in the account, to the step's order or exactly."""

import numpy as np
import pytest
from worlds import ISS_ORBIT, earth_frame, flying, free_flyer, mixed, mixed_state, order_of, planar_iss

from softdock.dynamics import ACCOUNT, Dynamics, Motion, Trajectory
from softdock.world import Body, Free, Friction, NoGravity, Planar, Prismatic, Revolute, Spring, Uniform, World

SPAN = 2.0


def works(account: np.ndarray) -> float:
    """Energy that came in, less what was lost."""
    named = dict(zip(ACCOUNT, account, strict=True))
    return named["work_actuators"] + named["work_dampers"] + named["work_friction"] - named["lost_engaging"]


def imbalance(dynamics: Dynamics, q: np.ndarray, v: np.ndarray, command, h: float, order: int) -> float:  # type: ignore[no-untyped-def]
    run = Motion(dynamics, q, v, h=h, order=order).run(round(SPAN / h), command, every=round(SPAN / h), ledger=True)
    change = dynamics.balance(run.q[-1], run.v[-1]).total - dynamics.balance(q, v).total
    return float(abs(change - works(run.account[-1])))


@pytest.mark.parametrize(
    ("order", "sizes"),
    [(2, (0.02, 0.01, 0.005)), (4, (0.04, 0.025, 0.02)), (6, (0.025, 0.02, 0.0125))],
)
@pytest.mark.parametrize("gravity", [NoGravity(), Uniform(acceleration=(0.5, -1.0, -2.0))], ids=lambda g: g.kind)
def test_energy_closes_at_the_declared_order(gravity, order: int, sizes: tuple[float, ...]) -> None:  # type: ignore[no-untyped-def]
    """Actuators, springs, dampers and dry friction at work, all joints moving."""
    dynamics = Dynamics(mixed(gravity))
    q, v = mixed_state(dynamics)
    command = dynamics.command(position={"b1": 0.8}, force={"b7": 0.2})
    errors = [imbalance(dynamics, q, v, command, h, order) for h in sizes]
    assert order_of(np.array(sizes), np.array(errors)) == pytest.approx(order, abs=0.2), errors


def test_dampers_and_friction_only_take() -> None:
    dynamics = Dynamics(mixed())
    q, v = mixed_state(dynamics)
    run = Motion(dynamics, q, v, h=0.01).run(300, ledger=True)
    for name in ("work_dampers", "work_friction"):
        column = run.account[:, ACCOUNT.index(name)]
        assert np.all(np.diff(column, prepend=0.0) < 0), name


EXACT = {
    "free body, constant force": (Free(), (3.0, -2.0, 1.0, 0, 0, 0), NoGravity()),
    "slider, constant force": (Prismatic(axis=(0.6, 0, 0.8)), (2.5,), NoGravity()),
    "turntable, constant torque": (Revolute(axis=(0, 0, 1)), (0.7,), NoGravity()),
    "puck, constant force": (Planar(), (1.0, -2.0, 0.3), NoGravity()),
    "slider on a spring": (Prismatic(axis=(0.6, 0, 0.8), spring=Spring(stiffness=30.0, rest=0.2)), (2.5,), NoGravity()),
    "slider with damper": (Prismatic(axis=(0, 0, 1), damping=0.8), (2.5,), NoGravity()),
    "slider with dry friction": (
        Prismatic(axis=(0, 0, 1), friction=Friction(force=1.0, speed=0.1)),
        (2.5,),
        NoGravity(),
    ),
    "falling body": (Free(), (0,) * 6, Uniform()),
}


@pytest.mark.parametrize("name", EXACT)
def test_energy_closes_to_rounding_where_the_midpoint_is_exact(name: str) -> None:
    """Constant mass matrix, quadratic energies: the midpoint's powers are the change of energy over h."""
    joint, force, gravity = EXACT[name]
    body = Body(name="body", joint=joint, mass=4.0, inertia=(0.4, 0.5, 0.6))
    dynamics = Dynamics(World(gravity=gravity, bodies=(body,)))
    q, v = dynamics.layout.neutral(), np.zeros(dynamics.nv)
    v[:3] = (0.3, -0.2, 0.1)[: min(3, dynamics.nv)]
    run = Motion(dynamics, q, v, h=0.02).run(1000, np.array(force, dtype=float), every=10, ledger=True)
    energy = dynamics.balance(run.q, run.v).total
    change = energy - dynamics.balance(q, v).total
    size = (
        np.abs(run.account[:, :3]).sum(axis=1).max()
        + np.abs(energy).max()
        + np.abs(dynamics.balance(run.q, run.v).kinetic).max()
    )
    assert np.abs(change - [works(row) for row in run.account]).max() < 1e-12 * size


def spins(dynamics: Dynamics, q: np.ndarray, v: np.ndarray, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
    """Change of the angular momentum about the centre of mass, and gravity's turn in the account."""
    began, now = dynamics.balance(q, v, 0.0), dynamics.balance(run.q, run.v, run.t)
    first = ACCOUNT.index("gravity_turn_x")
    return now.centroidal_angular_momentum - began.centroidal_angular_momentum, run.account[:, first : first + 3]


@pytest.mark.parametrize(("order", "h"), [(2, 0.1), (2, 0.05), (4, 0.2), (6, 0.2)])
def test_spin_changes_only_by_gravitys_turn(order: int, h: float) -> None:
    """A spacecraft with its arm out: momentum exchange between them must not be seen in the sum."""
    dynamics = Dynamics(free_flyer(4, ISS_ORBIT))
    q, v = flying(dynamics)
    run = Motion(dynamics, q, v, h=h, order=order).run(round(200 / h), every=round(20 / h), ledger=True)
    change, turn = spins(dynamics, q, v, run)
    size = np.linalg.norm(dynamics.balance(q, v).centroidal_angular_momentum)
    assert np.abs(turn).max() > 5e-4 * size  # gravity does turn it
    assert np.abs(change - turn).max() < {2: 5e-4 * h**2, 4: 1e-8, 6: 1e-10}[order] * size


def test_spin_balance_closes_at_the_declared_order() -> None:
    dynamics = Dynamics(free_flyer(4, ISS_ORBIT))
    q, v = flying(dynamics)
    for order, sizes in ((2, (0.4, 0.2, 0.1)), (4, (0.8, 0.4, 0.2))):
        errors = []
        for h in sizes:
            run = Motion(dynamics, q, v, h=h, order=order).run(round(40 / h), every=round(40 / h), ledger=True)
            change, turn = spins(dynamics, q, v, run)
            errors.append(np.abs(change - turn).max())
        assert order_of(np.array(sizes), np.array(errors)) == pytest.approx(order, abs=0.2), errors


def test_momentum_changes_by_gravitys_impulse() -> None:
    """To rounding: the impulse is what the step adds to the momentum."""
    dynamics = Dynamics(free_flyer(4, ISS_ORBIT))
    q, v = flying(dynamics)
    run = Motion(dynamics, q, v, h=0.1).run(2000, every=100, ledger=True)
    first = ACCOUNT.index("gravity_impulse_x")
    change = dynamics.balance(run.q, run.v, run.t).momentum - dynamics.balance(q, v).momentum
    impulse = run.account[:, first : first + 3]
    assert np.abs(change - impulse).max() < 1e-12 * np.abs(dynamics.balance(q, v).momentum).max()


def test_in_orbit_the_earth_frames_energy_closes_with_the_works() -> None:
    """The arm's actuators do work; energy about Earth changes by just that (12 digits of the orbit's energy)."""
    dynamics = Dynamics(planar_iss(10.0, 2.0))
    q, v = np.array([0, 0, 0, 2.4, 1.2, 0.3]), np.array([0, 0, 1.1e-3, 0, 0, 0])
    command = dynamics.command(position={"rod1": 2.932, "rod2": 0.741, "rod3": 0.776})
    run = Motion(dynamics, q, v, h=0.01, order=4).run(2000, command, every=100, ledger=True)
    energy, _ = earth_frame(dynamics, run.q, run.v, run.t)
    began, _ = earth_frame(dynamics, q[None], v[None], [0.0])
    assert np.abs(energy - began - [works(row) for row in run.account]).max() < 1e-12 * abs(began[0])
    internal = dynamics.balance(run.q, run.v, run.t).internal - dynamics.balance(q, v).internal
    work = np.array([works(row) for row in run.account])
    assert np.abs(internal - work).max() < 0.02 * np.abs(work).max()  # the rest is gravity's gradient on the arm


def test_engaging_is_in_the_account() -> None:
    from worlds import mated, pair

    dynamics = Dynamics(pair("hinge"))
    q, v = mated(dynamics, np.random.default_rng(1))
    motion = Motion(dynamics, q, v, h=0.01)
    motion.run(5, ledger=True)
    before = dynamics.balance(motion.q, motion.v).total
    fresh = Motion(dynamics, q, v, h=0.01)
    fresh.engage("latch")
    run = fresh.run(100, ledger=True)
    assert run.account[-1, ACCOUNT.index("lost_engaging")] > 0
    after = dynamics.balance(run.q[-1], run.v[-1]).total
    assert after - dynamics.balance(q, v).total == pytest.approx(works(run.account[-1]), abs=1e-4 * before)


def test_without_the_ledger_the_account_is_left_alone() -> None:
    dynamics = Dynamics(mixed())
    run = Motion(dynamics, *mixed_state(dynamics), h=0.01).run(10)
    assert not run.account.any()
