"""Worlds with compliant contacts, of few structures: kernels are shared."""

import softdock as sd


def cuboid(name, mass=1.0, size=(0.2, 0.2, 0.2), **what):
    x, y, z = size
    inertia = [mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12]
    return sd.Body(name=name, mass=mass, inertia=inertia, shapes=[sd.Box(size=size)], **what)


def ball(name="mover", mass=1.0, radius=0.1, **what):
    return sd.Body(
        name=name, mass=mass, inertia=[0.4 * mass * radius**2] * 3, shapes=[sd.Sphere(radius=radius)], **what
    )


def pair(size_b=(0.2, 0.2, 0.2), **law):
    """Two free cuboids of 1 and 2 kg that may touch."""
    bodies = [cuboid("a"), cuboid("b", 2.0, size_b)]
    gap = sd.Contact(name="touch", body_a="a", body_b="b", compliance=sd.Compliance(**law))
    return sd.Dynamics(sd.World(bodies=bodies, contacts=[gap]))


def ground(mover, gravity=(0.0, 0.0, 0.0), **law):
    """A body over ground whose top is z = 0; a gravity that is not upright makes it an incline."""
    slab = sd.Box(size=(20, 20, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    floor = sd.Body(name="ground", mass=0, joint=sd.Fixed(), shapes=[slab])
    gap = sd.Contact(name="touch", body_a=mover.name, body_b="ground", compliance=sd.Compliance(**law))
    return sd.Dynamics(sd.World(gravity=sd.Uniform(acceleration=gravity), bodies=[floor, mover], contacts=[gap]))
