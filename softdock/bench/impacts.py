"""What impacts and contacts cost: a ball between walls, an arm with a contact that stays open, the docking run, boxes
that lie on each other."""

from itertools import pairwise

from softdock.bench.planar_iss import problem
from softdock.bench.rows import Limit, Result, Row, Say, ratio
from softdock.bench.timing import Job, least, timed
from softdock.bench.worlds import tensor
from softdock.dynamics import Dynamics, Motion, Trajectory
from softdock.scenarios import load
from softdock.scenarios.iss_docking.scenario import IssDocking
from softdock.world import Body, Box, Contact, Fixed, Pose, Sphere, Uniform, World

CASE = "impacts"
H, SPEED, ROOM = 0.01, 10.0, 0.1
"""Step (s), the ball's speed (m/s), and the room that it has: one impact a step."""


def between_walls() -> World:
    """A free ball of 0.1 m between two walls."""
    size, aside = (1.0, 4.0, 4.0), 0.6 + ROOM / 2
    walls = [
        Body(name=name, mass=0.0, joint=Fixed(), shapes=(Box(size=size, placement=Pose(position=(at, 0.0, 0.0))),))
        for name, at in (("left", -aside), ("right", aside))
    ]
    ball = Body(name="ball", mass=1.0, inertia=tensor(0.004, 0.004, 0.004), shapes=(Sphere(radius=0.1),))
    contacts = tuple(Contact(name=wall.name, body_a="ball", body_b=wall.name) for wall in walls)
    return World(name="between-walls", bodies=(*walls, ball), contacts=contacts)


def stack(boxes: int) -> World:
    """Cubes of 0.4 m on each other and on the ground, rough."""
    ground = Box(size=(9.0, 9.0, 1.0), placement=Pose(position=(0.0, 0.0, -0.5)))
    bodies = [Body(name="ground", mass=0.0, joint=Fixed(), shapes=(ground,))]
    for k in range(boxes):
        inertia = tensor(*[0.16 / 6] * 3)
        bodies.append(Body(name=f"box{k}", mass=1.0, inertia=inertia, shapes=(Box(size=(0.4, 0.4, 0.4)),)))
    contacts = tuple(
        Contact(name=upper.name, body_a=upper.name, body_b=lower.name, restitution=0.0, friction=0.6)
        for lower, upper in pairwise(bodies)
    )
    return World(name="stack", gravity=Uniform(acceleration=(0.0, 0.0, -9.81)), bodies=tuple(bodies), contacts=contacts)


def with_a_far_contact(world: World) -> World:
    """The planar station with a ball at the arm's tip and a wall on the station, 9 m or more from where it goes."""
    bodies = {body.name: body for body in world.bodies}
    bodies["payload"] = bodies["payload"].altered(shapes=(Sphere(radius=0.25),))
    bodies["wall"] = Body(
        name="wall", parent="iss", joint=Fixed(), mass=0.0, placement=Pose(position=(25.0, 0.0, 0.0)),
        shapes=(Box(size=(0.5, 4.0, 4.0)),),
    )  # fmt: skip
    return world.altered(
        bodies=tuple(bodies.values()), contacts=(Contact(name="far", body_a="payload", body_b="wall"),)
    )


def run(say: Say, *, impacts: int = 100_000, steps: int = 4000, rounds: int = 9) -> Result:
    """At most 5 µs an impact; a contact that stays open costs at most 1.3 of none; 20 ms for the docking run."""
    say(f"{CASE}: compiling")
    found: list[int] = []
    jobs: dict[str, Job] = {
        "between-walls": _bouncing(impacts, found, say),
        "no-contact": _arm(False, steps, say),
        "far-contact": _arm(True, steps, say),
        "resting-box": _lying(1, steps, say),
        "stack-of-5": _lying(5, steps // 4, say),
        "iss-docking": _docking("impact", say),
        "iss-docking-compliant": _docking("compliant", say),
    }
    say(f"{CASE}: in turn")
    best = least(jobs, rounds=rounds, seconds=30.0)
    docking = round(load("iss-docking").run.duration / H)
    taken = {"between-walls": found[0], "stack-of-5": steps // 4}
    taken |= dict.fromkeys(("no-contact", "far-contact", "resting-box"), steps)
    rows = [
        Row(f"{CASE}/{name}", "softdock", "variational", 2, H, 1e6 * s / taken.get(name, docking), 1e3 * s)
        for name, s in best.items()
    ]
    return Result(
        rows,
        [
            Limit(f"{CASE}: ball between walls, µs an impact", 1e6 * best["between-walls"] / found[0], 5.0),
            Limit(f"{CASE}: one far contact, of none", ratio(best["far-contact"], best["no-contact"]), 1.3),
            Limit(f"{CASE}: box at rest on four rough points, µs a step", 1e6 * best["resting-box"] / steps, 5.0),
            Limit(f"{CASE}: stack of five, µs a step", 1e6 * best["stack-of-5"] / (steps // 4), 100.0),
            Limit(f"{CASE}: iss-docking, ms", 1e3 * best["iss-docking"], 20.0),
            Limit(f"{CASE}: iss-docking with compliant side walls, ms", 1e3 * best["iss-docking-compliant"], None),
        ],
    )


def _bouncing(impacts: int, found: list[int], say: Say) -> Job:
    dynamics = Dynamics(between_walls(), say)
    q, v = dynamics.state({"ball": {"velocity": (SPEED, 0.0, 0.0)}})

    def job() -> float:
        motion = Motion(dynamics, q, v, h=H)
        runs: list[Trajectory] = []
        seconds = timed(lambda: runs.append(motion.run(impacts, every=impacts)))
        found[:] = [len(runs[0].impacts)]
        return seconds

    return job


def _lying(boxes: int, steps: int, say: Say) -> Job:
    dynamics = Dynamics(stack(boxes), say)
    q, v = dynamics.state({f"box{k}": {"position": (0.0, 0.0, 0.2 + 0.4 * k)} for k in range(boxes)})

    def job() -> float:
        motion = Motion(dynamics, q, v, h=0.005)
        motion.run(10, every=10)  # they come to rest
        return timed(lambda: motion.run(steps, every=steps))

    return job


def _arm(contact: bool, steps: int, say: Say) -> Job:
    case = problem("pd40")
    dynamics = Dynamics(with_a_far_contact(case.world) if contact else case.world, say)
    command = dynamics.command(position=case.targets)

    def job() -> float:
        motion = Motion(dynamics, case.q, case.v, h=H)
        return timed(lambda: motion.run(steps, command, every=steps))

    return job


def _docking(style: str, say: Say) -> Job:
    scenario = load("iss-docking", [f'contact.style="{style}"'])
    assert isinstance(scenario, IssDocking)
    dynamics = Dynamics(scenario.world, say)

    def job() -> float:
        docking = scenario.simulation(dynamics)
        return timed(lambda: docking.run(scenario.run.duration))

    return job
