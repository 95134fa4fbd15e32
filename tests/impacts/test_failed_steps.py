"""A step that fails leaves the state as it was before it, wherever in it the failure came (docs/theory/guard.md)."""

from functools import cache

import numpy as np
import pytest

import softdock as sd

G = 9.81
PLATE = (0.4, 0.4, 0.02)


@cache
def plate(soft: bool = False) -> sd.Dynamics:
    """A plate over a floor, and a tether from the floor to its middle that bears 50 N."""
    floor = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[sd.Box(size=(4, 4, 0.1))])
    body = sd.Body(name="plate", mass=1.0, inertia=(0.0134, 0.0134, 0.0267), shapes=[sd.Box(size=PLATE)])
    law = {"compliance": sd.Compliance(stiffness=1e4)} if soft else {"restitution": 0.5, "friction": 0.3}
    return sd.Dynamics(
        sd.World(
            bodies=[floor, body],
            gravity=sd.Uniform(acceleration=(0, 0, -G)),
            contacts=[sd.Contact(name="c", body_a="floor", body_b="plate", **law)],
            latches=[
                sd.Latch(
                    name="tether", kind="distance", frame_a="floor", frame_b="plate", capture_distance=9,
                    length=0.3, strength=sd.Strength(force=50.0),
                )
            ],
        )
    )  # fmt: skip


EDGE_FIRST = {"position": (0, 0, 0.3), "quaternion": (0.9, 0, 0.3, 0), "velocity": (0, 0, -60)}
CASES = {
    # the edge strikes first, and the plate is then to turn by more than 2 rad in the rest of the step
    "after an impact": (EDGE_FIRST, 2e-2, {}),
    "with parts": (EDGE_FIRST, 2e-2, {"contact_error": 1e-3}),
    "at rest": ({"position": (0, 0, 0.06)}, 1e-2, {}),
    "passed": ({"position": (0, 0, 3.0), "velocity": (0, 0, -200)}, 2e-2, {}),
    "broken": ({"position": (0, 0, 0.3)}, 1e-2, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_state_is_what_it_was_before_the_step(case: str) -> None:
    state, h, options = CASES[case]
    dynamics = plate(case == "passed")
    motion = sd.Motion(dynamics, *dynamics.state({"plate": state}), h=h, **options)
    turn = np.zeros(dynamics.nv)
    if case == "at rest":
        motion.run(5)
        turn[4] = 3e3  # of which a quarter would turn it too far in the next step
    if case == "broken":
        motion.engage("tether")
        turn[2], turn[4] = 500.0, 3e3
    for _ in range(200):
        q, v, t, engaged, account = motion.q, motion.v, motion.t, motion.engaged, motion.account
        try:
            motion.run(1, turn)
        except sd.StepFailed as error:
            assert error.time == motion.t == t
            assert len(error.trajectory) == len(error.trajectory.impacts) == len(error.trajectory.breaks) == 0
            break
    else:
        pytest.fail("no step failed")
    np.testing.assert_array_equal(motion.q, q)
    np.testing.assert_allclose(motion.v, v, atol=1e-12 * np.abs(v).max(initial=1.0))
    assert motion.engaged == engaged
    assert motion.account == pytest.approx(account, abs=1e-9)
    motion.run(0)
    shorter = sd.Motion(dynamics, motion.q, motion.v, h=h / 200)
    shorter.run(5)
    assert np.isfinite(shorter.v).all()


def test_a_weld_may_hold_bodies_in_each_other_from_the_start() -> None:
    """A probe in its port; it is not let go there, but where it is pulled out."""
    cube = {"mass": 1.0, "inertia": (0.01,) * 3, "shapes": [sd.Box(size=(0.2, 0.2, 0.2))]}
    weld = sd.Latch(name="weld", kind="weld", frame_a="a", frame_b="b", capture_distance=1, engaged=True)
    world = sd.World(bodies=[sd.Body(name=name, **cube) for name in "ab"], latches=[weld])
    dynamics = sd.Dynamics(world.with_contacts("all", restitution=0.5))
    inside, outside = (dynamics.state({"b": {"position": (x, 0, 0)}}) for x in (0.15, 0.3))
    motion = sd.Motion(dynamics, *inside, h=1e-3)
    assert motion.locked.tolist() == [True]
    with pytest.raises(ValueError, match=r"'a & b' is penetrated by 0\.05 "):
        motion.release("weld")
    assert motion.engaged == ["weld"]
    apart = sd.Motion(dynamics, *outside, h=1e-3)
    apart.release("weld")
    with pytest.raises(ValueError, match=r"'a & b' is penetrated by 0\.05 "):
        apart.place(*inside)


def test_a_soft_contact_turns_a_body_back_or_stops_the_run() -> None:
    """A ball of 20 cm on a plate of 1 cm: beyond 10.5 cm the nearer way out is the other side. With v it goes v √(m/k)
    deep, and comes back with v."""
    plane = sd.Body(name="plate", mass=0, joint=sd.Fixed(), shapes=[sd.Box(size=(2, 2, 0.01))])
    ball = sd.Body(name="ball", mass=1.0, inertia=(0.004,) * 3, shapes=[sd.Sphere(radius=0.1)])
    law = sd.Compliance(stiffness=250.0, exponent=1.0)
    contact = sd.Contact(name="soft", body_a="plate", body_b="ball", compliance=law)
    dynamics = sd.Dynamics(sd.World(bodies=[plane, ball], contacts=[contact]))
    for depth, h in ((0.09, 5e-4), (0.12, 5e-4), (5.0, 5e-4), (20.0, 5e-4)):  # the last are through in a step or two
        speed = depth * 250.0**0.5
        motion = sd.Motion(
            dynamics, *dynamics.state({"ball": {"position": (0, 0, 0.11), "velocity": (0, 0, -speed)}}), h=h
        )
        if depth < 0.1:
            motion.run(800)
            assert motion.v[2] == pytest.approx(speed, rel=1e-5)
        else:
            with pytest.raises(sd.StepFailed, match=r"'soft' goes so deep for its shapes|'soft' move so far in a step"):
                motion.run(800)
            assert motion.q[2] > -0.005  # not past the plate's middle
