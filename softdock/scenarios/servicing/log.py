"""What a run of 'servicing' leaves beside what its parts do: how it flew, and how well the target was known."""

from typing import Any

import numpy as np

from softdock.estimation import nees, pose_error
from softdock.estimation.own import TURN
from softdock.mission.conductor import Conductor, Observer
from softdock.mission.craft import own_places, turned_hill
from softdock.mission.navigation import Navigation
from softdock.mission.part import Truth
from softdock.planning.hill import drift
from softdock.runs.ledger import Columns
from softdock.scenarios.capture.craft import BASE, HANDLE_FRAME, TARGET
from softdock.scenarios.servicing.craft import R_BS
from softdock.spatial import four, quaternion_of_matrix, quaternion_product, skew, vector_of_matrix
from softdock.world import Pose

EFFORTS = ("reach", "detumble")
EVERY, SAFETY = 0.5, 2.0
"""Seconds between two rows, and between two looks at where it would drift."""
FLIGHT = {
    "t": "s", "distance": "m", "x": "m", "y": "m", "z": "m", "off_course": "m", "off_attitude": "rad", "lag": "rad",
    "chaser_rate": "rad/s", "target_rate": "rad/s", "wheel_momentum": "N m s", "drift": "m",
}  # fmt: skip
ESTIMATED = {
    "t": "s", "x": "m", "y": "m", "z": "m", "qw": "-", "qx": "-", "qy": "-", "qz": "-", "sigma_x": "m", "sigma_y": "m",
    "sigma_z": "m", "position_error": "m", "angle_error": "rad", "position_sigma": "m", "angle_sigma": "rad",
    "nees": "χ²",
}  # fmt: skip


class Notes(Observer):
    """Rows of the tables, taken as the run goes; it sees truth and belief, and no part sees it."""

    def __init__(self, conductor: Conductor, period: float) -> None:
        self.conductor, parts = conductor, dict[str, Any](conductor.parts)
        self.nav, self.hand, self.pilot, self.berth = (parts[name] for name in ("nav", "hand", "pilot", "berth"))
        self._step, self._safety = max(1, round(EVERY / period)), max(1, round(SAFETY / period))
        self._period = period
        self.flight: list[tuple[float, ...]] = []
        self.estimates: list[tuple[float, ...]] = []
        self.at_grasp: dict[str, float] | None = None
        """Errors of the handle's estimated pose, relative to the chaser, when the gripper began to close: m, rad."""
        self.wheel_momentum = 0.0
        self.efforts = dict[str, float]()
        """∫ Σ u² dt by phase: of the joints while the arm reached (N² m² s), of joints, wheels and thrusters' force
        while the stack was stopped (N² m² s, N² s)."""
        self._stored = np.zeros(len(self.pilot.wheels))
        self.way = ""
        """How it stood beside the target."""
        self.station: dict[str, float] | None = None
        """Largest errors of the true station while the arm reached, if it turned with the target: m, rad."""
        self._before = ""

    def observe(self, truth: Truth) -> None:
        """Rows at the present time."""
        tick, phase = round(truth.t / self._period), self.conductor.phase
        stored = self.pilot.wheel_momentum(truth.v[own_places(self.pilot.craft, truth.dynamics)[1]])
        self.wheel_momentum = max(self.wheel_momentum, float(np.abs(stored).max()))
        if phase == "close" != self._before and self.nav.accepted:
            error = self._error(truth)
            self.at_grasp = {"position": float(np.linalg.norm(error[3:])), "angle": float(np.linalg.norm(error[:3]))}
        if phase in EFFORTS:
            self._note_effort(phase, stored)
        self._before, self._stored = phase, stored
        self.way = getattr(self.pilot.course, "way", self.way)
        if phase == "reach" and self.way == "body":
            self._note_station(truth)
        if tick % self._step == 0:
            self.flight.append(self._flight(truth, tick, stored))
            if self.nav.accepted and self.at_grasp is None and truth.t - self.nav.last_seen < 2.0:
                self.estimates.append(self._estimate(truth))

    def _note_effort(self, phase: str, stored: np.ndarray) -> None:
        """Of the last period: what joints and thrusters were commanded, and what wheels gave by what they store. Beside
        a turning target thrusters and wheels do far more than the arm, so a reach is by its joints."""
        craft, arm = self.pilot.craft, dict[str, Any](self.conductor.parts)["arm"]
        force, wheels = craft.commanded[craft.dynamics.layout.v[BASE]][:3], (stored - self._stored) / self._period
        parts = (arm.commanded,) if phase == "reach" else (arm.commanded, wheels, force)
        squares = sum(float(u @ u) for u in parts)
        self.efforts[phase] = self.efforts.get(phase, 0.0) + self._period * squares

    def _note_station(self, truth: Truth) -> None:
        """How far it is from where it is to stand, seen from the target."""
        (R_S, p_S), (R_B, p_B) = (truth.dynamics.pose(name, truth.q) for name in (BASE, TARGET))
        wanted = np.array([-self.pilot.course.radius(truth.t), 0.0, 0.0])
        off = float(np.linalg.norm(R_B.T @ (p_S - p_B) - R_BS @ wanted))
        turned = float(np.linalg.norm(vector_of_matrix(R_BS.T @ R_B.T @ R_S)))
        before = self.station or {"position": 0.0, "angle": 0.0}
        self.station = {"position": max(off, before["position"]), "angle": max(turned, before["angle"])}

    def _covariance(self, truth: Truth) -> np.ndarray:
        """(6, 6) of `_error` by what is believed: the forecast's, and that of the chaser's own attitude δ, by which the
        handle, at x in S, is elsewhere by x × δ. (At 40 m, 2e-5 rad are 0.8 mm.)"""
        there, own = self.nav.forecast(truth.t), self.conductor.parts.get("own")
        if not isinstance(own, Navigation) or own.filter is None:
            return there.covariance
        here = self.pilot.believed()
        x = here.R.T @ (there.position - here.p)
        J = np.concatenate([-there.pose.rotation.T @ here.R, here.R @ skew(x)])
        return np.asarray(there.covariance + J @ own.filter.P[TURN, TURN] @ J.T)

    def _error(self, truth: Truth) -> np.ndarray:
        """(6) of the handle's pose against the chaser's body: rad, m. Where the chaser believes itself to be does not
        matter, only what is between the two."""
        R_AW = turned_hill(self.pilot.craft.n, truth.t).T
        (R_S, p_S), (R_C, p_C) = (truth.dynamics.pose(name, truth.q) for name in (BASE, HANDLE_FRAME))
        here, there = self.pilot.believed(), self.nav.forecast(truth.t)
        true = Pose.of(R_S.T @ R_C, R_S.T @ (p_C - p_S))
        believed = Pose.of(here.R.T @ there.pose.rotation, here.R.T @ (there.position - here.p))
        error = pose_error((believed.position, believed.quaternion), (true.position, true.quaternion))
        return np.concatenate([error[:3], R_AW @ R_S @ error[3:]])

    def _flight(self, truth: Truth, tick: int, stored: np.ndarray) -> tuple[float, ...]:
        layout, (q, v), n = truth.dynamics.layout, (truth.q, truth.v), self.pilot.craft.n
        base, target = q[layout.q[BASE]][:3], q[layout.q[TARGET]][:3]
        R_AW = turned_hill(n, truth.t).T
        off = self.pilot.off(truth.t) if self.pilot.course else (np.nan, np.nan)
        would = self.drift_at(truth.t, q, v) if tick % self._safety == 0 else None
        rates = (float(np.linalg.norm(v[layout.v[name]][3:])) for name in (BASE, TARGET))
        lag = float(getattr(self.pilot.course, "lag", np.nan))
        place = tuple((R_AW @ base).tolist())
        return (
            truth.t, float(np.linalg.norm(base - target)), *place, *off, lag, *rates, float(np.abs(stored).max()),
            np.nan if would is None else would,
        )  # fmt: skip

    def drift_at(self, t: float, q: np.ndarray, v: np.ndarray) -> float | None:
        """Had all thrust failed in this state: how near it would have come in one orbit (m); None if it holds or has
        berthed the target."""
        if self.hand.holds or self.berth.engaged:
            return None
        layout, n = self.conductor.dynamics.layout, self.pilot.craft.n
        R_AW = turned_hill(n, t).T
        r = R_AW @ (q[layout.q[BASE]][:3] - q[layout.q[TARGET]][:3])
        moving = R_AW @ (v[layout.v[BASE]][:3] - v[layout.v[TARGET]][:3])
        return drift(n, r, moving - np.cross([0.0, 0.0, n], r)).nearest

    def _estimate(self, truth: Truth) -> tuple[float, ...]:
        n, t = self.pilot.craft.n, truth.t
        error = self._error(truth)
        body = self.nav.body_at(t)
        R_WA = turned_hill(n, t)
        q = quaternion_product(quaternion_of_matrix(R_WA), body.quaternion)
        covariance = self._covariance(truth)
        sigma = np.sqrt((R_WA @ covariance[3:, 3:] @ R_WA.T).diagonal())
        return (
            t, *(R_WA @ np.asarray(body.position)).tolist(), *four(q), *sigma.tolist(),
            float(np.linalg.norm(error[3:])), float(np.linalg.norm(error[:3])),
            *(float(np.sqrt(np.trace(covariance[k : k + 3, k : k + 3]))) for k in (3, 0)), nees(error, covariance),
        )  # fmt: skip

    def nees_mean(self) -> float | None:
        """Of the handle's pose (of 6), from the tenth measurement on."""
        rows = self.nav.rows
        begin = rows[9]["t"] if len(rows) > 9 else np.inf
        found = [row[-1] for row in self.estimates if row[0] >= begin]
        return float(np.mean(found)) if found else None

    def tables(self) -> dict[str, Columns]:
        """Those that have rows."""
        found: dict[str, Columns] = {}
        for name, rows, units in (("flight", self.flight, FLIGHT), ("estimates", self.estimates, ESTIMATED)):
            if rows:
                columns = np.array(rows, float).T
                found[name] = {key: (columns[k], unit) for k, (key, unit) in enumerate(units.items())}
        return found
