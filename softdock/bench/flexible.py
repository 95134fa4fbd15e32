"""A free bus with a seven-joint arm and two panels: rigid, as rods that bend and twist, and by six modes each."""

from typing import Any

import numpy as np

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import clock, least
from softdock.bench.worlds import tensor
from softdock.dynamics import Dynamics, Motion
from softdock.world import Beam, Body, Fixed, Pose, Revolute, World, beam, modal

H, STEPS, RODS, MODES = 0.01, 2000, 4, 6
PANEL: dict[str, Any] = {
    "length": 5.0, "rods": RODS, "line_mass": 4.0, "bending_y": 200.0, "bending_z": 4e3, "torsion": 100.0,
    "section": (1.5, 0.02), "damping_ratio": 0.005,
}  # fmt: skip
SIDES = (("left", 1.0), ("right", -1.0))


def bus() -> World:
    """Without panels."""
    arm = tuple(
        Body(
            name=f"arm{k + 1}", parent=f"arm{k}" if k else "bus", placement=Pose(position=(0.6, 0, 0)), mass=8.0,
            joint=Revolute(axis=(0, 1, 0) if k % 2 else (0, 0, 1)), center=(0.3, 0, 0), inertia=tensor(0.02, 0.4, 0.4),
        )
        for k in range(7)
    )  # fmt: skip
    return World(name="craft", bodies=(Body(name="bus", mass=250.0, inertia=tensor(45.0, 40.0, 50.0)), *arm))


def root(side: float) -> Pose:
    return Pose(position=(0, side / 2, 0), quaternion=(np.cos(side * np.pi / 4), 0, 0, np.sin(side * np.pi / 4)))


def with_rods() -> World:
    world = bus()
    for name, side in SIDES:
        world = beam(world, name=name, on="bus", placement=root(side), **PANEL)
    return world


def rigid_panel() -> tuple[float, float, np.ndarray]:
    """Mass, centre along it and inertia about its centre."""
    part = Beam(name="panel", **PANEL)
    m, L = part.line_mass[0] * part.length, part.length
    line = np.array([0.0, m * L * L / 12, m * L * L / 12])
    return m, L / 2, line + m * part.radii() ** 2


def with_rigid() -> World:
    world, (mass, center, inertia) = bus(), rigid_panel()
    panels = tuple(
        Body(
            name=name, parent="bus", joint=Fixed(), placement=root(side), mass=mass, center=(center, 0, 0),
            inertia=np.diag(inertia).tolist(),
        )
        for name, side in SIDES
    )  # fmt: skip
    return world.altered(bodies=(*world.bodies, *panels))


def with_modes() -> World:
    """Each panel by six modes with general participation, which takes 80 % of its mass in the direction of the most."""
    mass, center, inertia = rigid_panel()
    C = np.array([[0, 0, 0], [0, 0, -center], [0, center, 0]])
    M = np.block([[mass * np.eye(3), -mass * C], [mass * C, np.diag(inertia) - mass * C @ C]])
    raw = np.random.default_rng(23).normal(size=(6, MODES))
    L = np.linalg.cholesky(M) @ raw * np.sqrt(0.8 / np.linalg.eigvalsh(raw @ raw.T)[-1])
    world = bus()
    for name, side in SIDES:
        world = modal(
            world, name=name, on="bus", placement=root(side), frequencies=0.2 * (1 + np.arange(MODES)), participation=L,
            mass_matrix=M,
        )  # fmt: skip
    return world


def stepped(world: World) -> Any:
    """A job: seconds of a step, the joints turning at ± 0.1 rad/s."""
    dynamics = Dynamics(world)
    turning = {f"arm{k + 1}": {"position": 0.3 * np.sin(1.0 + k), "velocity": 0.1 * (-1.0) ** k} for k in range(7)}
    q, v = dynamics.state(turning)

    def job() -> float:
        motion = Motion(dynamics, q, v, h=H)
        start = clock()
        motion.run(STEPS, every=STEPS)
        return (clock() - start) / STEPS

    return job


def run(say: Say, *, rounds: int = 9) -> Result:
    """At most 12 µs a step with rods; at most 2.5 times the rigid craft's with modes."""
    worlds = {"rigid": with_rigid, "rods": with_rods, "modes": with_modes}
    say("compiling three craft")
    took = least({name: stepped(make()) for name, make in worlds.items()}, rounds=rounds)
    rows = [
        Row(f"flexible/{name}", "softdock", "variational", 2, H, 1e6 * s, 1e3 * STEPS * s) for name, s in took.items()
    ]
    return Result(
        rows,
        [
            Limit("flexible: a step with two panels of 4 rods and a 7-joint arm (µs)", 1e6 * took["rods"], 12.0),
            Limit("flexible: with two modal panels of 6 modes / rigid", took["modes"] / took["rigid"], 2.5),
        ],
    )
