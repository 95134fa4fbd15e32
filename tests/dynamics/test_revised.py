"""A compiled world with other numbers is the world compiled anew, bit for bit; rollouts of many worlds at once."""

import numpy as np
import pytest

from softdock.dynamics import Dynamics, Motion, revised, rollout
from softdock.scenarios import load
from softdock.world import World

STEPS = 40
CHANGES = {
    "masses and gains": ("payload.mass=93.7", "arm.kp=11.3", "arm.kd=1.7", "arm.density=17.1"),
    "gravity": ("orbit.eccentricity=0.07", "orbit.true_anomaly=0.4"),
    "how walls answer": ("contact.restitution=0.37",),
    "compliant walls": ("contact.style=compliant",),
    "where things are": ("arm.lengths=[1.91, 1.79, 1.21]", "bay.angle=2.5"),
    "shapes": ("payload.radius=0.21", "bay.width=1.3"),
    "another structure": ("arm.kd=0.0",),
}


@pytest.fixture(scope="module")
def docking() -> Dynamics:
    dynamics = Dynamics(load("iss-docking").world)
    dynamics.plant  # noqa: B018  # so that there is something to take over
    return dynamics


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
def test_it_is_the_world_compiled_anew(docking: Dynamics, changes: tuple[str, ...]) -> None:
    scenario = load("iss-docking", changes)
    before = docking.theta.copy()
    one, other = revised(docking, scenario.world), Dynamics(scenario.world)
    assert one.theta.tobytes() == other.theta.tobytes() and one._structure == other._structure
    assert one.contact_names == other.contact_names and one.mass == other.mass and one.world == scenario.world
    for a, b in zip(_flat(one.plant), _flat(other.plant), strict=True):
        assert np.array_equal(a, b)
    q, v = scenario.state()
    runs = [Motion(dynamics, q, v, h=0.01).run(STEPS, ledger=True) for dynamics in (one, other)]
    for name in ("q", "v", "account"):
        assert getattr(runs[0], name).tobytes() == getattr(runs[1], name).tobytes()
    assert np.array_equal(docking.theta, before)


def _flat(record):
    for member in record:
        if isinstance(member, tuple):
            yield from _flat(member)
        else:
            yield member


LINKS = {
    "spring and friction": {"spring": {"stiffness": 30.0, "rest": 0.1}, "damping": 0.3, "friction": {"force": 0.2}},
    "static friction": {"friction": {"force": 0.4, "static": 0.9}},
    "rotor and servo": {"rotor": {"inertia": 1e-3, "gear_ratio": 50.0}, "servo": {"kp": 7.0, "kd": 0.4}},
}


@pytest.mark.parametrize("joint", LINKS.values(), ids=LINKS)
@pytest.mark.parametrize("masses", [(2.5, 1.0, 0.7), (2.5, 0.0, 0.7), (2.5, 1.0, 0.0)], ids=str)
def test_of_every_link_what_changed_is_taken_over(joint: dict, masses: tuple[float, float, float]) -> None:
    """Also where a body gains mass or loses it, so that there are more points or fewer."""

    def world(joint: dict, masses: tuple[float, float, float], axis: str) -> World:
        inertia = [m * np.diag([0.1, 0.2, 0.25]) for m in masses]
        names, kinds = ("base", "link", "tool"), ({"kind": "free"}, {"kind": axis, **joint}, {"kind": "fixed"})
        bodies = [
            {"name": name, "parent": parent, "joint": kind, "mass": m, "center": (0.1, 0.2, 0.0), "inertia": J.tolist()}
            for name, parent, kind, m, J in zip(names, ("world", *names), kinds, masses, inertia, strict=False)
        ]
        orbit = {"kind": "orbit", "semi_major_axis": 7e6, "gradient": True}
        return World.model_validate({"bodies": bodies, "gravity": orbit})

    for axis in ("revolute", "prismatic"):
        old = Dynamics(world({"damping": 0.1, "servo": {"kp": 3.0, "kd": 0.2}}, (3.0, 1.2, 0.9), axis))
        own = joint if axis == "revolute" else {key: x for key, x in joint.items() if key != "rotor"}
        new = world(own, masses, axis)
        one, other = revised(old, new), Dynamics(new)
        assert one.theta.tobytes() == other.theta.tobytes() and one._structure == other._structure


def test_of_static_friction_the_numbers_are_the_new_ones_too() -> None:
    """They are in no kernel, so that the structure is the same."""

    def stuck(hold: float) -> World:
        joint = {"kind": "revolute", "friction": {"force": 0.4, "static": hold}}
        body = {"name": "wheel", "joint": joint, "mass": 1.5, "inertia": (0.1, 0.2, 0.25)}
        return World.model_validate({"bodies": [body]})

    old = Dynamics(stuck(0.9))
    old.struct  # noqa: B018  # so that there is something to take over
    assert revised(old, stuck(1.7)).plant.dry["hold"].tolist() == [1.7]


def test_gravity_s_gradient_comes_and_goes() -> None:
    def tumbling(mass: float, gradient: bool) -> World:
        body = {"name": "bus", "mass": mass, "inertia": (3.0, 4.0, 5.0)}
        return World.model_validate(
            {"bodies": [body], "gravity": {"kind": "orbit", "semi_major_axis": 7e6, "gradient": gradient}}
        )

    dynamics = Dynamics(tumbling(20.0, False))
    for mass, gradient in ((21.0, True), (22.0, True), (22.0, False), (23.0, False)):
        world = tumbling(mass, gradient)
        dynamics, anew = revised(dynamics, world), Dynamics(world)
        assert dynamics.theta.tobytes() == anew.theta.tobytes() and dynamics._structure == anew._structure


def test_a_chain_of_revisions_is_the_last_world(docking: Dynamics) -> None:
    """Of each, numbers that the one before had already changed change again, or back."""
    changes = (["payload.mass=93.7"], ["payload.mass=93.7", "arm.kp=11.3"], ["arm.density=17.1"], ["arm.kd=1.2"], [])
    dynamics = docking
    for change in changes:
        world = load("iss-docking", change).world
        dynamics = revised(dynamics, world)
        anew = Dynamics(world)
        assert dynamics.theta.tobytes() == anew.theta.tobytes()
        for a, b in zip(_flat(dynamics.plant), _flat(anew.plant), strict=True):
            assert np.array_equal(a, b)
        assert [link.numbers.tobytes() for link in dynamics.tree.links] == [
            link.numbers.tobytes() for link in anew.tree.links
        ]
    assert revised(docking, docking.world) is docking and revised(docking, world) is docking


def test_memory_that_a_motion_gave_back_is_as_new(docking: Dynamics) -> None:
    """The next motion takes the very steps, impacts and losses of one that has memory of its own."""
    scenario = load("iss-docking")
    q, v = scenario.state()
    command = scenario.docked_command(docking)

    def ran(dynamics: Dynamics, steps: int) -> Motion:
        motion = Motion(dynamics, q, v, h=0.01)
        motion.rows = motion.run(steps, command, every=50, ledger=True)
        return motion

    first = ran(docking, 1400)  # beyond the first impact
    memory = first._scratch
    first.give_back()
    again, anew = ran(docking, 2000), ran(Dynamics(scenario.world), 2000)
    assert again._scratch is memory
    for name in ("q", "v", "account"):
        assert getattr(again.rows, name).tobytes() == getattr(anew.rows, name).tobytes()
    assert len(again.rows.impacts) == len(anew.rows.impacts) > 0 and again.counts == anew.counts
    with pytest.raises(AttributeError):
        first.q  # noqa: B018


def test_it_shares_what_it_can(docking: Dynamics) -> None:
    heavier = revised(docking, load("iss-docking", ["payload.mass=101"]).world)
    assert heavier.plant.contacts is docking.plant.contacts and heavier._libraries is docking._libraries
    assert heavier.tree.links[0] is docking.tree.links[0] and heavier.theta is not docking.theta


def test_rollouts_of_many_worlds_and_starts_and_commands(docking: Dynamics) -> None:
    rng = np.random.default_rng(0)
    scenarios = [load("iss-docking", [f"payload.mass={m}"]) for m in rng.uniform(90, 110, 5)]
    worlds = [revised(docking, scenario.world) for scenario in scenarios]
    q, v = map(np.array, zip(*(scenario.state() for scenario in scenarios), strict=True))
    forces = rng.normal(0, 1, (5, STEPS, docking.nv))
    many = rollout(worlds, q, v, h=0.01, steps=STEPS, commands=forces, every=4)
    assert many.q.shape == (5, STEPS // 4, docking.nq)
    for k, world in enumerate(worlds):
        single = rollout(Dynamics(scenarios[k].world), q[k], v[k], h=0.01, steps=STEPS, commands=forces[k], every=4)
        assert single.q.tobytes() == many.q[k].tobytes() and single.v.tobytes() == many.v[k].tobytes(), world
    shared = rollout(worlds, q[0], v[0], h=0.01, steps=8, commands=forces[0, 0])
    assert shared.q.shape == (5, 8, docking.nq) and not np.array_equal(shared.q[0], shared.q[1])


def test_rollouts_that_do_not_fit_are_refused(docking: Dynamics) -> None:
    q, v = load("iss-docking").state()
    with pytest.raises(ValueError, match="no world"):
        rollout([], q, v, h=0.01, steps=1)
    with pytest.raises(ValueError, match="batch axes differ"):
        rollout([docking] * 3, np.tile(q, (2, 1)), v, h=0.01, steps=1)
    with pytest.raises(ValueError, match="differ in their coordinates"):
        rollout([docking, Dynamics(load("world").world)], q, v, h=0.01, steps=1)
