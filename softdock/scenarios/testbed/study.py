"""Korczyk et al.'s figures as tables: torques by every method, the torque about the bearing, the platform released."""

from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.arm import discrepancy, inverse_dynamics, rest_to_upright, table_1
from softdock.arm.comparison import bearing_torques, differences, joint_torques
from softdock.arm.engines import independent
from softdock.arm.platform import first_moment
from softdock.arm.trajectories import Samples
from softdock.arm.worlds import PLATFORM
from softdock.dynamics import Dynamics
from softdock.runs.ledger import Columns
from softdock.scenarios.testbed.scenario import Remembered, turned
from softdock.spatial import turn_between, vector_of_quaternion

if TYPE_CHECKING:
    from softdock.scenarios.testbed.scenario import Testbed

PAPER_TORQUE = 4.0
"""Between D-H and product of exponentials, at joint 2 (Korczyk et al., Fig. 5)."""
SAMPLES = 401
TIPPED = np.radians(45.0)
"""More than spherical air bearings allow."""
WAYS = {"as_is": (False, "locked"), "balanced": (True, "locked"), "held": (True, "hold")}
"""The platform released: whether with the balance mass, and what the wheels do."""


class Study:
    """What is compared in a run of the scenario, computed once."""

    def __init__(self, scenario: "Testbed") -> None:
        self.scenario, self.arm = scenario, scenario.arm.made()
        motions = {
            "table_1": table_1(np.linspace(0.0, 2 * np.pi, SAMPLES)),
            "upright": rest_to_upright(np.linspace(0.0, 5.0, SAMPLES)),
        }
        other = scenario.arm.made("mjcf" if scenario.arm.parameters == "urdf" else "urdf")
        self.torques = {name: joint_torques(self.arm, along) for name, along in motions.items()}
        self.other = {name: inverse_dynamics(other, s.q, s.v, s.a) for name, s in motions.items()}
        self.motions, self.why = motions, discrepancy(self.arm, other, motions["table_1"])
        self.bearing = bearing_torques(self.arm, scenario.platform.made(), motions["table_1"])
        self.platforms = {way: self._released(*choice) for way, choice in WAYS.items()}

    def _released(self, balanced: bool, wheels: str) -> dict[str, Any]:
        """Attitude, and the wheels' momentum and torque, when the platform is released in one of three ways."""
        scenario = self.scenario.altered_parts(
            balance=self.scenario.balance.altered(wanted=balanced),
            control=self.scenario.control.altered(wheels=wheels),
        )
        dynamics = Dynamics(scenario.world)
        run = scenario.simulation(dynamics)
        rows = run.run(scenario.run.duration, record_every=round(scenario.control.period / scenario.run.h))
        (control,) = run.controllers
        assert isinstance(control, Remembered)
        spin = dynamics.layout.velocities([b.name for b in scenario.world.bodies if ".wheel" in b.name])
        attitude = rows.q[:, dynamics.layout.q[PLATFORM]][:, -4:]
        return {
            "t": rows.t,
            "turn": vector_of_quaternion(turn_between(attitude[0], attitude)),
            "angle": turned(dynamics, rows),
            "momentum": scenario.wheels.inertia * rows.v[:, spin],
            "torque": np.array([command[spin] for command in control.given]),
            "gravity": self._gravity_torque(scenario),
        }

    def _gravity_torque(self, scenario: "Testbed") -> np.ndarray:
        """Of the locked platform along Table 1 (N, 3)."""
        wheels = scenario.wheels
        carrier = scenario.carrier().with_mass(3 * wheels.mass, wheels.position)
        return np.cross(first_moment(self.arm, carrier, self.motions["table_1"].q), self.arm.gravity)

    # --- results ---------------------------------------------------------------------------------

    def metrics(self) -> dict[str, Any]:
        worst: dict[str, float] = {}
        for torques in self.torques.values():
            for pair, value in differences(torques).items():
                worst[pair] = max(value, worst.get(pair, 0.0))
        engine, weight, held = independent(self.arm), self.scenario.weight(), self.platforms["held"]
        return {
            "independent_engine": engine.name if engine else None,
            "torque_difference_max": worst,
            "paper_discrepancy": {
                "joint": self.why.joint,
                "max_torque": self.why.max_torque,
                "cause": self.why.cause,
                "share": self.why.causes[0].share,
                "paper_torque": PAPER_TORQUE,
            },
            "bearing_torque_max": float(np.abs(self.bearing["momentum"]).max()),
            "bearing_torque_difference_max": max(differences(self.bearing).values()),
            "balance_mass": weight.mass,
            "balance_position": weight.position.tolist(),
            "platform_attitude_ranges": {way: float(found["angle"].max()) for way, found in self.platforms.items()},
            "tips_over_after": {way: _first(found, TIPPED) for way, found in self.platforms.items()},
            "wheel_torque_max": float(np.abs(held["torque"]).max()),
            "wheel_momentum_max": float(np.abs(held["momentum"]).max()),
        }

    def tables(self) -> dict[str, Columns]:
        table = {name: self._torque_columns(name, along) for name, along in self.motions.items()}
        table["bearing"] = {"t": (self.motions["table_1"].t, "s"), **self._bearing_columns()}
        columns = {"t": (self.platforms["held"]["t"], "s")}
        for way, found in self.platforms.items():
            columns |= _axes(f"{way}.turn", found["turn"], "rad")
        columns |= _axes("momentum", self.platforms["held"]["momentum"], "N m s")
        given = self.platforms["held"]["torque"]
        columns |= _axes("torque", np.vstack([given, given[-1:]]), "N m")  # a command holds until the next
        table["released"] = columns
        return table

    def _torque_columns(self, name: str, along: Samples) -> Columns:
        methods = self.torques[name] | {"other_parameters": self.other[name]}
        return {"t": (along.t, "s")} | {
            f"{method}.{k + 1}": (values[:, k], "N m") for method, values in methods.items() for k in range(self.arm.n)
        }

    def _bearing_columns(self) -> Columns:
        columns: dict[str, tuple[np.ndarray, str]] = {}
        for method, values in self.bearing.items():
            columns |= _axes(method, values, "N m")
        for way in ("as_is", "balanced"):
            columns |= _axes(f"gravity.{way}", self.platforms[way]["gravity"], "N m")
        return columns


def _first(found: dict[str, Any], angle: float) -> float | None:
    """When the platform has turned so far (s); None if it never does."""
    beyond = np.flatnonzero(found["angle"] > angle)
    return float(found["t"][beyond[0]]) if len(beyond) else None


def _axes(name: str, values: np.ndarray, unit: str) -> dict[str, tuple[np.ndarray, str]]:
    return {f"{name}.{axis}": (np.ascontiguousarray(values[:, k]), unit) for k, axis in enumerate("xyz")}
