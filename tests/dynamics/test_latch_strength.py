"""Latches that break under load, and latches that give way."""

import numpy as np
import pytest

import softdock as sd

G = 9.81


def body(name="mass", mass=2.0, **what):
    return sd.Body(name=name, mass=mass, inertia=[0.3] * 3, **what)


def bolted(kind="weld", gravity=None, **latch):
    """A free body that a latch holds to the world, at its origin."""
    bolt = sd.Latch(name="bolt", kind=kind, frame_a="world", frame_b="mass", engaged=True, **latch)
    return sd.Dynamics(sd.World(gravity=gravity or sd.NoGravity(), bodies=[body()], latches=[bolt]))


def resting(dynamics, h=1e-3):
    return sd.Motion(dynamics, *dynamics.state(), h=h)


# --- strength ----------------------------------------------------------------------------------


def test_under_a_ramp_it_breaks_when_the_load_reaches_its_strength():
    """100 N/s against 3.7 N: at 37 ms; from then on the mass is free."""
    dynamics, h = bolted(strength={"force": 3.7}), 1e-3
    commands = np.zeros((60, 6))
    commands[:, 1] = 100.0 * h * (np.arange(60) + 0.5)
    motion = resting(dynamics)
    run = motion.run(60, commands)
    (broke,) = run.breaks
    assert broke.latch == "bolt" and broke.time == pytest.approx(0.037, abs=1e-12)  # commands are held over steps
    assert broke.force == pytest.approx(3.75, rel=1e-9) and broke.torque == pytest.approx(0, abs=1e-9)
    assert motion.engaged == [] and len(run) == 60
    before = run.t <= broke.time
    assert np.abs(run.q[before, :3]).max() < 1e-12
    t = run.t[-1]
    assert run.v[-1, 1] == pytest.approx(100.0 * (t**2 - broke.time**2) / 2 / 2.0, rel=2e-3)


@pytest.mark.parametrize("kind", ["hinge", "weld"])
def test_a_torque_breaks_it_too(kind):
    dynamics = bolted(kind, strength={"torque": 2.0, "force": 1e3})
    held = resting(dynamics).run(50, [0, 0, 0, 1.999, 0, 0])
    assert not held.breaks and np.abs(held.q[:, 4:]).max() < 1e-12
    torn = resting(dynamics).run(50, [0, 0, 0, 2.001, 0, 0])
    assert torn.breaks[0].torque == pytest.approx(2.001, rel=1e-9) and torn.breaks[0].time == 0.0


def test_it_holds_a_weight_up_to_its_strength():
    weight = sd.Uniform(acceleration=(0, 0, -G))
    for strength, breaks in ((2 * G * (1 + 1e-9), False), (2 * G * (1 - 1e-9), True)):
        run = resting(bolted("point", weight, strength={"force": strength})).run(30)
        assert bool(run.breaks) == breaks


def test_a_pair_that_is_spun_up_flies_apart_at_the_speed_of_its_strength():
    """Two masses m at r from their middle: m ω² r = F."""
    half = sd.Pose(position=(0.5, 0, 0))
    bodies = [body("a"), body("b")]
    frames = [sd.Frame(name="hand", body="a", placement=half), sd.Frame(name="grip", body="b", placement=half)]
    bolt = sd.Latch(
        name="bolt", kind="weld", frame_a="hand", frame_b="grip", strength={"force": 16.0}, capture_angle=1.0
    )
    bolt = bolt.altered(frame_b="other")
    frames.append(sd.Frame(name="other", body="b", placement=sd.Pose(position=(-0.5, 0, 0))))
    dynamics = sd.Dynamics(sd.World(bodies=bodies, frames=frames, latches=[bolt]))
    h, alpha = 1e-3, 5.0
    motion = sd.Motion(dynamics, *dynamics.state({"b": {"position": (1, 0, 0)}}), h=h)
    motion.engage("bolt")
    torque = alpha * (2 * 0.3 + 2 * 2.0 * 0.25) / 2
    command = dynamics.command(force={"a": [0, 0, 0, 0, 0, torque], "b": [0, 0, 0, 0, 0, torque]})
    run = motion.run(1200, command, every=1)
    (broke,) = run.breaks
    rate = np.sqrt((16.0**2 - (alpha * 0.5 * 2.0) ** 2) ** 0.5 / (2.0 * 0.5))
    assert broke.time == pytest.approx(rate / alpha, rel=1e-6) and broke.force == pytest.approx(16.0, rel=1e-9)
    apart = np.linalg.norm(run.q[-1, :3] - run.q[-1, 7:10])
    assert apart > 1.05


def swinging(h, order=2):
    """A mass on a tether of 1 m, let go level with its pivot; the tether bears twice the weight."""
    tether = sd.Latch(name="tether", kind="distance", frame_a="world", frame_b="mass", length=1.0, engaged=True,
                      strength={"force": 2 * 2.0 * G})  # fmt: skip
    world = sd.World(gravity=sd.Uniform(acceleration=(0, -G, 0)), bodies=[body()], latches=[tether])
    dynamics = sd.Dynamics(world)
    return sd.Motion(dynamics, *dynamics.state({"mass": {"position": (1, 0, 0)}}), h=h, order=order)


@pytest.mark.parametrize("order", [2, 4])
def test_a_tether_breaks_at_the_instant_of_its_load_whatever_the_step(order):
    """The tension is 3 m g sin φ at φ below the level, where ω² = 2 (g/L) sin φ: it breaks at sin φ = 2/3, on the way,
    and the mass flies on a parabola. With φ = u² the time is a smooth integral."""
    u = np.polynomial.legendre.leggauss(40)[0]
    end = np.sqrt(np.arcsin(2 / 3))
    u, weights = 0.5 * end * (u + 1), 0.5 * end * np.polynomial.legendre.leggauss(40)[1]
    exact = float(weights @ (2 * u / np.sqrt(2 * G * np.sin(u**2))))
    errors = []
    for h in (0.05, 0.025):
        motion = swinging(h, order)
        run = motion.run(round(1.0 / h))
        (broke,) = run.breaks
        assert broke.force == pytest.approx(4 * G, rel=1e-9) and broke.latch == "tether"
        errors.append(abs(broke.time - exact))
        t = motion.t - broke.time
        speed = np.sqrt(2 * G * 2 / 3)
        falls = np.array([np.sqrt(5) / 3 - 2 / 3 * speed * t, -2 / 3 - np.sqrt(5) / 3 * speed * t - G * t * t / 2])
        assert motion.q[:2] == pytest.approx(falls, abs=30 * errors[-1] + 1e-12)
        assert len(run) == round(1.0 / h) and motion.t == pytest.approx(1.0, rel=1e-12)
    assert errors[0] < (2e-3 if order == 2 else 2e-5)
    assert errors[0] / errors[1] == pytest.approx(2.0**order, rel=0.2)


def test_a_load_that_is_there_at_once_breaks_it_at_once():
    """Steps of 0.1 s: in the first, and where a command jumps later on."""
    torn = resting(bolted("point", strength={"force": 3.7}), h=0.1).run(5, [0, 4.0, 0, 0, 0, 0])
    assert torn.breaks[0].time == 0.0 and torn.v[-1, 1] == pytest.approx(4.0 / 2.0 * 0.5, rel=1e-12)
    commands = np.zeros((6, 6))
    commands[3:, 1] = 4.0
    torn = resting(bolted("point", strength={"force": 3.7}), h=0.1).run(6, commands)
    assert torn.breaks[0].time == pytest.approx(0.3, abs=1e-12)
    assert torn.v[-1, 1] == pytest.approx(4.0 / 2.0 * 0.3, rel=1e-12)


def test_latches_that_share_a_load_break_one_after_the_other_at_one_instant():
    """Two bolts bear 3 N each; at 6.3 N both go, the second under all of it. A third holds."""
    bolts = [sd.Latch(name=f"bolt{k}", kind="point", frame_a="world", frame_b="mass", engaged=True,
                      strength={"force": 3.0}) for k in range(2)]  # fmt: skip
    dynamics = sd.Dynamics(sd.World(bodies=[body()], latches=bolts))
    assert not resting(dynamics, h=0.02).run(20, [5.9, 0, 0, 0, 0, 0]).breaks
    run = resting(dynamics, h=0.02).run(20, [6.3, 0, 0, 0, 0, 0])
    assert [broke.time for broke in run.breaks] == [0.0, 0.0]
    assert [broke.force for broke in run.breaks] == pytest.approx([3.15, 6.3], rel=1e-9)


def test_simulations_tell_of_it_and_go_on(tmp_path):
    dynamics = bolted(strength={"force": 3.7})
    with sd.Recorder(tmp_path / "run", dynamics.world) as recorder:
        simulation = sd.Simulation(dynamics, *dynamics.state(), h=1e-3, command=[0, 4.0, 0, 0, 0, 0])
        simulation.run(0.02, recorder=recorder, loads=True)
    run = sd.read_run(tmp_path / "run")
    (event,) = [event for event in run.events if event["kind"] == "broke"]
    assert event["latch"] == "bolt" and event["force"] == pytest.approx(4.0, rel=1e-9)
    assert len(run.states["t"]) == 21 and run.states["v.mass.y"][-1] > 0.03
    assert run.tables["loads"]["latch.bolt.fy"][-1] == 0.0


# --- compliance --------------------------------------------------------------------------------


@pytest.mark.parametrize("damping", [0.0, 6.0])
def test_a_bushing_swings_as_a_damped_oscillator_does(damping):
    """m ẍ + d ẋ + k x = 0, from rest at x₀: displaced by a command that is let go."""
    dynamics = bolted("point", compliance={"stiffness": 800.0, "damping": damping})
    h = 1e-3
    motion = resting(dynamics, h)
    motion.place(*dynamics.state({"mass": {"position": (0.01, 0, 0)}}))
    run = motion.run(200, ledger=True)
    decay, w0 = damping / 4.0, np.sqrt(400.0)
    w = np.sqrt(w0**2 - decay**2)
    exact = 0.01 * np.exp(-decay * run.t) * (np.cos(w * run.t) + decay / w * np.sin(w * run.t))
    assert run.q[:, 0] == pytest.approx(exact, abs=1e-5)
    energy = dynamics.balance(run.q, run.v).kinetic + 0.5 * 800.0 * run.q[:, 0] ** 2
    assert np.diff(energy).max() < 1e-12
    if damping == 0:
        assert energy == pytest.approx(0.5 * 800.0 * 1e-4, rel=1e-9)
    work = run.account[-1, sd.ACCOUNT.index("work_contacts")]
    assert work == pytest.approx(dynamics.balance(run.q[-1], run.v[-1]).kinetic, rel=1e-9)


def test_a_soft_weld_gives_way_under_weight_and_torque():
    weight = sd.Uniform(acceleration=(0, 0, -G))
    law = {"stiffness": 2e3, "damping": 120.0, "angular_stiffness": 30.0, "angular_damping": 5.0}
    dynamics = bolted("weld", weight, compliance=law)
    motion = resting(dynamics, 2e-3)
    motion.run(3000, [0, 0, 0, 0, 0.6, 0])
    assert motion.q[:3] == pytest.approx([0, 0, -2 * G / 2e3], abs=1e-9)
    assert 2 * np.arcsin(motion.q[5]) == pytest.approx(np.arcsin(0.6 / 30.0), rel=1e-3)
    bolt = motion.loads([0, 0, 0, 0, 0.6, 0]).latches["bolt"]
    assert np.linalg.norm(bolt.force) == pytest.approx(2 * G, rel=1e-6)
    assert bolt.torque[1] == pytest.approx(-0.6, rel=1e-3)


def test_engaging_a_bushing_loses_nothing():
    dynamics = bolted("point", compliance={"stiffness": 800.0})
    motion = resting(dynamics)
    motion.release("bolt")
    motion.place(*dynamics.state({"mass": {"velocity": (0.3, 0, 0)}}))
    assert motion.engage("bolt") == pytest.approx(0.0, abs=1e-15)
    assert motion.v[0] == pytest.approx(0.3)


def test_a_bushing_breaks_as_well():
    dynamics = bolted("point", compliance={"stiffness": 800.0, "damping": 30.0}, strength={"force": 1.5})
    run = resting(dynamics).run(400, [1.0, 0, 0, 0, 0, 0])
    assert not run.breaks
    run = resting(dynamics).run(400, [1.6, 0, 0, 0, 0, 0])
    assert run.breaks and run.v[-1, 0] > 0.1


def test_two_arms_on_one_load_share_it_by_their_stiffness():
    frames, bolts = [], []
    for name, x, k in (("left", -1, 1000.0), ("right", 1, 3000.0)):
        at = sd.Pose(position=(x, 0, 0))
        frames += [sd.Frame(name=f"{name} wall", body="world", placement=at)]
        frames += [sd.Frame(name=f"{name} lug", body="mass", placement=at)]
        ends = {"frame_a": f"{name} wall", "frame_b": f"{name} lug"}
        law = {"stiffness": k, "damping": 60.0}
        bolts.append(sd.Latch(name=name, kind="point", engaged=True, compliance=law, **ends))
    dynamics = sd.Dynamics(sd.World(bodies=[body()], frames=frames, latches=bolts))
    motion = resting(dynamics)
    push = [0, 0, 4.0, 0, -2.0, 0]  # at 0.5 m from the middle, so that it does not turn
    motion.run(2000, push)
    loads = motion.loads(push).latches
    assert [loads["left"].force[2], loads["right"].force[2]] == pytest.approx([-1.0, -3.0], rel=1e-6)


# --- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latch", "told"),
    [
        ({"kind": "weld", "strength": {"force": 0.0}}, "strength.force"),
        ({"kind": "weld", "strength": {"torque": -1.0}}, "strength.torque"),
        ({"kind": "weld", "strength": {}}, "needs 'force'"),
        ({"kind": "point", "strength": {"torque": 1.0}}, "carries no torque"),
        ({"kind": "weld", "compliance": {"stiffness": 0.0, "angular_stiffness": 1.0}}, "compliance.stiffness"),
        ({"kind": "weld", "compliance": {"stiffness": 1.0}}, "needs 'angular_stiffness'"),
        ({"kind": "point", "compliance": {"stiffness": 1.0, "angular_stiffness": 1.0}}, "takes no 'angular_stiffness'"),
    ],
)
def test_bad_latches_are_refused_in_one_line(latch, told):
    with pytest.raises(ValueError, match=told):
        sd.Latch(name="bolt", frame_a="world", frame_b="mass", **latch)


def test_a_bushing_too_stiff_for_the_step_names_one_that_does():
    motion = resting(bolted("point", compliance={"stiffness": 1e9}), 1e-2)
    with pytest.raises(sd.StepFailed, match="latch is stiffer than the step resolves"):
        motion.run(3, [1.0, 0, 0, 0, 0, 0])


def test_beside_a_contact_at_rest_a_latch_breaks_at_its_strength_too():
    """A point holds a box on a smooth floor against a pull of 200 N/s, with its weight of 2 N, up to 25 N. (It held
    twice as much: a step that begins in line with latches and contacts has half of their impulse.)"""
    slab = sd.Box(size=(9, 9, 1), placement=sd.Pose(position=(0, 0, -0.6)))
    floor = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[slab])
    box = body(shapes=[sd.Box(size=(0.2, 0.2, 0.2))])
    ends = {"frame_a": "world", "frame_b": "mass"}
    tether = sd.Latch(name="tether", kind="point", engaged=True, strength={"force": 25.0}, **ends)
    contact = sd.Contact(name="lies", body_a="mass", body_b="floor", restitution=0.0)
    gravity = sd.Uniform(acceleration=(0, 0, -1.0))
    dynamics = sd.Dynamics(sd.World(gravity=gravity, bodies=[floor, box], latches=[tether], contacts=[contact]))
    commands = np.zeros((200, 6))
    commands[:, 0] = 200.0 * 1e-3 * (np.arange(200) + 0.5)
    (broke,) = resting(dynamics).run(200, commands).breaks
    assert 25.0 < broke.force < 25.2  # commands are held over steps, and grow by 0.2 N in each
    assert broke.time == pytest.approx(np.sqrt(25.0**2 - 2.0**2) / 200.0, abs=1.1e-3)
