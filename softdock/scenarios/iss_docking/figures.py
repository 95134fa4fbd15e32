"""Figures of the scenario 'iss-docking', after those of Gibson & Murphey."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from softdock.dynamics.orbit import elements, position
from softdock.figures import Drawing
from softdock.figures.look import COLORS, FAINT, INK, error_line, legend, panels
from softdock.runs.recording import Run, Table
from softdock.world import Orbit

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

JOINTS = ("arm1", "arm2", "arm3")
ENERGIES = {
    "internal": "kinetic, about\nthe centre",
    "work_actuators": "work of\nactuators",
    "lost_engaging": "lost by\nengaging",
    "lost_impacts": "lost in\nimpacts",
}
EARTH_RADIUS = 6_371_000.0
"""Mean radius (m); it is only drawn."""
QUIET, LINK, HELD, DOCKED, HIT = "#666666", COLORS[0], COLORS[4], COLORS[2], COLORS[1]
PD = "#B0B0B0"


class Moment(NamedTuple):
    """A time (s) and what happens at it."""

    time: float
    what: str


def moments(run: Run) -> list[Moment]:
    """Impacts, docking and release, in order; what falls together is one."""
    found: list[Moment] = []
    for event in run.events:
        what = {
            "impact": f"hits the {str(event.get('contact')).removesuffix('s')}",
            "engaged": "docks" if event.get("latch") == "dock" else "",
            "released": "the arm releases it",
        }.get(event["kind"], "")
        if what == "docks" and found and found[-1].time == event["time"]:
            found[-1] = Moment(event["time"], f"{found[-1].what}, docks")
        elif what:
            found.append(Moment(event["time"], what))
    return found


def orbit_of(run: Run) -> Orbit:
    """The reference orbit."""
    return Orbit.model_validate(run.scenario["orbit"])


def orbit_rate(run: Run) -> float:
    """Mean rate of the orbit (rad/s)."""
    orbit = orbit_of(run)
    return float(np.sqrt(orbit.mu / orbit.semi_major_axis**3))


def _mark(axes: Sequence[Axes], found: Sequence[Moment], low: bool = False) -> None:
    """A line at each moment; what it was stands in the first panel, above or (`low`) below."""
    for moment in found:
        color = HIT if "hits" in moment.what else QUIET
        for ax in axes:
            ax.axvline(moment.time, color=color, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1.5)
        axes[0].annotate(
            f"{moment.time:.2f} s {moment.what}", (moment.time, float(not low)), xycoords=("data", "axes fraction"),
            xytext=(-4 if "hits" in moment.what else 10, 4 if low else -4), textcoords="offset points", rotation=90,
            ha="right" if "hits" in moment.what else "center", va="bottom" if low else "top", fontsize=7.5, color=color,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.8},
        )  # fmt: skip


# --- orientations (the paper's Fig. 6) -------------------------------------------------------------


def orientations(run: Run) -> Figure:
    """Turn of the station against the orbit, and the joint angles with their targets, against time."""
    states, arm = run.states, run.scenario["arm"]
    t = states["t"]
    turn = states["q.iss.angle"] - states["q.iss.angle"][0] - orbit_rate(run) * t
    hits = sum("hits" in moment.what for moment in moments(run))
    title = f"{hits} impact{'s' if hits != 1 else ''}; the station turns by {_micro(turn)} µrad"
    pd = pd_of(run)
    note = "(a) Station, less the orbit's own rate. (b-d) Joint angles of the three arm sections; dashed: PD targets."
    if pd is not None:
        note = note.replace("dashed: PD targets", "grey: PD, until it docks")
    labels = ["(a) ISS (µrad)", "(b) Arm 1, ψ (rad)", "(c) Arm 2, α (rad)", "(d) Arm 3, β (rad)"]
    figure, axes = panels(title, note, labels)
    axes[0].plot(t, 1e6 * turn, color=INK, linewidth=1.6, label="ISS")
    if pd is not None:
        turn = pd["q.iss.angle"] - pd["q.iss.angle"][0] - orbit_rate(run) * pd["t"]
        axes[0].plot(pd["t"], 1e6 * turn, color=PD, linewidth=1.3, label="with PD")
    back = run.metrics.get("released_at") or np.inf
    for k, (ax, name) in enumerate(zip(axes[1:], JOINTS, strict=True)):
        ax.plot(t, states[f"q.{name}"], color=COLORS[k], linewidth=1.6, label=name)
        if pd is not None:
            ax.plot(pd["t"], pd[f"q.{name}"], color=PD, linewidth=1.3, label="with PD")
            continue
        target = np.where(t < back, arm["docked"][k], arm["start"][k])
        ax.plot(t, target, color=INK, linewidth=0.9, linestyle=(0, (3, 3)), label="target")
    for ax in axes:
        ax.margins(y=0.12)
        legend(ax)
    _mark(axes, moments(run))
    return figure


def pd_of(run: Run) -> Table | None:
    """What PD does from the same start, of a planned docking."""
    return run.table("pd") if run.scenario.get("control") == "optimal" and run.metrics.get("effort_pd") else None


# --- effort (of a planned docking) -----------------------------------------------------------------


def effort(run: Run) -> Figure | None:
    """Torques of the plan and of PD, and what they add up to."""
    pd = pd_of(run)
    if run.scenario.get("control") != "optimal" or "effort" not in run.metrics:
        return None
    planned, h, ratio = run.table("planned"), run.scenario["run"]["h"], run.metrics.get("effort_ratio")
    less = "" if ratio is None else f": {ratio:.3g} of PD's"
    title = f"Effort {run.metrics['effort']:.4g} N² m² s{less}; docked at {run.metrics['docked_at'] or np.nan:.2f} s"
    note = "(a-c) Torques of the joints. (d) Their squares, added up over time. Grey: PD from the same start."
    labels = ["(a) Arm 1 (N m)", "(b) Arm 2 (N m)", "(c) Arm 3 (N m)", "(d) Effort (N² m² s)"]
    figure, axes = panels(title, note, labels)
    shown = [("with PD", pd, PD)] if pd is not None else []
    for label, table, color in [*shown, ("planned", planned, None)]:
        squares = sum(table[f"u.{name}"] ** 2 for name in JOINTS)
        for k, (ax, name) in enumerate(zip(axes[:3], JOINTS, strict=True)):
            ax.plot(table["t"], table[f"u.{name}"], color=color or COLORS[k], linewidth=1.4, label=label)
        axes[3].plot(table["t"], np.cumsum(h * squares), color=color or INK, linewidth=1.6, label=label)
    for ax in axes:
        ax.margins(y=0.12)
        legend(ax)
    _mark(axes, moments(run), low=True)
    return figure


def _micro(turn: np.ndarray) -> str:
    return f"{1e6 * np.abs(turn).max():.3g}"


# --- snapshots (the paper's Fig. 5) ----------------------------------------------------------------


def snapshots(run: Run) -> Figure:
    """Six close-ups in the station's frame."""
    from matplotlib.figure import Figure

    scene, shown = _Scene(run), _shown(run)
    figure = Figure(figsize=(12.0, 8.6), dpi=110, facecolor="white")
    grid = figure.add_gridspec(2, 3, left=0.045, right=0.99, top=0.875, bottom=0.055, wspace=0.10, hspace=0.17)
    axes: list[Axes] = []
    for k, moment in enumerate(shown):
        ax = figure.add_subplot(grid[k // 3, k % 3])
        scene.draw(ax, moment, first=k // 3 == 1, left=k % 3 == 0)
        ax.set_title(f"({'abcdef'[k]}) {moment.time:.2f} s: {moment.what}", loc="left", fontsize=10.5, color=INK)
        axes.append(ax)
    outcome = run.metrics.get("outcome", run.metrics.get("status", ""))
    if run.metrics.get("docked_at"):
        outcome = f"{outcome} at {run.metrics['docked_at']:.2f} s"
    figure.text(0.012, 0.968, f"Seen from the station: {outcome}", fontsize=14, fontweight="bold", color=INK)
    note = "Station's frame (m). The payload is orange while the arm holds it, green when the bay does. Thin: its way."
    figure.text(0.012, 0.937, note, fontsize=9.5, color="#555555")
    return figure


def _shown(run: Run) -> list[Moment]:
    """Six moments: the start, the way to the first impact, impacts and docking, and the end."""
    end = float(run.states["t"][-1])
    happened = [moment for moment in moments(run) if moment.time <= end][:3]
    first = happened[0].time if happened else end / 2
    found = [Moment(0.0, "start"), Moment(first / 2, "on the way in"), *happened]
    while len(found) < 5:
        found.append(Moment(found[-1].time + (end - found[-1].time) / (6 - len(found)), "moving on"))
    return [*found, Moment(end, "the arm is moving back" if run.metrics.get("released_at") else "end")]


class _Scene:
    """Outlines in the station's frame."""

    def __init__(self, run: Run) -> None:
        self.scenario, self.states, self.metrics = run.scenario, run.states, run.metrics
        self.radius, self.end = run.scenario["payload"]["radius"], np.array(run.scenario["bay"]["position"])
        angle = run.scenario["bay"]["angle"]
        self.along = np.array([np.cos(angle), np.sin(angle)])
        self.aside = np.array([-self.along[1], self.along[0]])
        angle, away = self.states["q.iss.angle"], []
        for axis in "xy":
            away.append(self.states[f"q.payload.{axis}"] - self.states[f"q.iss.{axis}"])
        cosine, sine = np.cos(angle), np.sin(angle)
        self.payload = np.stack([cosine * away[0] + sine * away[1], cosine * away[1] - sine * away[0]], axis=-1)
        self.joints = self._chain()
        points = [*self.joints.reshape(-1, 2), *self.payload, *np.concatenate(self.walls())]
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        middle, half = (low + high) / 2, float((high - low).max()) / 2 + 0.35
        self.low, self.high = middle - half, middle + half

    def _chain(self) -> np.ndarray:
        heading = np.cumsum([self.states[f"q.{name}"] for name in JOINTS], axis=0)
        links = (
            np.stack([np.cos(heading), np.sin(heading)], axis=-1)
            * np.array(self.scenario["arm"]["lengths"])[:, None, None]
        )
        return np.concatenate([np.zeros((1, *links.shape[1:])), np.cumsum(links, axis=0)]).swapaxes(0, 1)

    def walls(self) -> list[np.ndarray]:
        """Corners of the bay's walls."""
        bay = [body for body in self.scenario["world"]["bodies"] if body["name"] in ("side walls", "end wall")]
        outlines = []
        for box in (shape for body in bay for shape in body["shapes"]):
            corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * np.array(box["size"][:2]) / 2
            x, y = (np.array(box["placement"]["position"][:2]) + corners).T
            outlines.append(self.end + np.outer(x, self.along) + np.outer(y, self.aside))
        return outlines

    def draw(self, ax: Axes, moment: Moment, first: bool, left: bool) -> None:
        from matplotlib.patches import Circle, Polygon

        row = int(np.argmin(np.abs(self.states["t"] - moment.time)))
        half = self.scenario["station"]["length"] / 2
        ax.add_patch(Polygon([[-half, -0.4], [half, -0.4], [half, 0.4], [-half, 0.4]], color="#ECECEC", zorder=0))
        ax.text(self.low[0] + 0.08, 0.0, "ISS", fontsize=8.5, color="#777777", va="center")
        for outline in self.walls():
            ax.add_patch(Polygon(outline, facecolor="#777777", edgecolor="#555555", linewidth=0.6, zorder=2))
        ax.plot(*self.payload[: row + 1].T, color=HELD, linewidth=0.9, zorder=2.5)
        docked = (self.metrics.get("docked_at") or np.inf) <= moment.time
        ball = Circle(self.payload[row], self.radius, zorder=3, linewidth=1.2)
        ball.set(facecolor=DOCKED if docked else HELD, alpha=0.75, edgecolor=INK)
        ax.add_patch(ball)
        ax.plot(*self.joints[row].T, color=LINK, linewidth=4.0, solid_capstyle="round", zorder=4)
        ax.plot(*self.joints[row].T, "o", color="white", markeredgecolor=INK, markersize=4.5, zorder=5)
        if "hits" in moment.what:
            ax.plot(*self._contact(row, moment.what), "*", color=HIT, markersize=15, markeredgecolor="white", zorder=6)
        ax.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]), aspect="equal")
        ax.tick_params(colors=INK, labelsize=8, labelbottom=first, labelleft=left)
        ax.grid(True, color=FAINT, linewidth=0.5)
        ax.set_axisbelow(True)
        for spine in ax.spines.values():
            spine.set_color("#BBBBBB")

    def _contact(self, row: int, what: str) -> np.ndarray:
        """Where the payload touches: the side wall that it is nearest to, or the end wall."""
        off = (self.payload[row] - self.end) @ self.aside
        return np.asarray(
            self.payload[row] + self.radius * (self.along if "end" in what else np.sign(off) * self.aside)
        )


# --- the orbit (the paper's Fig. 2) ----------------------------------------------------------------


def orbit(run: Run) -> Figure:
    """The way about Earth, and the station along it with its size exaggerated."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle

    states, t = run.states, run.states["t"]
    period = 2 * np.pi / orbit_rate(run)
    around, way = (_places(orbit_of(run), at) / 1e6 for at in (np.linspace(0, period, 400), t))
    figure = Figure(figsize=(11.5, 5.6), dpi=110, facecolor="white")
    grid = figure.add_gridspec(1, 2, left=0.055, right=0.985, top=0.83, bottom=0.1, width_ratios=(1, 1.15), wspace=0.14)
    whole, near = (figure.add_subplot(grid[0, k]) for k in range(2))
    for ax in (whole, near):
        ax.add_patch(Circle((0, 0), EARTH_RADIUS / 1e6, facecolor="#DCEAF5", edgecolor="#9BBAD3", linewidth=1.0))
        ax.plot(*around.T, color="#888888", linewidth=0.9, linestyle=(0, (5, 3)))
        ax.plot(*way.T, color=HIT, linewidth=3.0, solid_capstyle="round")
        ax.set(aspect="equal", xlabel="x (1000 km)")
        ax.tick_params(colors=INK, labelsize=9)
        ax.grid(True, color=FAINT, linewidth=0.5)
        ax.set_axisbelow(True)
    whole.set_ylabel("y (1000 km)", color=INK)
    whole.text(0, 0, "Earth", ha="center", va="center", color="#5B7F9C", fontsize=11)
    travelled = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
    size = 0.3 * max(travelled, 0.05)
    _stations(near, states, way, size)
    middle = (way.min(axis=0) + way.max(axis=0)) / 2
    half = 0.5 * float(np.ptp(way, axis=0).max()) + 0.8 * size
    near.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))
    kilometres = f"{1000 * travelled:.0f} km of its orbit in {t[-1]:g} s"
    figure.text(
        0.012, 0.945, f"The station flies {kilometres}, and turns with it", fontsize=13, fontweight="bold", color=INK
    )
    scale = 1e6 * size / run.scenario["station"]["length"]
    note = f"Left: the orbit, {period:.0f} s. Right: the station (dot: its +x end) at {scale:.0f} times its size."
    figure.text(0.012, 0.895, note, fontsize=9.5, color="#555555")
    return figure


def _places(orbit: Orbit, times: np.ndarray) -> np.ndarray:
    """The reference point's x and y about Earth (m)."""
    at, r = elements(orbit), np.zeros((len(times), 3))
    for row, time in zip(r, times, strict=True):
        position(at, float(time), row)
    return r[:, :2]


def _stations(ax: Axes, states: Table, way: np.ndarray, size: float) -> None:
    t = states["t"]
    for row in np.linspace(0, len(t) - 1, 5).astype(int):
        angle = states["q.iss.angle"][row]
        arm = size / 2 * np.array([np.cos(angle), np.sin(angle)])
        ax.plot(
            *np.stack([way[row] - arm, way[row] + arm]).T, color=INK, linewidth=4.5, solid_capstyle="butt", zorder=4
        )
        ax.plot(*(way[row] + arm), "o", color=HIT, markersize=6, zorder=5)
        ax.annotate(
            f"{t[row]:g} s", way[row] - arm, xytext=(-8, 0), textcoords="offset points", ha="right", va="center",
            fontsize=9, color=INK,
        )  # fmt: skip


# --- ledger ----------------------------------------------------------------------------------------


def ledger(run: Run) -> Figure:
    """Energy and angular momentum that were exchanged since the start, and by how much their accounts do not close."""
    table, rod, t = run.ledger, run.scenario["station"], run.ledger["t"]
    moment = rod["mass"] * rod["length"] ** 2 / 12
    station = moment * (run.states["v.iss.angle"] - run.states["v.iss.angle"][0])
    angular = table["centroidal_angular_momentum_z"] - table["centroidal_angular_momentum_z"][0]
    exchanged = {"energy": np.abs(table["work_actuators"]).max(), "angular_momentum": np.abs(station).max()}
    off = {key: np.abs(table[f"{key}_error"]).max() / (x or 1) for key, x in exchanged.items()}
    closes = [f"{key.replace('_', ' ')} balances to {x:.1g}" for key, x in off.items()]
    title = f"Ledger: {', '.join(closes)} of what was exchanged"
    note = "Above: since the start; angular momentum about the centre of mass. Below: what does not balance."
    labels = ["energy (J)", "balance error (J)", "angular momentum (kg m²/s)", "balance error (kg m²/s)"]
    figure, axes = panels(title, note, labels, columns=2)
    for k, (column, label) in enumerate(ENERGIES.items()):
        change = table[column] - table[column][0]
        if np.any(change != 0):
            axes[0].plot(t, change, color=COLORS[k], linewidth=1.6, label=label)
    axes[2].plot(t, station, color=INK, linewidth=1.6, label="station")
    axes[2].plot(t, angular - station, color=COLORS[0], linewidth=1.6, label="arm and\npayload")
    axes[2].plot(t, table["gravity_turn_z"], color=COLORS[1], linewidth=1.2, label="gravity's\nturn")
    error_line(axes[1], t, table["energy_error"], "energy", COLORS[0])
    error_line(axes[3], t, table["angular_momentum_error"], "angular momentum", COLORS[1])
    for ax in (axes[0], axes[2]):
        legend(ax)
    _mark(axes[1::-1], moments(run), low=True)
    _mark(axes[:1:-1], moments(run), low=True)
    return figure


FIGURES: dict[str, Drawing] = {
    "orientations": orientations, "snapshots": snapshots, "orbit": orbit, "ledger": ledger, "effort": effort,
}  # fmt: skip
