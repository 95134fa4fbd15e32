"""What a run tells: rows, impacts, and what failed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, overload

import numpy as np

from softdock.dynamics.latch_loads import Hold
from softdock.dynamics.state import ACCOUNT_NAMES, EASED

ACCOUNT = ACCOUNT_NAMES
"""Columns of `Trajectory.account` (state.ACCOUNT)."""


class Impact(NamedTuple):
    """One impact: when, between what, where (world frame), and what it did along the normal."""

    time: float
    """(s)."""
    contact: str
    point: np.ndarray
    """(m)."""
    normal: np.ndarray
    """Unit vector from body b to body a (-); zero at a joint's stop, which is not at a point."""
    impulse: float
    """(N s)."""
    speed_before: float
    """Rate of the gap: negative, approaching (m/s)."""
    speed_after: float
    """(m/s)."""
    energy_change: float
    """(J)."""


class Break(NamedTuple):
    """A latch that broke: when, and under what load."""

    time: float
    """(s)."""
    latch: str
    force: float
    """(N)."""
    torque: float
    """(N m)."""


class Impacts(Sequence[Impact]):
    """Impacts in order, made when asked for, since there may be very many: rows of state.EVENT, names of contacts."""

    def __init__(self, rows: np.ndarray, names: list[str]) -> None:
        self._rows, self._names = rows, names

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Impact]:
        return (self[k] for k in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Impact: ...

    @overload
    def __getitem__(self, index: slice) -> "Impacts": ...

    def __getitem__(self, index: int | slice) -> "Impact | Impacts":
        if isinstance(index, slice):
            return Impacts(self._rows[index], self._names)
        time, contact, *what = self._rows[index].item()
        return Impact(time, self._names[contact], *what)


NOTHING = np.empty((0, 0))
NOTHING.flags.writeable = False


def _nothing() -> np.ndarray:
    return NOTHING


NONE_EASED = np.empty(0, EASED)
NONE_EASED.flags.writeable = False


def _none_eased() -> np.ndarray:
    return NONE_EASED


@dataclass(frozen=True)
class Trajectory:
    """Recorded rows of a run: times, states, and the ledger's account since the run began."""

    t: np.ndarray
    """(s)."""
    q: np.ndarray
    """Coordinates, as `Layout` has them (m or rad)."""
    v: np.ndarray
    """Velocities (m/s or rad/s)."""
    account: np.ndarray
    """The ledger's, by `ACCOUNT` (J, N s, N m s)."""
    impacts: Sequence[Impact] = ()
    breaks: Sequence[Break] = ()
    eased: np.ndarray = field(default_factory=_none_eased)
    """What part of their law's force compliant contacts have where that is not all, `state.EASED`, row by row (-); of a
    `rollout` it is not told."""
    pressed: np.ndarray = field(default_factory=_nothing)
    """If loads were asked for: (rows, contacts) of located contacts at rest, `state.FOUND` (m, N, N m)."""
    rubbed: np.ndarray = field(default_factory=_nothing)
    """Likewise: friction of the joints that may stick (N or N m)."""
    holds: Sequence[Hold] = ()
    """Likewise: what latches held at each row."""

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        rows = " × ".join(map(str, self.t.shape))
        span = f", t = {self.t.min():g} to {self.t.max():g} s" if self.t.size else ""
        sizes = f"nq {self.q.shape[-1]}, nv {self.v.shape[-1]}"
        return f"<Trajectory: {rows} rows{span}; {sizes}; impacts {len(self.impacts)}>"

    @staticmethod
    def plain(
        t: np.ndarray,
        q: np.ndarray,
        v: np.ndarray,
        account: np.ndarray,
        impacts: Sequence[Impact] = (),
        eased: np.ndarray = NONE_EASED,
    ) -> "Trajectory":
        """One that tells nothing else, made in half of the time: a motion may make one a step."""
        rows = object.__new__(Trajectory)
        rows.__dict__.update(
            t=t, q=q, v=v, account=account, impacts=impacts, breaks=(), eased=eased, pressed=NOTHING, rubbed=NOTHING,
            holds=(),
        )  # fmt: skip
        return rows

    @property
    def _is_plain(self) -> bool:
        """Does it tell nothing but states and impacts?"""
        return (
            self.eased is NONE_EASED and self.pressed is NOTHING and self.rubbed is NOTHING
            and not (self.breaks or self.holds)
        )  # fmt: skip

    def in_place_of(self, t: np.ndarray, q: np.ndarray, v: np.ndarray, account: np.ndarray) -> "Trajectory":
        """The same with its states in other arrays."""
        rows = object.__new__(Trajectory)
        rows.__dict__.update(self.__dict__, t=t, q=q, v=v, account=account)
        return rows

    def eased_in(self, rows: slice) -> np.ndarray:
        """`eased` of some rows that follow each other, counted from the first of them."""
        first, last, _ = rows.indices(len(self))
        told = self.eased[(self.eased["row"] >= first) & (self.eased["row"] < last)]
        told["row"] -= first
        return told

    @staticmethod
    def joined(
        parts: Iterable["Trajectory"], join: Callable[[list[np.ndarray]], np.ndarray] = np.concatenate
    ) -> "Trajectory":
        """Several, one after the other; or side by side, with join=np.stack."""
        parts = list(parts)
        states = (join([getattr(p, name) for p in parts]) for name in ("t", "q", "v", "account"))
        return Trajectory.gathered(parts, states, join)

    @staticmethod
    def gathered(
        parts: Sequence["Trajectory"],
        states: Iterable[np.ndarray],
        join: Callable[[list[np.ndarray]], np.ndarray] = np.concatenate,
    ) -> "Trajectory":
        """States (t, q, v, account), with what else several parts tell, one after the other."""
        t, q, v, account = states
        impacts = [impact for p in parts for impact in p.impacts]
        if all(p._is_plain for p in parts):
            return Trajectory.plain(t, q, v, account, impacts)
        return Trajectory(
            t,
            q,
            v,
            account,
            impacts,
            [broken for p in parts for broken in p.breaks],
            _eased(parts),
            _filled([p.pressed for p in parts], join),
            _filled([p.rubbed for p in parts], join),
            [hold for p in parts for hold in p.holds],
        )


def _filled(arrays: list[np.ndarray], join: Callable[[list[np.ndarray]], np.ndarray]) -> np.ndarray:
    """Those with rows, joined."""
    some = [array for array in arrays if array.size]
    return join(some) if some else _nothing()


def _eased(parts: Sequence[Trajectory]) -> np.ndarray:
    """Of parts one after the other: what contacts have of their force, with the rows counted on."""
    told, first = list[np.ndarray](), 0
    for part in parts:
        if part.eased.size:
            told.append(part.eased.copy())
            told[-1]["row"] += first
        first += len(part)
    return np.concatenate(told) if told else NONE_EASED


class StepFailed(RuntimeError):
    """A step could not be solved; `trajectory` holds what was computed before it. Of a batch they are those of the
    first motion that failed, and `failed` has all, by their numbers."""

    def __init__(
        self,
        message: str,
        time: float,
        residual: float,
        trajectory: Trajectory,
        failed: "Mapping[int, StepFailed] | None" = None,
    ) -> None:
        super().__init__(message)
        self.time, self.residual, self.trajectory = time, residual, trajectory
        self.failed: Mapping[int, StepFailed] = failed or {}
