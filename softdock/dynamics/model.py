"""A compiled world: the questions one can ask of it, and the arrays that the stepping loops take."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

import softdock.mechanics
from softdock import kernels
from softdock.contact.shapes import LINK
from softdock.dynamics import frames, orbit, queries
from softdock.dynamics.arrays import batched, configuration, refuse_lengths, same_length
from softdock.dynamics.compliance import find_patch
from softdock.dynamics.contacts import Contacts, contact_batch
from softdock.dynamics.derivatives import StepDerivatives, step_derivatives
from softdock.dynamics.gaps import chain_of, contacts_of, evaluate, evaluate_batch
from softdock.dynamics.guard import levers, roots_of
from softdock.dynamics.lanes import LANE_KERNELS, lanes_for
from softdock.dynamics.latch_loads import Hold
from softdock.dynamics.latch_table import held_by, latch_table, strengths
from softdock.dynamics.loads import Loads, all_contacts, loads_of
from softdock.dynamics.modes import Modes, modes, response
from softdock.dynamics.plant import DRY, KERNELS, ContactTable, Plant
from softdock.dynamics.roots import warn_of_light_roots
from softdock.dynamics.settling import settling_of, sprung_of
from softdock.dynamics.state import EASED, FOUND, request_for, state_for
from softdock.dynamics.turning import followed_turns, idle_turns
from softdock.kernels import Prototype, Struct, record
from softdock.kernels.lanes import FOUR, ONE, Kind
from softdock.mechanics.latch_pattern import latch_pattern
from softdock.mechanics.layouts import ENERGY, INVERSE_INPUT
from softdock.mechanics.tree import WORLD_LINK, Place, Tree
from softdock.spatial import cross, lengths
from softdock.world import Orbit, World
from softdock.world.describe import nearest

_SOURCES = sorted(Path(softdock.mechanics.__file__).parent.glob("*.py"))


NO_INPUT = np.zeros((1, 1))
"""Of a kernel that takes q and v only."""


class Balance(NamedTuple):
    """Energies and momenta of a world in its own frame, with a leading batch axis if q has one."""

    kinetic: np.ndarray
    """(J)."""
    gravity: np.ndarray
    """(J)."""
    spring: np.ndarray
    """(J)."""
    momentum: np.ndarray
    """(…, 3) (kg m/s)."""
    angular_momentum: np.ndarray
    """(…, 3) about the world frame's origin (kg m²/s)."""
    center: np.ndarray
    """(…, 3) centre of mass (m)."""
    mass: float
    """(kg)."""

    @property
    def potential(self) -> np.ndarray:
        return self.gravity + self.spring

    @property
    def total(self) -> np.ndarray:
        return self.kinetic + self.potential

    @property
    def internal(self) -> np.ndarray:
        """Kinetic energy about the centre of mass: what an arm's motion is made of."""
        return self.kinetic - np.sum(self.momentum**2, axis=-1) / (2 * self.mass)

    @property
    def centroidal_angular_momentum(self) -> np.ndarray:
        """Angular momentum about the centre of mass."""
        return self.angular_momentum - cross(self.center, self.momentum)


def _cubed(r: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    return np.asarray(lengths(r) ** 3)


def _spin(r: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    return np.array([np.linalg.norm(cross(r[0], velocity[0]))])


class Dynamics:
    """Mass matrix, inverse and forward dynamics, frames, energy and linearisation of a world.

    State arrays are laid out as docs/conventions.md says: q (nq), v (nv); every method takes one
    state or a batch along a leading axis. Kernels are compiled when first needed, and cached.
    """

    def __init__(self, world: World, announce: Callable[[str], None] | None = None) -> None:
        """`announce` is told when something must be compiled."""
        self.world = world
        self._prototypes: dict[Any, Prototype] = {}
        self._spare: dict[Any, list[Any]] = {}  # memory of motions that have ended (scratch.py)
        self._orbits: dict[Callable[..., None], tuple[bytes, np.ndarray]] = {}
        self._loops: dict[str, int] = {}  # addresses of those that steps with contacts call, once a motion asked
        self.tree = Tree(world)
        self.layout = self.tree.layout
        self.nq, self.nv = self.tree.nq, self.tree.nv
        if self.nv == 0:
            raise ValueError(f"world {world.name!r}: nothing in it can move")
        self.theta = self.tree.theta()
        self.mass = float(sum(link.mass for link in self.tree.links))
        self._announce = announce
        self._structure = self.tree.structure()
        self._libraries: dict[tuple[str, Kind], kernels.Library] = {}
        self._quaternions = np.array(self.layout.quaternions(), dtype=np.int64)
        self._orbit = orbit.elements(world.gravity) if isinstance(world.gravity, Orbit) else np.zeros(0, orbit.ELEMENTS)
        self._refuse_singular()
        warn_of_light_roots(self.tree, stacklevel=3)

    def __repr__(self) -> str:
        bodies = len(self.world.bodies)
        return f"<Dynamics of {self.world.name!r}: nq {self.nq}, nv {self.nv}; bodies {bodies}, mass {self.mass:g} kg>"

    # --- kernels -------------------------------------------------------------------------------

    def kernel(self, name: str, kind: Kind = ONE) -> int:
        """Address of a compiled kernel (mechanics/functions.py lists them), of one world or of several side by side."""
        if (name, kind) not in self._libraries:
            self._libraries[name, kind] = kernels.load(
                f"{name} {self._structure}", lambda: self._derive(name), sources=_SOURCES, announce=self._say,
                kind=kind,
            )  # fmt: skip
        return self._libraries[name, kind].address(name)

    def newton_kernel(self, name: str, ledger: bool, kind: Kind = ONE) -> int:
        """Address of `newton` or `newton_held`: of that which keeps what a ledger needs, if there is one; 0 if the
        world does not need it. A uniform weight is always kept: it costs nothing, but terms that are used once are
        rounded once, with what they are added to, so that states would differ in their last digits."""
        if not self._steps_with(name):
            return 0
        weighs = self._steps_with("weight") and (ledger or self.world.gravity.kind == "uniform")
        return self.kernel(f"{name}_weighed" if weighs else name, kind)

    def new_lanes(self, worlds: int, ledger: bool) -> Struct:
        """Room for so many worlds of this structure, to be stepped side by side (`lanes.Lanes`)."""
        others = [name for name in LANE_KERNELS.names or () if "newton" not in name and "run" not in name]
        used = [name for name in others if self._steps_with(name)]
        known = {name: self.kernel(name, FOUR) for name in used if ledger or name != "push"}
        known |= {name: self.newton_kernel(name, ledger, FOUR) for name in ("newton", "newton_held")}
        return Struct(lanes_for(self.plant, self.tree.sizes, known, worlds))

    def _derive(self, name: str) -> Mapping[str, Any]:
        from softdock.mechanics.functions import derive  # CasADi is loaded only if something must be compiled

        return {name: derive(self.tree, name)}

    def _say(self, message: str) -> None:
        (self._announce or logging.getLogger("softdock").info)(message)

    @cached_property
    def plant(self) -> Plant:
        """The world as the compiled loops take it."""
        turning = followed_turns(self.tree)
        used = [name for name in KERNELS.names or () if self._steps_with(name)]
        links = self.tree.links
        resisting = [(link.stiffness, link.damping, link.friction, [link.kp, link.kd]) for link in links]
        return Plant(
            kernels=record(KERNELS, **{name: self.kernel(name) for name in used}),
            theta=self.theta,
            spherical=np.array([link.v for link in links if link.kind == "S"], dtype=np.int64),
            turning=turning,
            orbit=self._orbit,
            latch_rows=np.cumsum([0, *map(len, self.tree.latch_rows())], dtype=np.int64),
            rows=latch_table(self.tree),
            pattern=latch_pattern(self.tree),
            strengths=strengths(self.world),
            contacts=self._contacts[0],
            resists=any(np.any(values) for link in resisting for values in link),
            sprung=self._sprung,
            settling=self._settling,
            dry=self._dry,
            levers=levers(self.tree, turning),
            roots=roots_of(self.tree, bool(np.any(self._contacts[0].shapes.table[:, LINK] == WORLD_LINK))),
            is_long=self.tree.is_long,
            nq=self.nq,
            nv=self.nv,
            factor_size=self.tree.sizes["factor"],
        )

    @cached_property
    def _idle(self) -> list[int]:
        """Links whose angle need not matter."""
        return idle_turns(self.tree)

    @property
    def _settling(self) -> np.ndarray:
        return settling_of(self.tree, lambda: self._felt)

    @property
    def _sprung(self) -> float:
        return sprung_of(self.tree, lambda: self._felt)

    @cached_property
    def _felt(self) -> np.ndarray:
        """Diagonal of M⁻¹: one over the inertia that each velocity feels with all other joints free."""
        return np.linalg.inv(self._generic_mass).diagonal()

    @cached_property
    def _dry(self) -> np.ndarray:
        found = [(link.v + k, link.slide[k], link.hold[k]) for link in self.tree.links for k in range(link.dof)]
        return np.array([row for row in found if row[2] > 0.0], dtype=DRY)

    @property
    def touches(self) -> bool:
        """May anything touch, a joint stick or a latch give way?"""
        yields = any(latch.compliance for latch in self.world.latches)
        return bool(self.contact_names) or self._dry.size > 0 or yields

    @cached_property
    def struct(self) -> Struct:
        """The plant, by one pointer."""
        return Struct(self.plant)

    @cached_property
    def _size(self) -> tuple[Any, ...]:
        """All that the sizes of a state's arrays depend on."""
        plant = self.plant
        contacts = len(plant.contacts.laws), int(plant.contacts.soft.sum()), plant.contacts.shapes.points.shape
        return self._structure, len(plant.settling), len(plant.dry), contacts

    def held_by(self, engaged: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """With these latches engaged: the latches' rows that hold, those that give way, and the pairs of shapes between
        bodies that welds make one. Found once for each combination."""
        key = engaged.tobytes()
        if key not in self._holds:
            self._holds[key] = held_by(self.tree, self.plant.rows, self.plant.contacts, engaged)
        return self._holds[key]

    @cached_property
    def _holds(self) -> dict[bytes, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        return {}

    def new_state(self, stages: int, tolerance: float) -> Struct:
        """What a motion carries along, as new (`state.StepState`)."""
        state = self._state_prototype(stages).copy()
        state.record.clock["tolerance"] = tolerance
        return state

    def _state_prototype(self, stages: int) -> Prototype:
        """Of such states."""
        kind = stages, self._size
        if kind not in self._prototypes:
            self._prototypes[kind] = Prototype(state_for(self.plant, stages))
        return self._prototypes[kind]

    def _request_prototype(self, fractions: np.ndarray) -> Prototype:
        """Of what is asked of a motion's steps, of so many parts (`state.StepRequest`)."""
        kind = len(fractions), self.nq, self.nv, len(self.contact_names)
        if kind not in self._prototypes:
            stops = np.zeros(len(self.contact_names), dtype=np.bool_)
            self._prototypes[kind] = Prototype(request_for(self.plant, fractions, stops))
        return self._prototypes[kind]

    @property
    def _soft(self) -> int:
        """Number of compliant contacts."""
        return int(self._size[3][1])

    @cached_property
    def _closed(self) -> tuple[list[str], np.ndarray]:
        """Latches that are engaged at the start: their names, and of each whether it is."""
        latches = self.world.latches
        engaged = np.array([latch.engaged for latch in latches], dtype=np.bool_)
        return [latch.name for latch in latches if latch.engaged], engaged

    @cached_property
    def _contacts(self) -> tuple[ContactTable, list[str]]:
        return contacts_of(self.tree)

    def contacts(self, q: ArrayLike, v: ArrayLike, eased: np.ndarray | None = None) -> Contacts:
        """Where compliant contacts are closed at one state or many, and how they push by their law alone: what part of
        it a contact has while it opens (eq. 4 of docs/theory/contact.md) a state does not tell. Rows of a run do: with
        their `Trajectory.eased`, forces are those that acted."""
        q_, v_ = same_length(self._q(q), batched("v", v, self.nv))
        soft = int(self.plant.contacts.soft.sum())
        found, count = np.empty(len(q_) * soft, FOUND), 0
        if len(found):
            state = self._evaluating()
            state.record.loops["find_patch"] = find_patch.address(self.struct, state)
            told = np.empty(0, EASED) if eased is None else eased
            count = contact_batch(self.struct, state, q_, v_, told, found)
        return Contacts.of(found[:count])

    def loads(self, q: ArrayLike, v: ArrayLike, command: ArrayLike | None = None, t: ArrayLike = 0.0) -> Loads:
        """What joints carry at one state or many under a command, with compliant contacts, if no latch is engaged and
        no located contact rests (`Motion.loads` has those)."""
        u = np.zeros(self.nv) if command is None else command
        q_, v_, u_ = self._q(q), batched("v", v, self.nv), batched("command", u, self.nv)
        q_, v_, u_, t_ = same_length(q_, v_, u_, np.atleast_1d(np.asarray(t, dtype=np.float64)))
        nothing = np.zeros((0, 0))
        found = all_contacts(self, q_, v_, None, nothing, np.zeros((len(q_), len(self.contact_names)), dtype=np.bool_))
        none = Hold(np.zeros(len(self.world.latches), dtype=np.bool_), np.zeros(0))
        loads = loads_of(self, q_, v_, u_, t_, found, nothing, nothing, none)
        return loads.at(0) if np.ndim(q) == np.ndim(v) == np.ndim(u) == 1 and np.ndim(t) == 0 else loads

    def _evaluating(self) -> Struct:
        """A state at which gaps can be evaluated."""
        state = self.new_state(1, 0.0)
        state.record.loops["evaluate"] = evaluate.address(self.struct, state)
        return state

    def gap_values(self, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """The gap (m; of stops m or rad) of each of `contact_names` at q, and their gradients by velocities."""
        q_ = self._q(q)
        count = len(self.contact_names)
        values, slopes = np.empty((len(q_), count)), np.empty((len(q_), count, self.nv))
        evaluate_batch(self.struct, self._evaluating(), np.ascontiguousarray(q_), values, slopes)
        return (values[0], slopes[0]) if np.ndim(q) == 1 else (values, slopes)

    @property
    def contact_names(self) -> list[str]:
        """A name for everything that may touch: a contact for each pair of shapes, a stop for each limit."""
        return self._contacts[1]

    def _steps_with(self, name: str) -> bool:
        if name == "poses":
            return bool(self._contacts[1])
        if name == "latches" or name.endswith("_held"):
            return bool(self.world.latches)
        if name == "push":
            return bool(self.world.thrusters)
        return name != "weight" or self.world.gravity.kind != "none"

    def _refuse_singular(self) -> None:
        """A singular mass matrix is a mistake in the world; say which joint cannot be accelerated."""
        M = self._generic_mass
        if self._is_regular:
            return
        scale = np.sqrt(np.maximum(M.diagonal(), 0.0))
        worst = int(scale.argmin())
        if scale[worst] > 0.0:
            scaled = M / (scale[:, None] * scale)
            if np.linalg.eigvalsh(scaled)[0] > 1e-12:
                return
            worst = int(np.argmax(np.abs(np.linalg.eigh(scaled)[1][:, 0])))
        raise ValueError(
            f"world {self.world.name!r}: mass matrix is singular at {self.layout.names()[1][worst]!r}; "
            "what that joint moves has no mass or inertia along it"
        )

    @property
    def _is_regular(self) -> bool:
        """Is the mass matrix, each joint in its own unit of inertia, surely far from singular? The trace of its inverse
        is no less than one over its least eigenvalue."""
        try:
            felt = self._felt
        except np.linalg.LinAlgError:
            return False
        M, each = self._generic_mass.diagonal().tolist(), felt.tolist()
        return min(each) > 0.0 and sum(map(mul, M, each)) < 1e6

    @cached_property
    def _generic_mass(self) -> np.ndarray:
        """M at a configuration at which it is singular only if it is so everywhere."""
        M = np.empty((self.nv, self.nv))
        queries.apply_batch(self.kernel("momenta"), self.theta, self._generic_configuration, self._each, NO_INPUT, M)
        return M

    @cached_property
    def _each(self) -> np.ndarray:
        """A unit of each velocity."""
        return np.eye(self.nv)

    @cached_property
    def _generic_configuration(self) -> np.ndarray:
        """(1, nq)."""
        q = self.layout.neutral()
        flat = np.setdiff1d(np.arange(self.nq), [k + i for k in self._quaternions for i in range(4)])
        q[flat] += 0.1 + 0.3 * np.sin(1.0 + np.arange(len(flat)))
        return q[None]

    # --- states --------------------------------------------------------------------------------

    def state(self, named: Mapping[str, Any] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(q, v) of joints' states given by body name; what is not named is at zero and at rest."""
        return self.layout.state(named or {})

    def command(
        self,
        position: Mapping[str, ArrayLike] | None = None,
        rate: Mapping[str, ArrayLike] | None = None,
        force: Mapping[str, ArrayLike] | None = None,
    ) -> np.ndarray:
        """The command (…, nv) that gives servo joints targets and any joint a force, by body name.

        A servo's torque is kp (position − q) + kd (rate − v) + force; each value may have a leading
        axis (one row a step). Forces of joints with several velocities end in an axis of that length.
        """
        parts = [(values, gain) for values, gain in ((position, "kp"), (rate, "kd"), (force, "")) if values]
        shapes = {self._leading(b, x) for values, _ in parts for b, x in values.items()
                  if not isinstance(x, float) and b in self.layout.v}  # fmt: skip
        out = np.zeros((*np.broadcast_shapes(*shapes), self.nv) if shapes else self.nv)
        for values, gain in parts:
            for body, value in values.items():
                factor, v = self._gain(body, gain), self.layout.v[body]
                if not shapes and v.stop - v.start == 1:  # as most are, in a fifth of the time
                    out[v.start] += factor * value  # type: ignore[operator]
                else:
                    out[..., v] += factor * self._as_rows(body, value)
        return out

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Of bodies, by name."""
        return {body.name: k for k, body in enumerate(self.world.bodies)}

    def _leading(self, body: str, value: ArrayLike) -> tuple[int, ...]:
        """Axes of a value before those of a body's joint."""
        v = self.layout.v[body]
        return np.shape(value) if v.stop - v.start == 1 else np.shape(value)[:-1]

    def _gain(self, body: str, gain: str) -> float:
        if body not in self.layout.v:
            raise ValueError(f"command: no body {body!r}{nearest(body, self.layout.v)}")
        if not gain:
            return 1.0
        joint = self.world.bodies[self._numbers[body]].joint
        factor = float(getattr(getattr(joint, "servo", None), gain, 0.0))
        if factor == 0.0:
            raise ValueError(f"command: the joint of {body!r} has no servo with {gain} > 0 to follow a target")
        return factor

    def _as_rows(self, body: str, value: ArrayLike) -> np.ndarray:
        array = np.asarray(value, dtype=np.float64)
        v = self.layout.v[body]
        return array[..., None] if v.stop - v.start == 1 else array

    def _q(self, q: ArrayLike) -> np.ndarray:
        return configuration(q, self.nq, self._quaternions)

    def _radius(self, t: ArrayLike) -> np.ndarray:
        """Radius vector of the reference orbit at times t, (batch, 3); zero where there is none. Read-only."""
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        return self._on_orbit(orbit.position, times) if self._orbit.size else np.zeros((len(times), 3))

    def reference_orbit(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Position (m) and velocity (m/s) of the reference point about Earth at times t, (batch, 3). Not to be written
        to: the last answer is kept, since a ledger asks for the same times again and again."""
        if not self._orbit.size:
            raise ValueError(f"world {self.world.name!r} has no reference orbit")
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        return self._on_orbit(orbit.position, times), self._on_orbit(orbit.velocity, times)

    def orbit_distance_cubed(self, t: np.ndarray) -> np.ndarray:
        """r³ (m³) of the reference point about Earth at times t; read-only."""
        return self._on_orbit(_cubed, t)

    def orbit_spin(self, t: np.ndarray) -> float:
        """|r × ṙ| (m²/s) at the first of times t."""
        return float(self._on_orbit(_spin, t)[0])

    def _on_orbit(self, of: Callable[..., Any], times: np.ndarray) -> np.ndarray:
        question = self._orbit.tobytes() + times.tobytes()
        known, answer = self._orbits.get(of, (b"", times))
        if known != question:
            if of in (_cubed, _spin):
                answer = of(*self.reference_orbit(times))
            else:
                answer = np.zeros((len(times), 3))
                for row, time in zip(answer, times, strict=True):
                    of(self._orbit, time, row)
            answer.flags.writeable = False
            self._orbits[of] = question, answer
        return answer

    # --- mechanics -----------------------------------------------------------------------------

    def mass_matrix(self, q: ArrayLike) -> np.ndarray:
        """M(q), (…, nv, nv)."""
        batch = queries.mass_batch(self.kernel("inertia"), self.theta, self._pairs, self.nv, self._q(q))
        for v, armature in self._armatures:
            batch[:, v, v] += armature
        return batch[0] if np.ndim(q) == 1 else batch

    @cached_property
    def _armatures(self) -> list[tuple[int, float]]:
        return [(link.v, link.armature) for link in self.tree.links if link.armature]

    @cached_property
    def _pairs(self) -> np.ndarray:
        return np.argwhere(np.triu(self.tree.ancestors()))

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
        """Generalised force (…, nv) that gives accelerations a at state (q, v) and time t.

        It overcomes gravity, springs, dampers and friction; servo gains are not counted. One state
        in float64 arrays takes a short way: no copies, and its quaternions are taken as normalised.
        """
        out = self._directly(q, v, a)
        if out is not None:
            return out
        q_, v_, a_ = self._q(q), batched("v", v, self.nv), batched("a", a, self.nv)
        q_, v_, a_, t_ = same_length(q_, v_, a_, np.atleast_1d(np.asarray(t, dtype=np.float64)))
        batch = queries.inverse_batch(self.kernel("inverse"), self.theta, self._orbit, q_, v_, a_, t_)
        return batch[0] if np.ndim(q) == np.ndim(v) == np.ndim(a) == 1 and np.ndim(t) == 0 else batch

    @cached_property
    def _directly(self) -> Callable[..., np.ndarray | None]:
        """Inverse dynamics of one state without a dispatcher, where gravity does not depend on time."""
        if self._orbit.size:
            return lambda q, v, a: None
        before = INVERSE_INPUT.places(self.tree.sizes).acceleration.start
        return kernels.direct(self.kernel("inverse"), self.theta, self.nq, self.nv, before)

    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike, command: ArrayLike | None = None, t: ArrayLike = 0.0
    ) -> np.ndarray:
        """Accelerations (…, nv) under the actuators' command (generalised force; servo gains act too)."""
        command = np.zeros(self.nv) if command is None else command
        q_, v_, u_ = self._q(q), batched("v", v, self.nv), batched("command", command, self.nv)
        q_, v_, u_, t_ = same_length(q_, v_, u_, np.atleast_1d(np.asarray(t, dtype=np.float64)))
        a = queries.forward_batch(self.struct, self.kernel("inverse"), self.kernel("actuators"), q_, v_, u_, t_)
        return a[0] if np.ndim(q) == np.ndim(v) == np.ndim(command) == 1 and np.ndim(t) == 0 else a

    def actuator_forces(self, q: ArrayLike, v: ArrayLike, command: ArrayLike) -> np.ndarray:
        """What actuators do at a state (…, nv): the command, and what servos add to it."""
        return self._apply("actuators", self.nv, q, v, batched("command", command, self.nv))

    def momenta(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """Generalised momenta p = M(q) v, (…, nv)."""
        return self._apply("momenta", self.nv, q, v, NO_INPUT)

    def rates(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """dq/dt, (…, nq)."""
        return self._apply("rates", self.nq, q, v, NO_INPUT)

    def balance(self, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0) -> Balance:
        """Energies, momenta and centre of mass, in the world's own frame."""
        out = ENERGY.view(self._apply("energy", ENERGY.size({}), q, v, self._radius(t)), {})
        return Balance(
            out.kinetic[()], out.gravity[()], out.spring[()], out.momentum, out.angular_momentum,
            out.first_moment / self.mass, self.mass,
        )  # fmt: skip

    def _apply(self, name: str, size: int, q: ArrayLike, v: ArrayLike, e: np.ndarray) -> np.ndarray:
        q_, v_ = self._q(q), batched("v", v, self.nv)
        out = np.empty((refuse_lengths(q_, v_, e), size))
        queries.apply_batch(self.kernel(name), self.theta, q_, v_, e, out)
        return out[0] if np.ndim(q) == np.ndim(v) == 1 and len(e) == 1 else out

    # --- frames --------------------------------------------------------------------------------

    def pose(self, frame: str, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """R_WF (…, 3, 3) and p_WF (…, 3) of a named frame or body in the world frame."""
        if np.ndim(q) != 1:
            return self.poses((frame,), q)[0]
        (link, R_LF, p_LF), R, p = self._placed((frame,)), np.empty((1, 1, 3, 3)), np.empty((1, 1, 3))
        frames.frame_batch(self.kernel("poses"), self.theta, self._q(q), len(self.tree.links), link, R_LF, p_LF, R, p)
        return R[0, 0], p[0, 0]

    def _placed(self, wanted: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Links of frames, and where they are in these."""
        if wanted not in self._places:
            places = [self._place(name) for name in wanted]
            links = np.array([place.link for place in places], dtype=np.int64)
            R_LF, p_LF = np.zeros((len(places), 3, 3)), np.zeros((len(places), 3))
            for k, place in enumerate(places):
                R_LF[k], p_LF[k] = place.R_LB, place.p_LB
            self._places[wanted] = links, R_LF, p_LF
        return self._places[wanted]

    @cached_property
    def _places(self) -> dict[tuple[str, ...], tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Frames that were asked for together: their links, and where they are in these."""
        return {}

    def poses(self, names: Sequence[str], q: ArrayLike) -> list[tuple[np.ndarray, np.ndarray]]:
        """`pose` of several frames or bodies, in less time than one by one."""
        wanted = tuple(names)
        where, q_, number = self._placed(wanted), self._q(q), len(wanted)
        R, p = np.empty((number, len(q_), 3, 3)), np.empty((number, len(q_), 3))
        frames.frame_batch(self.kernel("poses"), self.theta, q_, len(self.tree.links), *where, R, p)
        if np.ndim(q) == 1:
            R, p = R[:, 0], p[:, 0]
        return list(zip(R, p, strict=True))

    def jacobian(self, frame: str, q: ArrayLike) -> np.ndarray:
        """(…, 6, nv): angular then linear velocity of a frame's origin, in world axes, per velocity v."""
        place, q_ = self._place(frame), self._q(q)
        links, chain = self.tree.links, chain_of(self.tree)
        J, R, p = np.empty((len(q_), 6, self.nv)), np.empty((3, 3)), np.empty(3)
        for row, out in zip(q_, J, strict=True):
            R_WL, p_WL = frames.frame_pose(
                self.kernel("poses"), self.theta, row, len(links), place.link, place.R_LB, place.p_LB, R, p
            )
            frames.frame_jacobian(R_WL, p_WL, chain, place.link, p, out)
        return J[0] if np.ndim(q) == 1 else J

    def _place(self, frame: str) -> Place:
        if frame not in self.tree.places:
            raise ValueError(f"no frame {frame!r}{nearest(frame, self.tree.places)}")
        return self.tree.places[frame]

    def linearise(
        self, q: ArrayLike, v: ArrayLike, command: ArrayLike | None = None, t: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """(A, B) with d/dt (δ, δv) = A (δ, δv) + B δcommand about a state.

        δ (nv) displaces q by q ⊕ δ: coordinates for flat joints, a rotation vector in the child's
        frame for rotations in space.
        """
        from softdock.dynamics.linearise import linearise

        return linearise(self, np.asarray(q, float), np.asarray(v, float), command, t)

    def modes(
        self,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        command: ArrayLike | None = None,
        t: float = 0.0,
    ) -> Modes:
        """Frequencies, damping and shapes of small vibrations about a state; by default all joints at zero, at rest."""
        return modes(self, self.state()[0] if q is None else q, v, command, t)

    def response(
        self,
        hz: ArrayLike,
        force: str,
        output: str,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        command: ArrayLike | None = None,
        t: float = 0.0,
    ) -> np.ndarray:
        """Frequency response about a state: of the coordinate `output` to a force on the coordinate `force`, both by
        their label of a velocity ("bus.wz"), complex, at frequencies (Hz). An output "<frame>:x" (y, z; wx, wy, wz)
        is a frame's displacement (its turn) in world axes."""
        return response(self, hz, force, output, self.state()[0] if q is None else q, v, command, t)

    def step_derivatives(
        self, q: ArrayLike, p: ArrayLike, u: ArrayLike, h: ArrayLike, t: ArrayLike = 0.0
    ) -> StepDerivatives:
        """The step of size h (s) from coordinates q, momenta p and time t under a command u, with nothing touching or
        latched, and its exact derivatives by implicit differentiation of its equations."""
        return step_derivatives(self, q, p, u, h, t)
