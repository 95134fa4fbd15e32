"""A task as a sparse program: one stage of variables a step, and what holds at its end."""

import hashlib
from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics.step import TURN_LIMIT
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.step import moved
from softdock.optimal import stage
from softdock.optimal.block import Block, Written
from softdock.optimal.latched import admittance, independent_rows, latch_rows
from softdock.optimal.program import Part, Program
from softdock.optimal.quantities import Condition, Expression, Quantities
from softdock.optimal.task import Task
from softdock.world import Orbit


class Units(NamedTuple):
    """Of momenta (nv), torques and impulses."""

    momentum: np.ndarray
    torque: np.ndarray
    impulse: float


class Variables(NamedTuple):
    """A motion, by step: what the program solves for, in SI units."""

    q: np.ndarray
    """(N + 1, nq)."""
    p: np.ndarray
    """(N + 1, nv)."""
    xi: np.ndarray
    """(N, nv)."""
    u: np.ndarray
    """(N, actuators)."""
    impulses: np.ndarray
    """(N, rows of latches)."""
    v: np.ndarray
    """(nv) at the end."""
    h: np.ndarray
    """(N)."""


class Transcription:
    """The program of a task, and the way between its vector and `Variables`."""

    def __init__(self, task: Task) -> None:
        import casadi as ca

        self.ca, self.task, self.dynamics = ca, task, task.bare
        tree = self.tree = task.bare.tree
        self.hold = task.start(task.q, task.v, task.t).hold
        self.rows = independent_rows(task.bare, self.hold, task.q)
        self.drives = task.drives
        torques, thrusters = len(task.names), len(task.drives.thrusters)
        self.sizes = tree.sizes | {"torques": torques, "held": len(self.rows), "thrusters": thrusters}
        self.stride = 2 * tree.nv + tree.nq + torques + len(self.rows)
        self.N, self.nx = task.steps, tree.nq + tree.nv
        self.ends = self.N * self.stride
        self.scalars = self.ends + stage.END.size(self.sizes)
        self.size = self.scalars + (task.free or task.last is not None)
        self.actuated = tuple(int(k) for k in task.actuated)
        self.units: Units | None = None
        self.program = Program(self.size, self._parts(), task.bare.theta)
        self.place(task.q, task.v, task.t)

    def velocity(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """v of momenta (…, nv) that are not in line with what latches hold."""
        return np.asarray((admittance(self.dynamics, self.rows, self.hold.held, q) @ p[..., None])[..., 0])

    # --- parts ---------------------------------------------------------------------------------

    def _parts(self) -> list[Part]:
        task, N, places = self.task, self.N, stage.STAGE.places(self.sizes)
        at = np.arange(N)[:, None] * self.stride + np.arange(stage.STAGE.size(self.sizes))
        with_h = np.column_stack([at, np.full(N, self.scalars)])
        last = task.last is not None
        parts = [self._steps(with_h if task.free else at[: N - last], task.free)]
        if last:
            parts.append(self._steps(with_h[-1:], True))
        parts.append(self._end())
        parts += self._costs(with_h)
        ahead = np.concatenate([self.stride + np.arange(self.tree.nq), np.arange(places.xi.start, places.xi.stop)])
        state = np.arange(N)[:, None] * self.stride + ahead  # where a step ends, and its velocity
        self.paths = [self._condition(path, state[: N - (not path.at_end)]) for path in task.paths]
        parts += self.paths
        end = self.ends + np.concatenate([np.arange(self.tree.nq), self.nx + np.arange(self.tree.nv)])
        self.conditions = [self._condition(condition, end[None]) for condition in task.end]
        return parts + self.conditions

    def _structure(self, *more: Any) -> str:
        return repr((self.tree.structure(), self.drives.key, self.rows, *more))

    def _steps(self, at: np.ndarray, free: bool) -> Part:
        m = 2 * self.tree.nv + self.tree.nq + len(self.rows)
        block = Block(
            self._structure("step", free), at.shape[1], m,
            lambda: stage.stage(self.tree, self.drives, self.rows, free, self.sizes), self.task.dynamics._say,
        )  # fmt: skip
        zero = np.zeros((1, m))
        return Part("the step's equations", block, at, self._given(len(at)), zero, zero)

    def _end(self) -> Part:
        m = self.tree.nv + len(self.rows)
        n = stage.END.size(self.sizes)
        block = Block(self._structure("end"), n, m, lambda: stage.end(self.tree, self.rows, self.sizes))
        zero = np.zeros((1, m))
        return Part("the velocity at the end", block, self.ends + np.arange(n)[None], self._given(1), zero, zero)

    def _given(self, count: int) -> np.ndarray:
        given = np.zeros((count, stage.GIVEN.size(self.sizes)))
        view = stage.GIVEN.view(given, self.sizes)
        view.h[...] = self.task.h
        view.held.vector[:], view.wrenches[:] = self.hold.held, self.drives.wrenches
        return given

    def _costs(self, with_h: np.ndarray) -> list[Part]:
        """Of the steps, a last one of another size by its own, and of the end."""
        task, places, parts = self.task, stage.STAGE.places(self.sizes), list[Part]()
        whole = self.N - (task.last is not None)
        for free, at in ((task.free, with_h[:whole]), (True, with_h[whole:])):
            if not len(at):
                continue
            columns = [*range(places.xi.start, places.u.stop), *([at.shape[1] - 1] if free else [])]
            parts.append(self._part("cost", self._quadratic(free), at[:, columns], ()))
            self._weigh(parts[-1])
            if task.cost.running is not None:
                columns = [*range(places.q.stop), *columns]
                parts.append(self._part("running cost", self._running(task.cost.running, free), at[:, columns], ()))
                self._weigh_running(parts[-1])
        if task.cost.final is not None:
            end = self.ends + np.concatenate([np.arange(self.tree.nq), self.nx + np.arange(self.tree.nv)])
            written = self._of_state("cost.final", task.cost.final, len(task.cost.goal), cost=True)
            parts.append(self._part("final cost", written, end[None], ()))
            parts[-1].given = np.array([[0.0, *task.cost.goal]])
        return parts

    def _quadratic(self, free: bool) -> Written:
        """h (Σ w ξ² + Σ w u² + w), the weights given."""
        ca, nv, na = self.ca, self.tree.nv, self.sizes["torques"]
        z, e = ca.SX.sym("z", nv + na + free), ca.SX.sym("e", nv + na + 2)
        h = z[-1] if free else e[-1]
        rate = ca.dot(e[: nv + na], z[: nv + na] ** 2) + e[nv + na]
        return Written(z, e, ca.SX.sym("theta", 0), h * rate, ca.SX(0, 1))

    def _weigh(self, part: Part) -> None:
        """Weights of the quadratic cost, for torques in units."""
        cost, task, nv = self.task.cost, self.task, self.tree.nv
        weights = np.zeros(nv)
        for name, weight in _named(cost.rates, task.names[: len(self.actuated)]).items():
            weights[self.dynamics.layout.velocities([name])] += weight
        weights[np.setdiff1d(np.arange(nv), self.actuated)] += cost.base
        effort = _named(cost.effort, task.names)
        unknown = next((name for name in effort if name not in task.names), None)
        if unknown is not None:
            raise ValueError(f"cost: {unknown!r} is not an actuator; they are {', '.join(task.names)}"[:280])
        torques = np.array([effort.get(name, 0.0) for name in task.names])
        units = np.ones(len(torques)) if self.units is None else self.units.torque
        part.given = np.concatenate([weights, torques * units**2, [cost.time, task.h]])[None]

    def _weigh_running(self, part: Part) -> None:
        """What a running cost takes: the step's size, units of torques, and its goal."""
        units = np.ones(self.sizes["torques"]) if self.units is None else self.units.torque
        part.given = np.array([[self.task.h, *units, *self.task.cost.goal]])

    def _running(self, of: Expression, free: bool) -> Written:
        """h times the rate at the middle of a step, q ⊕ hξ/2: of second order, as the step is."""
        ca, tree, na = self.ca, self.tree, self.sizes["torques"]
        numbers = Numbers(tree)
        z, e = ca.SX.sym("z", self.nx + na + free), ca.SX.sym("e", 1 + na + len(self.task.cost.goal))
        q, xi, u = z[: tree.nq], z[tree.nq : self.nx], z[self.nx : self.nx + na] * e[1 : 1 + na]
        h = z[-1] if free else e[0]
        middle = Quantities(tree, numbers, moved(tree, q, xi, h / 2), xi, u)
        rate = self._written("cost.running", of, middle, e[1 + na :], scalar=True)
        return Written(z, e, numbers.theta, h * rate, ca.SX(0, 1))

    def _of_state(self, name: str, of: Expression, goals: int, cost: bool = False) -> Written:
        ca, tree = self.ca, self.tree
        numbers = Numbers(tree)
        z, e = ca.SX.sym("z", tree.nq + tree.nv), ca.SX.sym("e", 1 + goals)
        state = Quantities(tree, numbers, z[: tree.nq], z[tree.nq :])
        rows = self._written(name, of, state, e[1:], scalar=cost)
        return Written(z, e, numbers.theta, rows if cost else ca.SX(0), ca.SX(0, 1) if cost else ca.vec(rows))

    def _written(self, name: str, of: Expression, state: Quantities, goal: Any, scalar: bool) -> Any:
        """What a user's function makes of a state; what it raises is told in one line."""
        try:
            rows = self.ca.SX(of(state, goal))
        except ValueError:
            raise
        except Exception as error:
            said = (str(error).splitlines() or [""])[0].replace("overloaded function 'new_SX'", "an expression")
            raise ValueError(f"{name}: {type(error).__name__}: {said}"[:280]) from error
        if scalar and rows.shape != (1, 1):
            raise ValueError(f"{name} must be one number, not {rows.shape[0]} by {rows.shape[1]}")
        return rows

    def _condition(self, condition: Condition, at: np.ndarray) -> Part:
        written = self._of_state(f"condition {condition.name!r}", condition.of, len(condition.goal))
        m = written.rows.numel()
        if m == 0:
            raise ValueError(f"condition {condition.name!r} has no rows")
        part = self._part(condition.name, written, at, [condition.name] * m if m == 1 else _numbered(condition.name, m))
        part.given = np.array([[0.0, *condition.goal]])
        sides = [np.asarray(side, float) for side in (condition.low, condition.high)]
        if any(side.shape not in ((), (1,), (m,)) for side in sides):
            counts = " and ".join(str(side.size) for side in sides)
            raise ValueError(f"condition {condition.name!r} has {m} rows, but {counts} bounds")
        part.low, part.high = (np.broadcast_to(side, (m,))[None].copy() for side in sides)
        return part

    def _part(self, name: str, written: Written, at: np.ndarray, labels: Any) -> Part:
        """A part of expressions that are not the world's own: known by what they compute."""
        ca = self.ca
        function = ca.Function("f", [written.z, written.e, written.theta], [written.cost, written.rows])
        key = hashlib.sha256(function.serialize().encode()).hexdigest()
        m = written.rows.numel()
        block = Block(f"expression {key}", written.z.numel(), m, lambda: written, self.task.dynamics._say)
        return Part(name, block, at, np.zeros((1, 1)), np.zeros((1, m)), np.zeros((1, m)), labels)

    def conditions_at(self, z: np.ndarray) -> list[tuple[Part, np.ndarray]]:
        """The end's conditions, and what they are of a state (1, nq + nv)."""
        return [(part, part.block.value(z, part.given, self.dynamics.theta)[:, 1:]) for part in self.conditions]

    # --- numbers -------------------------------------------------------------------------------

    def scale(self, units: Units) -> None:
        """Measure momenta, torques and impulses in these."""
        self.units = units
        for part in self.program.parts:
            if part.name in ("the step's equations", "the velocity at the end"):
                view = stage.GIVEN.view(part.given, self.sizes)
                view.momentum[:], view.torque[:], view.impulse[:] = units.momentum, units.torque, units.impulse
            elif part.name == "cost":
                self._weigh(part)
            elif part.name == "running cost":
                self._weigh_running(part)

    def place(self, q: np.ndarray, v: np.ndarray, t: float) -> None:
        """Begin at a start: what latches hold there, and where the orbit is."""
        motion = self.task.start(q, v, t)
        self.hold, self._first = motion.hold, (motion.q, self.dynamics.momenta(motion.q, motion.v))
        for part in self.program.parts:
            if part.name in ("the step's equations", "the velocity at the end"):
                stage.GIVEN.view(part.given, self.sizes).held.vector[:] = self.hold.held
        self.orbit(t, self.task.sizes)

    @property
    def can_be_retimed(self) -> bool:
        """Is the duration fixed, in equal steps?"""
        return not self.task.free and self.task.last is None

    def retime(self, duration: float) -> None:
        """Take as many equal steps in another duration (s)."""
        task = self.task
        if not self.can_be_retimed:
            raise ValueError("only a fixed duration in equal steps can be changed")
        if not (isinstance(duration, int | float | np.number) and np.isfinite(duration) and duration > 0):
            raise ValueError(f"the duration must be a positive number of seconds, not {duration!r:.40}")
        task.span, task.h = (float(duration), float(duration)), float(duration) / task.steps
        self._resize(task.h)
        for part in self.program.parts:
            if part.name == "cost":
                self._weigh(part)
            elif part.name == "running cost":
                self._weigh_running(part)

    def _resize(self, h: float) -> None:
        for part in self.program.parts:
            if part.name in ("the step's equations", "the velocity at the end"):
                stage.GIVEN.view(part.given, self.sizes).h[...] = h

    def arrange(self, start: tuple[np.ndarray, np.ndarray, float], h: np.ndarray) -> None:
        """Have the steps as a plan has them, which need not be the last that was made: its start, and sizes h (N)."""
        self.place(*start)
        if self.can_be_retimed:
            self._resize(float(h[0]))
        self.orbit(start[2], h)

    def bound(self, joints_turn: bool = False) -> None:
        """Set the bounds of all variables, in units; the first state is the start. With `joints_turn`, single joints
        turn no further in a step than the simulator follows."""
        task, program, units = self.task, self.program, self.units
        assert units is not None
        low, high = program.lower, program.upper
        low[:], high[:] = -np.inf, np.inf
        places, ends = stage.STAGE.places(self.sizes), stage.END.places(self.sizes)
        by_step = np.arange(self.N)[:, None] * self.stride
        rates = np.minimum(task.rates, self._followed(joints_turn))
        for at, (least, most) in (
            (places.xi, (-rates, rates)),
            (places.u, (task.least_torques / units.torque, task.torques / units.torque)),
        ):
            low[by_step + np.arange(at.start, at.stop)], high[by_step + np.arange(at.start, at.stop)] = least, most
        q_at = np.vstack([by_step, [[self.ends]]]) + np.arange(self.tree.nq)
        low[q_at], high[q_at] = task.ranges
        v_at = self.ends + np.arange(ends.v.start, ends.v.stop)
        low[v_at], high[v_at] = -task.rates, task.rates
        low[: self.nx] = high[: self.nx] = np.concatenate([self._first[0], self._first[1] / units.momentum])
        if self.size > self.scalars:
            low[-1], high[-1] = task.last or (task.span[0] / self.N, task.h)

    def _followed(self, joints_turn: bool) -> np.ndarray:
        """Largest rates (nv) of rotations that a step follows. Beyond, its equations mean nothing for rotations in
        space; for single joints they do, with a centre of mass that moves by itself (`turns_too_far`)."""
        most, fastest = np.full(self.tree.nv, np.inf), TURN_LIMIT / self.task.h
        for s in self.dynamics.plant.spherical:
            most[s : s + 3] = fastest / np.sqrt(3.0)
        if joints_turn:
            most[self.dynamics.plant.turning] = fastest
        return most

    def turns_too_far(self, motion: Variables) -> bool:
        """Does a joint turn further in a step than the simulator follows? A solver finds such motions to ends that
        nothing reaches. They are looked for afterwards, since bounds that are not needed only hinder it."""
        turns = motion.h[:, None] * np.abs(motion.xi[:, self.dynamics.plant.turning])
        return bool(turns.max(initial=0.0) > TURN_LIMIT)

    def orbit(self, t: float, h: np.ndarray) -> None:
        """The reference orbit at the middle of each step, of sizes h (N), and how it changes with them."""
        middle = np.cumsum(h) - h / 2
        radius, rate = self.dynamics._radius(t + middle), np.zeros((self.N, 3))
        pull, gravity = np.zeros((self.N, 3)), self.dynamics.world.gravity
        if isinstance(gravity, Orbit):
            rate = self.dynamics.reference_orbit(t + middle)[1]
            pull = -gravity.mu * radius / np.linalg.norm(radius, axis=1, keepdims=True) ** 3
        steps = [part for part in self.program.parts if part.name == "the step's equations"]
        for part, own in zip(steps, (slice(0, len(steps[0].at)), slice(self.N - 1, self.N)), strict=False):
            given = stage.GIVEN.view(part.given, self.sizes)
            given.radius[:], given.rate[:], given.pull[:] = radius[own], rate[own], pull[own]
            if part.block.n > stage.STAGE.size(self.sizes):
                given.h[...], given.delay[...] = h[-1], (middle / h)[own] if self.task.free else 0.5

    def pack(self, motion: Variables) -> np.ndarray:
        """The program's vector of a motion."""
        units = self.units
        assert units is not None
        momenta, impulses = motion.p / units.momentum, motion.impulses / units.impulse
        stages = np.hstack([motion.q[:-1], momenta[:-1], motion.xi, motion.u / units.torque, impulses])
        end = [motion.q[-1], momenta[-1], motion.v, self._end_impulses(motion) / units.impulse]
        h = [motion.h[-1:]] if self.size > self.scalars else []
        return np.concatenate([stages.ravel(), *end, *h])

    def _end_impulses(self, motion: Variables) -> np.ndarray:
        """μ of the latches with M v = p + Aᵀμ at the end."""
        if not self.rows:
            return np.zeros(0)
        A = latch_rows(self.dynamics, self.hold.held, motion.q[-1])[list(self.rows)]
        off = self.dynamics.momenta(motion.q[-1], motion.v) - motion.p[-1]
        return np.asarray(np.linalg.lstsq(A.T, off, rcond=None)[0])

    def unpack(self, x: np.ndarray) -> Variables:
        """The motion of a program's vector."""
        units = self.units
        assert units is not None
        places, ends = stage.STAGE.places(self.sizes), stage.END.places(self.sizes)
        stages, end = x[: self.ends].reshape(self.N, self.stride), x[self.ends : self.scalars]
        h = np.full(self.N, x[-1] if self.task.free else self.task.h)
        if self.task.last is not None:
            h[-1] = x[-1]
        return Variables(
            np.vstack([stages[:, places.q], end[ends.q]]),
            np.vstack([stages[:, places.p], end[ends.p]]) * units.momentum,
            stages[:, places.xi].copy(),
            stages[:, places.u] * units.torque,
            stages[:, places.impulses] * units.impulse,
            end[ends.v].copy(),
            h,
        )


def _named(value: "float | dict[str, float]", names: list[str]) -> dict[str, float]:
    return dict(value) if isinstance(value, dict) else dict.fromkeys(names, float(value))


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name} [{k}]" for k in range(count)]
