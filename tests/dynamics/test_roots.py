"""A light root that carries a heavy body: said, and true.

A body of 100 kg and one of up to 400 t, connected by a hinge, free and without gravity, written with either as root.
"""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import softdock as sd

LIGHT, HEAVY = 100.0, 4e5
ARM, REACH = 0.5, 10.0
"""From the hinge to the two centres of mass (m)."""


def part(name: str, mass: float, size: float, **rest: object) -> sd.Body:
    a = mass * size
    return sd.Body(name=name, mass=mass, inertia=((a, 0, 0), (0, 1.2 * a, 0), (0, 0, 1.4 * a)), **rest)


def rooted_at_light(heavy: float) -> sd.World:
    hinge = {"parent": "light", "joint": sd.Revolute(), "placement": sd.Pose(position=(ARM, 0, 0))}
    return sd.World(
        name="l", bodies=(part("light", LIGHT, 0.2), part("heavy", heavy, 80.0, center=(REACH, 0, 0), **hinge))
    )


def rooted_at_heavy(heavy: float) -> sd.World:
    hinge = {"parent": "heavy", "joint": sd.Revolute()}
    root = part("heavy", heavy, 80.0, center=(REACH, 0, 0))
    return sd.World(name="h", bodies=(root, part("light", LIGHT, 0.2, center=(-ARM, 0, 0), **hinge)))


def angle(world: sd.World, h: float, order: int) -> float:
    """Of the hinge after 20 s, from the light body's swing of 0.3 rad/s."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dynamics = sd.Dynamics(world)
    slow, swing = np.array([1e-3, 2e-3, -1e-3]), 0.3
    v = np.zeros(7)
    if world.name == "h":
        v[:3], v[3:6], v[6] = -np.cross(slow, [REACH, 0, 0]), slow, swing
    else:
        light = slow + np.array([0, 0, swing])
        v[:3] = -np.cross(slow, [REACH, 0, 0]) - np.cross(light, [ARM, 0, 0])
        v[3:6], v[6] = light, -swing
    motion = sd.Motion(dynamics, dynamics.layout.neutral(), v, h=h, order=order)
    motion.run(round(20.0 / h))
    return float(motion.q[7] if world.name == "h" else -motion.q[7])


def test_both_are_the_same_world_and_the_warning_is_true() -> None:
    exact = angle(rooted_at_heavy(HEAVY), 0.01, 6)
    assert angle(rooted_at_light(HEAVY), 0.01, 6) == pytest.approx(exact, abs=1e-9)
    worse = abs(angle(rooted_at_light(HEAVY), 0.01, 2) - exact)
    better = abs(angle(rooted_at_heavy(HEAVY), 0.01, 2) - exact)
    assert 1000 < worse / better < 10000


def test_a_light_root_is_told() -> None:
    with pytest.warns(
        UserWarning, match=r"'light' \(100 kg\) is free and carries 'heavy' \(4e\+05 kg\); rooted at 'heavy'"
    ):
        sd.Dynamics(rooted_at_light(HEAVY))


@pytest.mark.parametrize("world", [rooted_at_heavy(HEAVY), rooted_at_light(5 * LIGHT)])
def test_others_are_not(world: sd.World) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sd.Dynamics(world)


TUG = """
scenario = "world"
[run]
h = 0.01
duration = 0.05
[world]
name = "tug"
[[world.bodies]]
name = "light"
mass = 100.0
inertia = [20.0, 24.0, 28.0]
[[world.bodies]]
name = "heavy"
parent = "light"
mass = 400000.0
inertia = [3.2e7, 3.84e7, 4.48e7]
joint = { kind = "revolute" }
"""
URDF = """<robot name="tug"><link name="light"><inertial><mass value="100"/>
<inertia ixx="20" iyy="24" izz="28" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="heavy"><inertial><mass value="4e5"/>
<inertia ixx="3e7" iyy="4e7" izz="5e7" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="light"/><child link="heavy"/><axis xyz="0 0 1"/></joint></robot>"""
MJCF = """<mujoco><worldbody><body name="light"><freejoint/><inertial pos="0 0 0" mass="100" diaginertia="20 24 28"/>
<body name="heavy"><joint type="hinge"/><inertial pos="0 0 0" mass="4e5" diaginertia="3e7 4e7 5e7"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("name", "text", "load"),
    [
        ("tug.toml", TUG.split("[world]")[1].replace("world.", ""), sd.load_world),
        ("tug.urdf", URDF, lambda path: sd.load_urdf(path, base="free")),
        ("tug.xml", MJCF, sd.load_mjcf),
    ],
)
def test_it_is_told_whichever_way_a_world_comes_in(tmp_path, name, text, load) -> None:
    (tmp_path / name).write_text(text)
    with pytest.warns(UserWarning, match=r"'light' \(100 kg\) is free and carries 'heavy'"):
        sd.Dynamics(load(tmp_path / name))


def test_the_command_line_tells_it(tmp_path) -> None:
    (tmp_path / "tug.toml").write_text(TUG)
    command = [sys.executable, "-m", "softdock", "run", "tug.toml", "--no-figures", "--out", "run"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "warning: world 'tug': 'light' (100 kg) is free and carries 'heavy' (4e+05 kg)" in done.stderr
