"""What a run of 'capture' will do, done once before the clock starts, so that nothing is compiled under way."""

from typing import TYPE_CHECKING

import numpy as np

from softdock.dynamics import Dynamics, Motion
from softdock.estimation import Filter, PaperFilter, PoseMeasurement, TargetEstimator, isotropic, paper_state
from softdock.mission.conductor import Conductor
from softdock.mission.craft import own_places
from softdock.scenarios.capture.craft import CAMERA, GRASP, GRIPPER, TARGET, orbit_rate
from softdock.world import Pose

if TYPE_CHECKING:
    from softdock.scenarios.capture.scenario import Capture


def rehearse(scenario: "Capture", dynamics: Dynamics, conductor: Conductor) -> None:
    """Control, estimation, and a grasp; nothing of the run is touched."""
    q, v = scenario.state()
    (craft,) = conductor.crafts
    in_q, in_v = own_places(craft, dynamics)
    craft.measured(0.0, q[in_q], v[in_v])
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
    """The handle put into the gripper with the arm straight, held for a step, all at rest; if bodies would overlap,
    a step without that."""
    straight = q.copy()
    straight[dynamics.layout.flat(scenario.arm.joints)[0]] = 0.0
    R, p = dynamics.pose(GRIPPER, straight)
    at = Pose.of(R, p) @ scenario.target.frame.inverse()
    straight[dynamics.layout.q[TARGET]] = (*at.position, *at.quaternion)
    still = np.zeros(dynamics.nv)
    try:
        motion = Motion(dynamics, straight, still, **scenario.run.stepping)
        motion.engage(GRASP)
    except ValueError:
        motion = Motion(dynamics, q, still, **scenario.run.stepping)
    motion.run(1, ledger=True)
