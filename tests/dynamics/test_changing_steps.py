"""Steps that change on the way: as exact as they say, and nothing outside the loop sees them (docs/theory/steps.md)."""

import numpy as np
import pytest

import softdock as sd
from softdock.dynamics import ACCOUNT
from softdock.world import Bushing, Compliance

WALL = sd.Body(
    name="wall", mass=0, joint=sd.Fixed(), shapes=[sd.Box(size=(1, 1, 1), placement={"position": (1, 0, 0)})]
)
BALL = sd.Body(name="ball", mass=1, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
LAWS = {
    "linear": Compliance(stiffness=1e5, exponent=1),
    "Hertz": Compliance(stiffness=1e6, exponent=1.5),
    "cubic": Compliance(stiffness=1e9, exponent=3),
    "damped": Compliance(stiffness=1e6, exponent=1.5, damping=0.2),
    "viscous": Compliance(stiffness=1e5, exponent=1, viscosity=60.0),
}
SPEED, TIME = 0.5, 1.0


def world(law: Compliance) -> sd.Dynamics:
    return sd.Dynamics(sd.World(bodies=[BALL, WALL]).with_contacts("all", compliance=law))


def moved(dynamics: sd.Dynamics, x: float, h: float, error: float | None, speed: float = SPEED) -> sd.Motion:
    q, v = dynamics.state({"ball": {"position": (x, 0, 0), "velocity": (speed, 0, 0)}})
    motion = sd.Motion(dynamics, q, v, h=h, contact_error=error)
    motion.run(round(TIME / h), every=round(TIME / h), ledger=True)
    return motion


@pytest.mark.parametrize("law", LAWS)
def test_as_exact_as_asked_for(law: str) -> None:
    """Against steps of 0.02 ms everywhere, from places that put the touch anywhere in a step; and of order 2."""
    dynamics, largest = world(LAWS[law]), {}
    places = 0.2 + np.random.default_rng(14).uniform(0, 0.025, 4)
    exact = [moved(dynamics, x, 2e-5, None) for x in places]
    for error in (1e-2, 1e-3, 1e-4):
        runs = [moved(dynamics, x, 0.05, error) for x in places]
        speeds = [abs(run.v[0] - fine.v[0]) / SPEED for run, fine in zip(runs, exact, strict=True)]
        flown = [abs(run.q[0] - fine.q[0]) / (SPEED * TIME) for run, fine in zip(runs, exact, strict=True)]
        largest[error] = max(*speeds, *flown)
        assert largest[error] < error
        assert all(run.counts["steps"] == 20 and run.counts["divided"] < 400 for run in runs)
        kinetic = [0.5 * run.v[0] ** 2 - run.account["work_contacts"] for run in runs]
        assert kinetic == pytest.approx([0.5 * SPEED**2] * 4, rel=1e-12)
    assert largest[1e-4] < 0.1 * largest[1e-2]


def test_rows_and_runs_are_as_with_one_step() -> None:
    """Rows at multiples of h; one run, and the same in runs of a step each, bit for bit."""
    dynamics = world(LAWS["Hertz"])
    start = dynamics.state({"ball": {"position": (0.21, 0, 0), "velocity": (SPEED, 0, 0)}})
    whole, pieces = (sd.Motion(dynamics, *start, h=0.05, contact_error=1e-3) for _ in range(2))
    run = whole.run(20, ledger=True)
    assert run.t == pytest.approx(0.05 * np.arange(1, 21), rel=1e-15)
    parts = sd.Trajectory.joined(pieces.run(1, ledger=True) for _ in range(20))
    assert parts.q == pytest.approx(run.q, abs=1e-14)
    assert parts.account[-1, ACCOUNT.index("work_contacts")] == pytest.approx(run.account[-1, -8], abs=1e-14)
    again = sd.Motion(dynamics, *start, h=0.05, contact_error=1e-3).run(20, ledger=True)
    assert np.array_equal(again.q, run.q) and np.array_equal(again.account, run.account)


def test_controllers_keep_their_periods() -> None:
    """A push that a controller gives every 0.1 s against the wall: called at its times, and the ledger closes."""
    called = []

    class Push:
        period = 0.1

        def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            called.append(t)
            return np.array([5.0, 0, 0, 0, 0, 0])

    dynamics = world(LAWS["damped"])
    start = dynamics.state({"ball": {"position": (0.2, 0, 0)}})
    simulation = sd.Simulation(dynamics, *start, h=0.05, contact_error=1e-3, controllers=[Push()])
    rows = simulation.run(2.0)
    assert called == pytest.approx(0.1 * np.arange(20))
    work = rows.account[-1, [ACCOUNT.index("work_actuators"), ACCOUNT.index("work_contacts")]].sum()
    assert 0.5 * rows.v[-1, 0] ** 2 == pytest.approx(work, abs=1e-9)
    fine = sd.Simulation(dynamics, *start, h=1e-4, controllers=[Push()]).run(2.0, record_every=500)
    assert rows.q[:, 0] == pytest.approx(fine.q[:, 0], abs=2e-3 * np.abs(fine.v[:, 0]).max())
    assert simulation.motion.counts["divided"] < 1500


def test_nothing_thin_is_passed() -> None:
    """A ball flies past a wall, overlapping it by 2 % of its size on the way: one step would pass it unseen, and is
    refused; one that is divided sees it."""
    dynamics = world(LAWS["Hertz"])
    start = dynamics.state({"ball": {"position": (0.44, 0.596, 0.0), "velocity": (4.5, 0.0, 0.0)}})
    coarse, divided = (sd.Motion(dynamics, *start, h=0.25, contact_error=error) for error in (None, 1e-2))
    with pytest.raises(sd.StepFailed, match="unseen"):
        coarse.run(1)
    divided.run(1)
    assert divided.v[1] > 1e-3


@pytest.mark.parametrize("error", [0.0, -1.0, 0.1, float("nan")])
def test_bad_errors(error: float) -> None:
    with pytest.raises(ValueError, match=r"contact_error must be from 1e-08 to 0\.03"):
        moved(world(LAWS["Hertz"]), 0.2, 0.05, error)


def test_steps_are_divided_for_a_latch_that_gives_way_too() -> None:
    """Nothing touches: x'' = -900 x - 2 x' of a ball of 1 kg on springs, pushed once, in steps of 50 ms (h ω = 1.5)."""
    at = sd.Pose(position=(-1.0, 0, 0))
    frames = (sd.Frame(name="nest", body="wall", placement=at), sd.Frame(name="middle", body="ball"))
    spring = Bushing(stiffness=900.0, damping=2.0, angular_stiffness=1.0, angular_damping=0.1)
    latch = sd.Latch(
        name="held", kind="weld", frame_a="nest", frame_b="middle", capture_distance=0.02, capture_angle=0.1,
        compliance=spring, engaged=True,
    )  # fmt: skip
    bare = sd.World(bodies=[BALL, WALL], frames=frames, latches=(latch,))
    dynamics = sd.Dynamics(bare.with_contacts("all", compliance=LAWS["linear"]))
    q, v = dynamics.state({"ball": {"position": (-1.0, 0, 0), "velocity": (0.3, 0, 0)}})
    with pytest.raises(sd.StepFailed, match="stiffer than the step resolves"):
        sd.Motion(dynamics, q, v, h=0.05).run(20)
    motion = sd.Motion(dynamics, q, v, h=0.05, contact_error=1e-4)
    rows = motion.run(20)
    omega = np.sqrt(900.0 - 1.0)
    x = 0.3 / omega * np.exp(-rows.t) * np.sin(omega * rows.t)
    assert np.abs(rows.q[:, 0] + 1.0 - x).max() < 0.3 / omega * 1e-4 * omega * rows.t[-1]
