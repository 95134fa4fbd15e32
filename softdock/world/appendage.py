"""Parts that are described by few numbers and put on a world as bodies: booms, panels, tanks, modal models."""

from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, Field

from softdock.world.describe import Described, Name
from softdock.world.joints import _per_coordinate
from softdock.world.model import WORLD, Body, Frame, World
from softdock.world.pose import Pose
from softdock.world.shapes import Positive

MOST_STATIONS = 1000
Profile = Annotated[
    tuple[Positive, ...], BeforeValidator(_per_coordinate), Field(min_length=1, max_length=MOST_STATIONS)
]
"""One number, or values at equally spaced stations from root to tip, linear between them."""
Ratio = Annotated[float, Field(ge=0, lt=1)]


class Made(NamedTuple):
    """What an appendage adds to a world."""

    bodies: tuple[Body, ...]
    frames: tuple[Frame, ...] = ()


class Appendage(Described):
    """What every appendage has."""

    name: Name
    on: Name = WORLD
    """Body or frame that carries it."""
    placement: Pose = Pose()
    """Of its root in `on`."""

    def made(self, at: Frame) -> Made:
        """Its bodies and frames, with its root at `at`: the frame `on`, with `placement` in its own."""
        raise NotImplementedError

    def carried(self, on: Frame) -> Made:
        """Its bodies and frames on the frame that carries it."""
        return self.made(Frame(name=self.name, body=on.body, placement=on.placement @ self.placement))


def attached(world: World | None, part: Appendage) -> World:
    """The world with an appendage; without a world, one that holds nothing else."""
    if world is None:
        made = part.carried(Frame(name=WORLD, body=WORLD))
        return World(name=part.name, bodies=made.bodies, frames=made.frames)
    try:
        place = world.frame(part.on)
    except KeyError as error:
        raise ValueError(f"{part.name!r}: {error.args[0]}") from None
    bodies, frames = part.carried(place)
    return world.altered(bodies=(*world.bodies, *bodies), frames=(*world.frames, *frames))
