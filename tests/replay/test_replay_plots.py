"""Which series stand in which plot: what is to be compared together, what would flatten the rest apart."""

from pathlib import Path

import numpy as np

from softdock import replay
from softdock.dynamics import Dynamics
from softdock.replay.plots import Plots, _contacts, _groups
from softdock.replay.tracks import Tracks
from softdock.runs.recorder import Recorder
from softdock.runs.recording import read_run
from softdock.world import Body, Box, Revolute, World


def test_too_many_series_are_sorted_by_what_their_names_share() -> None:
    axes = [f"{what}.{axis}" for what in ("handle", "estimate", "gripper") for axis in "xyz"]
    assert [(title, len(names)) for title, names in _groups(axes)] == [(": x", 3), (": y", 3), (": z", 3)]
    methods = [f"{what}.{k}" for what in ("dh", "screws") for k in range(7)]
    assert [title for title, _ in _groups(methods)] == [": dh", ": screws"]
    plain = [f"link{k}" for k in range(10)]
    assert [(title, len(names)) for title, names in _groups(plain)] == [(" (1)", 8), (" (2)", 2)]
    assert _groups(["a", "b"]) == [("", ["a", "b"])]
    assert _groups([]) == []


def test_wheels_have_their_own_plot_and_errors_with_bounds_come_first(tmp_path: Path) -> None:
    wheel = {"parent": "bus", "joint": Revolute(), "mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    bodies = (
        Body(name="bus", mass=100.0, inertia=(10, 10, 10), shapes=(Box(size=(1, 1, 1)),)),
        Body(name="spinning", **wheel),
        Body(name="idle", **wheel),
        Body(name="arm", **wheel),
        Body(name="hand", **(wheel | {"parent": "arm"})),
    )
    t = np.linspace(0, 10, 21)
    states = {
        f"q.bus.{name}": (np.full(21, float(name == "qw")), "1") for name in ("x", "y", "z", "qw", "qx", "qy", "qz")
    }
    states |= {
        "q.spinning": (5 * t, "rad"),
        "q.idle": (0 * t, "rad"),
        "q.arm": (0.1 * t, "rad"),
        "q.hand": (0.2 * t, "rad"),
    }
    states |= {f"v.{name}": (np.full(21, rate), "rad/s") for name, rate in (("spinning", 5.0), ("idle", 0.0))}
    states |= {"v.arm": (np.full(21, 0.1), "rad/s"), "v.hand": (np.full(21, 0.2), "rad/s")}
    with Recorder(tmp_path / "run", World(bodies=bodies)) as recorder:
        recorder.append("states", {"t": (t, "s")} | states)
        recorder.append("other", {"t": (t, "s"), "speed": (t, "m/s")})
        errors = {"error.x": (0.001 * t, "m"), "bound.x": (0.02 + 0 * t, "m"), "sigma_x": (t, "m"), "nees": (t, "1")}
        recorder.append("quality", {"t": (t, "s")} | errors)
    data, _, _ = replay.replay_data(read_run(tmp_path / "run"))
    shown = [(plot["title"], plot["unit"], [series["name"] for series in plot["series"]]) for plot in data["plots"]]
    assert shown == [
        ("Quality: error", "mm", ["error.x", "± x"]),
        ("Wheel speeds", "rpm", ["spinning", "idle"]),
        ("Joint angles", "deg", ["arm", "hand"]),
        ("Joint angle rates", "deg/s", ["arm", "hand"]),
        ("Other", "m/s", ["speed"]),
        ("Quality", "-", ["nees"]),
    ]


def test_a_few_values_far_out_do_not_cost_the_others_their_digits() -> None:
    values = np.sin(np.linspace(0, 20, 500))
    values[:3] = 1e4
    scale = Tracks().add_scaled(values)["scale"]
    assert 1e-4 < scale < 1e-3  # a 3000th of what nine in ten span, not a 30,000th of 10,000
    assert Tracks().add_scaled(np.zeros(4))["scale"] == 1.0


def test_drives_and_contacts_have_plots(yielding: Path) -> None:
    """What actuators did, where they did anything, and the normal force of the walls."""
    data, _, _ = replay.replay_data(read_run(yielding))
    shown = {plot["title"]: plot for plot in data["plots"]}
    assert [series["name"] for series in shown["Actuator torques"]["series"]] == ["arm1", "arm2", "arm3"]
    assert "Forces of actuators" not in shown
    assert [series["name"] for series in shown["Normal contact forces"]["series"]] == ["side walls"]
    titles = list(shown)
    assert titles.index("Joint angles") < titles.index("Actuator torques") < titles.index("Balance errors")


def test_a_touch_between_two_thinned_rows_is_still_in_the_plot(tmp_path: Path) -> None:
    """Of 20,000 rows 3000 are drawn; a gap is closed at three, by two pairs of shapes at once."""
    t = 0.01 * np.arange(20_000)
    touch = {"t": (t[[7001, 7001, 7002, 7003]], "s"), "contact": (np.array(["wall"] * 4), "")}
    with Recorder(tmp_path / "run", World(bodies=(Body(name="a", mass=1.0, inertia=(1, 1, 1)),))) as recorder:
        recorder.append("states", {"t": (t, "s")})
        recorder.append("contacts", touch | {"normal_force": (np.array([1.0, 2.0, 5.0, 4.0]), "N")})
    plots = Plots(Tracks())
    added = []
    plots.add = lambda title, unit, t, series: added.append((title, unit, t, series))  # type: ignore[method-assign]
    _contacts(plots, read_run(tmp_path / "run"))
    ((_, unit, shown, series),) = added
    at = dict(zip(shown.tolist(), series["wall"].tolist(), strict=True))
    assert unit == "N" and len(shown) < 3000
    assert [at[float(x)] for x in t[7000:7005]] == [0.0, 3.0, 5.0, 4.0, 0.0]
    assert sum(series["wall"] > 0) == 3


def test_arms_are_drawn_apart_and_what_stands_on_the_ground_has_no_account_of_momentum(tmp_path: Path) -> None:
    """Two arms of six joints on the ground, and beside them a free body that is pushed."""
    joint = Revolute(axis=(0, 0, 1))
    arms = [
        Body(name=f"{arm}{k}", parent=f"{arm}{k - 1}" if k else "world", joint=joint, mass=1.0, inertia=(1, 1, 1))
        for arm in ("left_", "right_")
        for k in range(6)
    ]
    world = World(bodies=(*arms, Body(name="craft", mass=2.0, inertia=(1, 1, 1))))
    dynamics = Dynamics(world)
    q, v = dynamics.state()
    places, rates = dynamics.layout.names()
    t = np.linspace(0, 1, 5)
    states = {f"q.{label}": (np.full(5, x), "1") for label, x in zip(places, q, strict=True)}
    states |= {f"v.{label}": (np.full(5, x), "1") for label, x in zip(rates, v, strict=True)}
    forces = {"left_0": (t, "N m"), "craft.x": (t, "N"), "craft.wz": (t, "N m")}
    errors = {"energy_error": (1e-9 + t, "J"), "momentum_error": (1e3 * t, "kg m/s")}
    with Recorder(tmp_path / "run", world) as recorder:
        recorder.append("states", {"t": (t, "s")} | states)
        recorder.append("forces", {"t": (t, "s")} | forces)
        recorder.append("ledger", {"t": (t, "s"), "internal": (t, "J")} | errors)
        recorder.append("spans", {"t": (t, "s"), "end": (t, "s"), "turn": (np.radians(90) * t, "rad/s")})
    run = read_run(tmp_path / "run")
    data, _, _ = replay.replay_data(run)
    shown = {plot["title"]: (plot["unit"], [series["name"] for series in plot["series"]]) for plot in data["plots"]}
    assert shown["Joint angles: left_…"] == ("deg", [f"left_{k}" for k in range(6)])
    assert shown["Joint angles: right_…"] == ("deg", [f"right_{k}" for k in range(6)])
    assert shown["Actuator torques"] == ("N m", ["left_0"])
    assert shown["Forces on free bodies"] == ("N", ["craft.x"])
    assert shown["Torques on free bodies"] == ("N m", ["craft.wz"])
    assert shown["Spans"] == ("deg/s", ["turn"])
    assert shown["Balance errors"] == ("log₁₀", ["energy (J)"])
