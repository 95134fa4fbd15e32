"""Loads of joints, latches and contacts against what they must be."""

import numpy as np
import pytest
import tomli_w
from beside_pinocchio import Beside
from scipy.spatial.transform import Rotation

import softdock as sd
from softdock.replay.page import replay_data
from softdock.scenarios.runner import Runner

G = 9.81
WEIGHT = sd.Uniform(acceleration=(0, 0, -G))


def rod(name, length=1.0, mass=2.0, **what):
    """Along x from its joint."""
    thin = mass * length**2 / 12
    return sd.Body(name=name, mass=mass, center=(length / 2, 0, 0), inertia=[0.01, thin, thin], **what)


# --- joints ------------------------------------------------------------------------------------


def test_a_cantilever_carries_its_weight_at_every_joint():
    """A hinge held by a servo, a slide, and a sensor fixed between: force and moment of all that hangs further out."""
    bodies = [
        rod("upper", joint=sd.Revolute(axis=(0, 1, 0))),
        sd.Body(
            name="sensor", parent="upper", mass=0.5, inertia=[1e-3] * 3, joint=sd.Fixed(),
            placement=sd.Pose(position=(1, 0, 0), rpy=(0.3, 0, 0)),
        ),
        rod("lower", 0.6, 1.0, parent="sensor", joint=sd.Prismatic(axis=(1, 0, 0))),
    ]  # fmt: skip
    dynamics = sd.Dynamics(sd.World(gravity=WEIGHT, bodies=bodies))
    q, v = np.array([0.0, 0.2]), np.zeros(2)
    moment = G * (2.0 * 0.5 + 0.5 * 1.0 + 1.0 * 1.5)
    loads = dynamics.loads(q, v, [-moment, 0.0])
    assert loads.joints["upper"].force == pytest.approx([0, 0, 3.5 * G], abs=1e-12)
    assert loads.joints["upper"].torque == pytest.approx([0, -moment, 0], abs=1e-12)
    turned = Rotation.from_euler("x", 0.3).as_matrix().T
    assert loads.joints["sensor"].force == pytest.approx(turned @ [0, 0, 1.5 * G], abs=1e-12)
    assert loads.joints["sensor"].torque == pytest.approx(turned @ [0, -G * 0.5, 0], abs=1e-12)
    assert loads.joints["lower"].force == pytest.approx(turned @ [0, 0, G], abs=1e-12)


def test_a_spinning_rod_is_pulled_by_its_centripetal_force():
    dynamics = sd.Dynamics(
        sd.World(
            bodies=[rod("rod"), rod("tip", parent="rod", joint=sd.Spherical(), placement=sd.Pose(position=(1, 0, 0)))]
        )
    )
    q, v = dynamics.state({"rod": {"angular_velocity": (0, 0, 3.0), "velocity": (0, 3.0 * 0.5 - 3.0 * 1.0, 0)}})
    loads = dynamics.loads(q, v)
    assert set(loads.joints) == {"tip"}
    assert loads.joints["tip"].force == pytest.approx([-2.0 * 9.0 * 0.5, 0, 0], abs=1e-12)
    assert loads.joints["tip"].torque == pytest.approx([0, 0, 0], abs=1e-12)


def tree():
    """Every kind of joint, in the air and on the ground."""

    def body(name, k, **what):
        axes = Rotation.from_rotvec([0.3 * k, 0.2, -0.1 * k]).as_matrix()
        return sd.Body(
            name=name, mass=1.0 + 0.3 * k, center=(0.1, 0.05 * k, -0.1),
            inertia=axes @ np.diag([0.2, 0.3, 0.4]) @ axes.T,
            placement=sd.Pose(position=(0.3, -0.2, 0.1 * k), rpy=(0.1 * k, 0.4, -0.2)), **what,
        )  # fmt: skip

    return sd.Dynamics(
        sd.World(
            gravity=WEIGHT,
            bodies=[
                body("bus", 1),
                body("turn", 2, parent="bus", joint=sd.Revolute(axis=(0.6, 0, 0.8), damping=0.3)),
                body(
                    "slide", 3, parent="turn", joint=sd.Prismatic(axis=(0, 0.6, 0.8), spring=sd.Spring(stiffness=5.0))
                ),
                body("ball", 4, parent="turn", joint=sd.Spherical()),
                body("plane", 5, parent="bus", joint=sd.Planar()),
                body("stand", 6, joint=sd.Revolute(axis=(0, 1, 0))),
            ],
        )
    )


@pytest.fixture(scope="module")
def branched():
    return tree()


def states(dynamics, count, seed=0):
    rng = np.random.default_rng(seed)
    q = np.tile(dynamics.layout.neutral(), (count, 1)) + 0.7 * rng.standard_normal((count, dynamics.nq))
    for k in dynamics.layout.quaternions():
        q[:, k : k + 4] /= np.linalg.norm(q[:, k : k + 4], axis=1, keepdims=True)
    return q, rng.standard_normal((count, dynamics.nv)), rng.standard_normal((count, dynamics.nv))


def test_joints_carry_what_pinocchio_s_newton_euler_says(branched):
    theirs = Beside.of(branched)
    q, v, u = states(branched, 20)
    loads = branched.loads(q, v, u)
    last = {branched.world.bodies[i].name: i for i in range(len(branched.world.bodies))}
    for row in range(20):
        a = branched.forward_dynamics(q[row], v[row], u[row])
        theirs.inverse_dynamics(q[row], v[row], a)
        for name in last:
            if name == "bus":
                continue
            joint = max(j for j in range(1, theirs.model.njoints) if theirs.model.names[j].startswith(f"{name}."))
            f = theirs.data.f[joint]
            assert loads.joints[name].force[row] == pytest.approx(f.linear, abs=1e-10)
            assert loads.joints[name].torque[row] == pytest.approx(f.angular, abs=1e-10)


def test_along_what_is_free_a_joint_hands_on_what_acts_in_it(branched):
    """Command, spring and damper; and a planar joint nothing but the command."""
    q, v, u = states(branched, 5, seed=1)
    loads = branched.loads(q, v, u)
    own = branched.layout.v
    turn = loads.joints["turn"].torque @ [0.6, 0, 0.8]
    assert turn == pytest.approx(u[:, own["turn"]][:, 0] - 0.3 * v[:, own["turn"]][:, 0], abs=1e-10)
    slide = loads.joints["slide"].force @ [0, 0.6, 0.8]
    assert slide == pytest.approx(u[:, own["slide"]][:, 0] - 5.0 * q[:, branched.layout.q["slide"]][:, 0], abs=1e-10)
    assert loads.joints["ball"].torque == pytest.approx(u[:, own["ball"]], abs=1e-10)
    assert loads.joints["plane"].torque[:, 2] == pytest.approx(u[:, own["plane"]][:, 2], abs=1e-10)


def momentum_of(dynamics, name, q, v):
    """Linear momentum of a body, and angular momentum about the world's origin."""
    body = dynamics.world.body(name)
    R, p = dynamics.pose(name, q)
    J = dynamics.jacobian(name, q)
    w, u = J[:3] @ v, J[3:] @ v
    arm = R @ body.center
    linear = body.mass * (u + np.cross(w, arm))
    return np.concatenate([linear, np.cross(p + arm, linear) + R @ np.array(body.inertia) @ R.T @ w])


def test_each_body_s_momentum_changes_by_the_loads_on_it(branched):
    """Over a step of motion, by another integrator; the mean load by Simpson's rule."""
    (q, v, _), h = states(branched, 1, seed=2), 2e-3
    at, vt = sd.reference(branched, q[0], v[0], [0, h / 2, h])
    loads = branched.loads(at, vt)
    children = {"turn": ("slide", "ball"), "slide": (), "ball": (), "plane": (), "stand": ()}
    for name, carried in children.items():
        net = np.zeros((3, 6))
        for other, sign in ((name, 1.0), *((child, -1.0) for child in carried)):
            R, p = branched.pose(other, at)
            force = np.einsum("nij,nj->ni", R, loads.joints[other].force)
            torque = np.einsum("nij,nj->ni", R, loads.joints[other].torque) + np.cross(p, force)
            net += sign * np.hstack([force, torque])
        body = branched.world.body(name)
        R, p = branched.pose(name, at)
        weight = np.tile([0, 0, -G * body.mass], (3, 1))
        net += np.hstack([weight, np.cross(p + R @ body.center, weight)])
        change = momentum_of(branched, name, at[2], vt[2]) - momentum_of(branched, name, at[0], vt[0])
        assert change / h == pytest.approx(np.array([1, 4, 1]) @ net / 6, abs=1e-7)


def test_in_orbit_a_boom_is_pulled_by_the_tide():
    """Along the radius 3 n² m x, of a boom that turns with the orbit: 2 n² m x of it is tide, n² m x is its turning."""
    gravity = sd.Orbit(semi_major_axis=7e6)
    bus = sd.Body(name="bus", mass=1e6, inertia=[1e6] * 3)
    ball = sd.Body(
        name="ball",
        parent="bus",
        mass=3.0,
        inertia=[1e-3] * 3,
        placement=sd.Pose(position=(50, 0, 0)),
        joint=sd.Spherical(),
    )
    dynamics = sd.Dynamics(sd.World(gravity=gravity, bodies=[bus, ball]))
    r, u = dynamics.reference_orbit(0.0)
    x, z = r[0] / np.linalg.norm(r[0]), np.cross(r[0], u[0])
    z /= np.linalg.norm(z)
    turn = Rotation.from_matrix(np.column_stack([x, np.cross(z, x), z])).as_quat()
    n = np.sqrt(gravity.mu / 7e6**3)
    start = {"quaternion": np.roll(turn, 1), "angular_velocity": (0, 0, n)}
    loads = dynamics.loads(*dynamics.state({"bus": start, "ball": {"angular_velocity": (0, 0, 0)}}))
    assert loads.joints["ball"].force == pytest.approx([-3 * n**2 * 3.0 * 50, 0, 0], rel=1e-4, abs=1e-9)


# --- latches and contacts ----------------------------------------------------------------------


def held(kind, **latch):
    """A rod in the air that a latch holds to the world at its end."""
    frames = [sd.Frame(name="wall", body="world", placement=sd.Pose(position=(0.2, 0, 0), rpy=(0.5, 0, 0)))]
    frames.append(sd.Frame(name="end", body="rod", placement=sd.Pose(rpy=(0.5, 0, 0))))
    bolt = sd.Latch(name="bolt", kind=kind, frame_a="wall", frame_b="end", engaged=True, **latch)
    return sd.Dynamics(sd.World(gravity=WEIGHT, bodies=[rod("rod")], frames=frames, latches=[bolt]))


def test_a_weld_carries_weight_and_moment():
    dynamics = held("weld")
    motion = sd.Motion(dynamics, *dynamics.state({"rod": {"position": (0.2, 0, 0)}}), h=1e-3)
    motion.run(20)
    bolt = motion.loads().latches["bolt"]
    turned = Rotation.from_euler("x", 0.5).as_matrix().T
    assert bolt.force == pytest.approx(turned @ [0, 0, 2 * G], abs=1e-8)
    assert bolt.torque == pytest.approx(turned @ [0, -2 * G * 0.5, 0], abs=1e-8)


def test_a_rod_that_swings_on_a_point_pulls_as_a_pendulum_does():
    """Falling from level: 4 m g/…: at the lowest point m (g + ω² l/2), ω² = 3 g/l."""
    dynamics = held("point")
    motion = sd.Motion(dynamics, *dynamics.state({"rod": {"position": (0.2, 0, 0)}}), h=5e-4)
    forces, heights = [], []
    for _ in range(1100):
        motion.run(1)
        forces.append(np.linalg.norm(motion.loads().latches["bolt"].force))
        heights.append((dynamics.pose("rod", motion.q)[0] @ [1, 0, 0])[2])
    lowest = int(np.argmin(heights))
    assert heights[lowest] == pytest.approx(-1, abs=1e-6)
    assert forces[lowest] == pytest.approx(2 * (G + 1.5 * G), rel=1e-5)
    assert forces[0] == pytest.approx(2 * G / 4, rel=1e-4)  # let go: m g/4


@pytest.mark.parametrize("kind", ["hinge", "weld", "distance", "point"])
def test_a_latched_pair_s_momentum_changes_by_the_latch_s_load(kind):
    """Two free bodies that tumble together: what the one gets the other gives, and it is its change of momentum."""
    bodies = [rod("a"), rod("b", 0.8, 1.5)]
    frames = [sd.Frame(name="hand", body="a", placement=sd.Pose(position=(1, 0, 0), rpy=(0.2, 0.3, 0.1)))]
    frames.append(
        sd.Frame(name="grip", body="b", placement=sd.Pose(position=(-0.3 if kind == "distance" else 0, 0, 0)))
    )
    more = (
        {"length": 0.3, "capture_distance": 0.2}
        if kind == "distance"
        else {"capture_angle": 1.0, "capture_distance": 0.1}
    )
    latch = sd.Latch(name="grasp", kind=kind, frame_a="hand", frame_b="grip", **more)
    dynamics = sd.Dynamics(sd.World(bodies=bodies, frames=frames, latches=[latch]))
    start = dynamics.state({
        "a": {"angular_velocity": (0.3, -0.5, 2.0), "velocity": (0.1, 0.2, 0)},
        "b": {"position": (1.6 if kind == "distance" else 1.0, 0, 0), "angular_velocity": (1.0, 0.2, 0.4)},
    })  # fmt: skip
    h = 1e-3
    motion = sd.Motion(dynamics, *start, h=h)
    motion.engage("grasp")
    motion.run(50)
    found, momenta = [], []
    for _ in range(3):
        wrench = motion.loads().latches["grasp"]
        R, p = dynamics.pose("grip", motion.q)
        force = R @ wrench.force
        found.append(np.concatenate([force, R @ wrench.torque + np.cross(p, force)]))
        momenta.append(momentum_of(dynamics, "b", motion.q, motion.v))
        motion.run(1)
    change = (momenta[2] - momenta[0]) / (2 * h)
    assert change == pytest.approx(np.array([1, 4, 1]) @ found / 6, abs=3e-5 * np.abs(found).max())


def on_the_floor(compliance=None, **contact):
    floor = sd.Body(
        name="floor",
        mass=0,
        joint=sd.Fixed(),
        shapes=[sd.Box(size=(9, 9, 1), placement=sd.Pose(position=(0, 0, -0.5)))],
    )
    crate = sd.Body(name="crate", mass=2.0, inertia=[0.1] * 3, shapes=[sd.Box(size=(0.4, 0.4, 0.2))])
    slope = sd.Uniform(acceleration=(G * np.sin(0.2), 0, -G * np.cos(0.2)))
    touch = sd.Contact(name="touch", body_a="crate", body_b="floor", compliance=compliance, **contact)
    return sd.Dynamics(sd.World(gravity=slope, bodies=[floor, crate], contacts=[touch]))


def test_the_floor_bears_a_crate_that_sticks_on_a_slope():
    dynamics = on_the_floor(restitution=0.0, friction=0.5)
    motion = sd.Motion(dynamics, *dynamics.state({"crate": {"position": (0.3, 0.1, 0.1)}}), h=1e-3)
    motion.run(50)
    loads = motion.loads()  # a gap's rounding of 1e-14 m, over h², makes 2e-8 N of 2 kg
    (contact,) = (loads.contacts,)
    weight = 2 * G * np.array([np.sin(0.2), 0, -np.cos(0.2)])
    assert contact.force[0] == pytest.approx(-weight, abs=2e-8)
    assert contact.normal_force[0] == pytest.approx(2 * G * np.cos(0.2), abs=2e-8)
    at = contact.point[0] - [0.3, 0.1, 0.1]
    assert np.cross(at, contact.force[0]) + contact.moment[0] == pytest.approx([0, 0, 0], abs=2e-8)
    assert loads.joints["floor"].force == pytest.approx(-weight, abs=2e-8)


def test_a_compliant_floor_bears_it_too():
    law = sd.Compliance(stiffness=1e5, exponent=1, viscosity=400.0, friction=0.5, slip=1e-4)
    dynamics = on_the_floor(law)
    motion = sd.Motion(dynamics, *dynamics.state({"crate": {"position": (0.3, 0.1, 0.1)}}), h=1e-3)
    motion.run(2000)
    loads = motion.loads()
    weight = 2 * G * np.array([np.sin(0.2), 0, -np.cos(0.2)])
    assert loads.contacts.force[0] == pytest.approx(-weight, abs=1e-6)
    assert loads.joints["floor"].force == pytest.approx(-weight, abs=1e-6)


def test_a_stop_and_stiction_are_in_their_joint_s_load():
    slider = sd.Body(
        name="slider", mass=2.0, inertia=[0.1] * 3,
        joint=sd.Prismatic(
            axis=(1, 0, 0), limits=sd.Limits(lower=-1, upper=1, restitution=0),
            friction=sd.Friction(force=1.0, static=1.5),
        ),
    )  # fmt: skip
    dynamics = sd.Dynamics(sd.World(bodies=[slider]))
    stuck = sd.Motion(dynamics, [0.0], [0.0], h=1e-3)
    stuck.run(10, [1.2])
    assert stuck.loads([1.2]).joints["slider"].force == pytest.approx([0, 0, 0], abs=1e-9)
    pressed = sd.Motion(dynamics, [1.0], [0.0], h=1e-3)
    pressed.run(10, [9.0])
    assert pressed.loads([9.0]).joints["slider"].force == pytest.approx([0, 0, 0], abs=1e-9)


def test_loads_are_recorded_on_request(tmp_path):
    dynamics = held("weld")
    start = dynamics.state({"rod": {"position": (0.2, 0, 0)}})
    with sd.Recorder(tmp_path / "plain", dynamics.world) as recorder:
        sd.Simulation(dynamics, *start, h=1e-3).run(0.02, recorder=recorder)
    assert "loads" not in sd.read_run(tmp_path / "plain").tables
    with sd.Recorder(tmp_path / "loads", dynamics.world) as recorder:
        sd.Simulation(dynamics, *start, h=1e-3).run(0.02, recorder=recorder, record_every=2, loads=True)
    table = sd.read_run(tmp_path / "loads").tables["loads"]
    assert len(table["t"]) == 10 and table.unit("latch.bolt.fx") == "N" and table.unit("latch.bolt.tx") == "N m"
    force = np.stack([table[f"latch.bolt.f{axis}"] for axis in "xyz"])
    assert np.linalg.norm(force, axis=0) == pytest.approx(2 * G, abs=1e-7)
    plots = {(plot["title"], plot["unit"]) for plot in replay_data(sd.read_run(tmp_path / "loads"))[0]["plots"]}
    assert {("Loads", "N"), ("Loads", "N m")} <= plots


def test_a_scenario_asks_for_them_by_a_key(tmp_path):
    world = held("weld").world.model_dump(mode="json", exclude_none=True)
    run = {"h": 1e-3, "duration": 0.01, "loads": True}
    text = {"scenario": "world", "run": run, "initial": {"rod": {"position": [0.2, 0, 0]}}, "world": world}
    (tmp_path / "held.toml").write_text(tomli_w.dumps(text), encoding="utf-8")
    outcome = Runner(sd.scenarios.load(tmp_path / "held.toml")).record(tmp_path / "run")
    assert outcome.status == "done"
    assert len(sd.read_run(tmp_path / "run").tables["loads"]["t"]) == 10
