"""Derivatives of whole motions against differences of them: by start, commands and numbers of the world, across
impacts, with latches that hold, and across a latch that engages at an impact."""

import numpy as np
import pytest
from test_plans import chaser

from softdock.dynamics import Dynamics, Motion
from softdock.optimal import sensitivity
from softdock.optimal.coordinates import apart, displaced
from softdock.optimal.numbers import altered
from softdock.spatial import quaternion_of_matrix
from softdock.world import Body, Contact, Fixed, Free, Latch, Planar, Pose, Revolute, Sphere, World

H, STEPS = 0.02, 60


def with_ball(**law) -> World:
    """The chaser's arm swings its tip against a ball on its own base."""
    world = chaser()
    tip = Body(name="tip", parent="lower", joint=Fixed(), placement=Pose(position=(0.6, 0.0, 0.0)), mass=0.0,
               shapes=(Sphere(radius=0.05),))  # fmt: skip
    ball = Body(name="ball", parent="base", joint=Fixed(), placement=Pose(position=(1.5, 0.75, 0.05)), mass=0.0,
                shapes=(Sphere(radius=0.1),))  # fmt: skip
    bump = Contact(name="bump", body_a="tip", body_b="ball", **({"restitution": 0.7} | law))
    return world.altered(bodies=(*world.bodies, tip, ball), contacts=(bump,))


def with_load() -> World:
    """A free payload of 1 kg (a number that kernels have as a constant) is welded to the tool."""
    world = chaser()
    ball = ((0.8, 0.0, 0.0), (0.0, 0.7, 0.0), (0.0, 0.0, 0.9))
    load = Body(name="load", joint=Free(), mass=1.0, inertia=ball)
    grasp = Latch(name="grasp", kind="weld", frame_a="tool", frame_b="load", engaged=True)
    return world.altered(bodies=(*world.bodies, load), latches=(grasp,))


def catching(restitution: float = 0.3) -> World:
    """A planar craft swings an arm against a disc that drifts; a latch holds it from the touch on."""
    disc = ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.15))
    return World(
        name="catching",
        bodies=(
            Body(name="craft", joint=Planar(), mass=50.0, inertia=((4.0, 0, 0), (0, 4.0, 0), (0, 0, 6.0))),
            Body(
                name="arm", parent="craft", joint=Revolute(), placement=Pose(position=(0.5, 0.0, 0.0)), mass=5.0,
                center=(0.5, 0.0, 0.0), inertia=((0.01, 0, 0), (0, 0.4, 0), (0, 0, 0.4)), shapes=(
                    Sphere(radius=0.1, placement=Pose(position=(1.0, 0.0, 0.0))),
                ),
            ),
            Body(name="disc", joint=Planar(), mass=8.0, inertia=disc, shapes=(Sphere(radius=0.2),)),
        ),
        contacts=(Contact(name="touch", body_a="arm", body_b="disc", restitution=restitution),),
        latches=(
            Latch(name="hold", kind="weld", frame_a="arm", frame_b="disc", capture_distance=5.0, capture_angle=1.0),
        ),
    )  # fmt: skip


def start(dynamics: Dynamics, rates: dict[str, float], **joints: float) -> tuple[np.ndarray, np.ndarray]:
    q, v = dynamics.state({name: {"position": x} for name, x in joints.items()})
    for name, rate in rates.items():
        v[dynamics.layout.velocities([name])] = rate
    return q, v


def commands(dynamics: Dynamics, driven: slice) -> np.ndarray:
    u = np.zeros((STEPS, dynamics.nv))
    u[:, driven] = 0.2 * np.sin(np.arange(STEPS * u[0, driven].size).reshape(STEPS, -1))
    return u


def ended(dynamics: Dynamics, q, v, u, engage=None) -> tuple[np.ndarray, np.ndarray]:
    """The end of a motion in which a latch engages at an impact."""
    motion = Motion(dynamics, q, v, h=H)
    for k, row in enumerate(u):
        end = (k + 1) * H
        while end - motion.t > 1e-12:
            rows = motion.step_to(end, row, stop_at=tuple(engage.values()) if engage else ())
            for latch, contact in (engage or {}).items():
                if any(hit.contact == contact for hit in rows.impacts) and latch not in motion.engaged:
                    motion.engage(latch)
    return motion.q, motion.v


def compare(dynamics: Dynamics, q, v, u, numbers: tuple[str, ...], impacts: int, engage=None, along=None) -> None:
    """1e-6 of central differences of order 4, by displacements and momenta of the start (or `along` given ones), by
    some commands, and by numbers."""
    n = dynamics.nv
    found = sensitivity(dynamics, q, v, h=H, commands=u, numbers=numbers, engage=engage)
    assert found.impacts == impacts
    there, rate = ended(dynamics, q, v, u, engage)
    np.testing.assert_allclose(found.q, there, atol=1e-9)
    np.testing.assert_allclose(found.v, rate, atol=1e-9)

    def off(world: Dynamics, delta, p, given) -> np.ndarray:
        first = displaced(world.tree, q, delta)
        rate = np.linalg.solve(world.mass_matrix(first), world.momenta(q, v) + p)
        end, rate = ended(world, first, rate, given, engage)
        return np.concatenate([apart(world.tree, there, end), world.momenta(end, rate)])

    def slope(of, e: float) -> np.ndarray:
        return (8 * (of(e) - of(-e)) - of(2 * e) + of(-2 * e)) / (12 * e)

    def same(own: np.ndarray, by: np.ndarray) -> None:
        np.testing.assert_allclose(own, by, atol=1e-6 * max(1.0, np.abs(by).max()))

    zero = np.zeros(n)
    for one in np.eye(2 * n) if along is None else along:
        same(found.by_start @ one, slope(lambda e, one=one: off(dynamics, e * one[:n], e * one[n:], u), 3e-5))
    for k in (0, 25, STEPS - 1):
        nudge = np.zeros_like(u)
        nudge[k, 6 if n > 7 else 3] = 1.0
        same(
            found.by_commands[k] @ nudge[k],
            slope(lambda e, nudge=nudge: off(dynamics, zero, zero, u + e * nudge), 1e-3),
        )
    for j, name in enumerate(numbers):

        def with_other(e: float, name: str = name) -> np.ndarray:
            return off(Dynamics(altered(dynamics.world, name, e)), zero, zero, u)

        same(found.by_numbers[:, j], slope(with_other, 1e-4))


@pytest.mark.parametrize("struck", [False, True], ids=["free", "across an impact"])
def test_they_are_differences_of_the_motion(struck: bool) -> None:
    dynamics = Dynamics(with_ball() if struck else chaser())
    q, v = start(dynamics, {"upper": 0.5, "base.wx": 0.02, "base.wy": -0.03, "base.wz": 0.05}, upper=0.2, lower=0.15)
    numbers = ("lower.mass", "base.inertia.xy", *(("bump.restitution", "ball.placement.position.y") if struck else ()))
    compare(dynamics, q, v, commands(dynamics, slice(6, 8)), numbers, int(struck))


def test_with_a_payload_that_is_held() -> None:
    """By the start's displacements that keep what is held; and by the payload's mass, a number of exactly 1."""
    dynamics = Dynamics(with_load())
    q, v = start(dynamics, {}, upper=0.2, lower=0.5)
    R, p = dynamics.pose("tool", q)
    q[dynamics.layout.q["load"]] = [*p, *quaternion_of_matrix(R)]
    alone = Dynamics(chaser())
    v[:8] = rates = np.array([0.02, -0.01, 0.03, 0.02, -0.03, 0.05, 0.3, -0.2])
    w, linear = np.split(alone.jacobian("tool", q[:9]) @ rates, 2)
    v[8:11], v[11:] = linear, R.T @ w
    J = alone.jacobian("tool", q[:9])
    moves = [np.concatenate([e, J[3:] @ e, R.T @ J[:3] @ e, np.zeros(14)]) for e in np.eye(8)]
    pushes = [np.concatenate([np.zeros(14), e]) for e in np.eye(14)[:8]]
    compare(
        dynamics, q, v, commands(dynamics, slice(6, 8)), ("load.mass", "lower.center.y"), 0, along=[*moves[6:], *pushes]
    )


def swung(dynamics: Dynamics) -> tuple[np.ndarray, np.ndarray]:
    q, v = start(dynamics, {"arm": 0.6, "disc.x": -0.05, "disc.y": -0.1, "disc.angle": 0.2}, arm=0.1)
    q[dynamics.layout.q["disc"]] = (1.35, 0.75, 0.3)
    return q, v


def test_across_a_latch_that_engages_at_an_impact() -> None:
    dynamics = Dynamics(catching())
    q, v = swung(dynamics)
    u = commands(dynamics, slice(3, 4))
    compare(dynamics, q, v, u, ("disc.mass", "touch.restitution", "disc.inertia.zz"), 1, {"hold": "touch"})


def test_what_is_not_differentiated_is_told() -> None:
    def refused(world: World, match: str, **how) -> None:
        dynamics = Dynamics(world)
        q, v = start(dynamics, {"upper": 0.5}, upper=0.2, lower=0.15)
        with pytest.raises(ValueError, match=match):
            sensitivity(dynamics, q, v, h=H, commands=np.zeros((STEPS, dynamics.nv)), **how)

    refused(with_ball(friction=0.3), "'bump' has friction")
    pushing = Dynamics(catching(restitution=0.0))
    with pytest.raises(ValueError, match="a contact rests"):
        sensitivity(pushing, *swung(pushing), h=H, commands=np.tile([0.0, 0, 0, 20.0, 0, 0, 0], (STEPS, 1)))
    refused(chaser(), "no number 'loewr.mass'.*did you mean 'lower'", numbers=["loewr.mass"])
    refused(chaser(), "nothing is called 'weight'", numbers=["lower.weight"])
    refused(chaser(), "'lower.name' is not a number", numbers=["lower.name"])
    refused(chaser(), "engage takes latches and contacts", engage={"hold": "touch"})
