"""Where each joint's numbers stand in the state: q (coordinates) and v (velocities)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator

from softdock.world.describe import Described, Quaternion, Vec3, nearest, shown
from softdock.world.joints import FREEDOM, Numbers, _per_coordinate
from softdock.world.model import World


class JointState(Described):
    """One joint's state, in the words that fit its kind (see joints.py); what is absent is zero."""

    position: Annotated[tuple[float, ...], BeforeValidator(_per_coordinate)] = ()
    """Of every flat coordinate (m or rad)."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Of a rotation in space, w x y z (-)."""
    velocity: Numbers = ()
    """Of every flat coordinate (m/s or rad/s)."""
    angular_velocity: Vec3 = (0.0, 0.0, 0.0)
    """Of a rotation in space, in the child's frame (rad/s)."""


@lru_cache(64)
def _slices(kinds: tuple[tuple[str, str], ...]) -> tuple[dict[str, slice], dict[str, slice], int, int]:
    """Slices of q and v of bodies with such joints, and the lengths of both; worlds of a campaign have the same."""
    q, v, nq, nv = dict[str, slice](), dict[str, slice](), 0, 0
    for name, kind in kinds:
        freedom = FREEDOM[kind]
        q[name], v[name] = slice(nq, nq + freedom.nq), slice(nv, nv + freedom.nv)
        nq, nv = nq + freedom.nq, nv + freedom.nv
    return q, v, nq, nv


class Layout:
    """Slices of q and v by body name, and the way from named states to arrays."""

    def __init__(self, world: World) -> None:
        self.kind = {body.name: body.joint.kind for body in world.bodies}
        self.q, self.v, self.nq, self.nv = _slices(tuple(self.kind.items()))

    def __repr__(self) -> str:
        joints = ", ".join(f"{name} ({kind})" for name, kind in [*self.kind.items()][:6] if kind != "fixed")
        return f"<Layout: nq {self.nq}, nv {self.nv}: {joints}{', …' if len(self.kind) > 6 else ''}>"

    def quaternions(self) -> list[int]:
        """First index in q of every quaternion."""
        return [self.q[name].stop - 4 for name, kind in self.kind.items() if FREEDOM[kind].rotates]

    def neutral(self) -> np.ndarray:
        """All joints at zero: q with identity quaternions."""
        q = np.zeros(self.nq)
        if quaternions := self.quaternions():
            q[quaternions] = 1.0
        return q

    def state(self, named: Mapping[str, JointState | Mapping[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
        """Arrays (q, v) of joints' states given by body name; joints not named are at zero, at rest."""
        q, v = self.neutral(), np.zeros(self.nv)
        if not isinstance(named, Mapping):
            raise ValueError(f"initial state: must be a table by body, not {shown(named)}")
        for name, value in named.items():
            if name not in self.q:
                raise ValueError(f"initial state: no body {shown(name)}{nearest(str(name), self.q)}")
            if not isinstance(value, JointState | Mapping):
                raise ValueError(f"initial state of {name!r}: must be a table, not {shown(value)}")
            state = value if isinstance(value, JointState) else JointState.model_validate(dict(value))
            self._fill(name, state, q[self.q[name]], v[self.v[name]])
        return q, v

    def _fill(self, name: str, state: JointState, q: np.ndarray, v: np.ndarray) -> None:
        kind = self.kind[name]
        freedom = FREEDOM[kind]
        flat = len(freedom.flat)
        for key, given, target in (("position", state.position, q), ("velocity", state.velocity, v)):
            if given:
                if len(given) != flat:
                    raise ValueError(f"initial state of {name!r}: {key} of a {kind} joint takes {flat} numbers")
                target[:flat] = given
        if freedom.rotates:
            q[flat:], v[flat:] = state.quaternion, state.angular_velocity
        elif not state.__pydantic_fields_set__.isdisjoint(("quaternion", "angular_velocity")):
            raise ValueError(f"initial state of {name!r}: a {kind} joint has no quaternion or angular_velocity")

    def names(self) -> tuple[list[str], list[str]]:
        """A label for every entry of q and of v."""
        q = [name + part for name, kind in self.kind.items() for part in FREEDOM[kind].labels()[0]]
        v = [name + part for name, kind in self.kind.items() for part in FREEDOM[kind].labels()[1]]
        return q, v

    def velocities(self, names: Iterable[str]) -> np.ndarray:
        """Indices into v of bodies (all velocities of their joints) or of single labels such as "base.wx"."""
        labels = self.names()[1]
        known: dict[str, tuple[int, ...]] = {label: (k,) for k, label in enumerate(labels)}
        known |= {body: tuple(range(v.start, v.stop)) for body, v in self.v.items() if v.stop > v.start}
        found: list[int] = []
        for name in names:
            if name not in known:
                raise ValueError(f"no coordinate {name!r}{nearest(name, known)}")
            found += known[name]
        if len(set(found)) < len(found):
            twice = next(labels[k] for k in found if found.count(k) > 1)
            raise ValueError(f"coordinate {twice!r} is named twice")
        return np.array(found, dtype=np.int64)

    def flat(self, names: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """Indices into q and into v of coordinates whose velocity is their rate: everything but rotations in space."""
        v = self.velocities(names)
        q_of: dict[int, int] = {}
        for body, kind in self.kind.items():
            q_of |= {self.v[body].start + k: self.q[body].start + k for k in range(len(FREEDOM[kind].flat))}
        for k in v:
            if int(k) not in q_of:
                raise ValueError(f"{self.names()[1][k]!r} is a rotation in space, not a single coordinate")
        return np.array([q_of[int(k)] for k in v], dtype=np.int64), v
