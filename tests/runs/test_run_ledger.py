"""The ledger balances: energy at the declared order, angular momentum by gravity's turn."""

import numpy as np
import pytest

from softdock.dynamics import Dynamics
from softdock.runs.ledger import Ledger, earth_angular_momentum
from softdock.runs.simulation import Simulation
from softdock.world import Body, Fixed, Friction, Latch, Orbit, Revolute, Servo, Spring, World


def world(gravity: Orbit) -> World:
    """A free base and a joint with everything that can do work on it."""
    joint = Revolute(
        axis=(0, 1, 0), damping=(0.4,), spring=Spring(stiffness=(3.0,), rest=(0.2,)),
        friction=Friction(force=(0.05,), speed=0.05), servo=Servo(kp=5.0, kd=1.0),
    )  # fmt: skip
    return World(
        name="accounts",
        gravity=gravity,
        bodies=(
            Body(name="bus", mass=40.0, inertia=(4.0, 5.0, 6.0)),
            Body(name="arm", parent="bus", mass=6.0, center=(0, 0, 0.8), inertia=(1.0, 1.0, 0.1), joint=joint),
        ),
    )


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return Dynamics(world(Orbit(semi_major_axis=6.9e6, eccentricity=0.02, inclination=0.9, true_anomaly=1.0)))


def accounts(dynamics: Dynamics, h: float, **named: object) -> dict[str, np.ndarray]:
    start = {"bus": {"position": (3.0, -2.0, 1.0), "angular_velocity": (0.02, 0.05, -0.03)}, **named}
    rows = Simulation(dynamics, *dynamics.state(start), h=h).run(
        8.0, commands=dynamics.command(position={"arm": 0.7}), record_every=round(0.1 / h)
    )
    nothing = np.zeros(len(rows))
    columns = Ledger(dynamics, rows).columns(rows, nothing, nothing)
    drift, size = earth_angular_momentum(dynamics, rows)
    return {name: values for name, (values, _) in columns.items()} | {"earth": (drift - drift[0]) / size}


def test_energy_closes_at_second_order_in_orbit_with_every_kind_of_work(dynamics: Dynamics) -> None:
    coarse, fine = (accounts(dynamics, h) for h in (0.02, 0.01))
    for name in ("work_actuators", "work_dampers", "work_friction", "spring"):
        assert np.abs(fine[name]).max() > 1e-3
    assert np.all(np.diff(fine["work_dampers"]) <= 0)
    assert np.all(np.diff(fine["work_friction"]) <= 0)
    errors = [np.abs(ledger["energy_error"]).max() for ledger in (coarse, fine)]
    assert errors[1] < 1e-4 * fine["work_actuators"].max()
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)


def test_own_frame_energy_alone_would_not_close_in_orbit(dynamics: Dynamics) -> None:
    ledger = accounts(dynamics, 0.01, bus={"position": (3000.0, -2000.0, 1000.0)})
    works = ledger["work_actuators"] + ledger["work_dampers"] + ledger["work_friction"]
    naive = np.abs(ledger["total"] - ledger["total"][0] - works).max()
    assert naive > 100 * np.abs(ledger["energy_error"]).max()


def test_momentum_and_spin_change_by_gravity_only(dynamics: Dynamics) -> None:
    ledger = accounts(dynamics, 0.01)
    turned = np.hypot(ledger["gravity_turn_x"], ledger["gravity_turn_y"])[-1]
    assert turned > 1e-6
    assert ledger["angular_momentum_error"].max() < 1e-3 * turned
    assert ledger["momentum_error"].max() < 1e-12
    assert np.abs(ledger["earth"]).max() < 1e-14


def test_a_world_that_is_held_does_not_float() -> None:
    free = World(bodies=(Body(name="a", mass=1.0), Body(name="b", mass=1.0)))
    assert free.floats
    assert not World(bodies=(Body(name="a", mass=1.0, joint=Fixed()), Body(name="b", mass=1.0))).floats
    assert not World(bodies=(Body(name="a", mass=1.0, joint={"kind": "free", "damping": 0.1}),)).floats
    latch = Latch(name="hold", kind="point", frame_a="world", frame_b="a")
    assert not free.altered(latches=(latch,)).floats
