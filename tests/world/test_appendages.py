"""Booms and panels as descriptions: what they are made of, files, and what is refused."""

import re
from typing import Any

import numpy as np
import pytest

import softdock as sd
from softdock.world.world_files import world_of

BOOM: dict[str, Any] = {"name": "boom", "length": 4.0, "line_mass": 1.5, "bending_y": 200.0, "bending_z": 300.0}
PANEL: dict[str, Any] = {"name": "panel", "length": 3.0, "width": 1.0, "mass": 9.0, "frequency": 0.5}
BUS = sd.World(bodies=(sd.Body(name="bus", mass=100.0, inertia=(10, 10, 10)),))


@pytest.mark.parametrize("rods", [1, 2, 5, 100])
def test_mass_and_inertia_are_the_whole_beams(rods: int) -> None:
    """About the root: m L²/3, whatever the rods; the mass of a taper is its integral."""
    part = sd.Beam(**{**BOOM, "line_mass": (3.0, 1.0)}, rods=rods)
    pieces = part.pieces()
    L = part.length
    np.testing.assert_allclose(sum(p.mass for p in pieces), 2.0 * L, rtol=1e-13)
    about_root = sum(p.own[1] + p.mass * (p.start + p.center) ** 2 for p in pieces)
    np.testing.assert_allclose(about_root, L**3 * (3 / 3 - 2 / 4), rtol=1e-13)  # ∫ (3 − 2x/L) x² dx
    np.testing.assert_allclose(part.hinges()[1].sum(), L, rtol=1e-13)


def test_frames_are_where_they_were_asked_for() -> None:
    world = sd.beam(BUS, **BOOM, on="bus", rods=3, stations={"camera": 0.5, "start": 0.0})
    dynamics = sd.Dynamics(world)
    q, _ = dynamics.state()
    for name, x in (("tip", 4.0), ("camera", 2.0), ("start", 0.0)):
        np.testing.assert_allclose(dynamics.pose(f"boom.{name}", q)[1], (x, 0, 0), atol=1e-14)


def test_shapes_cover_the_length_and_neighbours_do_not_touch() -> None:
    world = sd.beam(BUS, **BOOM, on="bus", rods=3, section=(0.2, 0.1), torsion=50.0)
    lengths = [body.shapes[0].size[0] for body in world.bodies if body.shapes]  # type: ignore[union-attr]
    assert sum(lengths) == pytest.approx(4.0, rel=1e-14)
    pairs = {(pair.body_a, pair.body_b) for pair in world.with_contacts("all").touching.pairs}
    assert pairs == {("boom.root", "boom.2"), ("boom.root", "boom.3"), ("boom.1", "boom.3")}


def test_panel_has_the_frequency_that_was_asked_for() -> None:
    plate = sd.Panel(**PANEL).plate()
    assert plate._first("y", plate.springs()["y"]) == pytest.approx(2 * np.pi * 0.5, rel=2e-4)  # 4 rods


def test_files_say_the_same_as_python() -> None:
    file = {
        "bodies": [{"name": "bus", "mass": 100.0, "inertia": [10, 10, 10]}],
        "frames": [{"name": "port", "body": "bus", "placement": {"position": [0.5, 0, 0]}}],
        "beams": [{**BOOM, "on": "port"}],
        "panels": [{**PANEL, "on": "boom.tip", "hinge_stiffness": 40.0, "yoke_length": 0.3, "yoke_mass": 0.5}],
    }
    port = sd.Frame(name="port", body="bus", placement=sd.Pose(position=(0.5, 0, 0)))
    world = sd.beam(BUS.altered(frames=(port,)), **BOOM, on="port")
    world = sd.panel(world, **PANEL, on="boom.tip", hinge_stiffness=40.0, yoke_length=0.3, yoke_mass=0.5)
    assert world_of(file, "file") == world


BAD: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no rods": (sd.beam, {**BOOM, "rods": 0}, "rods"),
    "no stiffness": (sd.beam, {**BOOM, "bending_y": None, "bending_z": None}, "beam 'boom' is rigid: give 'bending_y'"),
    "zero stiffness": (sd.beam, {**BOOM, "bending_y": 0.0}, "greater than 0"),
    "negative stiffness": (sd.beam, {**BOOM, "bending_z": (100.0, -1.0)}, "greater than 0"),
    "infinite stiffness": (sd.beam, {**BOOM, "bending_z": np.inf}, "finite"),
    "torsion without inertia": (sd.beam, {**BOOM, "torsion": 10.0}, "torsion needs inertia"),
    "no such section": (sd.beam, {**BOOM, "gyration": (0.2, 0.1, 0.1)}, "no section has these radii"),
    "station off the beam": (sd.beam, {**BOOM, "stations": {"far": 1.1}}, "less than or equal to 1"),
    "damped beyond reason": (sd.beam, {**BOOM, "damping_ratio": 1.0}, "less than 1"),
    "free on a body": (sd.beam, {**BOOM, "on": "bus", "free": True}, "is on no body"),
    "unknown carrier": (sd.beam, {**BOOM, "on": "bos"}, "did you mean 'bus'"),
    "unknown key": (sd.beam, {**BOOM, "EI": 3.0}, "unknown key 'EI'"),
    "two stiffnesses": (sd.panel, {**PANEL, "bending": 3.0}, "either 'frequency' (Hz) or 'bending'"),
    "yoke without length": (sd.panel, {**PANEL, "yoke_mass": 3.0}, "needs 'yoke_length'"),
    "locked and damped": (sd.panel, {**PANEL, "hinge_damping": 3.0}, "locked hinge"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "keys", "words"), BAD.values(), ids=BAD)
def test_what_cannot_be_is_refused(make: Any, keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        make(BUS, **keys)
