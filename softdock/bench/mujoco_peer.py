"""The same worlds in MuJoCo, stepped by its own native loop."""

from __future__ import annotations

import math
import time
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from llvmlite import ir
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

from softdock.bench.timing import Job, timed
from softdock.kernels.jit import cfunc
from softdock.world import WORLD, Body, Box, Fixed, Free, Orbit, Planar, Revolute, Uniform, World


def installed() -> bool:
    try:
        import mujoco  # noqa: F401
    except ImportError:
        return False
    return True


class MujocoEngine:
    """A world in MuJoCo, whose servos hold constant targets.

    Servos and central gravity are a native function, called without Python: MuJoCo's own joint springs take half
    as long again. With central gravity, coordinates are Earth-centred.
    """

    def __init__(self, world: World, targets: dict[str, float] | None = None) -> None:
        import mujoco

        self._mujoco = mujoco
        self.model = mujoco.MjModel.from_xml_string(mjcf(world))
        self.data = mujoco.MjData(self.model)
        self._gravity = world.gravity if isinstance(world.gravity, Orbit) else None
        mu = self._gravity.mu if self._gravity else 0.0
        servos = [(_servo(body), (targets or {}).get(body.name, 0.0)) for body in world.bodies]
        actuators = np.array([(*gains, target) for gains, target in servos if any(gains)]).reshape(-1, 3)
        self._callback = passive_forces(self.model, self.data, mu, actuators) if mu or len(actuators) else None

    def run(self, q: np.ndarray, v: np.ndarray, integrator: str, h: float, steps: int) -> tuple[float, np.ndarray]:
        """Seconds taken by the native loop, and q at its end (relative to the reference orbit)."""
        mujoco, model, data = self._mujoco, self.model, self.data
        model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
        model.opt.timestep = h
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = q, v
        if self._gravity:
            data.qpos[0] += self._gravity.semi_major_axis
            data.qvel[1] += math.sqrt(self._gravity.mu / self._gravity.semi_major_axis)
        mujoco.set_mjcb_passive(self._callback.ctypes if self._callback else None)
        try:
            seconds = timed(lambda: mujoco.mj_step(model, data, steps))
        finally:
            mujoco.set_mjcb_passive(None)
        return seconds, data.qpos.copy()

    def rollout(self, q: np.ndarray, v: np.ndarray, integrator: str, h: float, steps: int, motions: int) -> float:
        """Processor seconds of MuJoCo's own batch rollout of so many motions, in this thread."""
        from mujoco import rollout

        self.run(q, v, integrator, h, 1)  # options and state
        mujoco, model, data = self._mujoco, self.model, self.data
        full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        state = np.empty(mujoco.mj_stateSize(model, full))
        mujoco.mj_getState(model, data, state, full)
        mujoco.set_mjcb_passive(self._callback.ctypes if self._callback else None)
        began = time.process_time()
        try:
            rollout.rollout(model, data, np.tile(state, (motions, 1)), nstep=steps)
        finally:
            mujoco.set_mjcb_passive(None)
        return time.process_time() - began

    def job(self, q: np.ndarray, v: np.ndarray, integrator: str, h: float, steps: int) -> Job:
        """The time of that run."""
        return lambda: self.run(q, v, integrator, h, steps)[0]


# --- forces that MuJoCo has not, or has slower ---------------------------------------------------


def _pointer(typing: Any, address: Any) -> Any:
    """The pointer to doubles at an address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], ir.DoubleType().as_pointer())

    return types.CPointer(types.float64)(types.intp), generate


_doubles: Any = intrinsic(_pointer)


def passive_forces(model: Any, data: Any, mu: float, actuators: np.ndarray) -> Any:
    """MuJoCo's passive-force callback as machine code: −μ m r/|r|³ at every body's centre of mass, and the torques
    of servos (kp, kd, target) on the last joints. It works on the arrays of this model and data, whose addresses
    are compiled in."""
    bodies, first, count = model.nbody, model.nv - len(actuators), len(actuators)
    x_, f_, m_, q_, v_, p_ = (
        array.ctypes.data
        for array in (data.xipos, data.xfrc_applied, model.body_mass, data.qpos, data.qvel, data.qfrc_passive)
    )
    shift = model.nq - model.nv

    @cfunc(types.void(types.voidptr, types.voidptr))
    def callback(_model, _data):
        x, f, m = carray(_doubles(x_), (bodies, 3)), carray(_doubles(f_), (bodies, 6)), carray(_doubles(m_), bodies)
        for b in range(1, bodies):
            r2 = x[b, 0] ** 2 + x[b, 1] ** 2 + x[b, 2] ** 2
            pull = -mu * m[b] / (r2 * math.sqrt(r2))
            for k in range(3):
                f[b, k] = pull * x[b, k]
        q, v, torque = _doubles(q_), _doubles(v_), _doubles(p_)
        for k in range(count):
            i = first + k
            torque[i] += actuators[k, 0] * (actuators[k, 2] - q[shift + i]) - actuators[k, 1] * v[i]

    return callback


def _servo(body: Body) -> tuple[float, float]:
    servo = getattr(body.joint, "servo", None)
    return (servo.kp, servo.kd) if servo else (0.0, 0.0)


# --- the model -----------------------------------------------------------------------------------


def mjcf(world: World) -> str:
    """The world as MuJoCo's XML: bodies with fixed, revolute, planar and free joints, boxes if there are contacts,
    and latches that hold points; nothing else of it."""
    gravity = world.gravity.acceleration if isinstance(world.gravity, Uniform) else (0.0, 0.0, 0.0)
    return (
        f'<mujoco><compiler angle="radian" autolimits="false"/><option gravity="{_numbers(gravity)}"/>'
        f"<worldbody>{_bodies(world)}</worldbody><equality>{_connected(world)}</equality></mujoco>"
    )


def _connected(world: World) -> str:
    return "".join(
        f"<connect site1={quoteattr(latch.frame_a)} site2={quoteattr(latch.frame_b)}/>"
        for latch in world.latches
        if latch.kind == "point"
    )


def _sites(world: World, body: Body) -> str:
    return "".join(
        f'<site name={quoteattr(frame.name)} pos="{_numbers(frame.placement.position)}"/>'
        for frame in world.frames
        if frame.body == body.name and world.latches
    )


def _bodies(world: World) -> str:
    """From the tips to the roots: chains may be longer than Python's stack. (A body comes after its parent.)"""
    carried: dict[str, str] = {}
    for body in reversed(world.bodies):
        carried[body.parent] = _body(world, body, carried.pop(body.name, "")) + carried.get(body.parent, "")
    return carried[WORLD]


def _body(world: World, body: Body, carried: str) -> str:
    place, inertia = body.placement, np.array(body.inertia)
    six = (*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2])
    moments = f'fullinertia="{_numbers(six)}"' if inertia.any() else 'diaginertia="0 0 0"'
    return (
        f'<body name={quoteattr(body.name)} pos="{_numbers(place.position)}" quat="{_numbers(place.quaternion)}">'
        f'{_joint(body)}<inertial pos="{_numbers(body.center)}" mass="{body.mass!r}" '
        f"{moments}/>{_boxes(body) if world.contacts else ''}{_sites(world, body)}{carried}</body>"
    )


def _boxes(body: Body) -> str:
    places = [(shape, shape.placement) for shape in body.shapes if isinstance(shape, Box)]
    return "".join(
        f'<geom type="box" size="{_numbers(np.array(box.size) / 2)}" pos="{_numbers(place.position)}" '
        f'quat="{_numbers(place.quaternion)}"/>'
        for box, place in places
    )


def _joint(body: Body) -> str:
    joint = body.joint
    if isinstance(joint, Fixed):
        return ""
    if isinstance(joint, Free):
        return "<freejoint/>"
    if isinstance(joint, Planar):
        slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0"))
        return f'{slides}<joint type="hinge" axis="0 0 1"/>'
    if isinstance(joint, Revolute):
        return f'<joint type="hinge" axis="{_numbers(joint.axis)}"/>'
    raise ValueError(f"no {joint.kind} joint in the models made for MuJoCo")


def _numbers(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)
