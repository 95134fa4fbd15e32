"""What a run must account for: energy, momentum and angular momentum, against everything that may change them.

In orbit the world's own frame falls with the reference point, so energy in it is not conserved.
About Earth it is, and formed without cancellation: with r, ṙ of the reference point, total mass M,
momentum P, kinetic energy T and centre of mass c in the world's frame, and the tidal potential U,

    E = M(½ṙ² − μ/r) + ṙ·P + T + μ/r³ r·(M c) + U

whose first term is large and constant on a Kepler orbit: it is left out.
"""

from collections.abc import Mapping

import numpy as np

from softdock.dynamics import ACCOUNT, Balance, Dynamics, Trajectory, accounts
from softdock.world import Orbit

Column = tuple[np.ndarray, str]
"""Values and their unit."""
Columns = Mapping[str, Column]

_AXES = "xyz"
_PARTS = {
    name: slice(first, first + 3)
    for name, first in (
        ("gravity_impulse", accounts.IMPULSE), ("push_impulse", accounts.PUSH),
        ("gravity_turn", accounts.TURN), ("push_turn", accounts.PUSH_TURN),
    )
}  # fmt: skip
MODAL = "kg^0.5 m"
_VELOCITY = {"m": "m/s", "rad": "rad/s", MODAL: "kg^0.5 m/s"}


def state_columns(dynamics: Dynamics, rows: Trajectory) -> dict[str, Column]:
    """t and the state: `q.` and `v.` with the labels of `Layout.names`."""
    q_names, v_names = dynamics.layout.names()
    columns: dict[str, Column] = {"t": (rows.t, "s")}
    for k, name in enumerate(q_names):
        columns[f"q.{name}"] = (rows.q[:, k], unit_of(dynamics, name))
    for k, name in enumerate(v_names):
        columns[f"v.{name}"] = (rows.v[:, k], _VELOCITY[unit_of(dynamics, name)])
    return columns


def unit_of(dynamics: Dynamics, label: str) -> str:
    """Unit of a coordinate, by the joint's kind and the label's last part."""
    kinds = dynamics.layout.kind
    if label in kinds:
        return {"prismatic": "m", "mode": MODAL}.get(kinds[label], "rad")
    part = label.rpartition(".")[2]
    return {"x": "m", "y": "m", "z": "m", "angle": "rad"}.get(part, "-" if part.startswith("q") else "rad")


def contents(dynamics: Dynamics, balance: Balance, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The energy (J) that changes by works and losses only, less a constant (module docstring); angular momentum about
    the centre of mass."""
    energies, centroidal = np.empty(len(t)), np.empty((len(t), 3))
    momentum, center = balance.momentum, balance.center
    accounts.contents(
        balance.kinetic, balance.gravity, balance.spring, momentum, balance.angular_momentum, center, energies,
        centroidal,
    )  # fmt: skip
    if isinstance(gravity := dynamics.world.gravity, Orbit):
        r, velocity = dynamics.reference_orbit(t)
        cubes = dynamics.orbit_distance_cubed(t)
        accounts.add_fall(momentum, center, r, velocity, cubes, gravity.mu * balance.mass, energies)
    return energies, centroidal


def earth_angular_momentum(
    dynamics: Dynamics, rows: Trajectory, balance: Balance | None = None
) -> tuple[np.ndarray, float]:
    """Angular momentum about Earth (…, 3) less the reference orbit's M r×ṙ, and the size of that (kg m²/s); `balance`
    is that of the rows, if it is known."""
    balance = balance or dynamics.balance(rows.q, rows.v, rows.t)
    r, velocity = dynamics.reference_orbit(rows.t)
    own = np.empty((len(rows), 3))
    momentum, turning = map(np.ascontiguousarray, (balance.momentum, balance.angular_momentum))
    accounts.about_earth(r, velocity, momentum, turning, balance.center, balance.mass, own)
    return own, balance.mass * dynamics.orbit_spin(rows.t)


class Ledger:
    """The accounts of a run, relative to its first row."""

    def __init__(self, dynamics: Dynamics, first: Trajectory) -> None:
        self.dynamics = dynamics
        self.balance = dynamics.balance(first.q, first.v, first.t)
        """Of the first rows."""
        self._first, self._account = first, first.account[0]
        self._contents = contents(dynamics, self.balance, first.t)

    def errors(self, rows: Trajectory) -> dict[str, np.ndarray]:
        """What does not balance in each row.

        energy_error is the energy's change less the works (those of dampers and friction are negative) plus what
        engaging latches and impacts lost; momentum_error and angular_momentum_error (about the centre of mass) are the
        lengths of the changes less the impulse and the turn of gravity and of thrusters. The last two close only if the
        world floats free.
        """
        balance, told = self.balance, self._contents
        if rows is not self._first:
            balance = self.dynamics.balance(rows.q, rows.v, rows.t)
            told = contents(self.dynamics, balance, rows.t)
        out, momentum = np.empty((3, len(rows))), np.ascontiguousarray(balance.momentum)  # also of a single row
        accounts.missing(
            told[0], momentum, told[1], rows.account,
            self._contents[0], self.balance.momentum, self._contents[1], self._account, out,
        )  # fmt: skip
        return dict(zip(("energy_error", "momentum_error", "angular_momentum_error"), out, strict=True))

    def columns(self, rows: Trajectory, violation: np.ndarray, evaluations: np.ndarray) -> dict[str, Column]:
        """The ledger of some rows: contents, works and losses since the first row, and what does not balance."""
        balance = self.dynamics.balance(rows.q, rows.v, rows.t)
        account = dict(zip(ACCOUNT, (rows.account - self._account).T, strict=True))
        changes = rows.account - self._account
        errors = self.errors(rows)
        return {
            "t": (rows.t, "s"),
            "kinetic": (balance.kinetic, "J"),
            "internal": (balance.internal, "J"),
            "gravity": (balance.gravity, "J"),
            "spring": (balance.spring, "J"),
            "total": (balance.total, "J"),
            **{name: (account[name], "J") for name in ACCOUNT if name.startswith(("work_", "lost_"))},
            "energy_error": (errors["energy_error"], "J"),
            **_axes("momentum", balance.momentum, "kg m/s"),
            **_axes("gravity_impulse", changes[:, _PARTS["gravity_impulse"]], "kg m/s"),
            **_axes("push_impulse", changes[:, _PARTS["push_impulse"]], "kg m/s"),
            "momentum_error": (errors["momentum_error"], "kg m/s"),
            **_axes("angular_momentum", balance.angular_momentum, "kg m²/s"),
            **_axes("centroidal_angular_momentum", balance.centroidal_angular_momentum, "kg m²/s"),
            **_axes("gravity_turn", changes[:, _PARTS["gravity_turn"]], "kg m²/s"),
            **_axes("push_turn", changes[:, _PARTS["push_turn"]], "kg m²/s"),
            "angular_momentum_error": (errors["angular_momentum_error"], "kg m²/s"),
            "violation": (violation, "m or rad"),
            "evaluations": (evaluations, "-"),
        }


def _axes(name: str, values: np.ndarray, unit: str) -> dict[str, Column]:
    return {f"{name}_{axis}": (values[:, k], unit) for k, axis in enumerate(_AXES)}
