"""Runs a scenario, into a run directory if asked to, and leaves something readable however it ends."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics, StepFailed, Trajectory, reference
from softdock.runs.ledger import Ledger, floats
from softdock.runs.recorder import Recorder, RunFolderError, write_json
from softdock.scenarios.scenario import Scenario

DONE, FAILED, INTERRUPTED = "done", "failed", "interrupted"
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Outcome:
    """How a run ended: `status` done, failed or interrupted, and why."""

    status: str
    reason: str
    metrics: dict[str, Any]


class Runner:
    """A scenario made ready: whatever is wrong with the request shows here, before anything is written."""

    def __init__(
        self,
        scenario: Scenario,
        announce: Callable[[str], None] | None = None,
        compiled: Callable[..., Dynamics] = Dynamics,
    ) -> None:
        self.scenario, self.dynamics = scenario, compiled(scenario.world, announce)
        self.simulation = scenario.simulation(self.dynamics)
        if compiled is Dynamics:
            self.simulation.motion.warm()

    def record(self, path: str | Path, progress: Progress | None = None, check: bool = False) -> Outcome:
        """Run into a directory. RunFolderError, with nothing written, if that cannot be used.

        A step that fails, an action that cannot be done, a disk that fills and Ctrl-C end the run; what
        was computed until then is recorded, and metrics.json says what happened.
        """
        recorder = Recorder(path, self.scenario.resolved())
        try:
            metrics, status, reason = self.run(recorder, progress, check), DONE, ""
        except (StepFailed, ValueError, ArithmeticError) as error:
            metrics, status, reason = {}, FAILED, str(error)
            if isinstance(error, StepFailed):
                metrics = {"residual": error.residual}
        except OSError as error:
            metrics, status, reason = {}, FAILED, f"{path}: cannot be written any more: {error.strerror or error}"
        except KeyboardInterrupt:
            metrics, status, reason = {}, INTERRUPTED, f"interrupted at t = {self.simulation.t:.6g} s"
        metrics = {"scenario": self.scenario.scenario, "status": status, **metrics}
        if status != DONE:
            metrics |= {"reason": reason, "time": self.simulation.t}
        failure = self._close(recorder, metrics)
        if failure and status == DONE:
            status, reason = FAILED, failure
        return Outcome(status, reason, metrics)

    def _close(self, recorder: Recorder, metrics: dict[str, Any]) -> str:
        """Finish the directory; a reason if that was not possible (the parts stay readable then)."""
        try:
            recorder.write_events(self.simulation.events)
            recorder.write_metrics(metrics)
            recorder.close()
        except OSError as error:
            return f"{recorder.path}: cannot be written any more: {error.strerror or error}"
        return ""

    def run(
        self, recorder: Recorder | None = None, progress: Progress | None = None, check: bool = False
    ) -> dict[str, Any]:
        """Run, and record if there is a recorder: the metrics. With `check`, beside the reference integrator."""
        settings, simulation, began = self.scenario.run, self.simulation, perf_counter()
        if recorder and (annotations := self.scenario.annotations()):
            write_json(recorder.path / "replay.json", annotations)
        try:
            rows = simulation.run(
                settings.duration, record_every=settings.record_every, progress=progress, recorder=recorder
            )
        except BaseException:
            with suppress(Exception):  # what ended the run is what is told
                self._record_tables(recorder)
            raise
        seconds = perf_counter() - began
        self._record_tables(recorder)
        counts, own = simulation.motion.counts, self.scenario.metrics(simulation, rows)
        general = {
            **balance_errors(self.dynamics, rows, known=own),
            "steps": simulation.steps,
            "evaluations_per_step": counts["evaluations"] / counts["steps"],
            "compute_seconds": seconds,
            "realtime_factor": settings.duration / seconds,
        }
        return own | {k: x for k, x in general.items() if k not in own} | (self._checked(rows) if check else {})

    def _record_tables(self, recorder: Recorder | None) -> None:
        if recorder:
            for name, columns in self.scenario.tables(self.simulation, self.simulation.rows).items():
                recorder.append(name, columns)

    def refuse_check(self) -> None:
        """ValueError if the reference integrator cannot follow: it holds no latches and one command."""
        if not self.simulation.is_open_loop:
            raise ValueError("the reference integrator follows only worlds without latches and changing commands")

    def _checked(self, rows: Trajectory) -> dict[str, float]:
        q, v = reference(self.dynamics, rows.q[0], rows.v[0], rows.t, self.simulation.command)
        return {"reference_difference": max(float(np.abs(q - rows.q).max()), float(np.abs(v - rows.v).max()))}

    def draw(self, path: str | Path, warn: Callable[[str], object] = lambda message: None) -> None:
        """Figures and replay of a recorded run; a run without them is still a run, whatever went wrong."""
        from softdock import figures, replay
        from softdock.runs.recording import read_run

        try:
            recorded = read_run(path)
            figures.draw(recorded, self.scenario.figures())
        except RunFolderError as error:
            warn(f"no figures: {error}")
            return
        except Exception as error:
            warn(f"no figures: {error}")
        try:
            replay.make(recorded, self.dynamics)
        except Exception as error:
            warn(f"no replay: {error}")


def balance_errors(dynamics: Dynamics, rows: Trajectory, known: Mapping[str, Any]) -> dict[str, float]:
    """Largest errors of the ledger over a run; of momentum and spin only if nothing holds the world. Those that are
    known are as they are known."""
    names = {"energy_error": "energy_balance_error"}
    if floats(dynamics.world):
        names |= {"momentum_error": "momentum_drift", "angular_momentum_error": "angular_momentum_balance_error"}
    if all(metric in known for metric in names.values()):
        return {metric: known[metric] for metric in names.values()}
    errors = Ledger(dynamics, rows).errors(rows)
    return {metric: float(np.abs(errors[column]).max()) for column, metric in names.items()}
