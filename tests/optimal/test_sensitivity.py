"""Derivatives of whole motions against differences of them, across impacts."""

import numpy as np
import pytest
from test_plans import chaser

from softdock.dynamics import Dynamics, rollout
from softdock.optimal import sensitivity
from softdock.optimal.sensitivities import displaced
from softdock.world import Body, Contact, Fixed, Pose, Sphere, World


def with_ball() -> World:
    """The chaser's arm swings its tip against a ball on its own base."""
    world = chaser()
    tip = Body(name="tip", parent="lower", joint=Fixed(), placement=Pose(position=(0.6, 0.0, 0.0)), mass=0.0,
               shapes=(Sphere(radius=0.05),))  # fmt: skip
    ball = Body(name="ball", parent="base", joint=Fixed(), placement=Pose(position=(1.5, 0.75, 0.05)), mass=0.0,
                shapes=(Sphere(radius=0.1),))  # fmt: skip
    bump = Contact(name="bump", body_a="tip", body_b="ball", restitution=0.7)
    return world.altered(bodies=(*world.bodies, tip, ball), contacts=(bump,))


@pytest.mark.parametrize("struck", [False, True], ids=["free", "across an impact"])
def test_they_are_differences_of_the_motion(struck: bool) -> None:
    """1e-6 of central differences by every displacement and momentum of the start, and by some commands."""
    dynamics = Dynamics(with_ball() if struck else chaser())
    n, h, steps = dynamics.nv, 0.02, 60
    q, v = dynamics.state({"upper": {"position": 0.2}, "lower": {"position": 0.15}})
    v[6], v[3:6] = 0.5, (0.02, -0.03, 0.05)
    u = 0.2 * np.sin(np.arange(steps * n).reshape(steps, n))
    u[:, :6] = 0.0
    found = sensitivity(dynamics, q, v, h=h, commands=u)
    assert found.impacts == (1 if struck else 0)

    def end(delta: np.ndarray, p: np.ndarray, commands: np.ndarray) -> np.ndarray:
        start = displaced(dynamics, q, delta)
        rate = np.linalg.solve(dynamics.mass_matrix(start), dynamics.momenta(q, v) + p)
        rows = rollout(dynamics, start, rate, h=h, steps=steps, commands=commands)
        return np.concatenate([rows.q[-1], dynamics.momenta(rows.q[-1], rows.v[-1])])

    zero, e = np.zeros(n), 1e-5
    flat = [0, 1, 2, 7, 8]
    rows = [0, 1, 2, 6, 7, *range(n, 2 * n)]
    for j, one in enumerate(np.eye(2 * n) * e):
        by = (end(one[:n], one[n:], u) - end(-one[:n], -one[n:], u)) / (2 * e)
        by = by[[*flat, *range(9, 9 + n)]]
        np.testing.assert_allclose(found.by_start[rows, j], by, atol=1e-6 * max(1.0, np.abs(by).max()))
    for k in (0, 25, 59):
        nudge = np.zeros_like(u)
        nudge[k, 6] = 1e-3
        by = (end(zero, zero, u + nudge) - end(zero, zero, u - nudge))[[*flat, *range(9, 9 + n)]] / 2e-3
        np.testing.assert_allclose(found.by_commands[k][rows, 6], by, atol=1e-6)
