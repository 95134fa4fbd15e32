"""Worlds that the physics tests and the studies share: builders only, no checks."""

import numpy as np

from softdock.world import (
    Body,
    Fixed,
    Frame,
    Free,
    Friction,
    Latch,
    NoGravity,
    Orbit,
    Planar,
    Pose,
    Prismatic,
    Revolute,
    Servo,
    Spherical,
    Spring,
    World,
)
from softdock.world.joints import Joint


def random_quaternion(rng: np.random.Generator) -> np.ndarray:
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def random_pose(rng: np.random.Generator, size: float = 0.6) -> Pose:
    return Pose(position=rng.uniform(-size, size, 3), quaternion=random_quaternion(rng))


def random_inertia(rng: np.random.Generator, mass: float) -> np.ndarray:
    """Inertia about the centre of twelve random particles of that total mass (kg m²)."""
    at = rng.uniform(-0.3, 0.3, (12, 3))
    at -= at.mean(axis=0)
    return mass / 12 * (np.sum(at * at) * np.eye(3) - at.T @ at)


def random_joint(kind: str, rng: np.random.Generator) -> Joint:
    axis = rng.normal(size=3)
    simple = {"fixed": Fixed, "planar": Planar, "spherical": Spherical, "free": Free}
    return {"revolute": Revolute, "prismatic": Prismatic}[kind](axis=axis) if kind not in simple else simple[kind]()


def random_body(name: str, parent: str, kind: str, rng: np.random.Generator) -> Body:
    mass = rng.uniform(0.5, 8.0)
    return Body(
        name=name,
        parent=parent,
        joint=random_joint(kind, rng),
        placement=random_pose(rng),
        mass=mass,
        center=rng.uniform(-0.2, 0.2, 3),
        inertia=random_inertia(rng, mass),
    )


def forest(structure: str, rng: np.random.Generator, gravity=NoGravity()) -> World:  # noqa: B008
    """A world of random numbers; `structure` lists bodies as kind<parent, "-" for the world: "free<- revolute<0"."""
    bodies = []
    for index, word in enumerate(structure.split()):
        kind, parent = word.split("<")
        bodies.append(random_body(f"b{index}", "world" if parent == "-" else f"b{parent}", kind, rng))
    return World(name="forest", gravity=gravity, bodies=tuple(bodies))


def random_structure(rng: np.random.Generator, bodies: int) -> str:
    """Any joint anywhere: a forest whose roots are fixed, free or anything else."""
    kinds = ["fixed", "revolute", "revolute", "prismatic", "planar", "spherical", "free"]
    words = [f"{rng.choice(kinds[1:])}<-"]
    for index in range(1, bodies):
        parent = "-" if rng.random() < 0.12 else str(rng.integers(max(0, index - 3), index))
        words.append(f"{rng.choice(kinds)}<{parent}")
    return " ".join(words)


def random_state(dynamics, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of order one with random attitudes, and velocities of order one."""
    q = rng.uniform(-1.5, 1.5, dynamics.nq)
    for k in dynamics.layout.quaternions():
        q[k : k + 4] = random_quaternion(rng)
    return q, rng.normal(size=dynamics.nv)


def free_flyer(joints: int = 7, gravity=NoGravity(), free: bool = True) -> World:  # noqa: B008
    """A 300 kg spacecraft with an arm of revolute joints about z, y, z, y …, 0.4 m apart."""
    base = Body(
        name="base",
        joint=Free() if free else Fixed(),
        mass=300.0,
        center=(0.02, -0.01, 0.03),
        inertia=(40.0, 55.0, 62.0, 1.5, -0.8, 0.6),
    )
    bodies = [base]
    for k in range(joints):
        bodies.append(
            Body(
                name=f"link{k + 1}",
                parent=bodies[-1].name,
                joint=Revolute(axis=(0, 0, 1) if k % 2 == 0 else (0, 1, 0)),
                placement=Pose(position=(0.6, 0.1, 0.2) if k == 0 else (0.4, 0.0, 0.0)),
                mass=8.0 - 0.07 * k,
                center=(0.2, 0.01, -0.015),
                inertia=(0.03, 0.14, 0.15, 0.001, -0.002, 0.0015),
            )
        )
    return World(name="free-flyer", gravity=gravity, bodies=tuple(bodies))


def flying(dynamics, rate: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """A free flyer's state: bent arm, every joint turning, base drifting and turning."""
    q, v = dynamics.layout.neutral(), np.zeros(dynamics.nv)
    joints = dynamics.nv - 6
    q[:3], q[7:] = (0.3, -0.2, 0.1), 0.4 + 0.3 * np.sin(1.0 + np.arange(joints))
    v[:6] = (0.02, -0.01, 0.015, 0.03, -0.02, 0.025)
    v[6:] = rate * np.cos(0.7 * np.arange(joints))
    return q, v


ISS_ORBIT = Orbit(semi_major_axis=6731290.0, mu=3.986e14)
ISS_RATE = float(np.sqrt(ISS_ORBIT.mu / ISS_ORBIT.semi_major_axis**3))
ISS_TARGET = {"rod1": 2.932, "rod2": 0.741, "rod3": 0.776}


def planar_iss(kp: float = 0.0, kd: float = 0.0) -> World:
    """A station of 344,378 kg and 73 m, three rods, a 100 kg point payload, in the plane of its orbit."""
    servo = Servo(kp=kp, kd=kd) if kp or kd else None
    bodies = [Body(name="iss", joint=Planar(), mass=344378.0, inertia=_rod(344378.0, 73.0))]
    lengths, masses = (6.4, 7.0, 1.9), (140.0, 95.0, 60.0)
    for k, (length, mass) in enumerate(zip(lengths, masses, strict=True)):
        bodies.append(
            Body(
                name=f"rod{k + 1}",
                parent=bodies[-1].name,
                joint=Revolute(servo=servo),
                placement=Pose(position=(lengths[k - 1] if k else 0.0, 0.0, 0.0)),
                mass=mass,
                center=(length / 2, 0.0, 0.0),
                inertia=_rod(mass, length),
            )
        )
    payload = Body(name="payload", parent="rod3", joint=Fixed(), placement=Pose(position=(1.9, 0.0, 0.0)), mass=100.0)
    return World(name="planar-iss", gravity=ISS_ORBIT, bodies=(*bodies, payload))


def _rod(mass: float, length: float) -> tuple[float, float, float]:
    return (0.0, mass * length**2 / 12, mass * length**2 / 12)


def iss_state(rate: float) -> tuple[np.ndarray, np.ndarray]:
    """The station turning with its orbit, the joints at (2.4, 1.2, 0.3) rad and turning at `rate`."""
    return np.array([0, 0, 0, 2.4, 1.2, 0.3]), np.array([0, 0, ISS_RATE, rate, rate, rate])


def mixed(gravity=NoGravity(), resisting: bool = True) -> World:  # noqa: B008
    """Every joint kind in two trees, with (if `resisting`) springs, dampers, smooth friction and a servo."""
    rng = np.random.default_rng(7)
    springy = {"spring": Spring(stiffness=3.0), "damping": 0.4} if resisting else {}
    rubbing = {"friction": Friction(force=0.3, speed=0.5)} if resisting else {}
    driven = {"servo": Servo(kp=4.0, kd=1.5)} if resisting else {}
    joints: list[tuple[str, Joint]] = [
        ("world", Free(damping=0.05 if resisting else 0.0)),
        ("b0", Revolute(axis=(0.3, -0.5, 0.8), **driven)),
        ("b1", Spherical(**springy)),
        ("b2", Prismatic(axis=(0.6, 0.1, -0.7), **springy, **rubbing)),
        ("b0", Planar(**springy)),
        ("b4", Fixed()),
        ("world", Spherical(**rubbing)),
        ("b6", Revolute(axis=(-0.2, 0.9, 0.4), **rubbing)),
    ]
    bodies = [
        random_body(f"b{k}", parent, "fixed", rng).altered(joint=joint) for k, (parent, joint) in enumerate(joints)
    ]
    frames = (
        Frame(name="tip", body="b3", placement=random_pose(rng)),
        Frame(name="bracket", body="b5", placement=random_pose(rng)),
    )
    return World(name="mixed", gravity=gravity, bodies=tuple(bodies), frames=frames)


def mixed_state(dynamics, speed: float = 0.4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(11)
    q, v = random_state(dynamics, rng)
    return q, speed * v


def pair(kind: str, *, apart: float = 0.0, gravity=NoGravity(), **latch) -> World:  # noqa: B008
    """Two free bodies, "a" and "b", and a latch of that kind between a frame on each."""
    rng = np.random.default_rng(3)
    length = {"length": 0.7} if kind == "distance" else {}
    bodies = (random_body("a", "world", "free", rng), random_body("b", "world", "free", rng))
    frames = (
        Frame(name="port", body="a", placement=random_pose(rng)),
        Frame(name="probe", body="b", placement=random_pose(rng)),
    )
    held = Latch(name="latch", kind=kind, frame_a="port", frame_b="probe", **length, **latch)
    return World(name=f"pair-{kind}", gravity=gravity, bodies=bodies, frames=frames, latches=(held,))


def mated(dynamics, rng: np.random.Generator, speed: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """A state of `pair` with the probe in the port (or at the latch's length from it along x of the port)."""
    q, v = random_state(dynamics, rng)
    latch = dynamics.world.latches[0]
    R_WA, p_WA = dynamics.pose("port", q)
    R_WB = R_WA
    p_WB = p_WA + R_WA @ np.array([latch.length or 0.0, 0.0, 0.0])
    place_pose(dynamics, q, "b", "probe", R_WB, p_WB)
    return q, speed * v


def place_pose(dynamics, q: np.ndarray, body: str, frame: str, R_WF: np.ndarray, p_WF: np.ndarray) -> None:
    """Move a free root body, in q, so that one of its frames is where it is wanted."""
    placement = dynamics.world.body(body).placement
    on_body = dynamics.world.frame(frame).placement
    R_WB = R_WF @ on_body.rotation.T
    p_WB = p_WF - R_WB @ np.array(on_body.position)
    R_J, p_J = placement.rotation, np.array(placement.position)
    at = dynamics.layout.q[body]
    q[at] = [*(R_J.T @ (p_WB - p_J)), *quaternion_of(R_J.T @ R_WB)]


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """w x y z of a rotation matrix, from its dominant eigenvector (Bar-Itzhack)."""
    K = np.array(
        [
            [R[0, 0] - R[1, 1] - R[2, 2], R[1, 0] + R[0, 1], R[2, 0] + R[0, 2], R[2, 1] - R[1, 2]],
            [R[1, 0] + R[0, 1], R[1, 1] - R[0, 0] - R[2, 2], R[2, 1] + R[1, 2], R[0, 2] - R[2, 0]],
            [R[2, 0] + R[0, 2], R[2, 1] + R[1, 2], R[2, 2] - R[0, 0] - R[1, 1], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], R[0, 0] + R[1, 1] + R[2, 2]],
        ]
    )
    x, y, z, w = np.linalg.eigh(K)[1][:, -1]
    return np.array([w, x, y, z])


FOUR_BAR = (2.0, 0.7, 1.8, 1.5)
"""Lengths (m): ground, crank, coupler, rocker."""


def four_bar(ground: float = FOUR_BAR[0]) -> World:
    """Crank and coupler and rocker in a chain from the origin, its end hinged to the world at (ground, 0, 0)."""
    bodies = []
    for k, (name, length, mass) in enumerate(
        zip(("crank", "coupler", "rocker"), FOUR_BAR[1:], (2.0, 3.0, 2.5), strict=True)
    ):
        bodies.append(
            Body(
                name=name,
                parent=bodies[-1].name if bodies else "world",
                joint=Revolute(),
                placement=Pose(position=(FOUR_BAR[k] if k else 0.0, 0.0, 0.0)),
                mass=mass,
                center=(length / 2, 0.0, 0.0),
                inertia=(0.01, mass * length**2 / 12, mass * length**2 / 12),
            )
        )
    frames = (
        Frame(name="end", body="rocker", placement=Pose(position=(FOUR_BAR[3], 0.0, 0.0))),
        Frame(name="pivot", body="world", placement=Pose(position=(ground, 0.0, 0.0))),
    )
    hinge = Latch(name="pin", kind="hinge", frame_a="pivot", frame_b="end", capture_distance=1e-9, capture_angle=1e-9)
    return World(name="four-bar", bodies=tuple(bodies), frames=frames, latches=(hinge,))


def tumbler(inertia=(1.0, 2.0, 3.0)) -> World:
    return World(name="tumbler", bodies=(Body(name="body", mass=5.0, inertia=inertia),))


def earth_frame(dynamics, q, v, t) -> tuple[np.ndarray, np.ndarray]:
    """Total energy (J) and angular momentum (kg m²/s) about Earth at states (batch) and times of an orbit world.

    E = T + P·V + ½ m V² − μm/r + (terms of the tide): with U the potential of differential gravity,
    the full potential is U − Σ μ m/r + μ/r³ r·(Σ m ρ).
    """
    b = dynamics.balance(q, v, t)
    r, V = dynamics.reference_orbit(t)
    mu, m = dynamics.world.gravity.mu, dynamics.mass
    R = np.linalg.norm(r, axis=-1)
    energy = b.kinetic + np.sum(b.momentum * V, axis=-1) + m * np.sum(V * V, axis=-1) / 2
    energy += b.gravity + b.spring - mu * m / R + mu / R**3 * np.sum(r * b.center, axis=-1) * m
    turning = b.angular_momentum + np.cross(r, b.momentum + m * V) + m * np.cross(b.center, V)
    return energy, turning


def order_of(h: np.ndarray, error: np.ndarray) -> float:
    """Slope of log error over log h."""
    return float(np.polyfit(np.log(h), np.log(error), 1)[0])


def apart(dynamics, q1: np.ndarray, q2: np.ndarray) -> float:
    """Largest difference of two configurations; quaternions by the angle between them."""
    d = np.abs(q1 - q2)
    worst = 0.0
    flat = np.ones(dynamics.nq, dtype=bool)
    for k in dynamics.layout.quaternions():
        flat[k : k + 4] = False
        a, b = q1[k : k + 4], q2[k : k + 4]
        worst = max(worst, 2 * min(np.linalg.norm(a - b), np.linalg.norm(a + b)))
    return float(max(worst, d[flat].max(initial=0.0)))
