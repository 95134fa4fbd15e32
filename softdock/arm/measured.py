"""Measured torques beside modelled ones."""

from typing import NamedTuple

import numpy as np

from softdock.arm.identify import Identified, moving
from softdock.arm.logs import Log
from softdock.arm.serial import SerialArm
from softdock.arm.torques import inverse_dynamics


class Measured(NamedTuple):
    """Torques (N, n) along a log; `measured` is None if the log has none."""

    t: np.ndarray
    """(s)."""
    measured: np.ndarray | None
    """(N or N m)."""
    modelled: np.ndarray
    """(N or N m)."""
    moving: np.ndarray
    """(N, n): where a joint does not turn over or stick; friction is known only there (-)."""

    def table(self) -> list[dict[str, float | None]]:
        """A joint each: range of the measured torque (N m), largest and root-mean-square error, the latter by the range
        over all samples and over those in which the joint is moving."""
        if self.measured is None:
            return [{"range": float(x)} for x in np.ptp(self.modelled, axis=0)]
        error, reach = self.measured - self.modelled, np.ptp(self.measured, axis=0)
        rms, most = np.sqrt(np.mean(error**2, axis=0)), np.abs(error).max(axis=0)
        gliding = np.sqrt(np.sum(error**2 * self.moving, axis=0) / np.maximum(self.moving.sum(axis=0), 1))
        return [
            {
                "range": r,
                "error_max": m,
                "error_rms": e,
                "share": e / r if r else None,
                "moving_share": g / r if r else None,
            }
            for r, m, e, g in zip(*(x.tolist() for x in (reach, most, rms, gliding)), strict=True)
        ]


def compare(log: Log, model: SerialArm | Identified) -> Measured:
    """The torques of an arm, or of one identified with its friction, along a log."""
    modelled = model.torques(log) if isinstance(model, Identified) else inverse_dynamics(model, log.q, log.v, log.a)
    return Measured(log.t, log.torque, modelled, moving(log))
