"""What a motion of an arm asks of its joints, and of the wheels that hold its base, over what they can give."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.bus import Bus
from softdock.mission.craft import Craft
from softdock.planning.plan import Sample
from softdock.world import Body


class Strength:
    """Of a craft whose arm moves the velocities `in_v` (at `in_q` of q): on a free base with wheels, these give the
    moment that keeps it from turning, and nothing keeps it from giving way."""

    def __init__(self, craft: Craft, in_q: np.ndarray, in_v: np.ndarray) -> None:
        self._craft, self._in_q, self._in_v = craft, in_q, in_v
        layout = craft.dynamics.layout
        bus = next((part for part in craft.parts if isinstance(part, Bus)), None)
        self._base = np.arange(layout.v[craft.root].start, layout.v[craft.root].stop)
        self._wheels = np.zeros(0, int)
        if bus is not None and craft.is_free and not craft.pilot:
            self._wheels = layout.flat(bus.wheels)[1]
        self._driven = np.concatenate([in_v, self._wheels])
        names = layout.names()[1]
        motors: list[Any] = [getattr(craft.world.body(names[k]).joint, "actuator", None) for k in self._driven]
        self._efforts = np.array([motor.effort if motor and motor.effort else np.inf for motor in motors])
        rates = [motor.rate if motor and motor.rate else np.inf for motor in motors[len(in_v) :]]
        self._rates = np.array(rates)

    def suffices(self, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> bool:
        """For joint values, rates and accelerations (m, n), from where the craft is now."""
        craft, model, count = self._craft, self._craft.dynamics, len(x)
        q, v = np.tile(craft.q, (count, 1)), np.zeros((count, model.nv))
        q[:, self._in_q], v[:, self._in_v] = x, xd
        M, c = model.mass_matrix(q), model.inverse_dynamics(q, v, np.zeros_like(v), np.full(count, craft.t))
        a = np.zeros_like(v)
        a[:, self._in_v] = xdd
        if len(self._wheels):
            given = np.concatenate([self._base[:3], self._wheels])
            own = M[:, self._base[:, None], given]
            sizes = np.linalg.norm(own, axis=1)
            back = np.linalg.pinv(own / sizes[:, None, :]) / sizes[:, :, None]
            arm = M[:, self._base[:, None], self._in_v]
            a[:, given] = -np.einsum("kij,kj->ki", back, np.einsum("kij,kj->ki", arm, xdd) + c[:, self._base])
            spun = -np.einsum("kij,kj->ki", back, np.einsum("kij,kj->ki", arm, xd))[:, 3:]
            if np.any(np.abs(craft.v[self._wheels] + spun - spun[0]) > self._rates):
                return False
        torques = np.einsum("kij,kj->ki", M, a) + c
        return bool(np.all(np.abs(torques[:, self._driven]) <= self._efforts))


def carrying(
    craft: Craft, payload: Body, arm: tuple[str, ...], wheels: tuple[str, ...], moved: Sequence[Sample]
) -> dict[str, float]:
    """The largest torque (N m) of joints and wheels, by name, as an arm moves a payload while thrusters hold the base's
    place, and wheels its attitude."""
    model = Dynamics(craft.world.altered(bodies=(*craft.world.bodies, payload)))
    layout, count = model.layout, len(moved)
    (in_q, in_v), in_wheels = layout.flat(arm), layout.flat(wheels)[1]
    turns = np.arange(layout.v[craft.root].stop - 3, layout.v[craft.root].stop)
    q, v, a = np.tile(craft.q, (count, 1)), np.zeros((count, model.nv)), np.zeros((count, model.nv))
    for k, one in enumerate(moved):
        q[k, in_q], v[k, in_v], a[k, in_v] = one.q, one.qd, one.qdd
    M, c = model.mass_matrix(q), model.inverse_dynamics(q, v, np.zeros_like(v), np.full(count, craft.t))
    turned = np.einsum("kij,kj->ki", M[:, turns], a) + c[:, turns]
    a[:, in_wheels] = -np.einsum("kij,kj->ki", np.linalg.pinv(M[:, turns[:, None], in_wheels]), turned)
    torques = np.abs(np.einsum("kij,kj->ki", M, a) + c).max(axis=0)
    return dict(zip((*arm, *wheels), torques[np.concatenate([in_v, in_wheels])].tolist(), strict=True))
