"""Arms and targets as files: what tests and studies put into 'capture'."""

import sysconfig
from collections.abc import Callable
from pathlib import Path

import trimesh

SHARE = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"


def nine_joints(folder: Path) -> Path:
    """A thin arm that rolls and pitches in turn, x ahead."""
    lengths, at, parent = (0.0, 0.0, 0.9, 0.0, 0.8, 0.0, 0.8, 0.0, 0.3), 0.0, "base"
    parts = ['<robot name="thin"><link name="base"/>']
    for k, long in enumerate(lengths):
        mass, axis = max(4 * long, 1.0), "0 1 0" if k % 2 else "1 0 0"
        across = mass * long**2 / 12 + 0.01
        tube = (
            f'<collision><origin xyz="{long / 2} 0 0" rpy="0 1.5707963 0"/><geometry>'
            f'<cylinder radius="0.05" length="{long - 0.04}"/></geometry></collision>'
        )
        parts.append(
            f'<link name="l{k}"><inertial><origin xyz="{long / 2} 0 0"/><mass value="{mass}"/>'
            f'<inertia ixx="0.01" iyy="{across}" izz="{across}" ixy="0" ixz="0" iyz="0"/></inertial>'
            f'{tube if long else ""}</link><joint name="j{k}" type="revolute"><parent link="{parent}"/>'
            f'<child link="l{k}"/><origin xyz="{at} 0 0"/><axis xyz="{axis}"/>'
            '<limit lower="-2.9" upper="2.9" effort="30" velocity="0.8"/></joint>'
        )
        parent, at = f"l{k}", long
    file = folder / "nine.urdf"
    file.write_text("".join([*parts, "</robot>"]))
    return file


def box(folder: Path) -> Path:
    """Its frame is elsewhere."""
    solid = trimesh.creation.box((0.6, 0.5, 0.7))
    solid.apply_translation((1.0, 2.0, -0.5))
    solid.export(folder / "box.stl")
    return folder / "box.stl"


def prism(folder: Path) -> Path:
    """With six sides, and a panel on one side only, so that its principal axes are its own."""
    panel = trimesh.creation.box((0.02, 0.7, 0.4))
    panel.apply_translation((0.0, 0.64, 0.0))
    whole = trimesh.util.concatenate([trimesh.creation.cylinder(0.35, 0.9, sections=6), panel])
    whole.apply_translation((0.0, -3.0, 0.4))
    whole.export(folder / "prism.stl")
    return folder / "prism.stl"


ARMS: dict[str, Callable[[Path], Path]] = {
    "panda": lambda folder: SHARE / "panda_description" / "urdf" / "panda.urdf",
    "ur10": lambda folder: SHARE / "ur_description" / "urdf" / "ur10_robot.urdf",
    "nine": nine_joints,
}
"""Of seven, six and nine joints."""
TARGETS: dict[str, Callable[[Path], Path]] = {"box": box, "prism": prism}
