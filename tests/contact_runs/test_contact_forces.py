"""Forces of compliant contacts, asked for and recorded: against the momentum that they change, statics and the law."""

from pathlib import Path

import numpy as np
import pytest
from soft_worlds import ball, cuboid, ground, pair

import softdock as sd
from softdock.runs.recorder import Recorder
from softdock.runs.recording import Run, read_run
from softdock.runs.simulation import Simulation

HERTZ = {"stiffness": 1e5, "exponent": 1.5, "damping": 0.2}


def bounced(path: Path, dynamics: sd.Dynamics, start: dict, h: float, duration: float) -> tuple[Run, np.ndarray]:
    """A recorded run, and the momentum (kg m/s) of its first body in the world, row by row."""
    with Recorder(path, dynamics.world) as recorder:
        rows = Simulation(dynamics, *dynamics.state(start), h=h).run(duration, recorder=recorder)
    name = next(body.name for body in dynamics.world.bodies if body.mass)
    return read_run(path), dynamics.world.body(name).mass * rows.v[:, dynamics.layout.v[name]][:, :3]


def impulse(run: Run, h: float) -> np.ndarray:
    """∫ force dt on the gaps' body a (N s): rows without contact have none, so the trapezoids are a sum."""
    contacts = run.table("contacts")
    return h * np.array([contacts[f"force_{axis}"].sum() for axis in "xyz"])


def test_a_bounce_changes_momentum_by_the_force_recorded(tmp_path: Path) -> None:
    """A rough ball thrown at the ground, aslant; body a of the gap is the ball. It ends up rolling, so that friction
    takes 2/7 of its momentum along the ground."""
    dynamics = ground(ball(), friction=0.3, **HERTZ)
    errors = []
    for h in (1e-4, 5e-5):
        start = {"mover": {"position": (0, 0, 0.11), "velocity": (0.6, 0.2, -1.0)}}
        run, momentum = bounced(tmp_path / f"{h}", dynamics, start, h, 0.06)
        change = momentum[-1] - momentum[0]
        assert change[2] > 1.5
        assert change[:2] == pytest.approx([-0.6 * 2 / 7, -0.2 * 2 / 7], rel=0.05)
        errors.append(np.abs(impulse(run, h) - change).max())
        assert errors[-1] < 1e-3 * change[2]
    assert errors[0] / errors[1] > 2.0


def test_cuboids_that_meet_flat(tmp_path: Path) -> None:
    dynamics = pair(**(HERTZ | {"damping": 0.0}))
    start = {"a": {"velocity": (0.5, 0, 0)}, "b": {"position": (0.25, 0, 0.02), "velocity": (-0.5, 0, 0)}}
    run, momentum = bounced(tmp_path / "run", dynamics, start, 1e-4, 0.15)
    change = momentum[-1] - momentum[0]
    assert change[0] < -0.4
    assert np.abs(impulse(run, 1e-4) - change).max() < 2e-4 * abs(change[0])


ASKEW = {
    "a": {"position": (0, 0.03, 0), "velocity": (0.5, 0, 0), "quaternion": (np.cos(0.15), 0, 0, np.sin(0.15))},
    "b": {"position": (0.25, 0, 0.02), "velocity": (-0.5, 0, 0)},
}


def test_cuboids_that_meet_askew(tmp_path: Path) -> None:
    """The patch changes its outline, and what then scales the step's force (eq. 4 of the theory page) is recorded: the
    law alone would be 3 % off, at any step."""
    dynamics = pair(**(HERTZ | {"damping": 0.0}))
    errors = []
    for h in (2e-4, 1e-4):
        run, momentum = bounced(tmp_path / f"{h}", dynamics, ASKEW, h, 0.15)
        change = momentum[-1] - momentum[0]
        assert change[0] < -0.4
        errors.append(np.abs(impulse(run, h) - change).max() / abs(change[0]))
    assert errors[1] < 3e-5
    assert errors[0] / errors[1] > 3.5


def test_what_acts_now_is_what_rows_tell() -> None:
    """`contact_impulses` is what momentum changed by; loads in the middle of the opening are those of the row, however
    the run was cut; the largest force is the law's, of which a contact has all at its deepest."""
    dynamics = pair(**(HERTZ | {"damping": 0.0}))
    motion = sd.Motion(dynamics, *dynamics.state(ASKEW), h=1e-4)
    began = motion.v[:3]
    parts = [motion.run(700), motion.run(481)]
    now = motion.loads().contacts
    rows = sd.Trajectory.joined([*parts, motion.run(319)])
    mass = dynamics.world.body("a").mass
    assert motion.contact_impulses[0, :3] == pytest.approx(mass * (motion.v[:3] - began), abs=1e-12)
    assert motion.contact_impulses[0, 0] < -0.4
    found, by_law = dynamics.contacts(rows.q, rows.v, rows.eased), dynamics.contacts(rows.q, rows.v)
    assert now.force == pytest.approx(found.force[found.row == 1180], rel=1e-9)
    assert np.abs(now.force / by_law.force[by_law.row == 1180] - 1).max() > 0.05
    assert motion.contact_peaks[0] == pytest.approx(np.linalg.norm(by_law.force, axis=1).max(), rel=1e-3)


def test_a_box_at_rest_is_carried_at_its_middle() -> None:
    """m g, and the depth k ρⁿ = m g of a patch that is the whole face; the force acts below the centre of mass."""
    dynamics = ground(cuboid("mover", 2.0), stiffness=1e5, exponent=1.5, damping=0.2)
    depth = (2.0 * 9.81 / 1e5) ** (1 / 1.5)
    q, v = dynamics.state({"mover": {"position": (0.3, -0.2, 0.1 - depth)}})
    found = dynamics.contacts(q, v)
    assert [dynamics.contact_names[k] for k in found.contact] == ["touch"]
    assert found.depth == pytest.approx([depth], rel=1e-9)
    assert found.force[0] == pytest.approx([0, 0, 2.0 * 9.81], abs=1e-9)
    assert found.normal_force == pytest.approx([2.0 * 9.81], rel=1e-9)
    assert found.normal[0] == pytest.approx([0, 0, 1], abs=1e-12)
    assert found.point[0, :2] == pytest.approx([0.3, -0.2], abs=1e-12)


def test_where_nothing_touches_there_is_no_table(tmp_path: Path) -> None:
    dynamics = ground(ball(), **HERTZ)
    q, v = dynamics.state({"mover": {"position": (0, 0, 0.5)}})
    assert len(dynamics.contacts(np.stack([q, q]), v).row) == 0
    run, _ = bounced(tmp_path / "run", dynamics, {"mover": {"position": (0, 0, 0.5)}}, 1e-3, 0.01)
    assert "contacts" not in run.tables


def test_bodies_that_a_weld_makes_one_do_not_push_each_other(tmp_path: Path) -> None:
    """Two cuboids pressed together are welded: from then on the step has no force between them, nor has the table."""
    world = pair(**HERTZ).world
    latch = sd.Latch(name="weld", kind="weld", frame_a="a", frame_b="b", capture_distance=1.0)
    dynamics = sd.Dynamics(world.altered(latches=(latch,)))
    start = {"a": {"velocity": (0.2, 0, 0)}, "b": {"position": (0.201, 0, 0)}}
    with Recorder(tmp_path / "run", dynamics.world) as recorder:
        simulation = Simulation(dynamics, *dynamics.state(start), h=1e-3)
        simulation.run(0.01, recorder=recorder)
        simulation.engage("weld")
        simulation.run(0.01, recorder=recorder)
    contacts = read_run(tmp_path / "run").table("contacts")
    assert 0.005 < contacts["t"].max() <= 0.01 + 1e-9
    assert set(contacts["contact"]) == {"touch"}
