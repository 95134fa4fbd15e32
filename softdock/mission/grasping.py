"""The world's side of grippers: what latches and fingers do when they are asked to, and what is measured of them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.part import Truth
from softdock.runs.simulation import Simulation
from softdock.spatial import vector_of_matrix
from softdock.world import Pose
from softdock.world.fingers import fingers_of, locks_of


class Envelope(NamedTuple):
    """How far off the handle may be for the gripper to hold it."""

    distance: float = 0.010
    """(m)."""
    angle: float = 0.0349
    """(rad)."""
    speed: float = 0.010
    """(m/s)."""


class Handle(NamedTuple):
    """Something to hold by a latch: a frame of the target."""

    latch: str
    frame: str
    placement: Pose
    """In the frame of the gripper's first handle."""


class Engage(NamedTuple):
    """A request: hold a handle by its latch, with the gripper meant to be at `grasp` in the first handle's frame."""

    grasp: Pose
    handle: Handle

    def fit(self, truth: Truth, tip: str) -> "Fit":
        """How the frame `tip` is off this grasp."""
        return fit_of(truth, tip, self.handle.frame, self.handle.placement.inverse() @ self.grasp)


class Drive(NamedTuple):
    """A request: move the fingers, −1 to close, 1 to open; with `release`, let go what latches hold."""

    way: int
    release: bool = False


class FingerState(NamedTuple):
    """What the encoders of two fingers say."""

    openings: np.ndarray
    """Of each, half of the gripper's (m)."""
    rates: np.ndarray
    """Of each (m/s)."""


class Fit(NamedTuple):
    """How a gripper is off its grasp of a handle."""

    distance: float
    """(m)."""
    angle: float
    """(rad)."""
    speed: float
    """(m/s)."""


def fit_of(truth: Truth, tip: str, handle: str, grasp: Pose) -> Fit:
    """How the frame `tip` is off a grasp of the frame `handle`."""
    dynamics, q = truth.dynamics, truth.q
    (R_g, p_g), (R_h, p_h) = (dynamics.pose(frame, q) for frame in (tip, handle))
    slip = (dynamics.jacobian(tip, q) - dynamics.jacobian(handle, q)) @ truth.v
    return Fit(
        float(np.linalg.norm(p_g - p_h - R_h @ np.asarray(grasp.position))),
        float(np.linalg.norm(vector_of_matrix((R_h @ grasp.rotation).T @ R_g))),
        float(np.linalg.norm(slip[3:])),
    )


class IdealGrasp:
    """An ideal gripper: compares, engages, and notes how well it fitted."""

    def __init__(self, latches: Sequence[str], tip: str, envelope: Envelope) -> None:
        self._latches, self._tip, self._envelope = tuple(latches), tip, envelope

    def act(self, simulation: Simulation, truth: Truth, request: Engage | Drive) -> bool | None:
        if isinstance(request, Drive):
            if request.release:
                _release(simulation, self._latches)
            return None
        fit, (latch, handle, _) = request.fit(truth, self._tip), request.handle
        held = all(off <= most for off, most in zip(fit, self._envelope, strict=True))
        changed = {"momentum_change": engaged(simulation, truth, latch, handle)} if held else {}
        simulation.note(
            "closed", gripper=self._tip, handle=handle, kind_of_grasp="ideal", held=held, **fit._asdict(), **changed
        )
        return held


class FingerGrasp:
    """Two fingers: their motors push; once they hold, the latch rigidises, and welds hold them to the palm."""

    def __init__(self, dynamics: Dynamics, latches: Sequence[str], tip: str) -> None:
        self._latches, self._tip, self._locks = tuple(latches), tip, locks_of(tip)
        _, *fingers = fingers_of(tip)
        joints = [dynamics.world.body(name).joint for name in fingers]
        self._v = dynamics.layout.flat(fingers)[1]
        self._force = np.array([joint.actuator.effort for joint in joints])  # type: ignore[union-attr]

    def act(self, simulation: Simulation, truth: Truth, request: Engage | Drive) -> bool | None:
        if isinstance(request, Drive):
            self._drive(simulation, request)
            return None
        fit, (latch, handle, _) = request.fit(truth, self._tip), request.handle
        self._push(simulation, 0)
        changed = engaged(simulation, truth, latch, handle)
        for lock in self._locks:
            simulation.engage(lock)
        simulation.note(
            "closed", gripper=self._tip, handle=handle, kind_of_grasp="fingers", held=True, **fit._asdict(),
            momentum_change=changed,
        )  # fmt: skip
        return True

    def _drive(self, simulation: Simulation, request: Drive) -> None:
        if request.release:
            _release(simulation, (*self._latches, *self._locks))
        self._push(simulation, request.way)
        simulation.note("fingers", gripper=self._tip, way={-1: "closing", 0: "still", 1: "opening"}[request.way])

    def _push(self, simulation: Simulation, way: int) -> None:
        command = np.atleast_2d(simulation.command)[-1].copy()
        command[self._v] = way * self._force
        simulation.command = command


def _release(simulation: Simulation, latches: Sequence[str]) -> None:
    for latch in latches:
        if latch in simulation.motion.engaged:
            simulation.release(latch)


class FingerEncoders:
    """Measures the openings of two fingers and their rates at every period of the mission."""

    period = None

    def __init__(self, dynamics: Dynamics, tip: str) -> None:
        _, *fingers = fingers_of(tip)
        self._q, self._v = dynamics.layout.flat(fingers)

    def measure(self, truth: Truth) -> FingerState:
        return FingerState(truth.q[self._q], truth.v[self._v])


def engaged(simulation: Simulation, truth: Truth, latch: str, handle: str) -> float:
    """Engage a latch; the change of momentum and angular momentum, over that of the handle's free body alone."""
    dynamics, t = truth.dynamics, truth.t
    before = dynamics.balance(truth.q, truth.v, t)
    simulation.engage(latch)
    q, v = simulation.q, simulation.v
    after = dynamics.balance(q, v, t)
    alone, name = np.zeros(dynamics.nv), dynamics.world.body_of(handle)
    while dynamics.layout.kind[name] == "fixed":
        name = dynamics.world.body(name).parent
    alone[dynamics.layout.v[name]] = v[dynamics.layout.v[name]]
    own = dynamics.balance(q, alone, t)
    changes = (
        (after.angular_momentum - before.angular_momentum, own.angular_momentum),
        (after.momentum - before.momentum, own.momentum),
    )
    sizes = [(np.linalg.norm(change), np.linalg.norm(size)) for change, size in changes]
    return float(max(change / size if size else change for change, size in sizes))
