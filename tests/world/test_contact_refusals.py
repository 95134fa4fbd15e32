"""Contacts and latches that cannot be are refused in one line that names them; what is left out is said."""

import pytest

import softdock as sd
from softdock.scenarios.loading import load
from softdock.scenarios.runner import Runner

CUBE = sd.Box(size=(0.1, 0.1, 0.1))


def body(name: str, **more: object) -> sd.Body:
    return sd.Body(name=name, mass=1.0, inertia=(0.01, 0.01, 0.01), shapes=[CUBE], **more)


def one_line(error: pytest.ExceptionInfo[Exception]) -> str:
    """What pydantic or softdock says of it, without pydantic's frame."""
    return " ".join(line.strip() for line in str(error.value).splitlines()[1:2]) or str(error.value)


@pytest.mark.parametrize("friction", [0.3, 1e-9])
def test_friction_that_no_law_takes(friction):
    soft = sd.Compliance(stiffness=1e4)
    with pytest.raises(ValueError, match="contact 'pads': the friction of a compliant contact is that of its") as error:
        sd.Contact(name="pads", body_a="a", body_b="b", friction=friction, compliance=soft)
    assert "\n" not in one_line(error)


@pytest.mark.parametrize("load", ["force", "torque"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_a_latch_that_bears_nothing(load, value):
    with pytest.raises(ValueError, match=f"{load}\n.*greater than 0|finite number"):
        sd.Latch(name="bolt", frame_a="a", frame_b="b", strength={load: value})


def test_bodies_that_a_joint_connects_do_not_touch_and_that_is_said(tmp_path):
    arm = sd.Revolute(axis=(0, 0, 1))
    world = sd.World(bodies=[body("base"), body("link", parent="base", joint=arm), body("crate")]).with_contacts("all")
    assert {pair.name for pair in world.touching.pairs} == {"base & crate", "link & crate"}
    said = "2 pairs of bodies may touch; not those that a joint connects: base & link"
    assert world.touching.told() == said
    file = tmp_path / "touching.toml"
    file.write_text(
        'scenario = "world"\n[run]\nh = 0.01\nduration = 0.01\n[world]\ncontacts = "all"\n'
        + "".join(
            f'[[world.bodies]]\nname = "{name}"\nmass = 1.0\ninertia = [0.01, 0.01, 0.01]\n{more}'
            'shapes = [{ kind = "box", size = [0.1, 0.1, 0.1] }]\n'
            for name, more in {
                "base": "",
                "link": 'parent = "base"\njoint = { kind = "revolute", axis = [0, 0, 1] }\n',
                "crate": "placement = { position = [1.0, 0.0, 0.0] }\n",
            }.items()
        )
    )
    heard: list[str] = []
    Runner(load(file), announce=heard.append)
    assert said in heard


def test_no_two_bodies_are_left():
    arm = sd.Revolute(axis=(0, 0, 1))
    with pytest.raises(ValueError, match="contact 'all' is between no two bodies: too few have shapes, or all are"):
        sd.World(bodies=[body("base"), body("link", parent="base", joint=arm)]).with_contacts("all")
