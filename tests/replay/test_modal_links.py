"""Modal appendages are drawn where their modes move them."""

from pathlib import Path

import numpy as np
import pytest

import softdock as sd
from softdock.dynamics import ACCOUNT, Trajectory
from softdock.replay.poses import poses_of
from softdock.runs.ledger import state_columns
from softdock.runs.recorder import Recorder
from softdock.runs.recording import read_run

I, TIP = 60.0, 4.0
"""Inertia about the hinge (kg m²), and length (m)."""


@pytest.mark.parametrize("exaggerate", [1.0, 5.0])
def test_a_panel_on_a_spring_hinge_is_drawn_turned_about_it(tmp_path: Path, exaggerate: float) -> None:
    """Its one mode is a turn about y: with participation M e/√I, the angle is η/√I, of the whole and of a piece."""
    M = np.diag([20.0, 20.0, 20.0, 3.0, I, I])
    M[1, 5] = M[5, 1] = 30.0
    M[2, 4] = M[4, 2] = -30.0
    turned = np.zeros((6, 1))
    turned[2], turned[4] = -TIP / np.sqrt(I), 1 / np.sqrt(I)
    box = sd.Box(size=(0.1, 0.1, 0.1))
    world = sd.modal(
        sd.World(bodies=[sd.Body(name="bus", mass=250, inertia=(45, 40, 50))]), name="panel", on="bus",
        placement=sd.Pose(position=(0.5, 0, 0), rpy=(0.2, 0.1, 0.4)), frequencies=(0.2,),
        participation=M[:, 4:5] / np.sqrt(I), mass_matrix=M, shapes=[box],
        pieces=[{"name": "tip", "placement": {"position": [TIP, 0, 0]}, "shapes": [box], "motion": turned.tolist()}],
    )  # fmt: skip
    dynamics = sd.Dynamics(world)
    eta = np.array([0.0, 0.3, -0.2]) / exaggerate
    q = np.tile(dynamics.layout.neutral(), (3, 1))
    q[:, dynamics.layout.q["panel.mode1"].start] = eta
    rows = Trajectory(np.arange(3.0), q, np.zeros((3, dynamics.nv)), np.zeros((3, len(ACCOUNT))))
    with Recorder(tmp_path / "run", world) as recorder:
        recorder.append("states", state_columns(dynamics, rows))
        recorder.write_metrics({"status": "done"})
    drawn = poses_of(read_run(tmp_path / "run"), dynamics, 100, exaggerate)
    root = sd.Pose(position=(0.5, 0, 0), rpy=(0.2, 0.1, 0.4))
    for k, angle in enumerate(exaggerate * eta / np.sqrt(I)):
        whole = root @ sd.Pose(rpy=(0, angle, 0))
        np.testing.assert_allclose(drawn.position["panel"][k], whole.position, atol=1e-12)
        np.testing.assert_allclose(np.abs(drawn.quaternion["panel"][k] @ whole.quaternion), 1.0, atol=1e-12)
        tip = root.position + root.rotation @ np.array([TIP, 0, -TIP * angle])
        np.testing.assert_allclose(drawn.position["panel.tip"][k], tip, atol=1e-12)


def test_a_piece_with_too_few_modes_is_refused() -> None:
    box = sd.Box(size=(0.1, 0.1, 0.1))
    piece = {"name": "tip", "shapes": [box], "motion": [[0.0, 1.0]] * 6}
    with pytest.raises(ValueError, match="piece 'tip' takes 6 rows of 1 numbers"):
        sd.modal(
            name="panel", frequencies=(0.2,), participation=np.zeros((6, 1)), mass_matrix=np.eye(6), pieces=[piece]
        )
