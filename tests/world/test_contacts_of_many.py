"""Contacts of many bodies: who may touch whom, and that such a contact is the same as those it stands for."""

import numpy as np
import pytest

import softdock as sd
from softdock.world.world_files import world_of

BOX = sd.Box(size=(0.2, 0.2, 0.2))


def box(name: str, **keys: object) -> sd.Body:
    return sd.Body.model_validate({"name": name, "mass": 1, "inertia": [0.01] * 3, "shapes": [BOX], **keys})


def arm() -> sd.World:
    """Two free bodies; on `b` a link with a hand fixed to it; a wall, with a door on a hinge."""
    up = {"position": (0, 0, 0.25)}
    return sd.World(
        bodies=[
            box("a"),
            box("b"),
            box("link", parent="b", joint=sd.Revolute(axis=(0, 0, 1)), placement=up),
            box("hand", parent="link", joint=sd.Fixed(), placement=up),
            box("wall", joint=sd.Fixed(), placement={"position": (5, 0, 0)}),
            box("door", joint=sd.Revolute(axis=(0, 0, 1)), placement={"position": (5, 0.3, 0)}),
            sd.Body(name="dot", mass=1, inertia=[0.01] * 3),
        ]
    )


def names(world: sd.World) -> set[str]:
    return {pair.name for pair in world.touching.pairs}


def test_all_but_what_joints_connect() -> None:
    world = arm().with_contacts("all", friction=0.3)
    excluded = {
        ("b", "link"): "connected by a joint",
        ("b", "hand"): "connected by a joint",
        ("link", "hand"): "fixed to each other",
        ("wall", "door"): "connected by a joint",
    }
    assert world.touching.excluded == excluded
    shaped = ["a", "b", "link", "hand", "wall", "door"]
    every = {f"{x} & {y}" for i, x in enumerate(shaped) for y in shaped[i + 1 :]}
    assert names(world) == every - {f"{x} & {y}" for x, y in excluded}
    assert all(pair.law.friction == 0.3 for pair in world.touching.pairs)
    assert "b & link" in world.touching.told() and "link & hand" not in world.touching.told()
    assert "11 contacts" in repr(world)
    file = {"contacts": "all", "bodies": [body.model_dump() for body in arm().bodies]}
    assert names(world_of(file, "file")) == names(world)


def test_own_contacts_and_exclusions_come_first() -> None:
    own = sd.Contact(name="hinge", body_a="link", body_b="b", restitution=0.5)
    world = arm().with_contacts([own]).with_contacts("all", exclude=["wall", ("a", "*"), ("hand", "do*")])
    assert names(world) == {"hinge", "b & door", "link & door"}
    assert ("b", "link") not in world.touching.excluded and world.touching.excluded["a", "b"] == "excluded"
    fingers = sd.Contact(name="grip", body_a="h*", body_b="a", friction=0.7)
    world = arm().with_contacts([fingers]).with_contacts("all")
    assert {pair.name: pair.law.name for pair in world.touching.pairs}["a & hand"] == "grip"
    assert world.joined(sd.World(bodies=[box("c"), box("d")], contacts=world.contacts[1:])).touching.pairs


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"exclude": ["hans"]}, "did you mean 'hand'"),
        ({"exclude": ["x*"]}, "no body is called like"),
        ({"exclude": ["*"]}, "between no two bodies"),
        ({"bounce": 1}, "unknown key 'bounce'"),
        ({"compliance": sd.Compliance(stiffness=1.0), "friction": 1.0}, "that of its compliance"),
    ],
)
def test_bad_requests(keys: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("*", r"\*")):
        arm().with_contacts("all", **keys)


def test_other_bad_requests() -> None:
    with pytest.raises(ValueError, match="takes 'all'"):
        arm().with_contacts("some")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="needs a"):
        sd.Contact(name="x", body_a="a", body_b="b", exclude=("c",))
    with pytest.raises(ValueError, match="'all' or a list"):
        arm().altered(contacts="every")
    near = sd.Dynamics(sd.World(bodies=[box("a"), box("b")], contacts="all"))
    with pytest.raises(ValueError, match=r"'a & b' is penetrated by 0.15.*exclude"):
        sd.Motion(near, *near.state({"b": {"position": (0.05, 0, 0)}}), h=0.01)


def test_the_same_motion_as_by_single_contacts() -> None:
    """Three balls in a row, hit by a fourth's speed: the last leaves with it, as in the cradle."""
    balls = [sd.Body(name=name, mass=1, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)]) for name in "abc"]
    single = [sd.Contact(name=f"{x} & {y}", body_a=x, body_b=y) for x, y in ("ab", "ac", "bc")]
    start = {"a": {"velocity": (1, 0, 0)}, "b": {"position": (0.5, 0, 0)}, "c": {"position": (0.7, 0, 0)}}
    runs = []
    for contacts in ("all", single):
        dynamics = sd.Dynamics(sd.World(bodies=balls, contacts=contacts))
        runs.append(sd.rollout(dynamics, *dynamics.state(start), h=0.01, steps=60))
    assert np.array_equal(runs[0].q, runs[1].q)
    assert runs[0].v[-1, [0, 6, 12]] == pytest.approx([0, 0, 1], abs=1e-12)
    assert [impact.contact for impact in runs[0].impacts] == [impact.contact for impact in runs[1].impacts] != []
