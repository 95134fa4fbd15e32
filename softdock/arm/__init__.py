"""Serial arms: described by D-H table, screw axes, URDF or world; their kinematics and dynamics several times over."""

from softdock.arm.block import coriolis_matrix, gravity_torque, mass_matrix
from softdock.arm.denavit_hartenberg import DenavitHartenberg
from softdock.arm.discrepancy import Cause, Discrepancy, Explanation, discrepancy, masses_that_explain
from softdock.arm.excite import Excitation, excite
from softdock.arm.identify import Identified, identify
from softdock.arm.inertial import PARAMETERS, Inertial
from softdock.arm.kinematics import body_jacobian, jacobian, link_frames, pose, reach, space_jacobian
from softdock.arm.logs import BadLog, Log, read_log
from softdock.arm.measured import Measured, compare
from softdock.arm.platform import CONTROL_BOX, Balance, Platform, balance, bearing_torque
from softdock.arm.sawyer import sawyer
from softdock.arm.screws import Screws
from softdock.arm.serial import SerialArm
from softdock.arm.torques import forward_dynamics, inverse_dynamics, newton_euler, regressor
from softdock.arm.trajectories import Samples, rest_to_rest, rest_to_upright, table_1
from softdock.arm.worlds import arm_named, arm_of, arm_of_urdf, mounted

__all__ = [
    "CONTROL_BOX",
    "PARAMETERS",
    "BadLog",
    "Balance",
    "Cause",
    "DenavitHartenberg",
    "Discrepancy",
    "Excitation",
    "Explanation",
    "Identified",
    "Inertial",
    "Log",
    "Measured",
    "Platform",
    "Samples",
    "Screws",
    "SerialArm",
    "arm_named",
    "arm_of",
    "arm_of_urdf",
    "balance",
    "bearing_torque",
    "body_jacobian",
    "compare",
    "coriolis_matrix",
    "discrepancy",
    "excite",
    "forward_dynamics",
    "gravity_torque",
    "identify",
    "inverse_dynamics",
    "jacobian",
    "link_frames",
    "mass_matrix",
    "masses_that_explain",
    "mounted",
    "newton_euler",
    "pose",
    "reach",
    "read_log",
    "regressor",
    "rest_to_rest",
    "rest_to_upright",
    "sawyer",
    "space_jacobian",
    "table_1",
]


def __dir__() -> list[str]:
    return __all__
