"""A mode's motion as a run, for the replay."""

from pathlib import Path

import numpy as np

from softdock.dynamics import ACCOUNT, Dynamics, Trajectory
from softdock.dynamics.latch_loads import displaced
from softdock.dynamics.modes import Modes
from softdock.runs.ledger import state_columns
from softdock.runs.recorder import Recorder

FRAMES, PERIODS = 60, 4
"""A period has so many rows, and a run so many periods."""


def record_mode(dynamics: Dynamics, q: np.ndarray, modes: Modes, mode: int, amplitude: float, path: str | Path) -> Path:
    """Write a run directory in which the world vibrates about q in one mode, undamped, its largest coordinate by
    `amplitude` (m or rad); `softdock replay` shows it. Returns the directory."""
    if not 0 < amplitude < np.inf:
        raise ValueError(f"a mode is shown with an amplitude that is positive, not {amplitude}")
    turn = 2 * np.pi * np.arange(FRAMES * PERIODS + 1) / FRAMES
    t = turn / (2 * np.pi * modes.frequency[mode])
    moved = amplitude * np.real(np.exp(1j * turn)[:, None] * modes.shape[mode])
    rate = amplitude * np.real(1j * 2 * np.pi * modes.frequency[mode] * np.exp(1j * turn)[:, None] * modes.shape[mode])
    about = np.tile(np.asarray(q, dtype=np.float64), (len(t), 1))
    rows = Trajectory(t, displaced(dynamics, about, moved), rate, np.zeros((len(t), len(ACCOUNT))))
    with Recorder(path, dynamics.world) as recorder:
        recorder.append("states", state_columns(dynamics, rows))
        recorder.write_metrics({"status": "done", "frequency": float(modes.frequency[mode])})
    return Path(path)
