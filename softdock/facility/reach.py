"""Which tumbles an arm can follow, how far and how fast, from the best of many starts.

The path of a torque-free tumble depends on the angle travelled only, so each kind is followed once, in steps of that
angle, from many starts at once. The target's centre stands still; the mock-up is held at a distance from it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from softdock.arm import SerialArm, link_frames
from softdock.dynamics import Dynamics, Motion
from softdock.figures.look import COLORS, charts, legend
from softdock.spatial import cross, matrix_of_quaternion, transform, vector_of_matrix
from softdock.world import Body, Fixed, Free, Pose, World

STEP = np.radians(1.0)
MARGIN = 0.02
"""Of joint limits (rad)."""
REASONS = ("the end", "joint limit", "out of reach", "joint speed", "joint torque")
Progress = Callable[[str, float], None]


class Tumble(NamedTuple):
    """What an arm can follow of one kind of tumble."""

    name: str
    rates: np.ndarray
    """Direction of the angular velocity at the start, target's axes (-)."""
    longest: float
    """Angle travelled from the best start (rad)."""
    median: float
    """From a start in the middle (rad)."""
    reason: str
    """Why the best ends."""
    fastest: float
    """Rate at which the best path keeps to the joints' speeds (rad/s)."""
    start: np.ndarray
    """Of the best (m or rad)."""
    path: np.ndarray
    """Joint values of the best, a row each degree travelled."""


def kinds(inertia: tuple[float, float, float]) -> dict[str, np.ndarray]:
    """Tumbles of a body with these principal moments, by name."""
    low, middle, high = np.argsort(inertia)
    axes = np.eye(3)
    return {
        "about the major axis": axes[high],
        "about the minor axis": axes[low],
        "major axis, 5° nutation": axes[high] + np.radians(5.0) * axes[low],
        "all axes alike": np.ones(3) / np.sqrt(3.0),
        "about the intermediate axis": axes[middle] + 0.02 * axes[low] + 0.02 * axes[high],
    }


def turns(inertia: tuple[float, float, float], rates: np.ndarray, angle: float) -> np.ndarray:
    """Rotations (n, 3, 3) of a torque-free tumble from its start, in world axes, a row each `STEP`."""
    body = Body.model_validate({"name": "body", "joint": Free(), "mass": 1.0, "inertia": inertia})
    dynamics = Dynamics(World(bodies=(body,)))
    q, v = dynamics.state({"body": {"angular_velocity": rates / np.linalg.norm(rates)}})
    rows = Motion(dynamics, q, v, h=STEP / 4, order=4).run(4 * round(angle / STEP), every=4)
    return np.concatenate([np.eye(3)[None], matrix_of_quaternion(rows.q[:, 3:])])


def study_reach(
    arm: SerialArm,
    *,
    inertia: tuple[float, float, float],
    distance: float,
    payload: float,
    rate: float,
    angle: float = 6 * np.pi,
    starts: int = 600,
    seed: int = 0,
    tumbles: dict[str, np.ndarray] | None = None,
    progress: Progress = lambda what, share: None,
) -> list[Tumble]:
    """Of an arm that holds a mock-up of `payload` (kg) with the target's centre `distance` (m) from its tool, at a
    `rate` (rad/s), up to an `angle` (rad)."""
    if arm.n < 6:
        raise ValueError(f"{arm.name}: {arm.n} joints; a tumble in space needs at least 6")
    if not (rate > 0 and angle >= STEP and starts >= 1 and payload >= 0 and min(inertia) > 0):
        raise ValueError("rate, angle, starts and inertia must be positive, the payload at least 0")
    held = arm.altered(tool=arm.tool @ transform(np.eye(3), np.array([0.0, 0.0, distance])))
    model = _loaded(held, payload)
    chosen, found = tumbles or kinds(inertia), []
    for k, (name, rates) in enumerate(chosen.items()):
        rng = np.random.default_rng([seed, k])
        path = turns(inertia, rates, angle)
        middle, half, _ = _range(arm)
        q0 = rng.uniform(middle - half + MARGIN, middle + half - MARGIN, (starts, arm.n))
        how = _random_rotations(rng, starts)
        seen = _Seen(name, k / len(chosen), 1 / len(chosen), progress)
        steps, why, _ = _follow(held, model, q0, how, path, rate, seen)
        best = int(np.argmax(steps))
        _, _, kept = _follow(held, model, q0[best : best + 1], how[best : best + 1], path, rate, None)
        speeds = np.abs(np.diff(kept, axis=0)).max(axis=0) / STEP if len(kept) > 1 else np.full(arm.n, np.inf)
        fastest = float(np.min(arm.speed / np.maximum(speeds, 1e-12)))
        found.append(
            Tumble(
                name,
                rates,
                float(steps[best] * STEP),
                float(np.median(steps) * STEP),
                REASONS[int(why[best])],
                fastest,
                q0[best],
                kept,
            )
        )
    return found


class _Seen(NamedTuple):
    name: str
    since: float
    share: float
    tell: Progress


def _loaded(arm: SerialArm, payload: float) -> Dynamics:
    """The arm with a mock-up at its tool."""
    world = arm.world("fixed")
    if payload > 0:
        place = Pose.of(arm.tool[:3, :3], arm.tool[:3, 3])
        inertia = (0.005 * payload,) * 3
        body = {"name": "payload", "parent": arm.links[-1], "joint": Fixed(), "placement": place, "mass": payload}
        world = world.altered(bodies=(*world.bodies, Body.model_validate({**body, "inertia": inertia})))
    return Dynamics(world)


def _range(arm: SerialArm) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middle and half of the joints' ranges, of those without limits of a turn (rad); and which have limits."""
    limited = np.isfinite(arm.lower) & np.isfinite(arm.upper)
    lower, upper = np.where(limited, arm.lower, -np.pi), np.where(limited, arm.upper, np.pi)
    return 0.5 * (lower + upper), 0.5 * (upper - lower), limited


def _random_rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    q = rng.standard_normal((count, 4))
    return matrix_of_quaternion(q / np.linalg.norm(q, axis=1, keepdims=True))


def _tool(arm: SerialArm, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """R, p and Jacobian (6, n) of the tool at many joint values."""
    T = link_frames(arm, q)
    end = T[:, -1] @ arm.tool
    along = np.einsum("snij,nj->sni", T[..., :3, :3], arm.axes)
    turning = np.concatenate([along, cross(along, end[:, None, :3, 3] - T[..., :3, 3])], axis=-1)
    sliding = np.concatenate([np.zeros_like(along), along], axis=-1)
    J = np.where(arm.prismatic[:, None], sliding, turning)
    return end[:, :3, :3], end[:, :3, 3], np.swapaxes(J, -1, -2)


def _follow(
    arm: SerialArm, model: Dynamics, q: np.ndarray, how: np.ndarray, path: np.ndarray, rate: float, seen: _Seen | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Steps that each start can go, why it ends (`REASONS`), and the joint values of the first."""
    count = len(q)
    steps, why = np.full(count, len(path) - 1), np.zeros(count, dtype=np.int64)
    R0, p0, _ = _tool(arm, q)
    going, rows, identity = np.arange(count), [q[0]], np.eye(6)
    middle, half, limited = _range(arm)
    q = q.copy()
    for k in range(1, len(path)):
        if seen and k % 20 == 0:
            seen.tell(seen.name, seen.since + seen.share * k / len(path))
        turn = how[going] @ path[k] @ np.swapaxes(how[going], 1, 2)
        aim, new = turn @ R0[going], q[going]
        for iteration in range(2):
            R, p, J = _tool(arm, new)
            error = np.concatenate([vector_of_matrix(aim @ np.swapaxes(R, 1, 2)), p0[going] - p], axis=1)
            away = -0.3 * STEP * np.where(limited, (new - middle) / half, 0.0) ** 3 * (iteration == 0)
            gram = J @ np.swapaxes(J, 1, 2) + 1e-8 * identity
            push = np.linalg.solve(gram, (error - np.einsum("sij,sj->si", J, away))[..., None])
            new = new + away + (np.swapaxes(J, 1, 2) @ push)[..., 0]
        R, p, _ = _tool(arm, new)
        moved = (new - q[going]) / STEP * rate
        load = model.inverse_dynamics(new, moved, np.zeros_like(new))
        reason = np.zeros(len(going), dtype=np.int64)
        reason[np.any(np.abs(load) > arm.effort, axis=1)] = 4
        reason[np.any(np.abs(moved) > arm.speed, axis=1)] = 3
        lost = np.linalg.norm(p - p0[going], axis=1) + np.linalg.norm(
            vector_of_matrix(aim @ np.swapaxes(R, 1, 2)), axis=1
        )
        reason[lost > 1e-3] = 2
        reason[np.any((new < arm.lower + MARGIN) | (new > arm.upper - MARGIN), axis=1)] = 1
        q[going] = new
        ends = reason > 0
        steps[going[ends]], why[going[ends]] = k - 1, reason[ends]
        going = going[~ends]
        if not len(going):
            break
        if count == 1:
            rows.append(new[0])
    return steps, why, np.array(rows)


def told(found: list[Tumble], rate: float) -> list[dict[str, Any]]:
    """As JSON has it."""
    return [
        {
            "tumble": one.name, "longest_deg": float(np.degrees(one.longest)), "seconds": one.longest / rate,
            "median_deg": float(np.degrees(one.median)), "ends_at": one.reason,
            "fastest_deg_s": float(np.degrees(one.fastest)), "start": one.start.tolist(),
        }
        for one in found
    ]  # fmt: skip


def table(found: list[Tumble], rate: float) -> str:
    """For a terminal."""
    lines = [f"{'tumble':<30}{'longest':>9}{'lasts':>9}{'median':>9}{'at most':>12}  ends at"]
    lines += [
        f"{one.name:<30}{np.degrees(one.longest):>8.0f}°{one.longest / rate:>7.1f} s{np.degrees(one.median):>8.0f}°"
        f"{np.degrees(one.fastest):>8.0f}°/s  {one.reason}"
        for one in found
    ]
    return "\n".join(lines)


def drawn(found: list[Tumble], arm: SerialArm, rate: float) -> Figure:
    """How far each tumble can be followed, and the joints along the longest."""
    best = max(found, key=lambda one: one.longest)
    figure, (left, right) = charts(
        f"{arm.name} follows up to {np.degrees(best.longest):.0f}° of a tumble at {np.degrees(rate):g}°/s",
        "Left: from the best start, and from a start in the middle. Right: joints along the longest, of their range.",
        ["", "joints, of their range (-)"],
        ["angle travelled (deg)", "angle travelled (deg)"],
    )
    rows = np.arange(len(found))[::-1]
    left.barh(rows + 0.2, [np.degrees(one.longest) for one in found], 0.38, color=COLORS[0], label="best start")
    left.barh(rows - 0.2, [np.degrees(one.median) for one in found], 0.38, color=COLORS[4], label="median")
    left.set_yticks(rows, [one.name.replace(", ", ",\n").replace("about the ", "about the\n") for one in found])
    middle, half, _ = _range(arm)
    for k in range(arm.n):
        right.plot((best.path[:, k] - middle[k]) / half[k], color=COLORS[k % len(COLORS)], label=f"joint {k + 1}")
    right.set_ylim(-1.05, 1.05)
    legend(left)
    legend(right)
    return figure
