"""Units of the keys that campaigns vary, and of the metrics of 'servicing'."""

from softdock.runs import clearance
from softdock.runs.measures import Declared
from softdock.scenarios.mission import Mission

UNITS: Declared = {
    **Mission.units,
    **clearance.UNITS,
    "start.position": "m",
    "target.mass": "kg",
    "target.rpy": "rad",
    "target.spin": "rad/s",
    "target.rate": "rad/s",
    "beliefs.mass": "-",
    "beliefs.inertia": "-",
    "vision.position": "m",
    "vision.angle": "rad",
    "captured_at": ("s", "when the gripper held the handle"),
    "detumbled_at": ("s", "when the stack was at rest"),
    "reach_effort": ("N² m² s", "∫ Σ u² dt of the joints while the arm reached"),
    "reach_plan": ("", "with `plan.reaching=optimal`: the plan, or why there is none"),
    "detumble_effort": (
        "N² m² s",
        "∫ Σ u² dt while the stack was stopped: torques of joints and wheels, and the thrusters' force (N² s)",
    ),
    "detumble_impulse": ("N s", "of thrusters while the stack was stopped"),
    "detumble_plan": ("", "with `plan.detumble=optimal`: the plan, or why there is none"),
    "berthed_at": ("s", "when the hard latch of the port engaged"),
    "released_at": ("s", "when the gripper let go"),
    "delta_v": ("m/s", "impulse of all thrusters over the chaser's mass"),
    "wheel_momentum_max": ("N m s", "largest of one wheel"),
    "peak_contact_force": ("N", "largest force of one contact, friction included, of all steps"),
    "estimate_error_at_grasp": ("", "of the handle's pose against the chaser, as the gripper began to close"),
    "estimate_error_at_grasp.position": ("m", "distance from the true position"),
    "estimate_error_at_grasp.angle": ("rad", "angle from the true attitude"),
    "station_error": ("", "largest of the true station beside the target while the arm reached, if it turned with it"),
    "station_error.position": ("m", "distance from where it is to stand"),
    "station_error.angle": ("rad", "angle from how it is to stand"),
    "nees_mean": ("-", "mean normalised squared error of the handle's estimated pose; 6 is consistent"),
    "navigation_nees_mean": ("-", "the same of the chaser's own state; 15 is consistent"),
    "momentum_balance_error": ("kg m/s", "largest change of momentum beyond the impulse of gravity and thrusters"),
    "least_drift": (
        "m",
        "nearest to the target that it would have drifted in one orbit, had all thrust failed, by phase",
    ),
    "drift_at_end": ("m", "the same of the state at the end; nothing if the target is held or berthed"),
    "way": ("-", "how it stood beside the target: at a fixed side, in a circle, or turning with it (body)"),
    "plume_hits": ("-", "how often a plume began to hit the target"),
    "measurements": ("-", "poses of the target that were used, and refused"),
}
