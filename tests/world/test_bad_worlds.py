"""Every mistake in a description is refused with a message that says what is wrong and where."""

import math
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from softdock.world import (
    Body,
    Contact,
    Fixed,
    Frame,
    Free,
    Latch,
    Limits,
    Planar,
    Pose,
    Revolute,
    Sphere,
    Spherical,
    Spring,
    World,
)
from softdock.world.contacts import touching


def world(*bodies: dict[str, Any], **rest: Any) -> World:
    return World.model_validate({"bodies": [{"mass": 1.0, **body} for body in bodies], **rest})


BAD_BODIES: dict[str, tuple[dict[str, Any], str]] = {
    "negative mass": ({"mass": -1.0}, "greater than or equal to 0"),
    "no mass but moving": ({"mass": 0.0}, "mass must be positive"),
    "infinite mass": ({"mass": math.inf}, "finite"),
    "inertia without mass": ({"mass": 0.0, "inertia": (1, 1, 1)}, "inertia but no mass"),
    "triangle inequality": ({"inertia": (1.0, 1.0, 2.1)}, "triangle inequality: principal moments 1, 1, 2.1"),
    "triangle inequality, turned": ({"inertia": (2, 2, 1, 1.5, 0, 0)}, "triangle inequality"),
    "negative moment": ({"inertia": (1.0, -1.0, 1.0)}, "not positive"),
    "inertia not symmetric": ({"inertia": ((1, 0.1, 0), (0, 1, 0), (0, 0, 1))}, "not symmetric"),
    "inertia of two numbers": ({"inertia": (1, 2)}, "takes 3 moments, 6"),
    "inertia of shape 3x2": ({"inertia": ((1, 2), (2, 1), (0, 0))}, "or a 3x3 matrix"),
    "NaN centre": ({"center": (0, math.nan, 0)}, "finite"),
    "NaN in an array": ({"center": np.array([0, math.nan, 0])}, "finite"),
    "centre of two numbers": ({"center": (0, 1)}, "takes 3 numbers, not 2"),
    "centre of shape 1x3": ({"center": np.zeros((1, 3))}, "takes 3 numbers, not 1"),
    "huge integer": ({"placement": {"rpy": (10**400, 0, 0)}}, "three finite numbers"),
    "axis too long": ({"joint": {"kind": "revolute", "axis": (1.5e308, 1.5e308, 0)}}, "infinite length"),
    "zero quaternion": ({"placement": {"quaternion": (0, 0, 0, 0)}}, "zero length"),
    "NaN quaternion": ({"placement": {"quaternion": (math.nan, 0, 0, 1)}}, "finite"),
    "quaternion of three": ({"placement": {"quaternion": (0, 0, 1)}}, "takes 4 numbers, not 3"),
    "rpy and quaternion": ({"placement": {"rpy": (0, 0, 0), "quaternion": (1, 0, 0, 0)}}, "not both"),
    "rpy of two": ({"placement": {"rpy": (0, 0)}}, "three finite numbers"),
    "unknown key": ({"centre": (0, 0, 0)}, "unknown key 'centre'; did you mean 'center'?"),
    "unknown joint": ({"joint": {"kind": "hinge"}}, "'fixed', 'revolute'"),
    "zero axis": ({"joint": {"kind": "revolute", "axis": (0, 0, 0)}}, "zero length"),
    "negative damping": ({"joint": {"kind": "revolute", "damping": -1}}, "greater than or equal to 0"),
    "flat box": ({"shapes": [{"kind": "box", "size": (1, 1, 0)}]}, "must be positive"),
    "hollow sphere": ({"shapes": [{"kind": "sphere", "radius": -1}]}, "greater than 0"),
    "reserved name": ({"name": "world"}, "the world frame's own"),
    "empty name": ({"name": ""}, "at least 1 character"),
}


@pytest.mark.parametrize(("body", "message"), BAD_BODIES.values(), ids=BAD_BODIES)
def test_a_bad_body_is_refused(body: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        world({"name": "a", **body})
    assert message in str(caught.value)


BAD_WORLDS: dict[str, tuple[dict[str, Any], str]] = {
    "no body": ({"bodies": []}, "at least one body"),
    "same name": ({"bodies": [{"name": "a", "mass": 1}] * 2}, "body 'a' is named twice"),
    "unknown parent": (
        {"bodies": [{"name": "wrist", "mass": 1}, {"name": "b", "mass": 1, "parent": "wirst"}]},
        "unknown parent 'wirst'; did you mean 'wrist'?",
    ),
    "cycle": (
        {"bodies": [{"name": n, "mass": 1, "parent": p} for n, p in (("a", "b"), ("b", "a"), ("c", "world"))]},
        "bodies 'a', 'b' carry each other in a cycle",
    ),
    "itself as parent": ({"bodies": [{"name": "a", "mass": 1, "parent": "a"}]}, "cycle"),
    "frame on nothing": ({"frames": [{"name": "tip", "body": "arm"}]}, "frame 'tip': unknown body 'arm'"),
    "frame named as a body": ({"frames": [{"name": "a", "body": "a"}]}, "frame 'a' is named twice"),
    "latch on nothing": (
        {"latches": [{"name": "l", "kind": "weld", "frame_a": "a", "frame_b": "bb"}]},
        "latch 'l': unknown frame 'bb'",
    ),
    "latch on one body": (
        {
            "frames": [{"name": "tip", "body": "a"}],
            "latches": [{"name": "l", "kind": "weld", "frame_a": "a", "frame_b": "tip"}],
        },
        "hold a body to itself",
    ),
    "length of a weld": (
        {"latches": [{"name": "l", "kind": "weld", "frame_a": "a", "frame_b": "world", "length": 1.0}]},
        "kind 'weld' takes no 'length'",
    ),
    "distance without a length": (
        {"latches": [{"name": "l", "kind": "distance", "frame_a": "a", "frame_b": "world"}]},
        "latch 'l': kind 'distance' needs 'length' (m)",
    ),
    "text for a number": ({"bodies": [{"name": "a", "mass": "1"}]}, "Input should be a valid number, not '1'"),
    "text among numbers": (
        {"bodies": [{"name": "a", "mass": 1, "inertia": [1.0, "1", 1.0]}]},
        "Input should be a valid number, not '1'",
    ),
    "a truth value for a number": (
        {"bodies": [{"name": "a", "mass": True}]},
        "Input should be a valid number, not True",
    ),
    "a word of an older softdock": ({"gaps": []}, "unknown key 'gaps' (known: bodies, contacts,"),
    "a word that only looks like one": ({"drives": []}, "did you mean 'bodies'? (known: bodies, contacts,"),
    "unknown gravity": ({"gravity": {"kind": "moon"}}, "'none', 'uniform', 'orbit'"),
    "hyperbolic orbit": ({"gravity": {"kind": "orbit", "semi_major_axis": 7e6, "eccentricity": 1.1}}, "less than 1"),
}


@pytest.mark.parametrize(("change", "message"), BAD_WORLDS.values(), ids=BAD_WORLDS)
def test_a_bad_world_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        World.model_validate({"bodies": [{"name": "a", "mass": 1}], **change})
    assert message in str(caught.value)


@pytest.mark.parametrize("restitution", [None, 0.5])
def test_a_rotation_in_space_takes_no_limits(restitution: float | None) -> None:
    with pytest.raises(ValidationError, match="a spherical joint cannot have limits"):
        Spherical(limits=Limits(lower=-1.0, upper=1.0, restitution=restitution))
    with pytest.raises(ValidationError, match=r"limits\.lower of a free joint takes 1 or 3 numbers, not 6"):
        Free(limits=Limits(lower=(-1.0,) * 6, upper=(1.0,) * 6, restitution=restitution))


def test_limits_must_be_ordered() -> None:
    with pytest.raises(ValidationError, match="not below"):
        Limits(lower=(1.0,), upper=(0.0,))


@pytest.mark.parametrize("joint", [{"damping": (1, 2)}, {"spring": Spring(stiffness=(1.0, 2.0))}])
def test_a_joint_refuses_the_wrong_count_of_numbers(joint: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="takes 1 or 3 numbers, not 2"):
        Planar(**joint)


def test_a_world_cannot_be_changed() -> None:
    made = world({"name": "a"})
    with pytest.raises(ValidationError, match="frozen"):
        made.name = "other"  # type: ignore[misc]


def test_bodies_come_after_their_parents_else_as_given() -> None:
    made = world({"name": "c", "parent": "b"}, {"name": "a"}, {"name": "b"}, {"name": "d"})
    assert [body.name for body in made.bodies] == ["a", "b", "c", "d"]


def test_a_long_chain_is_sorted_in_reasonable_time() -> None:
    names = [f"link{i}" for i in range(1000)]  # the most that a world may have
    chain = [{"name": name, "parent": parent} for name, parent in zip(names, ["world", *names], strict=False)]
    assert [body.name for body in world(*reversed(chain)).bodies] == names


def test_massless_bodies_may_move_only_with_what_they_carry() -> None:
    cross = {"name": "cross", "mass": 0.0, "joint": Revolute(axis=(1.0, 0.0, 0.0))}
    assert world(cross, {"name": "rod", "parent": "cross", "joint": Revolute()}).bodies[0].mass == 0
    assert world({"name": "post", "mass": 0.0, "joint": Fixed()}, {"name": "a"})
    with pytest.raises(ValidationError, match="body 'cross' moves but has no mass"):
        world(cross)


def test_lookups_hint_at_the_nearest_name() -> None:
    made = world({"name": "wrist"}, frames=[Frame(name="tip", body="wrist", placement=Pose(position=(0, 0, 1)))])
    assert made.body_of("tip") == made.body_of("wrist") == "wrist"
    with pytest.raises(KeyError, match="did you mean 'wrist'"):
        made.body("wirst")
    with pytest.raises(KeyError, match="did you mean 'tip'"):
        made.frame("tpi")


def test_joined_worlds_keep_their_trees_apart() -> None:
    latch = Latch(name="grip", kind="weld", frame_a="a", frame_b="world")
    one, two = world({"name": "a"}, latches=[latch]), world({"name": "b"})
    both = one.joined(two, name="pair")
    assert [body.name for body in both.bodies] == ["a", "b"] and both.latches == (latch,)
    with pytest.raises(ValidationError, match="'a' is named twice"):
        one.joined(one)


def test_an_altered_copy_is_validated() -> None:
    body = Body(name="a", mass=1.0, joint=Free())
    assert body.altered(mass=2.0).mass == 2.0
    with pytest.raises(ValidationError):
        body.altered(mass=-2.0)


def test_a_world_much_like_the_last_is_checked_too() -> None:
    """Names that were found to hang together are not looked at again; any other is."""
    a, b = Body(name="a", mass=1.0, inertia=(1, 1, 1)), Body(name="b", parent="a", mass=1.0, inertia=(1, 1, 1))
    held = Latch(name="hold", kind="point", frame_a="a", frame_b="b")
    assert [body.name for body in World(bodies=(b, a), latches=(held,)).bodies] == ["a", "b"]
    assert World(bodies=(a, b.altered(mass=2.0)), latches=(held,)).body("b").mass == 2.0
    assert [body.name for body in World(bodies=(b, a), latches=(held,)).bodies] == ["a", "b"]
    for wrong, message in (
        ({"bodies": (a, b.altered(parent="c"))}, "unknown parent 'c'"),
        ({"bodies": (a.altered(parent="b"), b)}, "carry each other in a cycle"),
        ({"bodies": (a, b.altered(name="a", parent="world"))}, "named twice"),
        ({"bodies": (a, b), "latches": (held.altered(frame_b="a"),)}, "hold a body to itself"),
    ):
        with pytest.raises(ValueError, match=message):
            World(**{"latches": (held,), **wrong})
        assert len(World(bodies=(a, b), latches=(held,)).bodies) == 2


def test_of_a_world_much_like_the_last_what_decides_is_checked_too() -> None:
    """Mass and shapes: numbers may differ, but not whether there are any."""
    ball = Sphere(radius=0.1)
    a, b = (Body(name=name, mass=1.0, inertia=(1, 1, 1), shapes=(ball,)) for name in "ab")
    touch = Contact(name="touch", body_a="a", body_b="b")
    first = World(bodies=(a, b), contacts=(touch,))
    heavier = World(bodies=(a, b.altered(mass=2.0, shapes=(Sphere(radius=0.2),))), contacts=(touch,))
    assert heavier.touching == first.touching == touching(heavier.bodies, heavier.contacts)
    harder = touch.altered(restitution=0.5)
    assert World(bodies=(a, b), contacts=(harder,)).touching.pairs[0].law == harder
    for wrong, message in (
        (b.altered(shapes=()), "has no shape to touch with"),
        (b.altered(mass=0.0, inertia=(0, 0, 0)), "moves but has no mass"),
    ):
        World(bodies=(a, b), contacts=(touch,))
        with pytest.raises(ValueError, match=message):
            World(bodies=(a, wrong), contacts=(touch,))
