"""The same worlds in Pinocchio."""

from typing import Any

import numpy as np

from softdock.world import WORLD, Revolute, Uniform, World


def installed() -> bool:
    try:
        import pinocchio  # noqa: F401
    except ImportError:
        return False
    return True


def pinocchio_model(world: World) -> Any:
    """A `pinocchio.Model` of a tree of revolute joints about z."""
    import pinocchio as pin

    model = pin.Model()
    numbers = {WORLD: 0}
    for body in world.bodies:
        if not (isinstance(body.joint, Revolute) and body.joint.axis == (0.0, 0.0, 1.0)):
            raise ValueError("only revolute joints about z in the models made for Pinocchio")
        place = pin.SE3(body.placement.rotation, np.array(body.placement.position))
        joint = model.addJoint(numbers[body.parent], pin.JointModelRZ(), place, body.name)
        inertia = pin.Inertia(body.mass, np.array(body.center), np.array(body.inertia))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        numbers[body.name] = joint
    pull = world.gravity.acceleration if isinstance(world.gravity, Uniform) else (0.0, 0.0, 0.0)
    model.gravity = pin.Motion(np.array(pull), np.zeros(3))
    return model
