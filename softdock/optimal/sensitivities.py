"""Derivatives of a whole motion: of its end by its start, by every command and by the world's numbers, with latches
that hold, across located impacts, and across latches that engage at them.

Between impacts they are products of the steps' own (docs/theory/optimal.md, eq. 3 and 5). A step with an impact is
three: a part of size τ at whose end the gap φ closes, so that dτ = −dφ/(n·∂δ/∂h) with n = ∂φ/∂q; the impulse, a map of
the momenta at q₁; and the rest, of size h − τ. What is carried along is y = (δ, p, what latches hold).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics, Motion, Trajectory, revised
from softdock.dynamics.arrays import rows_of
from softdock.dynamics.derivatives import refuse
from softdock.mechanics.tree import Tree, folded
from softdock.optimal import stage
from softdock.optimal.block import Block
from softdock.optimal.coordinates import apart, displaced, lifted, tangents
from softdock.optimal.drives import Drives
from softdock.optimal.latched import admittance, independent_rows
from softdock.optimal.numbers import altered, value

NUDGE = 1e-3
"""Of differences of order 6 of the maps at impacts and engagements (m, rad, or relative)."""
MOST = 20
"""Impacts in one step."""
SHORT = 1e-12
"""Of a step: what is left of it after an impact at its end."""
SAME = 1e-6
"""How far (m or rad, and relative in rates) the simulator's step may be from a free one: beyond, something rests."""


class Sensitivity(NamedTuple):
    """The end of a motion, and how it depends on what it was given. Ends are (δ, p): displacements in the coordinates
    of v (rotations in the child's frame), and momenta M v."""

    q: np.ndarray
    """Coordinates at the end (m or rad)."""
    v: np.ndarray
    """Velocities at the end (m/s or rad/s)."""
    by_start: np.ndarray
    """(2 nv, 2 nv): by the start's displacement (m or rad) and momenta (kg m/s or kg m²/s)."""
    by_commands: np.ndarray
    """(steps, 2 nv, nv): by the command of each step (N or N m)."""
    by_numbers: np.ndarray
    """(2 nv, numbers): by each of the world's numbers that was named, the start's q and v as they are; per unit of it
    (m, rad, kg m/s or kg m²/s)."""
    impacts: int
    """How many were crossed."""


def sensitivity(
    dynamics: Dynamics,
    q: ArrayLike,
    v: ArrayLike,
    *,
    h: float,
    commands: ArrayLike,
    numbers: Sequence[str] = (),
    engage: Mapping[str, str] | None = None,
) -> Sensitivity:
    """Of a motion under `commands` (steps, nv), in steps of size h (s), by start, commands and `numbers` of the world,
    such as "load.mass", "load.center.x", "load.inertia.xy", "bump.restitution". `engage` names latches and the contact
    at whose impact each engages. Impacts are crossed if they are of one contact at a time without friction; contacts
    that rest, friction, compliance and joints that stick are refused."""
    compliant = [one.name for one in dynamics.world.contacts if one.compliance is not None]
    if compliant:
        raise ValueError(f"sensitivity: contact {compliant[0]!r} is compliant, and not differentiated")
    refuse(dynamics, np.array([float(h)]))
    u = rows_of("commands", commands, dynamics.nv, len(np.atleast_2d(np.asarray(commands, dtype=np.float64))))
    carried = Carried(dynamics, Motion(dynamics, q, v, h=h), tuple(numbers), dict(engage or {}))
    n, ny = dynamics.nv, carried.ny
    A, B, C = np.empty((len(u), ny, ny)), np.empty((len(u), ny, n)), np.empty((len(u), ny, len(numbers)))
    begun = carried.begun()
    for k, row in enumerate(u):
        A[k], B[k], C[k] = np.split(carried.step(row, h), [ny, ny + n], axis=1)
    by_commands, onward = np.empty((len(u), 2 * n, n)), carried.ended()
    by_numbers = onward[:, ny:]
    onward = onward[:, :ny]
    for k in range(len(u) - 1, -1, -1):
        by_commands[k] = onward @ B[k]
        by_numbers, onward = by_numbers + onward @ C[k], onward @ A[k]
    by_numbers = by_numbers + onward @ begun[:, 2 * n :]
    motion = carried.motion
    return Sensitivity(motion.q, motion.v, onward @ begun[:, : 2 * n], by_commands, by_numbers, carried.struck)


class Carried:
    """A motion, and the derivatives of its steps."""

    def __init__(self, dynamics: Dynamics, motion: Motion, numbers: tuple[str, ...], engage: dict[str, str]) -> None:
        self.dynamics, self.motion, self.numbers, self._engage = dynamics, motion, numbers, engage
        self._watched, self._known = dynamics.contact_names, [latch.name for latch in dynamics.world.latches]
        for latch, contact in engage.items():
            if latch not in self._known or contact not in self._watched:
                raise ValueError(f"sensitivity: engage takes latches and contacts; not {latch!r}: {contact!r}")
        self._held = len(motion.hold.held) if dynamics.world.latches else 0
        self.ny = 2 * dynamics.nv + self._held
        self._p, self.struck = dynamics.momenta(motion.q, motion.v), 0
        self._blocks: dict[tuple[int, ...], Block] = {}
        self._drives = Drives(dynamics, dynamics.layout.names()[1])
        self._rows = independent_rows(dynamics, motion.hold, motion.q)

    # --- numbers -------------------------------------------------------------------------------

    @cached_property
    def _sizes_of_numbers(self) -> list[float]:
        """How far each is changed in differences."""
        return [_scale(self.dynamics, name) for name in self.numbers]

    @cached_property
    def _others(self) -> list[list[Dynamics]]:
        """Of each number: the world with it changed by −3 to 3 nudges."""
        world = self.dynamics.world
        return [
            [revised(self.dynamics, altered(world, name, k * size)) for k in (1, -1, 2, -2, 3, -3)]
            for name, size in zip(self.numbers, self._sizes_of_numbers, strict=True)
        ]

    @cached_property
    def _tree(self) -> tuple[Tree, np.ndarray, np.ndarray]:
        """A tree in which the named numbers are symbols even where they are 0 or ±1 now; the world's numbers in its
        order; and their derivatives by those that were named (θ, numbers)."""
        tree, others = self.dynamics.tree, [[other.tree.numbers for other in row] for row in self._others]
        free = np.any([folded(one) == 2 for row in others for one in row] or [folded(tree.numbers) == 2], axis=0)
        changes = [_slope(row, size) for row, size in zip(others, self._sizes_of_numbers, strict=True)]
        found = self._others[0][0].tree if self.numbers else tree
        for name, size in zip(self.numbers[1:], self._sizes_of_numbers[1:], strict=True):
            found = revised(self.dynamics, altered(found.world, name, size)).tree
        if not np.array_equal(folded(found.numbers) == 2, free):
            raise ValueError("sensitivity: these numbers cannot be changed together")
        return (
            found,
            tree.numbers[free],
            np.array([row[free] for row in changes]).reshape(len(changes), int(free.sum())).T,
        )

    # --- maps ----------------------------------------------------------------------------------

    def begun(self) -> np.ndarray:
        """(ny, 2 nv + numbers): y at the start by (δ, p) and numbers, q and v as they are."""
        n, m, motion = self.dynamics.nv, len(self.numbers), self.motion
        out = np.zeros((self.ny, 2 * n + m))
        out[: 2 * n, : 2 * n] = np.eye(2 * n)
        v = motion.v
        for j, size in enumerate(self._sizes_of_numbers):
            out[n : 2 * n, 2 * n + j] = _slope([one.momenta(motion.q, v) for one in self._others[j]], size)
        out[2 * n :, :n], out[2 * n :, 2 * n :] = self._holding(motion.hold.engaged)
        return out

    def ended(self) -> np.ndarray:
        """(2 nv, ny + numbers): (δ, p) in line with what latches hold, by y and numbers at the end."""
        n, motion = self.dynamics.nv, self.motion
        out = np.zeros((2 * n, self.ny + len(self.numbers)))
        out[:n, :n], out[n:, n : 2 * n] = np.eye(n), np.eye(n)
        if self._rows:
            out[n:] = self._map(lambda d, q, held: d.mass_matrix(q) @ admittance(d, self._rows, held, q), motion.q)
        return out

    def _holding(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What latches hold that engage here, by δ (held, nv) and by numbers."""
        dynamics, q, n = self.dynamics, self.motion.q, self.dynamics.nv
        by_delta, by_numbers = np.zeros((self._held, n)), np.zeros((self._held, len(self.numbers)))
        if not self._held or not which.any():
            return by_delta, by_numbers

        def held(dynamics: Dynamics, q: np.ndarray) -> np.ndarray:
            both = self._relative(dynamics, q)
            return np.concatenate([both[0].ravel(), both[1].ravel(), np.linalg.norm(both[0], axis=1)])

        of = np.concatenate([np.repeat(which, 3), np.repeat(which, 9), which])
        for j, e in enumerate(np.eye(n)):
            by_delta[of, j] = _slope([held(dynamics, displaced(dynamics.tree, q, x * e)) for x in _AT], NUDGE)[of]
        for j, size in enumerate(self._sizes_of_numbers):
            by_numbers[of, j] = _slope([held(one, q) for one in self._others[j]], size)[of]
        return by_delta, by_numbers

    def _relative(self, dynamics: Dynamics, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """p_AB and R_AB of every latch."""
        places = []
        for latch in dynamics.world.latches:
            (R_A, p_A), (R_B, p_B) = dynamics.pose(latch.frame_a, q), dynamics.pose(latch.frame_b, q)
            places.append((R_A.T @ (p_B - p_A), R_A.T @ R_B))
        return np.array([p for p, _ in places]), np.array([R for _, R in places])

    def _map(self, of: Callable[[Dynamics, np.ndarray, np.ndarray], np.ndarray], q: np.ndarray) -> np.ndarray:
        """(nv, ny + numbers): of p⁺ = F(q, held) p, by (δ, p, held) and numbers."""
        dynamics, n, held = self.dynamics, self.dynamics.nv, self.motion.hold.held
        out = np.zeros((n, self.ny + len(self.numbers)))
        for j, e in enumerate(np.eye(n)):
            out[:, j] = _slope([of(dynamics, displaced(dynamics.tree, q, x * e), held) @ self._p for x in _AT], NUDGE)
        out[:, n : 2 * n] = of(dynamics, q, held)
        for j, e in enumerate(np.eye(len(held)) if self._rows else ()):
            out[:, 2 * n + j] = _slope([of(dynamics, q, held + x * e) @ self._p for x in _AT], NUDGE)
        for j, size in enumerate(self._sizes_of_numbers):
            out[:, self.ny + j] = _slope([of(one, q, held) @ self._p for one in self._others[j]], size)
        return out

    # --- steps ---------------------------------------------------------------------------------

    def step(self, u: np.ndarray, h: float) -> np.ndarray:
        """(ny, ny + nv + numbers): one step of the motion, with its impacts: y after it by y, u and numbers."""
        motion, n, ny, m = self.motion, self.dynamics.nv, self.ny, len(self.numbers)
        end = motion.t + h
        so_far, late = np.eye(ny, ny + n + m), np.zeros(ny + n + m)  # y, and when this part begins
        rest = np.hstack([np.zeros((n + m, ny)), np.eye(n + m)])
        for _ in range(MOST):
            q, began = motion.q, motion.t
            struck_last = end - began <= SHORT * h  # an impact was at the step's end: nothing is left but its slope
            rows = None if struck_last else self._stepped(end, u)
            part = self._part(q, u, motion.q, motion.t - began, began)
            self._refuse_rest(rows is not None and bool(rows.impacts))
            by_h, by_begin = part[:, -2], part[:, -1]
            moved = part[:, :-2] @ np.vstack([so_far, rest]) + np.outer(by_begin, late)
            if rows is None or not rows.impacts:
                return np.asarray(moved - np.outer(by_h, late))
            contact = self._struck(rows.impacts)
            slope, by_numbers = self._gap(contact)
            longer = -(slope @ moved[:n] + by_numbers @ rest[n:]) / (slope @ by_h[:n])
            moved, late = moved + np.outer(by_h, longer), late + longer
            so_far = self._impact(contact, moved, rest)
        raise ValueError(f"sensitivity: more than {MOST} impacts in the step that ends at t = {end:.6g} s")

    def _stepped(self, end: float, u: np.ndarray) -> Trajectory:
        motion = self.motion
        return motion.step_to(end, u, stop_at=self._watched) if self._watched else motion.run(1, u)

    def _block(self) -> Block:
        if self._rows not in self._blocks:
            tree, sizes, rows = self._tree[0], self._sizes, self._rows
            key = repr((tree.structure(), self._drives.key, rows, "sensitivity"))
            n, m = stage.STAGE.size(sizes) + 1, 2 * tree.nv + tree.nq + len(rows)
            self._blocks[rows] = Block(
                key, n, m, lambda: stage.stage(tree, self._drives, rows, True, sizes), self.dynamics._say, "along"
            )
        return self._blocks[self._rows]

    @property
    def _sizes(self) -> dict[str, int]:
        tree = self.dynamics.tree
        return tree.sizes | {"torques": tree.nv, "held": len(self._rows), "thrusters": 0}

    def _part(self, q: np.ndarray, u: np.ndarray, q_next: np.ndarray, h: float, t: float) -> np.ndarray:
        """(ny, ny + nv + numbers + 2): a step without impacts, from q and the present p, to q_next: by y, u, numbers, h
        and when it begins."""
        sizes, block, n, rows = self._sizes, self._block(), self.dynamics.nv, len(self._rows)
        tree, theta, by_numbers = self._tree
        places = stage.STAGE.places(sizes)
        e, moving = self._given(t, h)
        z = np.zeros(block.n)
        x = stage.STAGE.view(z[:-1], sizes)
        x.q[:], x.p[:], x.u[:], x.q_next[:], z[-1] = q, self._p, u, q_next, h
        x.xi[:] = apart(tree, q, q_next) / h if h > 0.0 else self._velocity(q)
        J = _closed(block, z, e, theta, [*_range(places.impulses), *_range(places.p_next)])
        self._p = x.p_next.copy()
        holding, (held, m) = np.zeros((self._held, len(e))), (self._held, len(self.numbers))
        stage.GIVEN.view(holding, sizes).held.vector[:] = np.eye(self._held)
        directions = np.zeros((held + m + 1, len(e) + len(theta)))
        directions[:held, : len(e)], directions[held:-1, len(e) :] = holding, by_numbers.T
        directions[-1, : len(e)] = moving
        by_held, by_number, by_begin = np.split(block.along(z, directions, e, theta).T, [held, held + m], axis=1)
        by_q, by_h = J[:, places.q] @ lifted(tangents(tree, q[None]))[0], J[:, -1:] + by_begin / 2
        slopes = np.hstack([by_q, J[:, places.p], by_held, J[:, places.u], by_number, by_h, by_begin])
        unknown = [*_range(places.xi), *range(places.impulses.start, places.p_next.stop)]
        found = -np.linalg.solve(J[:, unknown], slopes)[n + rows :]
        out = np.zeros((self.ny, slopes.shape[1]))
        out[:n], out[n : 2 * n] = tangents(tree, q_next[None])[0] @ found[: tree.nq], found[tree.nq :]
        out[2 * n :, 2 * n : self.ny] = np.eye(held)
        return out

    def _given(self, t: float, h: float) -> tuple[np.ndarray, np.ndarray]:
        """What a step from t to t + h takes, and how that changes with time: where the orbit is."""
        sizes = self._sizes
        e, moving = np.zeros((2, stage.GIVEN.size(sizes)))
        given = stage.GIVEN.view(e, sizes)
        given.momentum[:], given.torque[:], given.impulse[...] = 1.0, 1.0, 1.0
        given.held.vector[:] = self.motion.hold.held
        aside = 0.01 * h or 1e-3
        before, given.radius[:], after = self.dynamics._radius(t + h / 2 + aside * np.array([-1.0, 0.0, 1.0]))
        stage.GIVEN.view(moving, sizes).radius[:] = (after - before) / (2 * aside)
        return e, moving

    def _velocity(self, q: np.ndarray) -> np.ndarray:
        """Of the present momenta."""
        return np.asarray(admittance(self.dynamics, self._rows, self.motion.hold.held, q) @ self._p)

    def _refuse_rest(self, struck: bool) -> None:
        """A step in which a contact rests is not a free one, which is what was differentiated."""
        motion = self.motion
        if struck:
            return  # velocities have jumped
        v = self._velocity(motion.q)
        off, size = np.abs(v - motion.v).max(), 1.0 + np.abs(motion.v).max()
        if off > SAME * size:
            raise ValueError(
                f"sensitivity: at t = {motion.t:.6g} s a contact rests, or a latch broke: not differentiated"
            )

    # --- impacts -------------------------------------------------------------------------------

    def _struck(self, impacts: object) -> int:
        """The contact that is struck."""
        names = {hit.contact for hit in impacts}  # type: ignore[attr-defined]
        if len(names) != 1:
            raise ValueError(f"sensitivity: {len(names)} contacts are struck at once at t = {self.motion.t:.6g} s")
        k = self._watched.index(names.pop())
        if self.dynamics.plant.contacts.laws[k]["friction"] > 0.0:
            raise ValueError(f"sensitivity: contact {self._watched[k]!r} has friction")
        self.struck += 1
        return k

    def _gap(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Slope of gap k by δ (nv), and by numbers."""
        q = self.motion.q
        by_numbers = [
            _slope([one.gap_values(q)[0][k] for one in row], size)
            for row, size in zip(self._others, self._sizes_of_numbers, strict=True)
        ]
        return self.dynamics.gap_values(q)[1][k], np.array(by_numbers)

    def _impact(self, k: int, moved: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """y after the impulse, and after the latches that engage at it."""
        n, motion, numbers = self.dynamics.nv, self.motion, rest[self.dynamics.nv :]

        def after(dynamics: Dynamics, q: np.ndarray, held: np.ndarray) -> np.ndarray:
            """p⁺ = p − (1 + e) n (n·v)/(n·W n), v = W p."""
            slope, W = dynamics.gap_values(q)[1][k], admittance(dynamics, self._rows, held, q)
            e = dynamics.plant.contacts.laws[k]["restitution"]
            return np.asarray(np.eye(n) - (1.0 + e) * np.outer(slope, W @ slope) / (slope @ W @ slope))

        def changed(of: Callable[[Dynamics, np.ndarray, np.ndarray], np.ndarray], y: np.ndarray) -> np.ndarray:
            by = self._map(of, motion.q)
            self._p = of(self.dynamics, motion.q, motion.hold.held) @ self._p
            return np.vstack([y[:n], by[:, : self.ny] @ y + by[:, self.ny :] @ numbers, y[2 * n :]])

        y = changed(after, moved)
        due = [latch for latch, contact in self._engage.items() if contact == self._watched[k]]
        for latch in due:
            del self._engage[latch]
            motion.engage(latch)
            which = np.array([name == latch for name in self._known])
            by_delta, by_numbers = self._holding(which)
            y[2 * n :] += by_delta @ y[:n] + by_numbers @ numbers
            self._rows = independent_rows(self.dynamics, motion.hold, motion.q)
            y = changed(lambda d, q, held: d.mass_matrix(q) @ admittance(d, self._rows, held, q), y)
        return y


def _closed(block: Block, z: np.ndarray, e: np.ndarray, theta: np.ndarray, open_: list[int]) -> np.ndarray:
    """Slopes of a stage at z, of which the `open_` entries follow from its equations, which are linear in them."""
    J = np.zeros((block.m, block.n))
    for _ in range(2):  # the second time for slopes there
        J[block.jacobian] = block.slope(z[None], e[None], theta)[0, block.n :]
        z[open_] -= np.linalg.lstsq(J[:, open_], block.value(z[None], e[None], theta)[0, 1:], rcond=None)[0]
    return J


def _range(part: slice) -> range:
    return range(part.start, part.stop)


_AT = NUDGE * np.array([1, -1, 2, -2, 3, -3])


def _slope(values: Sequence[np.ndarray], size: float) -> np.ndarray:
    """By differences of order 6, of values at ±1, ±2, ±3 sizes."""
    one, two, three = (values[k] - values[k + 1] for k in (0, 2, 4))
    return np.asarray((45 * one - 9 * two + three) / (60 * size))


def _scale(dynamics: Dynamics, name: str) -> float:
    """How far a number is changed in differences."""
    return NUDGE * (abs(value(dynamics.world, name)) or 0.1)
