"""Perform a scenario into a run directory, and leave something readable however it ends."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from softdock.dynamics import StepFailed
from softdock.runs.recorder import Recorder
from softdock.scenarios.scenario import Play, Progress

DONE, FAILED, INTERRUPTED = "done", "failed", "interrupted"


@dataclass(frozen=True)
class Outcome:
    """How a run ended: `status` done, failed or interrupted, and why."""

    status: str
    reason: str
    metrics: dict[str, Any]


def perform(play: Play, path: Path, progress: Progress | None = None, check: bool = False) -> Outcome:
    """Run and record. RunFolderError, with nothing written, if the directory cannot be used.

    A step that fails, an action that cannot be done, a disk that fills and Ctrl-C end the run; what
    was computed until then is recorded, and metrics.json says what happened.
    """
    recorder = Recorder(path, play.scenario.resolved())
    try:
        metrics, status, reason = play.run(recorder, progress, check), DONE, ""
    except (StepFailed, ValueError, ArithmeticError) as error:
        metrics, status, reason = {}, FAILED, str(error)
        if isinstance(error, StepFailed):
            metrics = {"residual": error.residual}
    except OSError as error:
        metrics, status, reason = {}, FAILED, f"{path}: cannot be written any more: {error.strerror or error}"
    except KeyboardInterrupt:
        metrics, status, reason = {}, INTERRUPTED, f"interrupted at t = {play.simulation.t:.6g} s"
    metrics = {"scenario": play.scenario.scenario, "status": status, **metrics}
    if status != DONE:
        metrics |= {"reason": reason, "time": play.simulation.t}
    failure = _closed(recorder, play, metrics)
    if failure and status == DONE:
        status, reason = FAILED, failure
    return Outcome(status, reason, metrics)


def _closed(recorder: Recorder, play: Play, metrics: dict[str, Any]) -> str:
    """Finish the directory; a reason if that was not possible (the parts stay readable then)."""
    try:
        recorder.write_events(play.simulation.events)
        recorder.write_metrics(metrics)
        recorder.close()
    except OSError as error:
        return f"{recorder.path}: cannot be written any more: {error.strerror or error}"
    return ""
