"""Guesses for what smooth curves of driven joints do not lead to: swings, and ends that ask for what is not driven."""

from itertools import pairwise

import numpy as np

from softdock.dynamics import StepFailed
from softdock.optimal.coordinates import apart, displaced
from softdock.optimal.guess import Guesser
from softdock.optimal.plans import step_of
from softdock.optimal.transcription import Variables
from softdock.world import Orbit

NEARLY = 0.1
"""Share of the energy that is to be gained, from which on less and less is given."""
WEAKER = 3
"""So often pumping is tried with half the torque, where the simulator does not follow."""
WAVES = 8
"""Half waves of a swing along a guess, at most."""

Start = tuple[np.ndarray, np.ndarray, float]


class Swings:
    """Further guesses for a transcription."""

    def __init__(self, guesser: Guesser) -> None:
        self._guesser, self._made = guesser, guesser._made
        tree = self._made.tree
        self._turning = np.isin(np.arange(tree.nv), [link.v for link in tree.links if link.kind == "R"])
        self._pumps = np.array([bool(self._turning[k]) for k in self._made.actuated], dtype=bool)

    def floating(self, start: Start, rng: np.random.Generator | None = None) -> Variables:
        """All joints, driven or not, along smooth curves to where the end's conditions are met, `rng`: with waves of
        single rotations: no motion of the world, and a guess where driven joints alone cannot lead to the end."""
        made, guesser = self._made, self._guesser
        tree, h, (q, v, _) = made.tree, made.task.sizes, start
        every = np.arange(tree.nv)
        path = guesser.joints(q, v, None, every)
        if rng is not None:
            s = guesser.grid[:, None]
            waves = np.sin(rng.integers(1, WAVES + 1, tree.nv) * np.pi * s) * s
            path = guesser.kept(path + waves * rng.normal(size=tree.nv) * self._turning, q, every)
        at = np.array([displaced(tree, q, delta) for delta in path])
        xi = np.array([apart(tree, a, b) for a, b in pairwise(at)]) / h[:, None]
        rates = np.vstack([v, (xi[1:] + xi[:-1]) / 2, xi[-1:]])
        torques = made.dynamics.inverse_dynamics(at[:-1], xi, np.diff(rates, axis=0) / h[:, None])
        u = np.zeros((made.N, made.sizes["torques"]))
        u[:, : len(made.actuated)] = torques[:, list(made.actuated)]
        u = np.clip(u, made.task.least_torques, made.task.torques)
        impulses = np.zeros((made.N, len(made.rows)))
        return Variables(at, made.dynamics.momenta(at, rates), xi, u, impulses, rates[-1], h.copy())

    @property
    def asked(self) -> bool:
        """Does the end ask for joints that are not driven? (A free body moves as momentum lets it.)"""
        made = self._made
        kinds = made.dynamics.layout.kind
        joints = [
            made.dynamics.layout.v[name].start for name, kind in kinds.items() if kind in ("revolute", "prismatic")
        ]
        idle = np.setdiff1d(joints, self._guesser.driven)
        return bool(idle.size and self._guesser.asked(made.task.q)[idle].any())

    def lift(self, start: Start) -> float:
        """By how much the energy at the end's conditions, at rest, is above the start's (J); 0 where that says
        nothing."""
        made, (q, v, _) = self._made, start
        if isinstance(made.dynamics.world.gravity, Orbit) or made.rows or not self._pumps.any() or not made.conditions:
            return 0.0
        path = self._guesser.joints(q, v, None, np.arange(made.tree.nv))
        there = displaced(made.tree, q, path[-1])
        return float(made.dynamics.balance(there, 0.0 * v).potential - made.dynamics.balance(q, v).total)

    def pumped(self, start: Start, rng: np.random.Generator) -> Variables | None:
        """A motion of the world in which driven rotations push the way that they turn, until there is the energy of the
        end: how what is too weak to be lifted is swung up. None where the simulator does not follow."""
        made, lift = self._made, self.lift(start)
        if lift <= 0.0:
            return None
        most = np.where(np.isfinite(made.task.torques), made.task.torques, np.inf)
        most = np.minimum(most, np.abs(self.floating(start).u).max(axis=0)) * rng.uniform(0.3, 1.0)
        sense = rng.choice([-1.0, 1.0], len(most))
        for _ in range(WEAKER):
            try:
                return self._run(start, most, sense, lift)
            except StepFailed:
                most = most / 2
        return None

    def _run(self, start: Start, most: np.ndarray, sense: np.ndarray, lift: float) -> Variables:
        made, h = self._made, self._made.task.sizes
        motion, joints = made.task.start(*start, float(h[0])), list(made.actuated)
        enough = float(made.dynamics.balance(motion.q, motion.v).total) + lift
        q, v, xi, u = [motion.q.copy()], [motion.v.copy()], list[np.ndarray](), np.zeros((made.N, len(most)))
        for k in range(made.N):
            left = enough - float(made.dynamics.balance(motion.q, motion.v).total)
            ways = np.where(np.abs(motion.v[joints]) > 1e-9, np.sign(motion.v[joints]), sense[: len(joints)])
            share = np.clip(left / (NEARLY * lift), -1.0, 1.0)
            u[k, : len(joints)] = self._pumps * most[: len(joints)] * ways * share
            command = made.drives.command(motion.q[None], motion.v[None], h[k, None], u[k, None])[0]
            step_of(motion, h, k, command)
            q.append(motion.q.copy())
            v.append(motion.v.copy())
            xi.append(apart(made.tree, q[-2], q[-1]) / h[k])
        at, rates = np.array(q), np.array(v)
        p = made.dynamics.momenta(at, rates)
        return Variables(at, p, np.array(xi), u, np.zeros((made.N, 0)), rates[-1], h.copy())
