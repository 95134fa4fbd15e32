"""What exists: bodies, joints, shapes, latches, gravity. Data and validation, no dynamics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from softdock.world.contacts import Compliance, Contact
from softdock.world.files import WorldFileError
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
from softdock.world.model import WORLD, Body, Bushing, Frame, Latch, Strength, World
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Capsule, ConvexMesh, Cylinder, Sphere
from softdock.world.thrusters import Plume, Thruster

if TYPE_CHECKING:
    from softdock.world.beams import Beam, beam
    from softdock.world.composite import Annulus, Drogue, Handle, MeshFile, Parts
    from softdock.world.fingers import Fingers, with_fingers
    from softdock.world.finite_elements import ModalData, modal_data, read_modal
    from softdock.world.mjcf import load_mjcf
    from softdock.world.modal_links import Modal, modal
    from softdock.world.panels import Panel, panel
    from softdock.world.tanks import Tank, slosh
    from softdock.world.urdf import load_urdf
    from softdock.world.urdf_export import save_urdf
    from softdock.world.wheels import with_wheels
    from softdock.world.world_files import load_world, world_of

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


_LAZY = {
    "Annulus": "composite",
    "Beam": "beams",
    "Drogue": "composite",
    "Fingers": "fingers",
    "Handle": "composite",
    "MeshFile": "composite",
    "Modal": "modal_links",
    "ModalData": "finite_elements",
    "Panel": "panels",
    "Parts": "composite",
    "Tank": "tanks",
    "beam": "beams",
    "load_mjcf": "mjcf",
    "load_urdf": "urdf",
    "load_world": "world_files",
    "modal": "modal_links",
    "modal_data": "finite_elements",
    "panel": "panels",
    "read_modal": "finite_elements",
    "save_urdf": "urdf_export",
    "slosh": "tanks",
    "with_fingers": "fingers",
    "with_wheels": "wheels",
    "world_of": "world_files",
}
"""Module of each name that is loaded when it is first used: most runs need few of them."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _LAZY:
            return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
