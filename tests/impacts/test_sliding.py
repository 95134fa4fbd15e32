"""What slides and spins at once, against the equations of motion of a tripod; and a ball that settles in a funnel."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import softdock as sd

GRAVITY, MU, HEIGHT, SPIN = 9.81, 0.3, 0.2, 0.02
FEET = np.array([(0.3, 0.02), (-0.2, 0.25), (-0.18, -0.2)])
FLOOR = sd.Body(
    name="floor",
    mass=0,
    joint=sd.Fixed(),
    shapes=[sd.Box(size=(9, 9, 1), placement=sd.Pose(position=(0, 0, -0.5)))],
)
DOWN = sd.Uniform(acceleration=(0, 0, -GRAVITY))


def tripod() -> sd.Dynamics:
    """Of 1 kg on three balls, whose loads are determined."""
    balls = [sd.Sphere(radius=0.05, placement=sd.Pose(position=(x, y, 0.05 - HEIGHT))) for x, y in FEET]
    body = sd.Body(name="tripod", mass=1, inertia=[0.02, 0.02, SPIN], shapes=balls)
    contact = sd.Contact(name="feet", body_a="tripod", body_b="floor", restitution=0, friction=MU)
    return sd.Dynamics(sd.World(gravity=DOWN, bodies=[FLOOR, body], contacts=[contact]))


def acceleration(_: float, s: np.ndarray) -> np.ndarray:
    """Of (x, y, angle) and their rates: every foot rubs against its own slip with what stands on it."""
    turn = np.array([[np.cos(s[2]), -np.sin(s[2])], [np.sin(s[2]), np.cos(s[2])]])
    arms = FEET @ turn.T
    slip = s[3:5] + s[5] * np.stack([-arms[:, 1], arms[:, 0]], axis=1)
    rub = -MU * slip / np.linalg.norm(slip, axis=1)[:, None]
    loads = np.linalg.solve(np.stack([np.ones(3), *(arms + HEIGHT * rub).T]), [GRAVITY, 0, 0])
    force = rub * loads[:, None]
    moment = (arms[:, 0] * force[:, 1] - arms[:, 1] * force[:, 0]).sum()
    return np.concatenate([s[3:], force.sum(axis=0), [moment / SPIN]])


START = {"tripod": {"position": (0, 0, HEIGHT), "velocity": (1.5, 0.3, 0), "angular_velocity": (0, 0, 4.0)}}


@pytest.mark.parametrize("piece", [40, 1])
def test_what_slides_and_spins_is_of_order_two_whole_or_in_pieces(piece: int) -> None:
    dynamics = tripod()
    right = solve_ivp(acceleration, (0, 0.2), [0, 0, 0, 1.5, 0.3, 4.0], rtol=1e-12, atol=1e-13).y[:, -1]
    errors = []
    for h in (0.01, 0.005):
        motion = sd.Motion(dynamics, *dynamics.state(START), h=h)
        for _ in range(0, round(0.2 / h), min(piece, round(0.2 / h))):
            motion.run(min(piece, round(0.2 / h)))
        angle = 2 * np.arctan2(motion.q[6], motion.q[3])
        found = [*motion.q[:2], angle, *motion.v[:2], motion.v[5]]
        errors.append(np.abs(np.array(found) - right).max())
        assert abs(motion.q[2] - HEIGHT) < 1e-12
    assert errors[0] < 1e-3
    assert errors[1] < 0.3 * errors[0]


def test_ball_settles_in_a_drogue() -> None:
    """It rattled on each of its staves for itself: 9 of 12 starts ended in "cannot all be satisfied at once"."""
    funnel = sd.Drogue(throat_radius=0.05, mouth_radius=0.4, depth=0.4, wall=0.03, deviation=0.004)
    drogue = sd.Body(name="drogue", mass=0, joint=sd.Fixed(), shapes=[funnel])
    ball = sd.Body(name="ball", mass=1, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
    world = sd.World(gravity=DOWN, bodies=[drogue, ball]).with_contacts("all", restitution=0.3, friction=0.2)
    dynamics = sd.Dynamics(world)
    for x, y in ((-0.17, -0.11), (0.12, 0.03)):
        motion = sd.Motion(dynamics, *dynamics.state({"ball": {"position": (x, y, 0.5)}}), h=0.005)
        run = motion.run(800)
        energy = dynamics.balance(run.q, run.v)
        assert np.diff(energy.kinetic + energy.gravity).max() < 1e-4
        assert np.abs(motion.q[:2]).max() < 1e-9
        assert np.abs(motion.v).max() < 1e-9
        assert abs(np.asarray(motion.loads().contacts.force)[:, 2].sum()) == pytest.approx(GRAVITY, rel=1e-9)
