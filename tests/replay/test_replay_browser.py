"""The page in a real browser: what it shows, and that it keeps to itself."""

import base64
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import CHROMIUM, DRIVER, browser, size, visit
from hostile_names import HOSTILE
from scipy.spatial.transform import Rotation, Slerp

from softdock import replay
from softdock.dynamics import Dynamics
from softdock.runs.recorder import Recorder
from softdock.runs.recording import read_run
from softdock.runs.simulation import Simulation
from softdock.world import Body, Box, Pose, World

pytest.importorskip("selenium", reason="selenium drives the browser")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Debian's chromium and chromium-driver")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as driver:
        yield driver


@pytest.fixture(scope="module")
def page(docking: Path) -> Path:
    return replay.make(read_run(docking))


def now(driver: Any) -> float:
    return float(driver.execute_script("return window.replay.time()"))


def press(driver: Any, key: str) -> None:
    event = "new KeyboardEvent('keydown', {key: arguments[0], bubbles: true, cancelable: true})"
    driver.execute_script(f"document.body.dispatchEvent({event})", key)


def click(driver: Any, selector: str) -> None:
    from selenium.webdriver.common.by import By

    driver.find_element(By.CSS_SELECTOR, selector).click()


def complaints(driver: Any) -> list[str]:
    """What the console has, but for the driver's own note that pictures are copied from the software renderer."""
    entries = [entry["message"] for entry in driver.get_log("browser") if entry["level"] != "DEBUG"]
    return [message for message in entries if "GPU stall due to ReadPixels" not in message]


def requests(driver: Any) -> list[str]:
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def test_it_opens_from_disk_without_a_request_or_a_complaint(chromium: Any, page: Path) -> None:
    requests(chromium), complaints(chromium)
    visit(chromium, page)
    for view in ("chase", "target", "port", "top", "whole"):
        chromium.execute_script("window.replay.view(arguments[0])", view)
    leaving = [url for url in requests(chromium) if not url.startswith(("file:", "data:", "blob:", "about:"))]
    assert leaving == []
    assert complaints(chromium) == []
    assert chromium.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert chromium.execute_script("return document.querySelectorAll('.plot canvas').length") >= 5


def off(shown: dict[str, Any], p: np.ndarray, R: Rotation) -> tuple[float, float]:
    """Distance (m) and angle (degrees) from a pose shown to one recorded."""
    q = np.array(shown["quaternion"])
    turned = (R.inv() * Rotation.from_quat(q[[1, 2, 3, 0]])).magnitude()
    return float(np.linalg.norm(np.array(shown["position"]) - p)), float(np.degrees(turned))


@pytest.mark.parametrize("name", ["docking", "flyer"])
def test_the_poses_shown_are_those_recorded(chromium: Any, name: str, request: pytest.FixtureRequest) -> None:
    """At 20 random rows, and at 20 random times between two rows (straight, and along the shortest turn)."""
    run = read_run(request.getfixturevalue(name))
    visit(chromium, replay.make(run))
    dynamics = Dynamics(World.model_validate(run.scenario["world"]))
    states, rng = run.states, np.random.default_rng(7)
    q = np.stack([states[f"q.{label}"] for label in dynamics.layout.names()[0]], axis=-1)
    rows = rng.integers(0, len(q) - 1, 20)
    poses = {body.name: dynamics.pose(body.name, q) for body in dynamics.world.bodies}
    for row, part in [(r, 0.0) for r in rows] + [(r, rng.uniform()) for r in rows]:
        t = states["t"][row] + part * (states["t"][row + 1] - states["t"][row])
        shown = chromium.execute_script("return window.replay.seek(arguments[0])", float(t))
        assert shown["time"] == pytest.approx(t, abs=1e-9)
        assert set(shown["poses"]) == set(poses)
        for body, (R, p) in poses.items():
            between = Slerp([0, 1], Rotation.from_matrix(R[row : row + 2]))(part)
            distance, angle = off(shown["poses"][body], (1 - part) * p[row] + part * p[row + 1], between)
            assert distance <= 1e-4
            assert angle <= 0.01
    if name == "docking":  # and without softdock's kinematics: a planar joint's coordinates are its pose
        row = int(rows[0])
        shown = chromium.execute_script("return window.replay.seek(arguments[0])", float(states["t"][row]))
        x, y, angle = (states[f"q.payload.{part}"][row] for part in ("x", "y", "angle"))
        distance, turned = off(shown["poses"]["payload"], np.array([x, y, 0]), Rotation.from_euler("z", angle))
        assert distance <= 1e-4
        assert turned <= 0.01


def test_play_pause_scrub_and_steps(chromium: Any, page: Path) -> None:
    visit(chromium, page)
    chromium.execute_script(
        "const s = document.getElementById('speed'); s.value = '2'; s.dispatchEvent(new Event('change'))"
    )
    began = chromium.execute_script("return performance.now()")
    click(chromium, "#play")
    chromium.execute_async_script("setTimeout(arguments[0], 600)")
    assert chromium.execute_script("return window.replay.playing()")
    click(chromium, "#play")
    stopped = now(chromium)
    took = chromium.execute_script("return performance.now()") - began
    assert 0.3 < stopped <= 2 * took / 1000  # twice real time, on however busy a machine
    drawn = chromium.execute_script("return window.replay.drawn()")
    chromium.execute_async_script("setTimeout(arguments[0], 300)")
    assert now(chromium) == stopped
    assert chromium.execute_script("return window.replay.drawn()") - drawn <= 1  # at rest, nothing is drawn
    scrub = "const s = document.getElementById('scrub'); s.value = 17.25; s.dispatchEvent(new Event('input'))"
    chromium.execute_script(scrub)
    assert now(chromium) == pytest.approx(17.25)
    assert "17.25" in chromium.execute_script("return document.getElementById('time').textContent")
    click(chromium, "button[aria-label='One row on']")
    assert now(chromium) == pytest.approx(17.26)
    click(chromium, "button[aria-label='One row back']")
    assert now(chromium) == pytest.approx(17.25)


def test_events_and_plots_are_ways_to_a_time(chromium: Any, page: Path, docking: Path) -> None:
    visit(chromium, page)
    events = read_run(docking).events
    hit = next(k for k, event in enumerate(events) if event["kind"] == "impact")
    click(chromium, f"[data-event='{hit}']")
    assert now(chromium) == pytest.approx(events[hit]["time"], abs=1e-6)
    place = chromium.execute_script(
        "const r = document.querySelector('.plot .u-over').getBoundingClientRect();"
        "return [r.left, r.top, r.width, r.height]"
    )
    from selenium.webdriver.common.actions.action_builder import ActionBuilder

    actions = ActionBuilder(chromium)
    actions.pointer_action.move_to_location(int(place[0] + place[2] / 4), int(place[1] + place[3] / 2)).click()
    actions.perform()
    assert now(chromium) == pytest.approx(10.0, abs=0.2)  # a quarter of 40 s
    chromium.execute_async_script("setTimeout(arguments[0], 400)")
    assert "#t=10" in chromium.current_url or "#t=9.9" in chromium.current_url
    head = chromium.execute_script("return document.querySelector('.plot .here').getBoundingClientRect().left")
    assert head == pytest.approx(place[0] + place[2] / 4, abs=2)


def test_keys_and_the_list_of_them(chromium: Any, page: Path, docking: Path) -> None:
    visit(chromium, page)
    press(chromium, "End")
    assert now(chromium) == pytest.approx(40)
    press(chromium, "Home")
    press(chromium, "ArrowRight")
    assert now(chromium) == pytest.approx(0.4)
    press(chromium, "n")
    after = next(event["time"] for event in read_run(docking).events if event["time"] > 0.4)
    assert now(chromium) == pytest.approx(after, abs=1e-6)
    press(chromium, " ")
    assert chromium.execute_script("return window.replay.playing()")
    press(chromium, " ")
    press(chromium, "3")
    assert chromium.execute_script("return document.querySelector('[aria-pressed=true]').dataset.view") == "target"
    before = chromium.execute_script("return document.documentElement.dataset.theme")
    press(chromium, "t")
    assert chromium.execute_script("return document.documentElement.dataset.theme") != before
    press(chromium, "?")
    assert chromium.execute_script("return document.querySelector('dialog').open")
    press(chromium, "?")
    assert not chromium.execute_script("return document.querySelector('dialog').open")


def test_a_time_in_the_address(chromium: Any, page: Path) -> None:
    visit(chromium, page, "#t=12.5")
    assert now(chromium) == pytest.approx(12.5)
    chromium.execute_script("location.hash = '#t=3.75'")
    chromium.execute_async_script("setTimeout(arguments[0], 50)")
    assert now(chromium) == pytest.approx(3.75)
    visit(chromium, page, "#t=1e9")
    assert now(chromium) == pytest.approx(40)
    visit(chromium, page, "#t=nonsense")
    assert now(chromium) == 0


def test_two_runs_over_each_other(chromium: Any, docking: Path, softer: Path) -> None:
    visit(chromium, replay.overlay(read_run(docking), read_run(softer)))
    shown = chromium.execute_script("return window.replay.seek(20.0)")
    for key, path in (("poses", docking), ("ghost", softer)):
        states = read_run(path).states
        row = int(np.argmin(np.abs(states["t"] - 20.0)))
        x, y = (states[f"q.payload.{axis}"][row] for axis in "xy")
        assert np.hypot(shown[key]["payload"]["position"][0] - x, shown[key]["payload"]["position"][1] - y) < 1e-4
    assert shown["poses"]["payload"] != shown["ghost"]["payload"]
    words = chromium.execute_script("return document.getElementById('stage-text').textContent")
    assert f"Ghost: {softer.name}." in words
    assert chromium.execute_script("return document.querySelectorAll('#tab-metrics thead th').length") == 3
    assert complaints(chromium) == []


def test_hostile_names_are_text_and_optional_tracks_are_shown(chromium: Any, hostile: Path) -> None:
    complaints(chromium), requests(chromium)
    visit(chromium, replay.make(read_run(hostile)), "#t=0.7")
    assert chromium.execute_script("return window.hacked") is None
    assert chromium.execute_script("return document.querySelectorAll('img').length") == 0
    toggle(chromium, "Names")
    labels = chromium.execute_script("return [...document.querySelectorAll('.stage .name')].map(x => x.textContent)")
    assert sorted(labels) == sorted([HOSTILE["long"], HOSTILE["script"]])
    poses = chromium.execute_script("return window.replay.seek(1.0).poses")
    assert set(poses) == {HOSTILE["long"], HOSTILE["script"]}
    assert HOSTILE["right to left"] in chromium.execute_script(
        "return document.querySelector('#tab-scenario').textContent"
    )
    assert HOSTILE["quotes"] in chromium.execute_script("return document.querySelector('#tab-events').textContent")
    assert chromium.execute_script("return document.querySelectorAll('.blind').length") == 1
    chromium.execute_script("window.replay.seek(0.7)")
    words = chromium.execute_script("return document.getElementById('stage-text').textContent")
    assert "Camera occluded" in words
    assert "The estimator claims 300 mm (3 σ)" in words  # sigma is 0.1 m
    assert complaints(chromium) == []
    wide = chromium.execute_script("return document.documentElement.scrollWidth")
    assert wide <= 1280


def toggle(driver: Any, label: str) -> None:
    driver.execute_script(
        "[...document.querySelectorAll('header button')].find(b => b.textContent === arguments[0]).click()", label
    )
    drawn(driver)


def drawn(driver: Any) -> None:
    """Wait until what has changed is on the screen."""
    driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")


def painted(driver: Any, color: tuple[int, int, int]) -> int:
    """How many pixels of the scene have about that colour, the key left out."""
    from PIL import Image

    stage = driver.execute_script("return document.querySelector('.stage').getBoundingClientRect().toJSON()")
    picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    area = picture.crop((int(stage["left"]), int(stage["top"]) + 40, int(stage["right"]), int(stage["bottom"]) - 60))
    return int((np.abs(np.asarray(area, dtype=int) - color).max(axis=-1) < 12).sum())


def test_forces_of_compliant_contacts_are_arrows(chromium: Any, yielding: Path) -> None:
    """At the hardest row of the touch: point and force as recorded, pixels on the screen, words beside them; then
    faint for a while; and impulses as before."""
    visit(chromium, replay.make(read_run(yielding)), "?theme=light")
    contacts = read_run(yielding).table("contacts")
    hardest = int(np.argmax(contacts["normal_force"]))
    chromium.execute_script("window.replay.seek(arguments[0])", float(contacts["t"][hardest]))
    (arrow,) = chromium.execute_script("return window.replay.arrows()")
    force = np.array([contacts[f"force_{axis}"][hardest] for axis in "xyz"])
    assert (arrow["kind"], arrow["contact"]) == ("force", "side walls")
    assert arrow["point"] == pytest.approx([contacts[axis][hardest] for axis in "xyz"], abs=1e-4)
    assert arrow["vector"] == pytest.approx(force, abs=1e-5 * np.linalg.norm(force))
    words = chromium.execute_script("return document.getElementById('stage-text').textContent")
    assert f"Touching: side walls ({np.linalg.norm(force):.4g} N)." in words
    key = chromium.execute_script("return document.querySelector('.key').textContent")
    assert f"at most {np.linalg.norm(force):.4g} N" in key
    drawn(chromium)
    shown = painted(chromium, (0x0A, 0xA5, 0xBD))
    toggle(chromium, "Forces")
    assert chromium.execute_script("return window.replay.arrows()") == []
    assert shown > 100
    assert painted(chromium, (0x0A, 0xA5, 0xBD)) == 0
    toggle(chromium, "Forces")
    chromium.execute_script("window.replay.seek(arguments[0])", float(contacts["t"][-1]) + 0.5)
    (after,) = chromium.execute_script("return window.replay.arrows()")
    assert after["vector"] == pytest.approx(force)
    chromium.execute_script("window.replay.seek(arguments[0])", float(contacts["t"][0]) - 0.05)
    assert chromium.execute_script("return window.replay.arrows()") == []
    click(chromium, ".mark.contact")
    assert now(chromium) == pytest.approx(contacts["t"][0])
    impact = next(event for event in read_run(yielding).events if event["kind"] == "impact")
    chromium.execute_script("window.replay.seek(arguments[0])", impact["time"] + 0.1)
    (arrow,) = chromium.execute_script("return window.replay.arrows()")
    assert arrow["kind"] == "impulse"
    assert arrow["vector"] == pytest.approx(impact["impulse"] * np.array(impact["normal"]))
    assert complaints(chromium) == []


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768), (820, 1180), (768, 1024)])
def test_nothing_is_cut_off_or_overlaps(chromium: Any, page: Path, width: int, height: int) -> None:
    """At a laptop's size and a tablet's, lying and standing: scene, panel and timeline share the page."""
    size(chromium, width, height)
    visit(chromium, page)
    box = "s => document.querySelector(s).getBoundingClientRect().toJSON()"
    parts = chromium.execute_script(f"return ['header', '.stage', '.panel', '.timeline'].map({box})")
    header, stage, panel, timeline = parts
    title, *groups = chromium.execute_script(
        "return [...document.querySelectorAll('.title, header .group')].map(x => x.getBoundingClientRect().toJSON())"
    )
    assert all(title["right"] <= g["left"] + 0.5 or title["bottom"] <= g["top"] + 0.5 for g in groups)
    assert all(g["right"] <= width for g in groups)
    size(chromium, 1280, 720)
    for part in (header, stage, panel, timeline):
        assert part["left"] >= 0 and part["right"] <= width + 0.5
        assert part["top"] >= 0 and part["bottom"] <= height + 0.5
    assert header["bottom"] <= stage["top"] + 0.5
    assert stage["width"] >= 480 and stage["height"] >= 300
    assert panel["width"] >= 320 and panel["height"] >= 240
    assert stage["right"] <= panel["left"] + 0.5 or stage["bottom"] <= panel["top"] + 0.5
    assert max(stage["bottom"], panel["bottom"]) <= timeline["top"] + 0.5


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_no_pane_is_wider_than_its_place(page: Path, width: int, height: int) -> None:
    """With scroll bars that take room, as people's browsers have them: nothing scrolls sideways, on any tab."""
    wide = """return [...document.querySelectorAll('#app *')].filter(x => {
        const scrolls = ['auto', 'scroll'].includes(getComputedStyle(x).overflowX);
        return scrolls && x.scrollWidth > x.clientWidth}).map(x => x.className)"""
    with browser(width, height, log=False, bars=True) as driver:
        visit(driver, page)
        plots = driver.execute_script("return document.querySelector('.plots')")
        bar = driver.execute_script("return arguments[0].offsetWidth - arguments[0].clientWidth", plots)
        assert bar > 5  # there is one
        for tab in ("plots", "metrics", "events", "scenario"):
            click(driver, f"[aria-controls=tab-{tab}]")
            assert driver.execute_script(wide) == []
        click(driver, "[aria-controls=tab-plots]")
        over = "return [...document.querySelectorAll('.plot canvas')].map(x => x.getBoundingClientRect().right)"
        edge = driver.execute_script(
            "return arguments[0].getBoundingClientRect().left + arguments[0].clientWidth", plots
        )
        assert max(driver.execute_script(over)) <= edge


def test_every_event_is_seen_on_the_timeline(chromium: Any, tmp_path: Path, docking: Path) -> None:
    """Marks do not cover each other: each is seen, or counted and named by another, which clicks part."""
    run = tmp_path / "run"
    shutil.copytree(docking, run)
    events = json.loads((run / "events.json").read_text())
    more = [{"kind": "limit", "time": 27.5 + 0.01 * k, "joint": f"arm{k % 3 + 1}", "limit": 1.0} for k in range(7)]
    (run / "events.json").write_text(json.dumps(sorted([*events, *more], key=lambda event: event["time"])))
    for width, height in ((1280, 720), (390, 844)):
        size(chromium, width, height)
        visit(chromium, replay.make(read_run(run)))
        marks = chromium.execute_script(
            "return [...document.querySelectorAll('.mark:not([hidden])')].map(x => "
            "[x.getBoundingClientRect().toJSON(), Number(x.textContent || 1), x.title, x.className])"
        )
        told = [event for event in read_run(run).events if event["kind"] != "phase"]
        assert sum(count for _, count, _, _ in marks) == len(told)
        assert sum(len(title.split("\n")) for _, _, title, _ in marks) == len(told)
        assert sum("impact" in name for *_, name in marks) == sum(event["kind"] == "impact" for event in told)
        boxes = [box for box, *_ in marks]
        assert not any(
            a["left"] < b["right"] - 1 and b["left"] < a["right"] - 1 and a["top"] < b["bottom"] - 1
            and b["top"] < a["bottom"] - 1
            for k, a in enumerate(boxes) for b in boxes[k + 1 :]
        )  # fmt: skip
        many = "return document.querySelectorAll('.mark.many:not([hidden])').length"
        for _ in range(3):  # each click shows a sixth of the stretch
            assert chromium.execute_script(many) == 1
            click(chromium, ".mark.many:not([hidden])")
            assert 27.49 < now(chromium) < 27.58
        assert chromium.execute_script(many) == 0
    size(chromium, 1280, 720)
    assert complaints(chromium) == []


def test_a_vast_body_is_seen_to_its_ends(chromium: Any, page: Path) -> None:
    """The station is 73 m long and its arm 5: a view for each."""
    visit(chromium, page)
    assert chromium.execute_script("return window.replay.views()") == ["whole", "chase", "target", "port", "top", "far"]
    width = "return Number(document.querySelector('.scale i').style.width.slice(0, -2))"
    metres = "return document.querySelector('.scale span').textContent"
    sizes = {}
    for view in ("whole", "far"):
        chromium.execute_script("window.replay.view(arguments[0])", view)
        chromium.execute_async_script("const done = arguments[0]; setTimeout(() => done(), 300)")
        value, unit = chromium.execute_script(metres).split()
        assert unit == "m"
        stage = chromium.execute_script("return document.querySelector('.stage').clientHeight")
        sizes[view] = stage * float(value) / chromium.execute_script(width)  # metres from top to bottom
    assert sizes["whole"] < 20 and 73 < sizes["far"] < 150


def test_bodies_that_are_drawn_together_look_as_if_each_was_drawn_by_itself(chromium: Any, tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    bodies = []
    for name in ("a", "b"):
        turns = random.normal(size=(80, 4))
        turns /= np.linalg.norm(turns, axis=1)[:, None]
        places = zip(random.uniform(-2, 2, (80, 3)).tolist(), turns.tolist(), strict=True)
        boxes = tuple(Box(size=(0.5, 0.4, 0.3), placement=Pose(position=p, quaternion=q)) for p, q in places)
        bodies.append(Body(name=name, mass=1.0, inertia=(1, 1, 1), shapes=boxes))
    world = World(bodies=tuple(bodies))
    dynamics = Dynamics(world)
    q, v = dynamics.state({"b": {"position": (2.0, 1.0, 0.5)}})
    with Recorder(tmp_path / "run", world) as recorder:
        Simulation(dynamics, q, v, h=0.05).run(0.2, recorder=recorder)
    page, pictures = replay.make(read_run(tmp_path / "run")), []
    from PIL import Image

    calls = """const gl = WebGL2RenderingContext.prototype; window.calls = 0;
        for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced']) {
            const own = gl[name]; gl[name] = function (...x) { window.calls += 1; return own.apply(this, x) }}"""
    counts = []
    for way in ("", "?apart"):
        visit(chromium, page, way)
        chromium.execute_script(calls)
        coded = chromium.execute_script("return window.replay.film(640, 360).picture(arguments[0])", 0.1)
        counts.append(chromium.execute_script("return window.calls"))
        with Image.open(io.BytesIO(base64.b64decode(coded.partition(",")[2]))) as image:
            pictures.append(np.asarray(image.convert("RGB"), dtype=float))
    together, apart = pictures
    assert counts[0] < 0.25 * counts[1]
    assert together.std() > 10
    assert np.mean(np.abs(together - apart).max(axis=-1) > 8) < 1e-3


def test_the_gallery_sorts_and_filters(chromium: Any, docking: Path, hostile: Path, tmp_path: Path) -> None:
    (tmp_path / "b-docking").symlink_to(docking)
    (tmp_path / "a <i>hostile").symlink_to(hostile)
    (tmp_path / "c-broken").mkdir()
    (tmp_path / "c-broken" / "scenario.toml").write_text("scenario = 'world'")
    index, troubles = replay.gallery(tmp_path)
    assert len(troubles) == 1
    complaints(chromium), requests(chromium)
    chromium.get(index.as_uri())
    names = "return [...document.querySelectorAll('.card h2')].map(x => x.textContent)"
    assert chromium.execute_script(names) == ["a <i>hostile", "b-docking", "c-broken"]
    assert chromium.execute_script("return document.querySelectorAll('.card svg').length") == 2
    chromium.execute_script("document.getElementById('down').click()")
    assert chromium.execute_script(names) == ["c-broken", "b-docking", "a <i>hostile"]
    chromium.execute_script(
        "const s = document.querySelector('select'); s.value = 'metric steps'; s.dispatchEvent(new Event('input'))"
    )
    assert chromium.execute_script(names)[1:] == ["b-docking", "a <i>hostile"]
    chromium.execute_script(
        "const f = document.querySelector('[type=search]'); f.value = 'docked'; f.dispatchEvent(new Event('input'))"
    )
    assert chromium.execute_script(names) == ["b-docking"]
    assert complaints(chromium) == []
    click(chromium, ".card a")
    assert (
        chromium.execute_async_script(
            "const done = arguments[0]; window.replay.ready.then(() => done(window.replay.time()))"
        )
        == 0
    )
