"""A third engine: accelerations and momentum of a free-flying arm are MuJoCo's."""

import mujoco
import numpy as np
import pytest
from worlds import free_flyer, random_state

from softdock.dynamics import Dynamics
from softdock.world import Free, Uniform, World

GRAVITY = Uniform(acceleration=(0.3, -1.0, -2.0))


def mjcf(world: World) -> str:
    """The world as MuJoCo reads it; its free joint has our conventions for velocities."""

    def text(values) -> str:  # type: ignore[no-untyped-def]
        return " ".join(repr(float(x)) for x in values)

    def element(body) -> str:  # type: ignore[no-untyped-def]
        I = np.array(body.inertia)
        six = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        inertial = f'<inertial mass="{body.mass!r}" pos="{text(body.center)}" fullinertia="{text(six)}"/>'
        joint = (
            "<freejoint/>" if isinstance(body.joint, Free) else f'<joint type="hinge" axis="{text(body.joint.axis)}"/>'
        )
        children = "".join(element(child) for child in world.bodies if child.parent == body.name)
        at = f'pos="{text(body.placement.position)}" quat="{text(body.placement.quaternion)}"'
        return f'<body name="{body.name}" {at}>{inertial}{joint}{children}</body>'

    roots = "".join(element(body) for body in world.bodies if body.parent == "world")
    option = f'<option gravity="{text(GRAVITY.acceleration)}"/><compiler balanceinertia="false" angle="radian"/>'
    return f"<mujoco>{option}<worldbody>{roots}</worldbody></mujoco>"


@pytest.mark.parametrize("seed", range(3))
def test_accelerations_of_a_free_flying_arm(seed: int) -> None:
    dynamics = Dynamics(free_flyer(7, GRAVITY))
    rng = np.random.default_rng(seed)
    q, v = random_state(dynamics, rng)
    force = rng.normal(size=dynamics.nv)
    model = mujoco.MjModel.from_xml_string(mjcf(dynamics.world))
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, force
    mujoco.mj_forward(model, data)
    ours = dynamics.forward_dynamics(q, v, force)
    np.testing.assert_allclose(ours, data.qacc, rtol=0, atol=1e-9 * np.abs(data.qacc).max())
    M = np.zeros((dynamics.nv, dynamics.nv))
    mujoco.mj_fullM(model, data, M)
    np.testing.assert_allclose(dynamics.mass_matrix(q), M, rtol=0, atol=1e-11 * np.abs(M).max())
