"""How a world vibrates about a state: frequencies, damping and shapes, and what an input does to an output."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from softdock.dynamics.model import Dynamics

RIGID = 3e-7
"""Rates below this share of the largest are rounding of zero: motion without stiffness."""
SHIFTED = 0.01
"""Share of its frequency by which the step may shift a mode that it resolves."""
TURNS = {"wx": 0, "wy": 1, "wz": 2, "x": 3, "y": 4, "z": 5}
"""Rows of a frame's Jacobian, by what an output of a frame is called."""


class Modes(NamedTuple):
    """Vibrations about a state, slowest first; those of rigid motion are left out, and only counted."""

    frequency: np.ndarray
    """Size of the rate, over 2π (Hz)."""
    damping: np.ndarray
    """Ratio; 1 where it does not ring, negative where it grows (-)."""
    shape: np.ndarray
    """(modes, nv) complex displacement of every velocity's coordinate (m, rad), the largest 1."""
    rate: np.ndarray
    """Eigenvalues (1/s), of a pair the one with the positive frequency."""
    rigid: int
    """Number of rates that are zero: two of every coordinate that nothing holds."""
    names: tuple[str, ...]
    """Of the shapes' columns."""

    def largest(self, mode: int) -> str:
        """Coordinate that moves most in a mode."""
        return self.names[int(np.argmax(np.abs(self.shape[mode])))]

    def warped(self, h: float) -> np.ndarray:
        """Frequencies (Hz) at which steps of h (s) let them ring: (2/h) atan(ωh/2) (docs/theory/flexible.md, eq. 2)."""
        return np.asarray(np.arctan(np.pi * h * self.frequency) / (np.pi * h))

    def refuse_unresolved(self, h: float, up_to: float) -> None:
        """ValueError if steps of h (s) shift the frequency of a mode of at most `up_to` Hz by more than 1 %."""
        for k, (own, stepped) in enumerate(zip(self.frequency, self.warped(h), strict=True)):
            if own <= up_to and stepped < (1 - SHIFTED) * own:
                most = np.sqrt(12 * SHIFTED) / (2 * np.pi * own)
                raise ValueError(
                    f"a step of {h:g} s does not resolve the mode of {own:.4g} Hz, in which {self.largest(k)!r} moves "
                    f"most: it would ring at {stepped:.4g} Hz; take at most {most:.2g} s"
                )


def modes(
    dynamics: "Dynamics", q: ArrayLike, v: ArrayLike | None, command: ArrayLike | None = None, t: float = 0.0
) -> Modes:
    """See `Dynamics.modes`."""
    n = dynamics.nv
    A, _ = dynamics.linearise(np.asarray(q, float), np.zeros(n) if v is None else v, command, t)
    scale = np.ones(2 * n)  # a rate's unit such that rows of A are alike: eigenvalues of large and small rates apart
    scale[n:] = max(np.sqrt(np.abs(A[n:, :n]).max()), 1e-300)
    rates, vectors = np.linalg.eig(A * scale / scale[:, None])
    moves = np.abs(rates) > RIGID * np.abs(rates).max()
    chosen = np.flatnonzero(moves & (rates.imag > -1e-9 * np.abs(rates)))
    chosen = chosen[np.argsort(np.abs(rates[chosen]), kind="stable")]
    shape = (vectors * scale[:, None])[:n, chosen].T
    peak = shape[np.arange(len(chosen)), np.argmax(np.abs(shape), axis=1)]
    size = np.abs(rates[chosen])
    return Modes(
        size / (2 * np.pi), -rates[chosen].real / size, shape / peak[:, None], rates[chosen],
        int(np.count_nonzero(~moves)), tuple(dynamics.layout.names()[1]),
    )  # fmt: skip


def response(
    dynamics: "Dynamics", hz: ArrayLike, force: str, output: str, q: ArrayLike, v: ArrayLike | None,
    command: ArrayLike | None, t: float,
) -> np.ndarray:  # fmt: skip
    """See `Dynamics.response`."""
    n = dynamics.nv
    q_ = np.asarray(q, float)
    A, B = dynamics.linearise(q_, np.zeros(n) if v is None else v, command, t)
    (column,) = _one(dynamics, force, "force")
    row = np.zeros(2 * n)
    row[:n] = _row(dynamics, output, q_)
    s = 2j * np.pi * np.atleast_1d(np.asarray(hz, float))
    return np.array([row @ np.linalg.solve(each * np.eye(2 * n) - A, B[:, column]) for each in s])


def _one(dynamics: "Dynamics", name: str, what: str) -> np.ndarray:
    found = dynamics.layout.velocities([name])
    if len(found) != 1:
        labels = ", ".join(repr(dynamics.layout.names()[1][k]) for k in found)
        raise ValueError(f"{what} {name!r} is several: give one of {labels}")
    return found


def _row(dynamics: "Dynamics", output: str, q: np.ndarray) -> np.ndarray:
    """By velocities: a coordinate, or of a frame "<frame>:<x, y, z, wx, wy, wz>"."""
    frame, colon, axis = output.rpartition(":")
    if not colon:
        row = np.zeros(dynamics.nv)
        row[_one(dynamics, output, "output")] = 1.0
        return row
    if axis not in TURNS:
        raise ValueError(f"output {output!r}: {axis!r} is none of {', '.join(TURNS)}")
    return np.asarray(dynamics.jacobian(frame, q)[TURNS[axis]])
