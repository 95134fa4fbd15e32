"""The state of an earlier run, to go on from."""

from typing import Any

import numpy as np
from pydantic import ValidationError

from softdock.mission.craft import turned_hill
from softdock.runs.recorder import RunFolderError
from softdock.runs.recording import Run, read_run
from softdock.scenarios.capture.craft import BASE, GRASP, TARGET
from softdock.scenarios.scenario import named_state
from softdock.scenarios.servicing.craft import BERTH, Start
from softdock.spatial import four, quaternion_of_matrix, quaternion_product
from softdock.world import JointState, Layout, World


def saved_state(start: Start, n: float, keep_out: float) -> dict[str, JointState]:
    """By body: the last row of a run that is not after `start.at`. A's axes are W's where a run starts, so that all is
    turned back by what A has turned since, at the rate n (rad/s): on a circular orbit nothing else depends on time.
    Within `keep_out` (m) of a target that it does not hold it cannot start, because it would have to look first."""
    try:
        run = read_run(start.run)
        t = run.states["t"]
        if not t[0] <= start.at <= t[-1]:
            raise ValueError(f"the run is from {t[0]:g} to {t[-1]:g} s")
        row = int(np.searchsorted(t, start.at, "right")) - 1
        _refuse_another_phase(run, start)
        world = World.model_validate(run.scenario.get("world"))
        of_q, of_v = Layout(world).names()
        q = np.array([run.states[f"q.{name}"][row] for name in of_q])
        v = np.array([run.states[f"v.{name}"][row] for name in of_v])
        states = named_state(world, q, v)
        apart = np.subtract(states[BASE]["position"], states[TARGET]["position"])
        if not start.engaged and (distance := float(np.linalg.norm(apart))) < keep_out:
            sphere = f"the keep-out sphere of {keep_out:g} m"
            raise ValueError(f"{run.path}: at {start.at:g} s the chaser is {distance:.2f} m away, within {sphere}")
    except ValidationError:
        raise ValueError(f"start.run: {start.run}: describes no world") from None
    except (RunFolderError, KeyError, ValueError) as error:
        raise ValueError(f"start.run: {error.args[0]}") from None
    R_AW = turned_hill(n, float(t[row])).T
    return {name: JointState(**_turned(state, R_AW)) for name, state in states.items()}


def _turned(state: Any, R_AW: np.ndarray) -> dict[str, Any]:
    """The state of a body; of one that is free, by A's axes."""
    if len(state.get("position", ())) != 3 or "quaternion" not in state:
        return dict(state)
    return {
        "position": (R_AW @ state["position"]).tolist(),
        "velocity": (R_AW @ state["velocity"]).tolist(),
        "quaternion": four(quaternion_product(quaternion_of_matrix(R_AW), state["quaternion"])),
        "angular_velocity": state["angular_velocity"],
    }


def _refuse_another_phase(run: Run, start: Start) -> None:
    """What holds there must be what holds when the phase begins."""
    for latch, how, phases in (
        (GRASP, "held", '"detumble", "carry" or "release"'),
        (BERTH, "berthed", '"release" or "let go"'),
    ):
        kinds = [event["kind"] for event in run.events if event.get("latch") == latch and event["time"] <= start.at]
        does = kinds[-1:] == ["engaged"]
        if does != (latch in start.engaged):
            why = f"{how}: start.phase must be {phases}" if does else f"not {how}: start.phase must not be {phases}"
            raise ValueError(f"{run.path}: at {start.at:g} s the target is {why}")
