"""Located contact over several points, with Coulomb's friction, against analytic answers."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial import ConvexHull

import softdock as sd

G = 9.81


def cuboid(name="box", mass=1.0, size=(0.2, 0.2, 0.2), **what):
    x, y, z = size
    inertia = [mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12]
    return sd.Body(name=name, mass=mass, inertia=inertia, shapes=[sd.Box(size=size)], **what)


def on_a_floor(*bodies, gravity=(0.0, 0.0, -G), pairs=None, **law):
    """Bodies over a floor whose top is z = 0."""
    slab = sd.Box(size=(40, 40, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    floor = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[slab])
    pairs = pairs or [(body.name, "floor") for body in bodies]
    contacts = [sd.Contact(name=f"{a} on {b}", body_a=a, body_b=b, **law) for a, b in pairs]
    return sd.Dynamics(sd.World(gravity=sd.Uniform(acceleration=gravity), bodies=[floor, *bodies], contacts=contacts))


def moving(dynamics, h, **state):
    return sd.Motion(dynamics, *dynamics.state(state), h=h)


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_two_boxes_meet_face_on_face(e):
    """The first version multiplied the energy by 9471."""
    world = sd.World(
        bodies=[cuboid("a"), cuboid("b", 2.0)],
        contacts=[sd.Contact(name="faces", body_a="a", body_b="b", restitution=e)],
    )
    dynamics = sd.Dynamics(world)
    motion = moving(
        dynamics, 0.01, a={"position": (-0.1005, 0, 0), "velocity": (0.05, 0, 0)}, b={"position": (0.1005, 0, 0)}
    )
    run = motion.run(200)
    together = 0.05 / 3
    assert run.v[-1, [0, 6]] == pytest.approx([together - 2 / 3 * 0.05 * e, together + 0.05 / 3 * e], abs=1e-15)
    assert np.abs(np.delete(run.v[-1], [0, 6])).max() < 1e-15
    (impact,) = run.impacts
    assert impact.point == pytest.approx([0.0005, 0, 0], abs=1e-12)
    assert impact.impulse == pytest.approx((1 + e) * 2 / 3 * 0.05, rel=1e-12)
    assert impact.energy_change == pytest.approx(-(1 - e * e) * 0.5 * 2 / 3 * 0.05**2, rel=1e-12, abs=1e-18)


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_a_box_lands_flat_and_lies_still(e):
    dynamics = on_a_floor(cuboid(mass=2.0, size=(0.4, 0.3, 0.2)), restitution=e)
    motion = moving(dynamics, 0.01, box={"position": (0, 0, 0.6)})
    run = motion.run(400)
    assert run.q[-1, 2] == pytest.approx(0.1, abs=1e-12)
    assert np.abs(run.v[-1]).max() < 1e-12
    assert np.abs(run.v[:, 3:]).max() < 1e-12  # never tilts


def test_a_box_that_lands_on_four_feet_stays_level():
    corners = [(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    feet = [sd.Box(size=(0.05, 0.05, 0.1), placement=sd.Pose(position=corner)) for corner in corners]
    table = sd.Body(name="table", mass=1.0, inertia=[0.02, 0.02, 0.03], shapes=feet)
    dynamics = on_a_floor(table, restitution=0.5)
    run = moving(dynamics, 0.01, table={"position": (0, 0, 0.5)}).run(300)
    assert np.abs(run.v[:, 3:]).max() < 1e-12
    assert run.q[-1, 2] == pytest.approx(0.15, abs=1e-12)


@pytest.mark.parametrize("share", [0.5, 1 - 1e-6, 1 - 1e-9])
def test_below_the_angle_of_friction_a_block_does_not_move(share):
    slope = np.arctan(0.5 * share)
    gravity = (G * np.sin(slope), 0, -G * np.cos(slope))
    dynamics = on_a_floor(cuboid(mass=2.0, size=(0.4, 0.4, 0.2)), gravity=gravity, restitution=0.0, friction=0.5)
    run = moving(dynamics, 0.01, box={"position": (0, 0, 0.1)}).run(1000)
    assert np.abs(run.q[:, :2]).max() < 1e-13
    assert np.abs(run.v[-1]).max() < 1e-13


@pytest.mark.parametrize("share", [1 + 1e-6, 1.5])
def test_above_it_it_slides(share):
    slope = np.arctan(0.5 * share)
    gravity = (G * np.sin(slope), 0, -G * np.cos(slope))
    dynamics = on_a_floor(cuboid(mass=2.0, size=(0.4, 0.4, 0.2)), gravity=gravity, restitution=0.0, friction=0.5)
    run = moving(dynamics, 0.01, box={"position": (0, 0, 0.1)}).run(200)
    acceleration = G * (np.sin(slope) - 0.5 * np.cos(slope))
    assert run.q[:, 0] == pytest.approx(0.5 * acceleration * run.t**2, rel=1e-8)
    assert run.v[:, 0] == pytest.approx(acceleration * run.t, rel=1e-8)


def test_a_block_that_spins_and_slides_stops_and_the_ledger_knows_why():
    dynamics = on_a_floor(cuboid(mass=2.0, size=(0.4, 0.4, 0.2)), restitution=0.0, friction=0.3)
    start = {"position": (0, 0, 0.1), "velocity": (1, 0, 0), "angular_velocity": (0, 0, 5)}
    motion = moving(dynamics, 0.005, box=start)
    energy = dynamics.balance(motion.q, motion.v).total
    motion.run(400, ledger=True)
    assert np.abs(motion.v).max() < 1e-12
    change = dynamics.balance(motion.q, motion.v).total - energy
    assert change == pytest.approx(motion.account["work_contacts"], rel=1e-11)


def test_a_tall_box_tips_at_the_critical_push_and_not_before():
    """Beyond it, as the pendulum upside down that it is, by an independent integrator."""
    half, height, mass = 0.1, 0.3, 3.0

    def tilt_after(share, steps):
        gravity = (share * G * half / height, 0, -G)
        dynamics = on_a_floor(
            cuboid(mass=mass, size=(2 * half, 0.2, 2 * height)), gravity=gravity, restitution=0.0, friction=0.9
        )
        motion = moving(dynamics, 0.002, box={"position": (0, 0, height)})
        motion.run(steps)
        return 2 * np.arctan2(motion.q[5], motion.q[3])

    assert abs(tilt_after(1 - 1e-6, 400)) < 1e-14
    arm, inertia = np.hypot(half, height), mass * (half**2 + height**2) * 4 / 3
    for share, tolerance in ((1 + 1e-6, 1e-4), (1.2, 1e-3)):
        pull = np.array([share * G * half / height, -G])

        def about_the_edge(t, y, pull=pull):
            angle = np.arctan2(height, half) + y[0]  # of the centre seen from the edge, from −x
            x, z = -arm * np.cos(angle), arm * np.sin(angle)
            return [y[1], mass * (z * pull[0] - x * pull[1]) / inertia]

        wanted = solve_ivp(about_the_edge, (0, 0.4), [0, 0], rtol=1e-11, atol=1e-16).y[0, -1]
        assert tilt_after(share, 200) == pytest.approx(wanted, rel=tolerance)


def test_a_rocking_block_loses_at_each_impact_what_housner_says():
    """Housner, Bull. Seismol. Soc. Am. 53 (1963) 403: ω⁺/ω⁻ = 1 − (3/2) sin²α, without slip."""
    half, height, tilt = 0.1, 0.3, 0.1
    dynamics = on_a_floor(cuboid(mass=3.0, size=(2 * half, 0.2, 2 * height)), restitution=0.0, friction=0.9)
    c, s = np.cos(tilt), np.sin(tilt)
    centre = (half - c * half + s * height, 0, s * half + c * height + 1e-12)
    motion = moving(dynamics, 0.001, box={"position": centre, "quaternion": (np.cos(tilt / 2), 0, np.sin(tilt / 2), 0)})
    run = motion.run(1200)
    speeds = np.array([-impact.speed_before for impact in run.impacts])
    assert len(speeds) > 4
    assert speeds[1:5] / speeds[:4] == pytest.approx(1 - 1.5 * half**2 / (half**2 + height**2), rel=1e-3)


@pytest.mark.parametrize("heavy", [1.0, 10.0])
def test_a_stack_of_ten_does_not_move(heavy):
    boxes = [cuboid(f"b{k}", (1.0 + k % 3) * (heavy if k == 9 else 1.0), (0.4, 0.4, 0.4)) for k in range(10)]
    pairs = [(f"b{k}", f"b{k - 1}" if k else "floor") for k in range(10)]
    dynamics = on_a_floor(*boxes, pairs=pairs, restitution=0.0, friction=0.6)
    motion = moving(dynamics, 0.005, **{f"b{k}": {"position": (0, 0, 0.2 + 0.4 * k)} for k in range(10)})
    start = motion.q
    motion.run(400, every=400)
    assert np.abs(motion.q - start).max() < 1e-13
    points = motion._state.points
    number = int(points.number)
    loads = np.bincount(points.contact[:number], points.force[: 3 * number : 3])
    weights = np.cumsum([b.mass for b in reversed(boxes)])[::-1] * G
    assert loads == pytest.approx(weights, rel=1e-8)  # a gap's rounding, 1e-15 m × 5, over h², times the mass


def test_a_ball_slides_then_rolls():
    """With 5/7 of its speed, whatever the friction; so does a cylinder on its side, with m r²/(m r² + I)."""
    ball = sd.Body(name="it", mass=1.0, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
    drum = sd.Body(name="it", mass=1.0, inertia=[0.01, 0.01, 0.005], shapes=[sd.Cylinder(radius=0.1, length=0.3)])
    lying = (np.sqrt(0.5), np.sqrt(0.5), 0, 0)
    for body, quaternion, share in ((ball, (1, 0, 0, 0), 5 / 7), (drum, lying, 2 / 3)):
        dynamics = on_a_floor(body, restitution=0.0, friction=0.3)
        motion = moving(dynamics, 0.005, it={"position": (0, 0, 0.1), "velocity": (1, 0, 0), "quaternion": quaternion})
        run = motion.run(400)
        assert run.v[-1, 0] == pytest.approx(share, rel=1e-12)
        assert np.linalg.norm(run.v[-1, 3:]) == pytest.approx(share / 0.1, rel=1e-12)
        assert np.abs(run.q[:, 2] - 0.1).max() < 1e-12


def test_a_movable_wedge_and_the_block_on_it():
    """Without friction: the wedge's acceleration is m g sin cos / (M + m sin²)."""
    a, heavy, light = np.pi / 6, 4.0, 1.0
    corners = [(-1, y, 0) for y in (-1, 1)] + [(1, y, 0) for y in (-1, 1)] + [(-1, y, 2 * np.tan(a)) for y in (-1, 1)]
    mesh = sd.ConvexMesh(vertices=corners, triangles=ConvexHull(corners).simplices.tolist())
    wedge = sd.Body(name="wedge", mass=heavy, inertia=[1.0] * 3, shapes=[mesh])
    block = cuboid("block", light, (0.1, 0.1, 0.1))
    dynamics = on_a_floor(wedge, block, pairs=[("wedge", "floor"), ("block", "wedge")], restitution=0.0)
    normal = np.array([np.sin(a), 0, np.cos(a)])
    place = np.array([0, 0, np.tan(a)]) + 0.05 * normal
    motion = moving(
        dynamics, 0.001, wedge={}, block={"position": place, "quaternion": (np.cos(a / 2), 0, np.sin(a / 2), 0)}
    )
    motion.run(200)
    acceleration = -light * G * np.sin(a) * np.cos(a) / (heavy + light * np.sin(a) ** 2)
    assert motion.q[0] == pytest.approx(0.5 * acceleration * 0.2**2, rel=1e-9)


def test_a_box_thrown_at_a_rough_wall_keeps_to_the_cone_and_loses_energy():
    rng = np.random.default_rng(1)
    dynamics = on_a_floor(cuboid(size=(0.3, 0.2, 0.1)), restitution=0.6, friction=0.4)
    for _ in range(5):
        spin = rng.normal(size=3) * 4
        motion = moving(
            dynamics, 0.002, box={"position": (0, 0, 0.5), "velocity": rng.normal(size=3), "angular_velocity": spin}
        )
        energy = [dynamics.balance(motion.q, motion.v).total]
        for _ in range(10):
            run = motion.run(100, every=100)
            assert all(impact.impulse > 0 and impact.energy_change <= 1e-15 for impact in run.impacts)
            energy.append(dynamics.balance(motion.q, motion.v).total)
        assert np.diff(energy).max() < 1e-6 * energy[0]
        assert motion.gaps().min() > -1e-9


def test_friction_of_a_compliant_contact_is_its_compliances():
    with pytest.raises(ValueError, match="friction of a compliant contact is that of its compliance"):
        sd.Contact(name="c", body_a="a", body_b="b", friction=0.3, compliance=sd.Compliance(stiffness=1e5))


def test_a_box_that_turns_about_an_edge_which_sticks_is_a_pendulum():
    """m (d² + k²) φ'' = m g d sin φ, of order 2, and a step's energy errs by h³. (Slip by J at the step's start let
    the edge creep, by 0.3 mm, and made energy of order 1: always more.)"""
    size, phi, until = (0.2, 0.3, 0.4), 0.34, 0.24
    box, d = cuboid(size=size), 0.5 * np.hypot(size[0], size[2])
    dynamics, turn = on_a_floor(box, friction=1.5), phi + np.arctan2(size[0], size[2])
    start = {
        "position": (d * np.sin(phi), 0, d * np.cos(phi)),
        "quaternion": (np.cos(turn / 2), 0, np.sin(turn / 2), 0),
    }

    def falls(_, y):
        return [y[1], G * d * np.sin(y[0]) / (d * d + box.inertia[1][1] / box.mass)]

    exact = solve_ivp(falls, (0, until), [phi, 0.0], rtol=1e-12, atol=1e-12).y[:, -1]
    missed, rises = [], []
    for h in (0.01, 0.005, 0.0025):
        run = moving(dynamics, h, box=start).run(round(until / h))
        energy = dynamics.balance(run.q, run.v).total
        missed.append(abs(np.arctan2(run.q[-1, 0], run.q[-1, 2]) - exact[0]))
        rises.append(np.abs(np.diff(energy)).max())
        assert np.abs(np.hypot(run.q[:, 0], run.q[:, 2]) - d).max() < 1e-12  # the edge stays where it is
    assert missed[0] < 1e-3
    assert 3.6 < missed[0] / missed[1] < 4.4
    assert 3.6 < missed[1] / missed[2] < 4.4
    assert rises[0] / rises[1] > 6.5
    assert rises[1] / rises[2] > 6.5


def test_a_ball_that_rolls_and_spins_goes_straight():
    """(Slip by the places that touched at the step's start let it go aside, by ½ h ω v/3.5, and made energy.)"""
    ball = sd.Body(name="ball", mass=1, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
    dynamics = on_a_floor(ball, friction=0.2)
    start = {"position": (0, 0, 0.1), "velocity": (1, 0, 0), "angular_velocity": (0, 10, 40)}
    motion = moving(dynamics, 0.004, ball=start)
    energy = dynamics.balance(motion.q, motion.v).total
    run = motion.run(100)
    assert np.abs(run.q[:, :3] - np.outer(run.t, [1, 0, 0]) - [0, 0, 0.1]).max() < 1e-12
    assert np.abs(run.v[:, :3] - [1, 0, 0]).max() < 1e-12
    assert dynamics.balance(run.q, run.v).total == pytest.approx(energy, rel=1e-13)


def test_a_ball_rolls_down_a_slope_under_two_sevenths_of_its_weight_along_it():
    """(The friction that loads tell was off by 41 % after 1 s.)"""
    ball = sd.Body(name="ball", mass=1, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
    down = G * np.sin(0.3)
    dynamics = on_a_floor(ball, gravity=(down, 0, -G * np.cos(0.3)), friction=0.5)
    motion = moving(dynamics, 0.004, ball={"position": (0, 0, 0.1)})
    motion.run(250)
    (force,) = motion.loads().contacts.force
    assert abs(force[0]) == pytest.approx(2 / 7 * down, rel=1e-9)
    assert motion.q[0] == pytest.approx(5 / 7 * down / 2, rel=1e-10)


def test_a_ball_on_a_turntable_circles_at_two_sevenths_of_its_rate():
    """Milne, Vectorial Mechanics (1948): about any centre, with Ω I/(I + m r²), a ball that does not slip."""
    ball = sd.Body(name="ball", mass=1, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
    slab = sd.Box(size=(20, 20, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    table = sd.Body(name="table", mass=1e3, inertia=[1e6] * 3, joint=sd.Revolute(axis=(0, 0, 1)), shapes=[slab])
    contact = sd.Contact(name="rolls", body_a="table", body_b="ball", friction=0.9)
    gravity = sd.Uniform(acceleration=(0, 0, -G))
    dynamics = sd.Dynamics(sd.World(gravity=gravity, bodies=[table, ball], contacts=[contact]))
    turn, at, centre, missed = 3.0, 0.5, 0.2, []
    rate = turn * 0.004 / (0.004 + 0.1**2)
    speed = rate * (at - centre)
    spin = ((turn * at - speed) / 0.1, 0, 0)
    for h in (0.01, 0.005):
        motion = moving(
            dynamics, h, table={"velocity": turn},
            ball={"position": (at, 0, 0.1), "velocity": (0, speed, 0), "angular_velocity": spin},
        )  # fmt: skip
        run = motion.run(round(4.0 / h))
        angle = rate * run.t[-1]
        wanted = [centre + (at - centre) * np.cos(angle), (at - centre) * np.sin(angle)]
        missed.append(np.linalg.norm(dynamics.pose("ball", run.q[-1])[1][:2] - wanted))
    assert missed[0] < 5e-5
    assert 3.6 < missed[0] / missed[1] < 4.4


def test_a_plank_that_rocks_on_a_log_neither_gains_nor_loses():
    """(I + m (R² θ² + b²)) θ'' + m R² θ θ'² + m g (R θ cos θ − b sin θ) = 0, R the log's radius, 2 b the plank's
    thickness. Its contact rolls, sticks and turns its normal all the time; energy has no trend. (It grew, by 2 % in
    20 s: steps were divided where the error of their energy had one sign.)"""
    R, b, mass, tilt = 0.5, 0.05, 2.0, 0.3
    plank = cuboid("plank", mass, (1.0, 0.4, 2 * b))
    lying = sd.Pose(quaternion=(np.sqrt(0.5), np.sqrt(0.5), 0, 0))
    log = sd.Cylinder(radius=R, length=2.0, placement=lying)
    fixed = sd.Body(name="log", mass=0, joint=sd.Fixed(), shapes=[log])
    contact = sd.Contact(name="rolls", body_a="log", body_b="plank", friction=1.5)
    dynamics = sd.Dynamics(
        sd.World(gravity=sd.Uniform(acceleration=(0, 0, -G)), bodies=[fixed, plank], contacts=[contact])
    )

    def rocks(_, y):
        moved = mass * (R * R * y[0] * y[1] ** 2 + G * (R * y[0] * np.cos(y[0]) - b * np.sin(y[0])))
        return [y[1], -moved / (plank.inertia[1][1] + mass * (R * R * y[0] ** 2 + b * b))]

    c, s = np.cos(tilt), np.sin(tilt)
    place = (R * s - R * tilt * c + b * s, 0, R * c + R * tilt * s + b * c)
    start = {"position": place, "quaternion": (np.cos(tilt / 2), 0, np.sin(tilt / 2), 0)}
    run = moving(dynamics, 0.01, plank=start).run(4000)
    energy = dynamics.balance(run.q, run.v).total
    energy = (energy - mass * G * place[2]) / (mass * G * (place[2] - R - b))
    assert np.abs(energy).max() < 3e-4
    assert abs(energy[-1000:].mean() - energy[:1000].mean()) < 3e-4
    exact = solve_ivp(rocks, (0, 4.0), [tilt, 0.0], rtol=1e-11, atol=1e-12).y[0, -1]
    assert 2 * np.arctan2(run.q[399, 5], run.q[399, 3]) == pytest.approx(exact, abs=1e-3)


def test_a_thin_rod_may_roll_fast():
    """Turning about its own axis moves no surface. (At 150 rad/s it was refused: it could have overlapped unseen.)"""
    r, length, speed = 0.01, 0.8, 2.0
    spin, across = 0.5 * r * r, (3 * r * r + length * length) / 12
    rod = sd.Body(name="rod", mass=1.0, inertia=[across, across, spin], shapes=[sd.Capsule(radius=r, length=length)])
    dynamics = on_a_floor(rod, restitution=0.0, friction=0.5)
    lying = {"position": (0, 0, r), "quaternion": (np.sqrt(0.5), np.sqrt(0.5), 0, 0)}  # its axis along y
    start = {**lying, "velocity": (speed, 0, 0), "angular_velocity": (0, 0, -speed / r)}
    run = moving(dynamics, 2e-3, rod=start).run(500)  # it turns by 0.4 rad a step
    assert np.abs(run.q[:, 2] - r).max() < 1e-12
    assert run.q[-1, 0] == pytest.approx(speed * run.t[-1], rel=1e-9)
