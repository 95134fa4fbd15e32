"""The client's arm along the target's free motion, before anything is run: can it follow, and with what load?"""

import math
from typing import NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.facility.follower import ArmFollower
from softdock.facility.laboratory import MOCKUP, Laboratory
from softdock.facility.moving import FreeBody, free_body

MOST = 4000
"""Steps of a whole motion."""


class Load(NamedTuple):
    """What a motor gives, at most."""

    share: float
    """Of its torque (-)."""
    time: float
    """When (s)."""
    joint: str
    """Whose."""


def followed(laboratory: Laboratory, until: float) -> Load:
    """The largest load of the client's motors as they move the mock-up with the free target until a time (s).
    LeftWorkspace, which says when and which joint, if they cannot."""
    target, start, arm = laboratory.target, laboratory.start(), laboratory.client
    step = max(0.01, until / MOST)
    body = FreeBody(free_body(target.mass, target.inertia), start, step)
    model = Dynamics(laboratory.client_world())
    follower = ArmFollower(arm, model, MOCKUP, laboratory.client_start, start, period=step, rate=1.0)
    rows = [(follower.q, follower.v)]
    for k in range(math.ceil(until / step)):
        follower.follow(k * step, body.now.after(step))
        body.advance(np.zeros(6), np.zeros(6))
        rows.append((follower.q, follower.v))
    q, v = (np.array(column) for column in zip(*rows, strict=True))
    rise = np.gradient(v, step, axis=0) if len(v) > 1 else np.zeros_like(v)
    share = np.abs(model.inverse_dynamics(q, v, rise)) / arm.effort
    row, joint = divmod(int(np.argmax(share)), arm.n)
    return Load(float(share[row, joint]), step * row, arm.links[joint])
