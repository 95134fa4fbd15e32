"""What a run must account for: energy, momentum and angular momentum, against everything that may change them.

In orbit the world's own frame falls with the reference point, so energy in it is not conserved.
About Earth it is, and formed without cancellation: with r, ṙ of the reference point, total mass M,
momentum P, kinetic energy T and centre of mass c in the world's frame, and the tidal potential U,

    E = M(½ṙ² − μ/r) + ṙ·P + T + μ/r³ r·(M c) + U

whose first term is large and constant on a Kepler orbit: it is left out.
"""

from collections.abc import Mapping

import numpy as np

from softdock.dynamics import ACCOUNT, Balance, Dynamics, Trajectory
from softdock.spatial import cross, lengths
from softdock.world import Orbit

Column = tuple[np.ndarray, str]
"""Values and their unit."""
Columns = Mapping[str, Column]

_AXES = "xyz"
_WORKS = [ACCOUNT.index(f"work_{what}") for what in ("actuators", "dampers", "friction", "contacts", "carried")]
_ENGAGING, _IMPACTS = ACCOUNT.index("lost_engaging"), ACCOUNT.index("lost_impacts")
_IMPULSE, _TURN = (slice(k, k + 3) for k in (ACCOUNT.index("gravity_impulse_x"), ACCOUNT.index("gravity_turn_x")))
_PUSH, _PUSH_TURN = (slice(k, k + 3) for k in (ACCOUNT.index("push_impulse_x"), ACCOUNT.index("push_turn_x")))
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


def conserved_energy(dynamics: Dynamics, balance: Balance, t: np.ndarray) -> np.ndarray:
    """The energy (J) that changes by works and losses only, less a constant (module docstring)."""
    if not isinstance(dynamics.world.gravity, Orbit):
        return balance.total
    r, velocity = dynamics.reference_orbit(t)
    pull = dynamics.world.gravity.mu * balance.mass / lengths(r) ** 3
    return balance.total + _dot(velocity, balance.momentum) + pull * _dot(r, balance.center)


def earth_angular_momentum(
    dynamics: Dynamics, rows: Trajectory, balance: Balance | None = None
) -> tuple[np.ndarray, float]:
    """Angular momentum about Earth (…, 3) less the reference orbit's M r×ṙ, and the size of that (kg m²/s); `balance`
    is that of the rows, if it is known."""
    balance = balance or dynamics.balance(rows.q, rows.v, rows.t)
    r, velocity = dynamics.reference_orbit(rows.t)
    own = cross(r, balance.momentum) + balance.mass * cross(balance.center, velocity) + balance.angular_momentum
    return own, balance.mass * float(np.linalg.norm(cross(r[0], velocity[0])))


class Ledger:
    """The accounts of a run, relative to its first row."""

    def __init__(self, dynamics: Dynamics, first: Trajectory) -> None:
        self.dynamics = dynamics
        self.balance = dynamics.balance(first.q, first.v, first.t)
        """Of the first rows."""
        self._first, self._account = first, first.account[0]
        self._energies, self._angular = (
            conserved_energy(dynamics, self.balance, first.t),
            self.balance.centroidal_angular_momentum,
        )

    def errors(self, rows: Trajectory) -> dict[str, np.ndarray]:
        """What does not balance in each row.

        energy_error is the energy's change less the works (those of dampers and friction are negative) plus what
        engaging latches and impacts lost; momentum_error and angular_momentum_error (about the centre of mass) are the
        lengths of the changes less the impulse and the turn of gravity and of thrusters. The last two close only if the
        world floats free.
        """
        balance, energies, angular = self.balance, self._energies, self._angular
        if rows is not self._first:
            balance = self.dynamics.balance(rows.q, rows.v, rows.t)
            energies, angular = conserved_energy(self.dynamics, balance, rows.t), balance.centroidal_angular_momentum
        account = rows.account - self._account
        works = sum(account[:, k] for k in _WORKS)
        change = energies - self._energies[0]
        return {
            "energy_error": change - works + account[:, _ENGAGING] + account[:, _IMPACTS],
            "momentum_error": lengths(
                balance.momentum - self.balance.momentum[0] - account[:, _IMPULSE] - account[:, _PUSH]
            ),
            "angular_momentum_error": lengths(angular - self._angular[0] - account[:, _TURN] - account[:, _PUSH_TURN]),
        }

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
            **_axes("gravity_impulse", changes[:, _IMPULSE], "kg m/s"),
            **_axes("push_impulse", changes[:, _PUSH], "kg m/s"),
            "momentum_error": (errors["momentum_error"], "kg m/s"),
            **_axes("angular_momentum", balance.angular_momentum, "kg m²/s"),
            **_axes("centroidal_angular_momentum", balance.centroidal_angular_momentum, "kg m²/s"),
            **_axes("gravity_turn", changes[:, _TURN], "kg m²/s"),
            **_axes("push_turn", changes[:, _PUSH_TURN], "kg m²/s"),
            "angular_momentum_error": (errors["angular_momentum_error"], "kg m²/s"),
            "violation": (violation, "m or rad"),
            "evaluations": (evaluations, "-"),
        }


def _axes(name: str, values: np.ndarray, unit: str) -> dict[str, Column]:
    return {f"{name}_{axis}": (values[:, k], unit) for k, axis in enumerate(_AXES)}


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(np.sum(a * b, axis=-1))
