"""What a run of 'capture' will do, done once before the clock starts, so that nothing is compiled under way; and
whether there is a grasp to be found."""

from typing import TYPE_CHECKING

import numpy as np

from softdock.dynamics import Dynamics, Motion
from softdock.estimation import Filter, PaperFilter, PoseMeasurement, TargetEstimator, isotropic, layouts, paper_state
from softdock.estimation.model import Model
from softdock.estimation.target import target_state
from softdock.mission.chase import Chase
from softdock.mission.conductor import Conductor
from softdock.mission.craft import own_places
from softdock.mission.tracker import TargetTracker
from softdock.planning import Infeasible
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


def grasp_to_find(scenario: "Capture", within: float) -> str:
    """Why no grasp would be found to close in the first `within` seconds of those in which it may, were the target's
    motion known; empty if there is one."""
    parts = scenario.parts()
    conductor = Conductor(Dynamics(scenario.world), parts, scenario.phases, period=scenario.period(), h=scenario.run.h)
    (craft,), (q, v) = conductor.crafts, scenario.state()
    q[conductor.dynamics.layout.flat(scenario.arm.joints)[0]] = scenario.arm.ready
    craft.measured(0.0, q[: craft.dynamics.nq], v[: craft.dynamics.nv])
    for part in craft.parts:
        part.update(0.0)
    chase, nav = parts["chase"], parts["nav"]
    assert isinstance(chase, Chase) and isinstance(nav, TargetTracker)
    now = chase.earliest - chase.timing.align - chase.timing.most - 1.0
    _told(scenario, nav, np.arange(0.0, now, 0.5))
    try:
        chase.planner(now).best(now, np.arange(chase.earliest, chase.earliest + within + 1e-9, 2.0), chase.grasps)
    except Infeasible as error:
        return str(error)
    return ""


def _told(scenario: "Capture", nav: TargetTracker, times: np.ndarray) -> None:
    """The tracker's estimator, with true poses at these times (s)."""
    model = Model("target", orbit_rate(scenario.orbit), 0.0, 0.0)
    start, at = target_state(scenario.start()), layouts.MOTION.places()
    for t in times.tolist():
        shown = model.expected(start, t)
        nav.estimator.update(PoseMeasurement(t, shown[at.position], shown[at.quaternion], isotropic(1e-4, 1e-4)))


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
