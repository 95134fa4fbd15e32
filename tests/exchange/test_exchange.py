"""Runs and scenarios in other tools' formats, read back by those tools' own readers."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from softdock.replay.exports import export
from softdock.runs.recording import Run, read_run
from softdock.scenarios import Runner, load
from softdock.scenarios.fmu import save_fmu

STEP, PUSH = 0.1, 3.0


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    path = tmp_path_factory.mktemp("exchange") / "run"
    Runner(load("iss-docking", ["run.duration=14.0", "run.record_every=10"])).record(path)
    return read_run(path)


def test_ros2_reads_poses_joints_markers_and_events(run: Run, tmp_path: Path) -> None:
    mcap_ros2 = pytest.importorskip("mcap_ros2.reader")
    (path,) = export(run, "ros2", tmp_path / "bag.mcap")
    messages: dict[str, list] = {}
    for message in mcap_ros2.read_ros2_messages(str(path)):
        messages.setdefault(message.channel.topic, []).append((message.log_time_ns, message.ros_msg))
    assert messages.keys() == {"/tf", "/joint_states", "/markers", "/events"}
    k = 70
    nanoseconds, joints = messages["/joint_states"][k]
    assert (
        nanoseconds == round(run.states["t"][k] * 1e9) == joints.header.stamp.sec * 10**9 + joints.header.stamp.nanosec
    )
    for name, q, v, effort in zip(joints.name, joints.position, joints.velocity, joints.effort, strict=True):
        assert (q, v) == (run.states[f"q.{name}"][k], run.states[f"v.{name}"][k])
        assert effort == run.table("forces")[name][k]
    _, tf = messages["/tf"][k]
    station = next(one for one in tf.transforms if one.child_frame_id == "iss")
    assert station.header.frame_id == "world"
    assert station.transform.translation.x == pytest.approx(run.states["q.iss.x"][k], abs=1e-12)
    ((_, markers),) = messages["/markers"]
    assert {m.header.frame_id for m in markers.markers} >= {"iss", "end wall"} and all(
        m.frame_locked for m in markers.markers
    )
    assert json.loads(messages["/events"][-1][1].data) == run.events[-1]


def test_foxglove_knows_every_field_of_the_scene(run: Run, tmp_path: Path) -> None:
    schemas = pytest.importorskip("foxglove_schemas_protobuf.SceneUpdate_pb2")
    from google.protobuf.json_format import ParseDict
    from mcap.reader import make_reader

    (path,) = export(run, "mcap", tmp_path / "run.mcap")
    with path.open("rb") as file:
        (scene,) = [json.loads(m.data) for _, c, m in make_reader(file).iter_messages() if c.topic == "/scene"]
    for entity in scene["entities"]:
        entity["timestamp"], entity["lifetime"] = "1970-01-01T00:00:00Z", "0s"  # as protobuf's JSON writes times
    read = ParseDict(scene, schemas.SceneUpdate())  # refuses what it does not know
    assert {entity.frame_id for entity in read.entities} >= {"iss", "end wall"}
    assert all(len(e.cubes) + len(e.spheres) + len(e.cylinders) + len(e.triangles) for e in read.entities)


def test_a_joint_trajectory_is_the_runs(run: Run, tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    (path,) = export(run, "joint-trajectory", tmp_path / "t.yaml")
    read = yaml.safe_load(path.read_text())
    assert read["joint_names"] == ["arm1", "arm2", "arm3"] and len(read["points"]) == len(run.states["t"])
    point = read["points"][33]
    assert point["positions"] == [run.states[f"q.{name}"][33] for name in read["joint_names"]]
    t = point["time_from_start"]["sec"] + 1e-9 * point["time_from_start"]["nanosec"]
    assert t == pytest.approx(run.states["t"][33], abs=1e-9)


DRIVER = """
import json, sys
import fmpy
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu
path, push, step = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
problems = validate_fmu(path)
about = fmpy.read_model_description(path)
refs = {v.name: v.valueReference for v in about.modelVariables}
units = {v.name: v.unit for v in about.modelVariables}
fmu = FMU3Slave(guid=about.guid, unzipDirectory=fmpy.extract(path), instanceName="a",
                modelIdentifier=about.coSimulation.modelIdentifier)
fmu.instantiate(); fmu.enterInitializationMode(); fmu.exitInitializationMode()
rows, outputs = [], [v.name for v in about.modelVariables if v.causality == "output"]
for k in range(20):
    if k == 10:
        fmu.setFloat64([refs["force.payload"]] if "force.payload" in refs else [refs["force.arm3"]], [push])
    fmu.doStep(k * step, step)
    rows.append(fmu.getFloat64([refs[name] for name in outputs]))
fmu.terminate(); fmu.freeInstance()
print(json.dumps({"problems": problems, "outputs": outputs, "rows": rows, "units": units,
                  "stop": about.defaultExperiment.stopTime}))
"""


def test_an_fmu_gives_the_runs_own_numbers_and_can_be_pushed(tmp_path: Path) -> None:
    pytest.importorskip("fmpy"), pytest.importorskip("pythonfmu3")
    scenario = load("iss-docking")
    path = save_fmu(scenario, tmp_path / "iss-docking.fmu")
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(path), str(PUSH), str(STEP)], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["problems"] == [] and float(found["stop"]) == scenario.run.duration
    assert found["units"]["q.arm1"] == "rad" and found["units"]["force.iss.x"] == "N"
    simulation = Runner(scenario).simulation
    states = []
    for k in range(20):
        if k == 10:
            simulation.outside = np.zeros(simulation.dynamics.nv)
            simulation.outside[simulation.dynamics.layout.v["arm3"]] = PUSH
        simulation.run(STEP)
        states.append([*simulation.q.tolist(), *simulation.v.tolist()])
    assert found["rows"] == states  # bit for bit
    alone = Runner(scenario).simulation.run(20 * STEP, record_every=10)
    assert states[9] == [*alone.q[10].tolist(), *alone.v[10].tolist()] and states[-1] != [*alone.q[-1], *alone.v[-1]]
    with pytest.raises(ValueError, match="exists already"):
        save_fmu(scenario, path)
