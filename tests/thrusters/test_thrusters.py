"""Thrusters against theory: Δv, the rocket's turn, limit cycles, the ledger; and what is refused."""

import math

import numpy as np
import pytest

from softdock.control import Allocation
from softdock.control.thrusters import WORTH
from softdock.dynamics import Dynamics
from softdock.runs.ledger import Ledger
from softdock.runs.plume import Plumes
from softdock.runs.recording import read_run
from softdock.runs.simulation import Simulation
from softdock.scenarios import load
from softdock.scenarios.runner import run
from softdock.spatial import matrix_of_quaternion
from softdock.world import Body, Box, Orbit, Plume, Pose, Revolute, Thruster, World
from softdock.world.thrusters import G0

FORCE, LEAST = 10.0, 0.02


def all_round(body: str = "bus", half: float = 0.5, **other: object) -> tuple[Thruster, ...]:
    """Two along each axis either way, off the middle."""
    found = []
    for axis in range(3):
        for sign in (-1, 1):
            for arm in (-1, 1):
                at, along = [0.0] * 3, [0.0] * 3
                at[axis], at[(axis + 1) % 3], along[axis] = -sign * half, arm * half, float(sign)
                name = f"{'xyz'[axis]}{'+' if sign > 0 else '-'}{'b' if arm > 0 else 'a'}"
                found.append(
                    Thruster(
                        name=name, body=body, position=at, direction=along, thrust=FORCE, least_on_time=LEAST, **other
                    )
                )
    return tuple(found)


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    """A craft with an arm, and another craft ahead, in orbit."""
    arm = Body(
        name="arm", parent="bus", joint=Revolute(axis=(0, 1, 0)), placement=Pose(position=(0.5, 0, 0)), mass=10.0,
        center=(0.5, 0, 0), inertia=(0.1, 1.0, 1.0),
    )  # fmt: skip
    bus = Body(name="bus", mass=100.0, inertia=(10.0, 12.0, 14.0), center=(0.1, 0.0, 0.05))
    other = Body(name="other", mass=50.0, inertia=(5.0, 6.0, 7.0), shapes=(Box(size=(0.5, 0.5, 0.5)),))
    plume = Plume(half_angle=math.radians(20))
    world = World(gravity=Orbit(semi_major_axis=6.9e6), bodies=(bus, arm, other), thrusters=all_round(plume=plume))
    return Dynamics(world)


class Firing:
    """The same pulses in every period of the first 5 s."""

    period = 0.25

    def __init__(self, **seconds: float) -> None:
        self.seconds = seconds

    def bind(self, simulation: Simulation) -> None:
        self.simulation = simulation

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        if t < 5.0:
            self.simulation.fire(
                {name.replace("_", "-").replace("p", "+"): x for name, x in self.seconds.items()}, 0.25
            )
        return np.zeros(len(v))


def test_momentum_closes_to_rounding_and_energy_at_second_order_under_pulses(dynamics: Dynamics) -> None:
    start = dynamics.state(
        {"bus": {"angular_velocity": (0.1, 0.05, 0.2)}, "arm": {"velocity": 0.1}, "other": {"position": (3, 0, 0)}}
    )
    errors = []
    for h in (0.05, 0.025):
        simulation = Simulation(dynamics, *start, h=h, controllers=[Firing(xpa=0.1, ypb=0.21, z_a=0.07, x_a=0.13)])
        rows = simulation.run(8.0, record_every=round(0.5 / h))
        errors.append({key: np.abs(x).max() for key, x in Ledger(dynamics, rows).errors(rows).items()})
        assert (
            simulation.thrusters and simulation.thrusters.metrics(8.0)["plume_impulse"] > 0.01
        )  # that of x_a, at the other
        assert any(event["kind"] == "plume" and event["thruster"] == "x-a" for event in simulation.events)
    assert max(error["momentum_error"] for error in errors) < 1e-12 * 110.0
    for key in ("energy_error", "angular_momentum_error"):
        assert errors[0][key] / errors[1][key] == pytest.approx(4.0, rel=0.3)
    used = 20 * FORCE * (0.1 + 0.21 + 0.07 + 0.13)
    assert simulation.thrusters.impulse(8.0) == pytest.approx(used, rel=1e-12)
    assert simulation.thrusters.propellant(8.0) == pytest.approx(used / (220 * G0), rel=1e-12)


def test_a_pulse_is_exact_in_any_step_and_a_body_that_turns_is_pushed_as_it_turns() -> None:
    """A body that spins at a constant rate about z under a constant body-fixed force: Δv = (F/mω)(sin φ, 1 − cos φ)."""
    rate, seconds, mass = 0.4, 3.0, 100.0
    push = Thruster(name="push", body="bus", position=(0, 0, 0), direction=(2, 0, 0), thrust=FORCE)
    dynamics = Dynamics(World(bodies=(Body(name="bus", mass=mass, inertia=(10, 10, 10)),), thrusters=(push,)))
    for h in (0.05, 0.007):
        simulation = Simulation(dynamics, *dynamics.state({"bus": {"angular_velocity": (0, 0, rate)}}), h=h)
        simulation.fire({"push": seconds}, seconds)
        simulation.run(h * math.ceil(4 / h))
        turn = rate * seconds
        expected = FORCE / (mass * rate) * np.array([math.sin(turn), 1 - math.cos(turn), 0.0])
        np.testing.assert_allclose(simulation.v[:3], expected, atol=0.2 * (h * rate) ** 2 * FORCE * seconds / mass)
    simulation = Simulation(dynamics, *dynamics.state({}), h=0.05)
    simulation.fire({"push": 0.0137}, 0.25)  # within one step
    simulation.run(0.5)
    np.testing.assert_allclose(simulation.v[:3], [FORCE * 0.0137 / mass, 0, 0], atol=1e-15)


def test_least_pulses_make_a_limit_cycle_within_its_bound() -> None:
    """|x| ≤ 1.2 F t_min/(e ω m) for a critically damped PD of frequency ω (docs/thrusters.md), about where a constant
    force of 0.013 N keeps it."""
    mass, omega, period = 400.0, 0.3, 0.25
    both = tuple(thruster for thruster in all_round() if thruster.name.startswith("x"))
    dynamics = Dynamics(World(bodies=(Body(name="bus", mass=mass, inertia=(70, 70, 70)),), thrusters=both))
    allocation = Allocation(both, period=period)

    class Held:
        def bind(self, simulation: Simulation) -> None:
            self.simulation = simulation

        def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            force = -mass * (omega**2 * q[0] + 2 * omega * v[0])
            times = allocation.on_times(np.array([force, 0, 0, 0, 0, 0]))
            self.simulation.fire({one.name: x for one, x in zip(both, times, strict=True)}, period)
            return disturbed

    disturbed = np.array([0.013, 0, 0, 0, 0, 0])
    held = Held()
    held.period = period  # type: ignore[attr-defined]
    simulation = Simulation(dynamics, *dynamics.state({"bus": {"position": (0.02, 0, 0)}}), h=0.05, controllers=[held])
    simulation.run(60.0)
    rows = simulation.run(200.0)
    bit = 2 * FORCE * LEAST  # the two of a side fire together
    bound = 2 * WORTH * bit / (math.e * omega * mass)
    most = np.abs(rows.q[:, 0] - 0.013 / (mass * omega**2)).max()
    assert 0.3 * bound < most < bound * (1 + omega * period)


def test_allocation_gives_the_wrench_with_least_propellant_within_the_period() -> None:
    allocation = Allocation(all_round(), period=0.25)
    assert allocation.lacking() == []
    wanted, given = np.zeros(6), np.zeros(6)
    rng = np.random.default_rng(5)
    for _ in range(40):
        wrench = rng.uniform(-4, 4, 6) * [1, 1, 1, 0.4, 0.4, 0.4]
        times = allocation.on_times(wrench)
        assert np.all((times == 0) | ((times >= LEAST) & (times <= 0.25)))
        wanted += 0.25 * wrench
        given += allocation.W @ times
    np.testing.assert_allclose(given, wanted, atol=2 * FORCE * LEAST)  # what is owed
    pure = allocation.on_times(np.array([8.0, 0, 0, 0, 0, 0]))
    assert pure.sum() * FORCE == pytest.approx(8.0 * 0.25, abs=4 * FORCE * LEAST)  # none fire against each other
    allocation.on_times(np.array([100.0, 0, 0, 0, 0, 0]))
    assert allocation.short == pytest.approx(25.0 - 2 * FORCE * 0.25, abs=0.5)
    assert "force -x" in Allocation(all_round()[2:4], period=0.25).lacking()


def test_a_plume_pushes_as_its_model_says() -> None:
    """A plate across the axis, 2 m behind the nozzle: p A, with p = F/(π d² tan² θ)."""
    plume = Plume(half_angle=0.5, reach=5.0)
    jet = Thruster(name="jet", body="bus", position=(0, 0, 0), direction=(1, 0, 0), thrust=FORCE, plume=plume)
    plate = Body(name="plate", mass=5.0, inertia=(1, 1, 1), shapes=(Box(size=(0.01, 0.3, 0.4)),))
    dynamics = Dynamics(World(bodies=(Body(name="bus", mass=1e6, inertia=(1e6,) * 3), plate), thrusters=(jet,)))
    for angle, share in ((0.0, 1.0), (0.6, math.cos(0.6))):
        q, v = dynamics.state(
            {"plate": {"position": (-2, 0, 0), "quaternion": (math.cos(angle / 2), 0, math.sin(angle / 2), 0)}}
        )
        simulation = Simulation(dynamics, q, v, h=0.01)
        simulation.fire({"jet": 0.1}, 0.1)
        simulation.run(0.1)
        force = FORCE / (math.pi * 4 * math.tan(0.5) ** 2) * 0.12 * share
        pushed = matrix_of_quaternion(q[10:14]) @ np.zeros(3) + simulation.v[6:9]
        assert pushed[0] == pytest.approx(-force * 0.1 / 5.0, rel=0.08)


def test_stuck_valves_and_what_is_refused() -> None:
    base = {"body": "bus", "position": (0, 0, 0), "direction": (1, 0, 0), "thrust": FORCE}
    open_, shut = (Thruster(name=how, stuck=how, stuck_at=1.0, **base) for how in ("on", "off"))
    dynamics = Dynamics(World(bodies=(Body(name="bus", mass=100.0, inertia=(1, 1, 1)),), thrusters=(open_, shut)))
    simulation = Simulation(dynamics, *dynamics.state({}), h=0.1)
    simulation.fire({"off": 2.0}, 2.0)
    simulation.run(3.0)
    assert simulation.v[0] == pytest.approx(FORCE / 100.0 * (2.0 + 1.0), rel=1e-12)
    with pytest.raises(ValueError, match="no thruster 'of'; did you mean 'off'"):
        simulation.fire({"of": 0.1}, 0.25)
    with pytest.raises(ValueError, match="do not fit into a period"):
        simulation.fire({"off": 0.5}, 0.25)
    with pytest.raises(ValueError, match="is not free"):
        arm = Body(name="arm", parent="bus", joint=Revolute(), mass=1.0, inertia=(1, 1, 1))
        World(
            bodies=(Body(name="bus", mass=1.0, inertia=(1, 1, 1)), arm),
            thrusters=(Thruster(name="t", **base | {"body": "arm"}),),
        )
    with pytest.raises(ValueError, match="unknown body"):
        World(bodies=(Body(name="b", mass=1.0, inertia=(1, 1, 1)),), thrusters=(Thruster(name="t", **base),))


def test_a_file_fires_thrusters(tmp_path) -> None:
    (tmp_path / "push.toml").write_text("""
scenario = "world"
run = { h = 0.01, duration = 1.0 }
firing = [{ thruster = "push", time = 0.2, seconds = 0.5 }]
[world]
bodies = [{ name = "bus", mass = 100.0, inertia = [1, 1, 1] }]
thrusters = [{ name = "push", body = "bus", position = [0, 0, 0], direction = [1, 0, 0], thrust = 10.0 }]
""")
    metrics = run(tmp_path / "push.toml", out=tmp_path / "out", figures=False).metrics
    assert metrics["propellant"] == pytest.approx(5.0 / (220 * G0))
    assert metrics["momentum_drift"] < 1e-12
    pulses = read_run(tmp_path / "out").table("thrusters")
    assert pulses["t"][0] == pytest.approx(0.2) and pulses["end"][0] == pytest.approx(0.7)
    with pytest.raises(ValueError, match=r"firing\[0\].thruster: no thruster"):
        load(tmp_path / "push.toml", ['firing=[{thruster="x",time=0.0,seconds=1.0}]'])


@pytest.mark.parametrize("size", [(500.0, 500.0, 500.0), (1e4, 0.01, 0.01), (0.5, 0.5, 0.5)])
def test_a_body_of_any_size_has_few_surface_elements_that_are_all_of_it(size: tuple[float, float, float]) -> None:
    """Of a cube of 8 m, elements of 15 cm took more than a minute to make."""
    x, y, z = size
    jet = Thruster(name="jet", body="bus", position=(0, 0, 0), direction=(1, 0, 0), thrust=FORCE, plume=Plume())
    bodies = (
        Body(name="bus", mass=1.0, inertia=(1, 1, 1)),
        Body(name="other", mass=1.0, inertia=(1, 1, 1), shapes=(Box(size=size),)),
    )
    (other,) = Plumes(Dynamics(World(bodies=bodies, thrusters=(jet,))))._bodies
    assert other.areas.sum() == pytest.approx(2 * (x * y + y * z + z * x), rel=1e-9)
    assert len(other.areas) < 60_000
