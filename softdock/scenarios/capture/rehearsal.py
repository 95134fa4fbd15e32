"""What a run of 'capture' will do, done once before the clock starts, so that nothing is compiled under way."""

from typing import TYPE_CHECKING

import numpy as np

from softdock.dynamics import Dynamics, Motion
from softdock.estimation import Filter, PaperFilter, PoseMeasurement, TargetEstimator, isotropic, paper_state
from softdock.mission.conductor import Conductor
from softdock.scenarios.capture.craft import CAMERA, GRASP, GRIPPER, NQ, NV, orbit_rate
from softdock.spatial import quaternion_of_matrix

if TYPE_CHECKING:
    from softdock.scenarios.capture.scenario import Capture


def rehearse(scenario: "Capture", dynamics: Dynamics, conductor: Conductor) -> None:
    """Control, estimation, and a grasp; nothing of the run is touched."""
    q, v = scenario.state()
    (craft,) = conductor.crafts
    craft.measured(0.0, q[:NQ], v[:NV])
    for part in craft.parts:
        part.update(0.0)
    craft.viewpoint(CAMERA)
    craft.command(0.0)
    _estimate(scenario)
    _grasp(scenario, dynamics, q.copy())


def _estimate(scenario: "Capture") -> None:
    n, start = orbit_rate(scenario.orbit), scenario.start()
    covariance = isotropic(0.01, 0.01)
    estimator: Filter = TargetEstimator(n)
    if scenario.estimator == "paper":
        estimator = PaperFilter(n, t=-1.0, state=paper_state(start), covariance=1e-4 * np.eye(20))
    for t in (0.0, 0.5, 1.0, 1.5):
        estimator.update(PoseMeasurement(t, start.position, start.quaternion, covariance))
    estimator.forecast(2.0)


def _grasp(scenario: "Capture", dynamics: Dynamics, q: np.ndarray) -> None:
    """The handle put into the gripper, held for a step, all at rest."""
    R, p = dynamics.pose(GRIPPER, q)
    q[NQ : NQ + 3] = p - R @ scenario.target.handle
    q[NQ + 3 : NQ + 7] = quaternion_of_matrix(R)
    motion = Motion(dynamics, q, np.zeros(dynamics.nv), h=scenario.run.h)
    motion.engage(GRASP)
    motion.run(1, ledger=True)
