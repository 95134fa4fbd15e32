"""A rotation that goes round within a step is refused, unless its angle has no effect."""

import numpy as np
import pytest

import softdock as sd


def tensor(x: float, y: float, z: float) -> tuple[tuple[float, float, float], ...]:
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def craft(**rotor: object) -> sd.Dynamics:
    """A free body with a rotor about z."""
    whole = {"name": "rotor", "parent": "bus", "joint": sd.Revolute(), "mass": 2.0, "inertia": tensor(0.05, 0.05, 0.1)}
    bodies = (sd.Body(name="bus", mass=100.0, inertia=tensor(10.0, 12.0, 14.0)), sd.Body(**whole | rotor))
    return sd.Dynamics(sd.World(name="craft", bodies=bodies))


def spinning(dynamics: sd.Dynamics, rate: float, h: float = 0.01) -> sd.Motion:
    v = np.zeros(dynamics.nv)
    v[3:6], v[-1] = (0.01, -0.02, 0.03), rate
    return sd.Motion(dynamics, dynamics.layout.neutral(), v, h=h)


UNBALANCED = {
    "off its axis": {"center": (1e-3, 0.0, 0.0)},
    "of two inertias": {"inertia": tensor(0.05, 0.06, 0.1)},
    "tilted": {"inertia": ((0.06, 0.0, 1e-3), (0.0, 0.06, 0.0), (1e-3, 0.0, 0.1))},
}


@pytest.mark.parametrize("name", UNBALANCED)
def test_a_rotor_that_turns_once_a_step_is_refused(name: str) -> None:
    dynamics = craft(**UNBALANCED[name])
    with pytest.raises(sd.StepFailed, match=r"'rotor' turns more than 2 rad within the step of 0\.01 s; try a smaller"):
        spinning(dynamics, 2 * np.pi / 0.01).run(10)
    spinning(dynamics, 150.0).run(10)


def test_a_balanced_wheel_may_turn_as_fast_as_it_likes() -> None:
    """Against a step in which it turns by a hundredth of that: the same motion of the bus, at the method's order."""
    fast, fine = (spinning(craft(), 1000.0, h) for h in (0.01, 0.001))
    fast.run(200)
    fine.run(2000)
    assert fast.q[:7] == pytest.approx(fine.q[:7], abs=2e-4)


def test_what_carries_something_is_followed() -> None:
    blade = sd.Body(
        name="blade", parent="rotor", joint=sd.Revolute(axis=(0, 1, 0)), mass=0.1, inertia=tensor(1e-3, 1e-3, 1e-3)
    )
    world = craft().world
    dynamics = sd.Dynamics(world.altered(bodies=(*world.bodies, blade)))
    v = np.zeros(dynamics.nv)
    v[6] = 700.0
    with pytest.raises(sd.StepFailed, match="'rotor' turns more than 2 rad"):
        sd.Motion(dynamics, dynamics.layout.neutral(), v, h=0.01).run(1)


def test_a_turntable_about_a_fixed_axis_needs_only_its_centre_on_it() -> None:
    def table(center: tuple[float, float, float]) -> sd.Motion:
        body = sd.Body(name="table", joint=sd.Revolute(), mass=1.0, center=center, inertia=tensor(1.0, 2.0, 2.5))
        return sd.Motion(sd.Dynamics(sd.World(name="table", bodies=(body,))), [0.0], [700.0], h=0.01)

    run = table((0.0, 0.0, 0.3)).run(100)
    assert run.q[-1, 0] == pytest.approx(700.0, rel=1e-13)
    with pytest.raises(sd.StepFailed, match="'table' turns more than 2 rad"):
        table((0.1, 0.0, 0.0)).run(1)


def test_a_rotor_that_loses_its_balance_is_followed_after_a_revision() -> None:
    dynamics = craft()
    spinning(dynamics, 700.0).run(1)
    other = sd.revised(dynamics, craft(inertia=tensor(0.05, 0.07, 0.1)).world)
    with pytest.raises(sd.StepFailed, match="'rotor' turns more than 2 rad"):
        spinning(other, 700.0).run(1)
