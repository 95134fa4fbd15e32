"""What exists: bodies, joints, shapes, latches, gravity. Data and validation, no dynamics."""

from softdock.world.beams import Beam, beam
from softdock.world.composite import Annulus, Drogue, Handle, MeshFile, Parts
from softdock.world.contacts import Compliance, Contact
from softdock.world.files import WorldFileError, load_world, world_of
from softdock.world.fingers import Fingers, with_fingers
from softdock.world.finite_elements import ModalData, modal_data, read_modal
from softdock.world.gravity import EARTH_MU, NoGravity, Orbit, Uniform
from softdock.world.joints import (
    Actuator,
    Elastic,
    Fixed,
    Free,
    Friction,
    Limits,
    Mode,
    Planar,
    Prismatic,
    Revolute,
    Rotor,
    Servo,
    Spherical,
    Spring,
)
from softdock.world.layout import JointState, Layout
from softdock.world.mjcf import load_mjcf
from softdock.world.modal_links import Modal, modal
from softdock.world.model import WORLD, Body, Bushing, Frame, Latch, Strength, World
from softdock.world.panels import Panel, panel
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Capsule, ConvexMesh, Cylinder, Sphere
from softdock.world.tanks import Tank, slosh
from softdock.world.thrusters import Plume, Thruster
from softdock.world.urdf import load_urdf
from softdock.world.urdf_export import save_urdf
from softdock.world.wheels import with_wheels

__all__ = [
    "EARTH_MU",
    "WORLD",
    "Actuator",
    "Annulus",
    "Beam",
    "Body",
    "Box",
    "Bushing",
    "Capsule",
    "Compliance",
    "Contact",
    "ConvexMesh",
    "Cylinder",
    "Drogue",
    "Elastic",
    "Fingers",
    "Fixed",
    "Frame",
    "Free",
    "Friction",
    "Handle",
    "JointState",
    "Latch",
    "Layout",
    "Limits",
    "MeshFile",
    "Modal",
    "ModalData",
    "Mode",
    "NoGravity",
    "Orbit",
    "Panel",
    "Parts",
    "Planar",
    "Plume",
    "Pose",
    "Prismatic",
    "Revolute",
    "Rotor",
    "Servo",
    "Sphere",
    "Spherical",
    "Spring",
    "Strength",
    "Tank",
    "Thruster",
    "Uniform",
    "World",
    "WorldFileError",
    "beam",
    "load_mjcf",
    "load_urdf",
    "load_world",
    "modal",
    "modal_data",
    "panel",
    "read_modal",
    "save_urdf",
    "slosh",
    "with_fingers",
    "with_wheels",
    "world_of",
]


def __dir__() -> list[str]:
    return __all__
