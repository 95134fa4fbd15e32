"""Flexible parts against what is known of them: the table of docs/flexible.md.

    python studies/flexible.py [--only beams,spin,…] [--steps 100000] [--exudyn]

With --exudyn, if it is installed (pip install exudyn), Exudyn computes the beam that is spun up with its own ANCF
cables; otherwise its value, −0.7508 m, stands in the table (16 cables, h = 0.01 s: −0.7511 m).
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from report import heading
from scipy.linalg import eigh

import softdock as sd
from softdock.scenarios import load
from softdock.scenarios.runner import Runner, balance_errors

FLEXIBLE = ["chaser.flexible=true", "target.flexible=true", "arm.elastic=true"]
L, EI, LINE = 5.0, 200.0, 2.0
UNIT = np.sqrt(EI / LINE / L**4)
CLAMPED = np.array([1.8751040687119612, 4.694091132974175, 7.854757438237613]) ** 2 * UNIT
FREE = np.array([4.730040744862704, 7.853204624095838, 10.995607838001671]) ** 2 * UNIT
BOOM = {"name": "b", "length": L, "line_mass": LINE, "bending_z": EI}
HUB = sd.Body(name="hub", mass=40.0, inertia=(8.0, 8.0, 8.0))
OFFSET = 0.5

Row = tuple[str, str, str]
"""What, its bound, what was measured."""


def frequencies(dynamics: sd.Dynamics) -> np.ndarray:
    found = np.linalg.eigvals(dynamics.linearise(*dynamics.state())[0])
    return np.sort(np.abs(found[found.imag > 1e-7 * np.abs(found).max()]))


def on_free_hub(functions: int = 16) -> np.ndarray:
    """First frequencies of the continuous beam on a free hub, by Ritz's method with polynomials."""
    one = np.polynomial.Polynomial
    x, w = np.polynomial.legendre.leggauss(60)
    at, w = (x + 1) / 2, w / 2
    legendre = [np.polynomial.legendre.Legendre.basis(k, domain=[0, 1]).convert(kind=one) for k in range(functions)]
    basis = [one([1.0]), one([OFFSET / L, 1.0]), *(one([0, 0, 1.0]) * each for each in legendre)]
    shapes, bends = np.array([f(at) for f in basis]), np.array([f.deriv(2)(at) for f in basis])
    M, K = LINE * L * (shapes * w) @ shapes.T, EI / L**3 * (bends * w) @ bends.T
    M[0, 0] += HUB.mass
    M[1, 1] += HUB.inertia[2][2] / L**2
    return np.sqrt(np.abs(eigh(K, M, eigvals_only=True)[2:5]))


def percent(found: np.ndarray, expected: np.ndarray) -> str:
    return ", ".join(f"{100 * abs(a / b - 1):.2g}" for a, b in zip(found, expected, strict=False)) + " %"


def beams(options: argparse.Namespace) -> Iterator[Row]:
    hub = sd.World(bodies=(HUB,))
    root = sd.Pose(position=(OFFSET, 0.0, 0.0))
    for rods in (2, 4, 8, 16):
        bound = "0.01, 0.1, 0.5 %" if rods == 8 else ""
        clamped = sd.Dynamics(sd.beam(**BOOM, rods=rods))
        yield f"cantilever f1, f2, f3, {rods} rods", bound, percent(frequencies(clamped)[:3], CLAMPED)
        carried = sd.Dynamics(sd.beam(hub, **BOOM, on="hub", placement=root, rods=rods))
        bound = "0.02, 0.1, 0.5 %" if rods == 8 else ""
        yield f"on a free hub, {rods} rods", bound, percent(frequencies(carried)[:3], on_free_hub())
        free = sd.Dynamics(sd.beam(**BOOM, rods=rods, free=True, gyration=(1e-3, 1e-3, 0)))
        yield f"both ends free, {rods} rods", "", percent(frequencies(free)[:3], FREE)
        q, v = clamped.state()
        K = -clamped.mass_matrix(q) @ clamped.linearise(q, v)[0][rods:, :rods]
        J = clamped.jacobian("b.tip", q)[[4, 2]]
        exact = np.array([[L**3 / 3, L**2 / 2], [L**2 / 2, L]]) / EI
        worst = np.abs(J @ np.linalg.solve(K, J.T) / exact - 1).max()
        yield f"tip deflection under force and moment, {rods} rods", "rounding", f"{worst:.1e}"


RISE, SPEED, LENGTH, AREA, SECOND, YOUNG, DENSITY = 15.0, 6.0, 8.0, 7.2968e-5, 8.2181e-9, 6.8952e10, 2766.67


def turned(t: np.ndarray) -> np.ndarray:
    """Angle of the beam that is spun up (rad): Kane, Ryan and Banerjee (1987)."""
    rising = SPEED / RISE * (t**2 / 2 + (RISE / 2 / np.pi) ** 2 * (np.cos(2 * np.pi * t / RISE) - 1))
    return np.where(t < RISE, rising, SPEED * t - SPEED * RISE / 2)


def rate(t: np.ndarray) -> np.ndarray:
    return np.where(t < RISE, SPEED / RISE * (t - RISE / 2 / np.pi * np.sin(2 * np.pi * t / RISE)), SPEED)


def by_exudyn(elements: int = 16, h: float = 0.01, end: float = 10.0) -> float:
    """Least deflection of the tip (m) by Exudyn's ANCF cables."""
    import exudyn as exu
    from exudyn import itemInterface as item

    system = exu.SystemContainer().AddSystem()
    step = LENGTH / elements
    nodes = [
        system.AddNode(item.NodePoint2DSlope1(referenceCoordinates=[k * step, 0, 1, 0])) for k in range(elements + 1)
    ]
    for a, b in pairwise(nodes):
        cable = item.ObjectANCFCable2D(
            length=step, massPerLength=DENSITY * AREA, bendingStiffness=YOUNG * SECOND,
            axialStiffness=YOUNG * AREA, nodeNumbers=[a, b],
        )  # fmt: skip
        system.AddObject(cable)
    ground = system.AddNode(item.NodePointGround(referenceCoordinates=[0, 0, 0]))
    fixed = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    offsets = [None, None, lambda m, t, i, o: float(np.cos(turned(t)) - 1), lambda m, t, i, o: float(np.sin(turned(t)))]
    for k, offset in enumerate(offsets):
        marker = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=k))
        more = {"offsetUserFunction": offset} if offset else {}
        system.AddObject(item.CoordinateConstraint(markerNumbers=[fixed, marker], **more))
    sensor = system.AddSensor(
        item.SensorNode(nodeNumber=nodes[-1], outputVariableType=exu.OutputVariableType.Position, storeInternal=True)
    )
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = round(end / h), end
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = h
    settings.timeIntegration.newton.useModifiedNewton = True
    system.SolveDynamic(settings)
    rows = system.GetSensorStoredData(sensor)
    angle = turned(rows[:, 0])
    return float((-np.sin(angle) * rows[:, 1] + np.cos(angle) * rows[:, 2]).min())


def spun_up(rods: int, h: float) -> float:
    """The same by rods on a hub that a torque turns."""
    hub = sd.Body(name="hub", joint=sd.Revolute(), mass=1.0, inertia=(1e8, 1e8, 1e8))
    keys = {"length": LENGTH, "line_mass": DENSITY * AREA, "bending_z": YOUNG * SECOND}
    dynamics = sd.Dynamics(sd.beam(sd.World(bodies=(hub,)), name="b", on="hub", rods=rods, **keys))
    t = np.arange(round(18.0 / h) + 1) * h
    commands = np.zeros((len(t) - 1, dynamics.nv))
    commands[:, 0] = 1e8 * np.diff(rate(t)) / h
    rows = sd.Motion(dynamics, *dynamics.state(), h=h).run(len(commands), commands)
    tip, angle = dynamics.pose("b.tip", rows.q)[1], rows.q[:, 0]
    return float((-np.sin(angle) * tip[:, 0] + np.cos(angle) * tip[:, 1]).min())


def spin(options: argparse.Namespace) -> Iterator[Row]:
    try:
        if not options.exudyn:
            raise ImportError
        least, who = by_exudyn(), "Exudyn, now"
    except ImportError:
        least, who = -0.7508, "Exudyn, as known"
    yield f"spin-up, least tip deflection ({who})", "", f"{least:.4f} m"
    for rods in (4, 8, 16):
        found = spun_up(rods, 0.01)
        bound = "0.5 %" if rods == 16 else ""
        yield f"the same, {rods} rods", bound, f"{found:.4f} m ({100 * abs(found / least - 1):.2f} %)"


def craft(rods: int = 4, joints: int = 2) -> sd.World:
    """A free bus with two panels on hinged yokes (bending about two axes, torsion) and an arm."""
    world = sd.World(bodies=(sd.Body(name="bus", mass=250.0, inertia=(45, 40, 50)),))
    for name, side in (("left", 1.0), ("right", -1.0)):
        world = sd.panel(
            world, name=name, on="bus", placement=sd.Pose(position=(0, side / 2, 0), rpy=(0, 0, side * np.pi / 2)),
            length=5.0, width=1.5, mass=20.0, rods=rods, frequency=0.2, in_plane=4e3, torsion=100.0, damping_ratio=0.0,
            yoke_length=0.5, yoke_mass=1.0, hinge_stiffness=500.0,
        )  # fmt: skip
    arm = [
        sd.Body(
            name=f"arm{k + 1}", parent=f"arm{k}" if k else "bus", placement=sd.Pose(position=(0.6, 0, 0)), mass=8.0,
            joint=sd.Revolute(axis=(0, 1, 0) if k % 2 else (0, 0, 1)), center=(0.3, 0, 0), inertia=(0.02, 0.4, 0.4),
        )
        for k in range(joints)
    ]  # fmt: skip
    return world.altered(bodies=(*world.bodies, *arm))


def momentum(options: argparse.Namespace) -> Iterator[Row]:
    dynamics = sd.Dynamics(craft())
    turning = {"arm1": {"velocity": 0.3}, "arm2": {"velocity": -0.4}, "left.1y": {"position": 0.02}}
    q, v = dynamics.state({**turning, "bus": {"angular_velocity": (0.02, 0.05, 0.1), "velocity": (0.01, 0.02, 0)}})
    before = dynamics.balance(q, v)
    start = time.process_time()
    rows = sd.Motion(dynamics, q, v, h=0.01).run(options.steps, every=max(options.steps // 100, 1))
    took = (time.process_time() - start) / options.steps
    after = dynamics.balance(rows.q, rows.v)
    worst = max(
        float(np.abs(getattr(after, name) - getattr(before, name)).max() / np.linalg.norm(getattr(before, name)))
        for name in ("momentum", "angular_momentum")
    )
    yield (
        f"momentum, two panels and an arm, {options.steps} steps",
        "1e-12",
        f"{worst:.1e} ({1e6 * took:.0f} µs a step)",
    )


def steps(options: argparse.Namespace) -> Iterator[Row]:
    """A resolved mode warps as (2/h) atan(ωh/2); far stiffer ones are stepped over."""
    dynamics = sd.Dynamics(sd.beam(**BOOM, rods=8))
    own = frequencies(dynamics)
    w, shape = _first_mode(dynamics)
    for product in (0.1, 0.5, 1.0, 2.0):
        h = product / w
        rows = sd.Motion(dynamics, 1e-6 * shape, np.zeros(8), h=h).run(4000)
        turns = np.unwrap(np.angle(_analytic(rows.q @ shape)))
        found = (turns[-500] - turns[500]) / (h * (len(turns) - 1000))
        warped = 2 / h * np.arctan(w * h / 2)
        yield (
            f"first mode at hω = {product}: ω as stepped / warped",
            "",
            f"{found / warped - 1:+.1e} (warp {warped / w:.4f})",
        )
    for product in (50.0, 500.0, 5000.0):
        h = product / own[-1]
        motion = sd.Motion(dynamics, np.zeros(8), np.zeros(8), h=h)
        push = np.zeros((2000, 8))
        push[:] = dynamics.jacobian("b.tip", np.zeros(8))[4] * 0.1
        rows = motion.run(2000, push)
        mean = np.mean(dynamics.pose("b.tip", rows.q)[1][:, 1]) / (0.1 * L**3 / 3 / EI)
        each = motion.counts["evaluations"] / 2000
        yield (
            f"highest mode at hω = {product:g}",
            "converges",
            f"{each:.1f} evaluations a step, mean deflection {mean:.3f}",
        )


def modal_links(options: argparse.Namespace) -> Iterator[Row]:
    """Eight modes with general screws on a light hub, and a boom as rods beside its own modes."""
    rng = np.random.default_rng(options.seed)
    C = np.array([[0, 0.2, 0.1], [-0.2, 0, -2.0], [-0.1, 2.0, 0]])
    M = np.block([[20 * np.eye(3), -20 * C], [20 * C, np.diag([5.0, 40.0, 42.0]) - 20 * C @ C]])
    raw = rng.normal(size=(6, 8))
    L = np.linalg.cholesky(M) @ raw * np.sqrt(0.9 / np.linalg.eigvalsh(raw @ raw.T)[-1])
    hz, ratios = np.sort(rng.uniform(0.2, 5.0, 8)), rng.uniform(0.002, 0.02, 8)
    hub = sd.Body(name="bus", mass=30.0, inertia=(3, 4, 5))
    keys = {"frequencies": hz, "damping_ratio": ratios, "participation": L, "mass_matrix": M}
    dynamics = sd.Dynamics(sd.modal(sd.World(bodies=(hub,)), name="p", on="bus", **keys))
    n, worst = dynamics.nv, 0.0
    A, B = dynamics.linearise(*dynamics.state())
    for f in [*np.logspace(-2, 1.5, 100), *hz]:
        s = 2j * np.pi * f
        found = s * np.linalg.solve(s * np.eye(2 * n) - A, B[:, :6])[n : n + 6]
        own = zip(L.T, 2 * np.pi * hz, ratios, strict=True)
        left = sum(np.outer(l, l) * s * s / (s * s + 2 * z * w * s + w * w) for l, w, z in own)
        expected = np.linalg.inv(np.diag([30.0, 30, 30, 3, 4, 5]) + M - left)
        worst = max(worst, float(np.abs(found - expected).max() / np.abs(expected).max()))
    yield "modal link, interface response of 8 modes with general screws", "1e-12", f"{worst:.1e}"
    world = sd.beam(sd.World(bodies=(hub,)), **BOOM, on="bus", gyration=(0.1, 0.1, 0.0))
    rods = sd.Dynamics(world)
    q, v = rods.state()
    mass = rods.mass_matrix(q)
    K = -mass @ rods.linearise(q, v)[0][rods.nv :, : rods.nv]
    mass[:6, :6] -= np.diag([30.0, 30, 30, 3, 4, 5])
    data = sd.modal_data(mass, (K + K.T) / 2)
    for modes in (1, 2, 4, 8):
        keys = {"frequencies": data.frequency[:modes], "participation": data.participation[:, :modes]}
        keys |= {"mass_matrix": data.mass_matrix, "damping_ratio": 0.0}
        linked = sd.Dynamics(sd.modal(sd.World(bodies=(hub,)), name="b", on="bus", **keys))
        turned = []
        for one in (rods, linked):
            command = np.zeros((1000, one.nv))
            command[:100, 5] = 0.02
            turned.append(sd.Motion(one, *one.state(), h=0.01).run(1000, command).q[:, 6])
        worst = np.abs(turned[0] - turned[1]).max() / np.abs(turned[0]).max()
        yield f"a beam as rods, and by {modes} of its modes: hub's attitude", "1 %", f"{100 * worst:.2g} %"


def gears(options: argparse.Namespace) -> Iterator[Row]:
    base, link, J, N = 45.0, 5.0, 1e-4, 100.0
    joint = sd.Revolute(rotor=sd.Rotor(inertia=J, gear_ratio=N))
    bodies = (
        sd.Body(name="base", joint=sd.Revolute(), mass=1.0, inertia=(base,) * 3),
        sd.Body(name="link", parent="base", joint=joint, mass=1.0, inertia=(link,) * 3),
    )
    M = sd.Dynamics(sd.World(bodies=bodies)).mass_matrix(np.zeros(2))
    found, exact = -M[0, 1] / M[0, 0], -(N * J + link) / (base + J + link)
    reflected = -(N * N * J + link) / (base + N * N * J + link)
    yield "free base, per rate of a geared joint", "rounding", f"{found:.4f} ({abs(found / exact - 1):.0e} off)"
    yield "the same with a reflected inertia", "", f"{reflected:.4f} ({100 * (reflected / exact - 1):.0f} % off)"


def tanks(options: argparse.Namespace) -> Iterator[Row]:
    sizes = {"cylinder": {"height": 1.2}, "sphere": {"shape": "sphere"}}
    for name, keys in sizes.items():
        worst = 0.0
        for fill in (0.1, 0.5, 0.9):
            tank = {"name": "t", "radius": 0.5, "fill": fill, "density": 1000.0, **keys}
            world = sd.slosh(**tank).altered(gravity=sd.Uniform(acceleration=(0, 0, -0.3)))
            found = 2 * np.pi * sd.Dynamics(world).modes().frequency[-1]
            worst = max(worst, abs(found / sd.Tank(**tank).liquid().rate(0.3) - 1))
        yield f"slosh frequency, {name}, 10 to 90 % full", "rounding", f"{worst:.0e}"
    half = sd.Tank(name="t", shape="sphere", radius=1.0, fill=0.5, density=1.0).liquid()
    yield "half-full sphere, ω²R/g (McIver 1989: 1.5602)", "", f"{1 / half.arm:.4f}"


def missions(options: argparse.Namespace) -> Iterator[Row]:
    """Scans, fingers and all contacts; processor time of the loop alone, without the compiling before it."""
    for name, changes in (("capture", []), ("capture", FLEXIBLE), ("servicing", FLEXIBLE)):
        runner = Runner(load(name, [*changes, f"run.seed={options.seed}"]))
        scenario, simulation, began = runner.scenario, runner.simulation, time.process_time()
        rows = simulation.run(scenario.run.duration, record_every=scenario.run.record_every)
        faster = scenario.run.duration / (time.process_time() - began)
        found = scenario.metrics(simulation, rows)
        what = f"`{name}`, panels and gears that give way" if changes else f"`{name}`, rigid"
        yield f"{what}: outcome", "", f"{found['outcome']} {found['reason'] or ''}"
        yield "its clearance, collisions", "", f"{1e3 * found['clearance_min']:.1f} mm, {len(found['collisions'])}"
        errors = balance_errors(simulation.dynamics, rows, known={})
        energy, momentum = errors["energy_balance_error"], errors["momentum_drift"]
        yield "its ledger: energy, momentum", "", f"{1e3 * energy:.2g} mJ, {momentum:.1g} kg m/s"
        for frame in ("chaser.left.tip", "target.upper.tip") if changes else ():
            yield f"{frame}: largest deflection", "", f"{1e3 * _deflection(simulation.dynamics, rows.q, frame):.2g} mm"
        yield "its speed, of real time", "10" if name == "capture" else "", f"{faster:.1f}"


def _deflection(dynamics: sd.Dynamics, q: np.ndarray, frame: str) -> float:
    """Of a frame in its craft, from where it is at rest (m)."""
    body = frame.split(".", maxsplit=1)[0]
    rest = dynamics.layout.neutral()
    places = []
    for state in (q, rest[None]):
        (R, p), (_, tip) = dynamics.pose(body, state), dynamics.pose(frame, state)
        places.append(np.einsum("kij,ki->kj", R, tip - p))
    return float(np.linalg.norm(places[0] - places[1], axis=1).max())


def _first_mode(dynamics: sd.Dynamics) -> tuple[float, np.ndarray]:
    n = dynamics.nv
    A, _ = dynamics.linearise(*dynamics.state())
    values, vectors = np.linalg.eig(-A[n:, :n])
    first = int(np.argmin(values.real))
    return float(np.sqrt(values[first].real)), vectors[:, first].real


def _analytic(x: np.ndarray) -> np.ndarray:
    from scipy.signal import hilbert

    return np.asarray(hilbert(x - x.mean()))


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Row]]] = {
    "beams": beams, "spin": spin, "momentum": momentum, "modal": modal_links, "gears": gears, "tanks": tanks,
    "steps": steps, "missions": missions,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=231)
    parser.add_argument("--exudyn", action="store_true", help="let Exudyn compute its value (minutes)")
    options = parser.parse_args()
    print(heading("flexible", options))
    print("| | bound | measured |\n|---|---|---|")
    for name in options.only.split(","):
        for row in PARTS[name](options):
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
