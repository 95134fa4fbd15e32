"""Plumes while thrusters fire, what joints and latches carry, floors and stands, names: in the data and in the page."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import CHROMIUM, DRIVER, browser, visit

import softdock as sd
from softdock import replay
from softdock.dynamics import Dynamics
from softdock.replay.lab import surroundings
from softdock.replay.plots import Plots
from softdock.replay.poses import Poses
from softdock.replay.scene import events, rods, trails_of
from softdock.replay.tracks import Tracks
from softdock.runs.recorder import Recorder, RunFolderError
from softdock.runs.recording import read_run
from softdock.runs.simulation import Simulation

PULSES = [(0.3, 0.4), (1.0, 1.5)]
"""Begin and end (s) of what the thruster does, by the calls below."""


def craft() -> sd.World:
    """A box with a thruster and a tip mass on a hinge, and a second one."""
    box = {"kind": "box", "size": (0.6, 0.6, 0.6)}
    hull = sd.Body(name="hull", mass=50, inertia=[5.0] * 3, shapes=[box])
    arm = sd.Body(
        name="arm", parent="hull", mass=2, center=(1, 0, 0), inertia=[0.01] * 3, joint=sd.Revolute(axis=(0, 0, 1))
    )
    other = sd.Body(name="other", mass=5, inertia=[1.0] * 3, placement={"position": (3, 0, 0)}, shapes=[box])
    thruster = {"name": "aft", "body": "hull", "position": (-0.3, 0, 0), "direction": (1, 0, 0), "thrust": 10.0}
    return sd.World(name="craft", bodies=[hull, arm, other], thrusters=[thruster])


@pytest.fixture(scope="module")
def fired(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path, dynamics = tmp_path_factory.mktemp("parts") / "run", Dynamics(craft())
    q, v = np.zeros(dynamics.nq), np.zeros(dynamics.nv)
    q[[3, 11]], q[8] = 1.0, 3.0
    v[6] = 1.0  # the arm turns: its joint carries the centripetal force
    simulation = Simulation(dynamics, q, v, h=0.01)
    for begin, end in PULSES:
        middle, length = (begin + end) / 2, end - begin
        simulation.at(middle - 0.25, lambda s, length=length: s.fire({"aft": length}, 0.5))
    with Recorder(path, dynamics.world) as recorder:
        simulation.run(2.0, recorder=recorder, loads=True)
        assert simulation.thrusters
        recorder.append("thrusters", simulation.thrusters.columns())
    return path


def decoded(data: dict[str, Any], text: str, channel: int) -> np.ndarray:
    """A channel of the tracks, by the format in tracks.py alone."""
    import base64
    import zlib

    packed, at, values = zlib.decompress(base64.b64decode(text)), 0, []
    for step, count in data["channels"][: channel + 1]:
        values, total = [], 0
        for _ in range(count):
            code = weight = 0
            while True:
                byte = packed[at]
                at += 1
                code |= (byte & 127) << weight
                weight += 7
                if byte < 128:
                    break
            total += -(code + 1) // 2 if code % 2 else code // 2
            values.append(total * step)
    return np.array(values)


def test_the_page_knows_when_nozzles_are_open_and_what_joints_carry(fired: Path) -> None:
    data, tracks, _ = replay.replay_data(read_run(fired))
    (nozzle,) = data["thrusters"]["nozzles"]
    assert nozzle["along"] == [-1.0, 0.0, 0.0] and nozzle["body"] == "hull"  # it blows away from the push
    opened, shut = (decoded(data, tracks, data["thrusters"][key]) for key in ("t", "end"))
    np.testing.assert_allclose(np.stack([opened, shut], axis=-1), PULSES, atol=1e-5)
    (place,) = data["loads"]["places"]
    assert place["name"] == "joint.arm" and place["body"] == "arm"
    force = np.stack([decoded(data, tracks, channel) for channel in place["force"]], axis=-1)
    recorded = read_run(fired).table("loads")
    wanted = np.stack([recorded[f"joint.arm.f{axis}"] for axis in "xyz"], axis=-1)
    np.testing.assert_allclose(force, wanted, atol=1e-4 * data["loads"]["most"])
    assert force[0, 0] == pytest.approx(-2.0, rel=0.2)  # about -m r w², less for the hull is free
    assert [body["name"] for body in data["bodies"] if body["main"]] == ["hull", "other"]


@pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Debian's chromium and chromium-driver")
def test_plumes_are_seen_while_nozzles_are_open_and_loads_on_request(fired: Path) -> None:
    pytest.importorskip("selenium", reason="selenium drives the browser")
    page = replay.make(read_run(fired))
    with browser() as driver:
        visit(driver, page)
        ask = driver.execute_script
        seen = {t: ask(f"window.replay.seek({t}); return window.replay.firing()") for t in (0.1, 0.35, 0.7, 1.25, 1.9)}
        assert seen == {0.1: 0, 0.35: 1, 0.7: 0, 1.25: 1, 1.9: 0}
        assert ask("return window.replay.loads()") == 0
        ask("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Loads').click()")
        assert ask("return window.replay.loads()") == 1
        names = ask("return [...document.querySelectorAll('.stage .name')].map((label) => label.textContent)")
        assert sorted(names) == ["hull", "other"]


def still(world: sd.World) -> Poses:
    where = {body.name: np.array([body.placement.position], dtype=float) for body in world.bodies}
    return Poses(np.zeros(1), where, {name: np.array([[1.0, 0, 0, 0]]) for name in where})


def test_on_the_ground_there_is_a_floor_below_all_and_a_stand_below_what_is_mounted() -> None:
    ball = {"kind": "sphere", "radius": 0.1}
    arm = sd.Body(
        name="arm", mass=1, inertia=[0.1] * 3, placement={"position": (0, 0, 1)}, joint=sd.Revolute(), shapes=[ball]
    )
    loose = sd.Body(name="loose", mass=1, inertia=[0.1] * 3, placement={"position": (1, 0, 0)}, shapes=[ball])
    world = sd.World(bodies=[arm, loose], gravity={"kind": "uniform"})
    floor, stand = surroundings(world, still(world))["world"]
    top = floor["position"][2] + floor["size"][2] / 2
    assert top < -0.1 and floor["look"] == "floor"
    assert stand["position"][2] + stand["length"] / 2 == pytest.approx(1.0)
    assert stand["position"][2] - stand["length"] / 2 == pytest.approx(top)
    assert surroundings(sd.World(bodies=[arm, loose]), still(world)) == {}  # in space
    sideways = {"kind": "uniform", "acceleration": (9.8, 0, 0)}
    assert surroundings(sd.World(bodies=[arm, loose], gravity=sideways), still(world)) == {}
    ground = sd.Body(
        name="ground", mass=1, inertia=[0.1] * 3, joint=sd.Fixed(), shapes=[{"kind": "box", "size": (9, 9, 1)}]
    )
    whole = sd.World(bodies=[arm, loose, ground], gravity={"kind": "uniform"})
    assert surroundings(whole, still(whole)) == {}  # which has a ground of its own


def armed() -> sd.World:
    """A craft with a wheel, a ball fixed on it, a camera, and an arm of two links with two fingers."""
    link = {"mass": 1.0, "inertia": [0.1] * 3, "center": (0.5, 0, 0)}
    turning, sliding = sd.Revolute(axis=(0, 0, 1)), sd.Prismatic(axis=(0, 1, 0))
    at = {"position": (1, 0, 0)}
    return sd.World(
        name="armed",
        bodies=[
            sd.Body(name="bus", mass=50, inertia=[5.0] * 3),
            sd.Body(name="wheel", parent="bus", joint=turning, placement=at, **link),
            sd.Body(name="ball", parent="bus", joint=sd.Fixed(), placement=at, **link),
            sd.Body(name="upper", parent="bus", joint=turning, placement=at, **link),
            sd.Body(name="lower", parent="upper", joint=turning, placement=at, **link),
            sd.Body(name="left", parent="lower", joint=sliding, placement=at, **link),
            sd.Body(name="right", parent="lower", joint=sliding, placement=at, **link),
            sd.Body(name="other", mass=5, inertia=[1.0] * 3),
            sd.Body(name="hinged", joint=turning, **link),
            sd.Body(name="swung", parent="hinged", joint=turning, placement=at, **link),
        ],
        frames=[{"name": "eye", "body": "bus", "placement": {"position": (0, 2, 0), "rpy": (0, np.pi / 2, 0)}}],
    )


def test_ways_are_drawn_of_what_flies_and_of_arms_ends_alone() -> None:
    assert trails_of(armed()) == {"bus", "other", "left", "swung"}


def test_a_camera_is_where_its_frame_is(tmp_path: Path) -> None:
    dynamics = Dynamics(armed())
    q, v = dynamics.state({"bus": {"velocity": (0.5, 0, 0), "angular_velocity": (0, 0, 0.3)}})
    with Recorder(tmp_path / "run", dynamics.world) as recorder:
        Simulation(dynamics, q, v, h=0.01).run(1.0, recorder=recorder)
    notes = tmp_path / "run" / "replay.json"
    notes.write_text('{"camera": {"frame": "eye", "fov": [0.5, 0.4], "range": 3}}')
    data, text, _ = replay.page.replay_data(read_run(tmp_path / "run"), dynamics)
    camera, rows = data["extras"]["camera"], read_run(tmp_path / "run").states
    shown = np.stack([decoded(data, text, channel) for channel in camera["position"]], axis=-1)
    states = np.stack([rows[f"q.{name}"] for name in dynamics.layout.names()[0]], axis=-1)
    assert np.allclose(shown, dynamics.pose("eye", states)[1], atol=1e-4) and camera["fov"] == [0.5, 0.4]
    notes.write_text('{"camera": {"frame": "nose"}}')
    with pytest.raises(RunFolderError, match=r"replay\.json: camera\.frame"):
        replay.page.replay_data(read_run(tmp_path / "run"), dynamics)


def test_particulars_of_events_have_units() -> None:
    world = {
        "bodies": [{"name": "finger", "joint": {"kind": "prismatic"}}, {"name": "elbow", "joint": {"kind": "revolute"}}]
    }
    recorded = [
        {"time": 1.0, "kind": "limit", "joint": "finger", "limit": 0.25, "value": 0.5},
        {"time": 2.0, "kind": "limit", "joint": "elbow", "limit": 1.5, "value": 1.75},
        {"time": 3.0, "kind": "plume", "thruster": "aft", "body": "target", "force": 2.0},
        {"time": 4.0, "kind": "closed", "gripper": "hand", "held": True, "distance": 5e-5, "angle": 2e-4, "reason": ""},
    ]
    told = [(event["label"], event["detail"]) for event in events(recorded, world)]
    assert told == [
        ("limit: finger", "limit 0.25 m, value 0.5 m"),
        ("limit: elbow", "limit 1.5 rad, value 1.75 rad"),
        ("plume: aft", "body target, force 2 N"),
        ("closed: hand", "held yes, distance 50 µm, angle 0.2 mrad"),
    ]
    assert events(recorded[:1], {"bodies": [3, {"joint": 4}]})[0]["detail"] == "limit 0.25, value 0.5"


def test_a_page_that_would_be_too_large_has_fewer_rows_of_the_whole_run(
    fired: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, dynamics = read_run(fired), Dynamics(craft())
    whole = replay.replay_data(run, dynamics)
    monkeypatch.setattr(replay.page, "MOST_OWN", int(0.8 * replay.page._size(whole)))
    data, text, picture = less = replay.replay_data(run, dynamics)
    assert replay.page._size(less) <= replay.page.MOST_OWN
    times = [decoded(found, track, found["t"]) for found, track, _ in (whole, (data, text, picture))]
    assert len(times[1]) < len(times[0]) and np.allclose(times[1][[0, -1]], times[0][[0, -1]])


def test_of_very_many_series_the_first_are_plotted() -> None:
    plots, t = Plots(Tracks()), np.linspace(0, 1, 5)
    plots.add("Turns", "deg", t, {f"box{k}": k * t for k in range(200)})
    assert [series["name"] for plot in plots.drawn for series in plot["series"]] == [f"box{k}" for k in range(80)]
    assert all(plot["title"].startswith("Turns, 80 of 200") for plot in plots.drawn)


def test_a_link_whose_shape_is_away_from_its_joint_is_drawn_joined_to_it() -> None:
    ball = {"kind": "sphere", "radius": 0.1, "placement": {"position": (0, 0, 0.3)}}
    link = {"mass": 1.0, "inertia": [0.1] * 3, "parent": "hull", "joint": sd.Revolute(axis=(0, 0, 1))}
    hull = sd.Body(name="hull", mass=5, inertia=[1.0] * 3, shapes=[ball])
    away = sd.Body(name="away", shapes=[ball], **link)
    near = sd.Body(name="near", shapes=[ball | {"placement": {"position": (0, 0, 0.05)}}], **link)
    world = sd.World(name="joined", bodies=[hull, away, near])
    assert [rod["to"] for rod in rods(world, away)] == [[0.0, 0.0, 0.3]] and not rods(world, near)
