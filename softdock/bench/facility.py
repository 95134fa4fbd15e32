"""The laboratory of 'facility': its three worlds with loops of 1 kHz, against real time."""

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.scenarios import load
from softdock.scenarios.runner import Runner


def run(say: Say, *, rounds: int = 3) -> Result:
    """A touch and a grasp in orbit, on the ideal ground and on the ground take no longer than they last, in all."""
    result = Result()
    for experiment in ("touch", "grasp"):
        say(f"facility/{experiment}")
        scenario = load("facility", [f"experiment={experiment}"])
        slow = min(1 / Runner(scenario).run()["realtime_factor"] for _ in range(rounds))
        name, seconds = f"facility/{experiment}", scenario.run.duration
        result.rows.append(Row(name, "softdock", "three worlds", h=scenario.run.h, total_ms=1e3 * slow * seconds))
        result.limits.append(Limit(f"{name}: processor seconds per second of the experiment", slow, 1.0))
    return result
