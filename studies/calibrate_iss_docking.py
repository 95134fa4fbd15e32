"""Choose what Gibson & Murphey leave open, so that the payload hits the bay at 12.50 s and docks at 27.51 s.

    python studies/calibrate_iss_docking.py            # a few minutes; prints keys of iss_docking.toml

The paper gives masses, gains, the docked angles and the two times. Arm lengths, start angles and the
bay are free, and three steps choose them:

1. Search. Arms and start angles are drawn at random, and moved with the payload fixed to the arm. A
   bay whose axis goes through the docked tip has its side wall where the payload is at 12.50 s, and
   its end wall where it is at 27.51 s after the rebound: both times hold by construction, and a draw
   is judged by how near to the docked angles it docks, and by whether it touches anything else.
2. Polish. The best draw, its lengths rounded to 5 cm, is improved by Nelder and Mead's method in its
   start angles and the bay's angle, which are then rounded to 0.01 rad.
3. Refine. In the scenario itself, with its latches and gaps, Newton's method (by secants) finds the
   two distances that set the two times: the bay's width and the place of its end wall along the
   axis. They are rounded to 0.1 mm, which is worth some milliseconds.
"""

import argparse
import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import fsolve, minimize

from softdock.dynamics import Dynamics, Motion
from softdock.scenarios import load
from softdock.scenarios.iss_docking.scenario import JOINTS, IssDocking
from softdock.world import Fixed, Pose, World

HIT, DOCKED, H = 12.50, 27.51, 0.01
AIM = 0.003
"""Times are aimed at so much earlier (s): within the paper's steps 1250 and 2751, and not at their ends."""
SHORT = 0.02
"""The end wall stands so far (m) before the docked tip: the arm still pushes when it docks."""
MOUTH = 0.2
"""The side walls go on for so far (m) behind the place of the first impact."""
AROUND = np.array([2.0, 2.0, 0.8, 3.4, 0.8, 1.9])
SPREAD = np.array([0.5, 0.5, 0.4, 0.5, 0.5, 0.5])
"""Lengths (m) and start angles (rad) are drawn from AROUND ± SPREAD: a coarse search with the base held found this."""


@dataclass(frozen=True)
class Bay:
    """A bay for one arm, and what the payload does in it (m, m/s, rad).

    `short` and `off` are the docked payload's distances from the docked tip, along the axis and
    aside; `early` and `second` are positive if it reaches the end wall before, or comes within 3 cm
    of a side wall again.
    """

    angle: float
    width: float
    length: float
    short: float
    off: float
    docking_speed: float
    side_speed: float
    early: float
    second: float
    angles: np.ndarray

    @property
    def cost(self) -> float:
        """Small if it docks near the docked angles and touches nothing else."""
        faults = 50 * (max(0, self.early) + max(0, self.second)) + 20 * max(0, 0.05 - self.docking_speed)
        faults += 10 * max(0, 0.05 - self.side_speed) + 5 * max(0, self.width - 1.1)
        return 2 * abs(self.short - SHORT) + abs(self.off) + 0.3 * float(np.abs(self.angles).max()) + faults


class Approach:
    """The way of an arm with its payload until the first impact, and what a bay makes of it."""

    def __init__(self, base: IssDocking, lengths: np.ndarray, start: np.ndarray) -> None:
        arm = base.arm.altered(lengths=tuple(lengths.tolist()), start=tuple(start.tolist()))
        parts, self.lengths, self.docked = base.altered_parts(arm=arm), lengths, np.array(arm.docked)
        self.radius = base.payload.radius
        self.dynamics = Dynamics(_carried(parts.make_world()))
        self.command = self.dynamics.command(position=dict(zip(JOINTS, arm.docked, strict=True)))
        q, v = self.dynamics.state({name: parts.make_initial()[name] for name in ("iss", *JOINTS)})
        rows = Motion(self.dynamics, q, v, h=H).run(round(HIT / H), self.command)
        self.q, self.v = rows.q[-1], rows.v[-1]
        self.goal = self.tip(self.docked)
        self.path = self.tip(rows.q[:, 3:6]) - self.goal

    def tip(self, angles: np.ndarray) -> np.ndarray:
        """Where the tip is in the station's frame."""
        heading = np.cumsum(angles, axis=-1)
        return np.stack([np.cos(heading) @ self.lengths, np.sin(heading) @ self.lengths], axis=-1)

    def tip_rows(self, angles: np.ndarray) -> np.ndarray:
        """Velocity of the tip against the station, per unit velocity (2, 6)."""
        heading = np.cumsum(angles)
        links = np.stack([-np.sin(heading) * self.lengths, np.cos(heading) * self.lengths])
        return np.hstack([np.zeros((2, 3)), np.cumsum(links[:, ::-1], axis=1)[:, ::-1]])

    def bay(self, angle: float) -> Bay | None:
        """The bay along `angle` that is hit at HIT; None if it cannot be."""
        along = np.array([math.cos(angle), math.sin(angle)])
        aside = np.array([-along[1], along[0]])
        x, s = self.path @ along, self.path @ aside
        row = aside @ self.tip_rows(self.q[3:6])
        speed = row @ self.v
        length = self.radius + MOUTH - x[-1]
        if s[-1] * speed <= 0 or abs(s[-1]) < 0.05 or length < 0.4:
            return None
        if np.any(np.abs(s[:-1])[x[:-1] > -length] >= abs(s[-1])):  # at the wall before, or at its edge
            return None
        answer = np.linalg.solve(self.dynamics.mass_matrix(self.q), row)
        rebound = self.v - 2 * speed / (row @ answer) * answer
        rows = Motion(self.dynamics, self.q, rebound, h=H, t=HIT).run(round((DOCKED - HIT) / H), self.command)
        path = self.tip(rows.q[:, 3:6]) - self.goal
        after, off = path @ along, path @ aside
        return Bay(
            angle=angle, width=2 * (abs(s[-1]) + self.radius), length=length, short=-after[-1], off=off[-1],
            docking_speed=along @ self.tip_rows(rows.q[-1, 3:6]) @ rows.v[-1], side_speed=abs(speed),
            early=(after[:-1] - after[-1]).max(), second=np.abs(off[round(3 / H) :]).max() - abs(s[-1]) + 0.03,
            angles=rows.q[-1, 3:6] - self.docked,
        )  # fmt: skip

    def bays(self) -> list[Bay]:
        """Feasible ones, their axes up to 0.8 rad off the line from the first impact to the docked tip."""
        direct = math.atan2(-self.path[-1, 1], -self.path[-1, 0])
        return [bay for turn in np.linspace(-0.8, 0.8, 13) if (bay := self.bay(direct + turn))]


def _carried(world: World) -> World:
    """The same with the payload fixed to the arm, and without a bay."""
    tip = world.frame("tip").placement
    payload = world.body("payload").altered(parent=JOINTS[-1], joint=Fixed(), placement=Pose(position=tip.position))
    bodies = [body for body in world.bodies if body.name in ("iss", *JOINTS)]
    return World(gravity=world.gravity, bodies=(*bodies, payload))


def search(base: IssDocking, draws: int, seed: int) -> tuple[np.ndarray, Bay]:
    """The best of some draws: lengths and start angles, and the bay."""
    rng, best = np.random.default_rng(seed), None
    for _ in range(draws):
        drawn = AROUND + SPREAD * rng.uniform(-1, 1, 6)
        for bay in Approach(base, drawn[:3], drawn[3:]).bays():
            if best is None or bay.cost < best[1].cost:
                best = drawn, bay
    if best is None:
        raise SystemExit("no draw is feasible; take more")
    return best


def polish(base: IssDocking, lengths: np.ndarray, start: np.ndarray, angle: float) -> tuple[np.ndarray, Bay]:
    """Start angles, and the bay, rounded."""

    def cost(x: np.ndarray) -> float:
        bay = Approach(base, lengths, x[:3]).bay(x[3])
        return bay.cost if bay else 10.0

    x0 = np.array([*start, angle])
    simplex = np.vstack([x0, x0 + 0.04 * np.eye(4)])
    found = minimize(cost, x0, method="Nelder-Mead", options={"initial_simplex": simplex, "maxfev": 400})
    x = np.round(found.x, 2)
    bay = Approach(base, lengths, x[:3]).bay(x[3])
    if bay is None:
        raise SystemExit("rounding made the bay infeasible; take another seed")
    return x[:3], bay


def refine(base: IssDocking, lengths: np.ndarray, start: np.ndarray, bay: Bay) -> IssDocking:
    """The scenario whose width and end wall give the two times."""
    arm = base.arm.altered(lengths=tuple(lengths.tolist()), start=tuple(start.tolist()))
    goal = Approach(base, lengths, start).goal
    along = np.array([math.cos(bay.angle), math.sin(bay.angle)])
    length = math.ceil(20 * bay.length) / 20

    def scenario(x: np.ndarray) -> IssDocking:
        width, short = np.round(x, 4) if rounded else x
        wall = goal + (base.payload.radius - short) * along
        place = {"position": tuple((np.round(wall, 4) if rounded else wall).tolist()), "angle": bay.angle}
        return base.altered_parts(arm=arm, bay=base.bay.altered(width=float(width), length=length, **place))

    def late(x: np.ndarray) -> list[float]:
        hit, docked = times(scenario(x))
        return [hit - HIT + AIM, docked - DOCKED + AIM]

    rounded = False
    x0 = [bay.width - 2 * AIM * bay.side_speed, bay.short + AIM * bay.docking_speed]
    x = fsolve(late, x0, epsfcn=1e-8, xtol=1e-7)
    rounded = True
    return scenario(x)


def times(scenario: IssDocking) -> tuple[float, float]:
    """Of the first side impact and of docking (s)."""
    docking = scenario.simulation(Dynamics(scenario.world))
    docking.run(scenario.run.duration, record_every=100)
    hits = [event["time"] for event in docking.events if event["kind"] == "impact"]
    return hits[0], docking.times.get("dock", scenario.run.duration)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    base = load("iss-docking")
    assert isinstance(base, IssDocking)
    drawn, first = search(base, options.draws, options.seed)
    print(f"# best draw: {drawn.round(3)}, {first}")
    lengths = np.round(drawn[:3] / 0.05) * 0.05
    lengths = np.round(lengths, 2)
    start, bay = polish(base, lengths, drawn[3:], first.angle)
    print(f"# polished: {bay}")
    found = refine(base, lengths, start, bay)
    hit, docked = times(found)
    print(f"# side impact at {hit:.4f} s, docking at {docked:.4f} s")
    print(f"arm.lengths = {list(found.arm.lengths)}\narm.start = {list(found.arm.start)}")
    print(f"bay.position = {list(found.bay.position)}\nbay.angle = {found.bay.angle:.2f}")
    print(f"bay.width = {found.bay.width}\nbay.length = {found.bay.length}")


if __name__ == "__main__":
    main()
