"""Missions on worlds that give way: models on board are rigid, motors of elastic joints are commanded."""

from types import ModuleType

import numpy as np
import pytest

import softdock as sd
from softdock import mission as ms
from softdock.mission.craft import Crafts
from softdock.scenarios import load
from softdock.scenarios.runner import Runner
from softdock.world.files import WorldFileError
from softdock.world.rigid import gives_way, lumped, rigid

FLEXIBLE = ["chaser.flexible=true", "target.flexible=true", "arm.elastic=true"]


def bending(world: sd.World) -> sd.World:
    """The world of docs/missions.md with panels on bus and client, and gears that give way in its arm."""
    gear = sd.Elastic(stiffness=2e4, damping=50.0, gear_ratio=100.0, rotor_inertia=5e-5)
    servo = sd.Servo(kp=300.0, kd=200.0)
    bodies = tuple(
        body.altered(joint=body.joint.altered(elastic=gear, servo=servo)) if body.name in ("upper", "fore", "wrist")
        else body
        for body in world.bodies
    )  # fmt: skip
    world = world.altered(bodies=bodies)
    for name, on, at, mass in (("wing", "bus", (-0.4, 0, 0), 10.0), ("flap", "client", (0.15, 0, 0), 2.0)):
        turn = (np.pi / 2, 0, np.pi if on == "bus" else 0)  # so that they bend in the arm's plane
        world = sd.panel(
            world, name=name, on=on, placement=sd.Pose(position=at, rpy=turn), length=1.5, width=0.5, mass=mass,
            frequency=0.6, rods=2,
        )  # fmt: skip
    return world


def test_a_mission_on_a_world_that_bends(fetch: ModuleType) -> None:
    """The mission of docs/missions.md takes its client, with motors commanded and panels bending, and the ledger
    closes: no part of the mission knows of either."""
    world = bending(fetch.WORLD)
    names = {"upper": "upper.motor", "fore": "fore.motor", "wrist": "wrist.motor"}
    initial = {names.get(name, name): state for name, state in fetch.Fetch(scenario="fetch").initial.items()}
    mission = fetch.Fetch(scenario="fetch", world=world, initial=initial, run={"h": 0.02, "duration": 55.0})
    runner = Runner(mission)
    metrics = runner.run()
    assert metrics["outcome"] == "success", metrics["reason"]
    assert abs(metrics["energy_balance_error"]) < 1e-3 and metrics["momentum_drift"] < 1e-12
    simulation = runner.simulation
    assert 1e-7 < abs(simulation.q[simulation.dynamics.layout.q["wing.1"].start]) < 0.1


def test_onboard_models_are_rigid(fetch: ModuleType) -> None:
    """The craft of a world that bends has the coordinates of one that does not, and the same mass matrix but for rotors
    and panels, which it knows as rigid bodies."""
    world = bending(fetch.WORLD)
    crafts, arm = Crafts(world), ms.Arm("gripper")
    arm.name = "arm"
    arm.fit(crafts)
    assert arm.joints == ("upper.motor", "fore.motor", "wrist.motor") and arm.servoed == arm.joints
    own = arm.craft.dynamics
    assert own.nv == sd.Dynamics(fetch.WORLD).nv - 6 and not any(map(gives_way, own.world.bodies))  # without client
    assert own.mass == pytest.approx(sum(body.mass for body in world.bodies if body.name not in ("client",)) - 2.0)


def test_servos_press_by_virtual_work(fetch: ModuleType) -> None:
    """What servos are told to go beyond, times their stiffness, is the work of the force per joint's turn."""
    crafts, arm = Crafts(bending(fetch.WORLD)), ms.Arm("gripper")
    arm.name = "arm"
    arm.fit(crafts)
    own, (in_q, _) = arm.craft.dynamics, arm.craft.dynamics.layout.flat(arm.joints)
    q, force, ahead = own.layout.neutral(), np.array([2.0, -3.0, 0.0]), np.array([0.2, 0.1, 0.0])
    q[in_q] = 0.4, 0.9, -0.5
    arm.craft.measured(0.0, q, np.zeros(own.nv))
    R, p = own.pose("gripper", q)

    def work(k: int, angle: float) -> float:
        turned = q.copy()
        turned[in_q[k]] += angle
        R, p = own.pose("gripper", turned)
        return float(force @ (p + R @ ahead))

    press = ms.Press(arm, force, p + R @ ahead, 4.0)
    press.begin(0.0)
    torques = press.at(4.0).q - press.at(0.0).q
    expected = [(work(k, 1e-5) - work(k, -1e-5)) / 2e-5 / 300.0 for k in range(3)]
    np.testing.assert_allclose(torques, expected, rtol=1e-8)


def test_a_body_lumped_with_what_is_fixed_to_it_has_its_mass_matrix(fetch: ModuleType) -> None:
    world = rigid(bending(fetch.WORLD))
    whole = sd.Dynamics(sd.World(bodies=tuple(b for b in world.bodies if b.name == "client" or b.name[:4] == "flap")))
    alone = sd.Dynamics(sd.World(bodies=(lumped(world, "client"),)))
    q = whole.layout.neutral()
    np.testing.assert_allclose(alone.mass_matrix(q), whole.mass_matrix(q), atol=1e-12)


@pytest.mark.parametrize("kind", ["planar", "free", "spherical", "prismatic"])
def test_joints_on_springs_are_held_where_they_rest(kind: str) -> None:
    """A body on a sprung joint of any kind is, in the rigid world, where it is at rest."""
    joints = {
        "planar": sd.Planar(spring=sd.Spring(stiffness=(9.0, 9.0, 9.0), rest=(0.1, -0.2, 0.7))),
        "free": sd.Free(spring=sd.Spring(stiffness=(9.0,) * 4, rest=(0.1, -0.2, 0.3))),
        "spherical": sd.Spherical(spring=sd.Spring(stiffness=(9.0,), rest=())),
        "prismatic": sd.Prismatic(axis=(0, 1, 0), spring=sd.Spring(stiffness=(9.0,), rest=(0.4,))),
    }
    bus, at = sd.Body(name="bus", mass=9, inertia=(1, 1, 1)), sd.Pose(position=(0, 0.5, 0), rpy=(0.3, 0, 0.2))
    load = sd.Body(name="load", parent="bus", placement=at, joint=joints[kind], mass=1, inertia=(1, 1, 1))
    world = sd.World(bodies=(bus, load))
    moving, still = sd.Dynamics(world), sd.Dynamics(rigid(world))
    q = moving.layout.neutral()
    flat = len(load.joint.freedom.flat)
    rest = {"planar": (0.1, -0.2, 0.7), "free": (0.1, -0.2, 0.3), "spherical": (), "prismatic": (0.4,)}[kind]
    q[moving.layout.q["load"].start : moving.layout.q["load"].start + flat] = rest
    for a, b in zip(moving.pose("load", q), still.pose("load", still.layout.neutral()), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-15)


@pytest.mark.parametrize("name", ["capture", "servicing"])
def test_flexible_scenarios_have_the_mass_that_their_keys_say(name: str) -> None:
    scenario = load(name, FLEXIBLE)
    still = rigid(scenario.world)
    target, chaser = lumped(still, "target"), lumped(still, "chaser")
    assert target.mass == pytest.approx(80.0, abs=1e-12) and chaser.mass == pytest.approx(400.0, abs=1e-9)
    np.testing.assert_allclose(target.center, 0.0, atol=1e-15)
    np.testing.assert_allclose(target.inertia, np.diag([4.0, 8.0, 5.0]), atol=1e-12)
    moving = {body.name for body in scenario.world.bodies if gives_way(body)}
    assert {"chaser.left.1", "target.upper.2", "arm7"} <= moving


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("target.panels.mass=40.0", "80 kg, of 80 kg"),
        ("target.panels.mass=5.0", "more inertia"),
        ("chaser.panels.mass=200.0", "the two have 400 kg"),
        ("target.panels.frequency=0.0", "greater than 0"),
        ('target.mesh="x.stl"', "only softdock's own satellite"),
    ],
)
def test_impossible_panels_are_told(change: str, told: str) -> None:
    with pytest.raises(WorldFileError, match=told) as caught:
        load("capture", [*FLEXIBLE, change])
    assert "\n" not in str(caught.value)
