"""Runs a scenario, into a run directory if asked to, and leaves something readable however it ends."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics, ReferenceMotion, StepFailed, Trajectory
from softdock.dynamics.abreast import Going, alone
from softdock.kernels.signals import unbroken
from softdock.runs.artist import Artist
from softdock.runs.ledger import Ledger
from softdock.runs.recorder import Recorder, RunFolderError, write_json
from softdock.runs.simulation import Simulation
from softdock.scenarios.faults import HookFailed, called, is_own, refuse_no_columns, refuse_unwritable, told
from softdock.scenarios.scenario import Scenario

DONE, FAILED, INTERRUPTED = "done", "failed", "interrupted"
TAKEN = ("scenario", "status")
"""Metrics that say what was run and how it ended; no scenario has these of its own."""
Progress = Callable[[float], None]
REFERENCE_SECONDS = 300.0
"""Processor time (s) that the reference integrator may take; what it has compared until then is told."""
AT_ONCE = 10_000
"""Rows whose balance is looked at together: there may be more than memory holds."""


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
        if not isinstance(scenario, Scenario):
            raise ValueError(f"a Runner takes a scenario, not {scenario!r:.80}; softdock.scenarios.load makes one")
        self.scenario, self.dynamics = scenario, compiled(scenario.world, announce)
        self.simulation = called(scenario, "simulation", Simulation, self.dynamics)
        if self.simulation.dynamics.world is not self.dynamics.world:
            raise HookFailed("simulation(): it is of another world; make it with the dynamics that are passed in")
        if announce and (left_out := scenario.world.touching.told()):
            announce(left_out)
        if compiled is Dynamics:
            self.simulation.motion.warm()

    def __repr__(self) -> str:
        return f"<Runner of {self.scenario.scenario!r} for {self.scenario.run.duration:g} s, at {self.simulation!r}>"

    def record(self, path: str | Path, progress: Progress | None = None, check: bool = False) -> Outcome:
        """Run into a directory. RunFolderError or HookFailed, with nothing written, if that cannot be done.

        A step that fails, an action that cannot be done, a mistake in the scenario's code, a disk that fills and Ctrl-C
        end the run; what was computed until then is recorded, and metrics.json says what happened.
        """
        annotations = called(self.scenario, "annotations", dict)
        refuse_unwritable("annotations()", annotations)
        recorder = Recorder(path, called(self.scenario, "resolved", str))
        metrics: Mapping[str, Any] = {}
        try:
            if annotations:
                write_json(recorder.path / "replay.json", annotations)
            recorder.write_visuals(self.scenario.world)
            metrics, status, reason = self.run(recorder, progress, check), DONE, ""
        except StepFailed as error:
            metrics, status, reason = {"residual": error.residual}, FAILED, str(error)
        except HookFailed as error:
            metrics, status, reason = error.metrics, FAILED, str(error)
        except OSError as error:
            saved = self.simulation.recorded_until
            rows = "no rows are" if saved is None else f"rows until t = {saved:.6g} s are"
            status, reason = FAILED, f"{path}: cannot be written any more: {error.strerror or error}; {rows} saved"
        except KeyboardInterrupt:
            status, reason = INTERRUPTED, f"interrupted at t = {self.simulation.t:.6g} s"
        except (Exception, SystemExit) as error:  # of a controller, an action, a condition
            status, reason = FAILED, told(error, is_own(type(self.scenario)))
        metrics = {"scenario": self.scenario.scenario, "status": status, **metrics}
        if status != DONE:
            metrics |= {"reason": reason, "time": self.simulation.t}
        failure = self._close(recorder, metrics)
        if failure and status == DONE:
            status, reason = FAILED, failure
        return Outcome(status, reason, metrics)

    def _close(self, recorder: Recorder, metrics: dict[str, Any]) -> str:
        """Finish the directory; a reason if a part of that was not possible (parts of tables stay readable then)."""
        failure = ""
        with unbroken():
            events = partial(recorder.write_events, self.simulation.events)
            measured = partial(recorder.write_metrics, metrics, type(self.scenario).measures())
            for step in (events, measured, recorder.close):
                try:
                    step()
                except OSError as error:
                    failure = f"{recorder.path}: cannot be written any more: {error.strerror or error}"
                except Exception as error:  # events of one's own, which JSON cannot hold
                    failure = f"{recorder.path}: cannot be closed: {told(error, is_own=False)}"
        return failure

    def run(
        self, recorder: Recorder | None = None, progress: Progress | None = None, check: bool = False
    ) -> dict[str, Any]:
        """Run, and record if there is a recorder: the metrics. With `check`, beside the reference integrator."""
        return alone(self.going(recorder, progress, check, beside=False))

    def going(
        self,
        recorder: Recorder | None = None,
        progress: Progress | None = None,
        check: bool = False,
        *,
        beside: bool = True,
    ) -> Going[dict[str, Any]]:
        """`run`, on its way; `beside` others as in `Simulation.going`."""
        settings, simulation, began = self.scenario.run, self.simulation, perf_counter()
        try:
            rows = yield from simulation.going(
                settings.duration,
                record_every=settings.record_every,
                progress=progress,
                recorder=recorder,
                loads=settings.loads,
                beside=beside,
            )
        except BaseException:
            with suppress(Exception):  # what ended the run is what is told
                self._record_tables(recorder)
            raise
        seconds = perf_counter() - began
        if beside:
            yield None
        failures = self._record_tables(recorder)
        own: dict[str, Any] = {}
        try:
            own = called(self.scenario, "metrics", dict, simulation, rows)
            if is_own(type(self.scenario)):
                refuse_unwritable("metrics()", own, TAKEN)
        except HookFailed as error:
            own, failures = {}, [*failures, error]
        if beside:
            yield None
        counts = simulation.motion.counts
        general = {
            **balance_errors(self.dynamics, rows, known=own),
            "steps": simulation.steps,
            "evaluations_per_step": counts["evaluations"] / counts["steps"],
            "compute_time": seconds,
            "realtime_factor": settings.duration / seconds,
            **(simulation.thrusters.metrics(simulation.t) if simulation.thrusters else {}),
        }
        metrics = {
            **own,
            **{k: x for k, x in general.items() if k not in own},
            **(self._checked(rows) if check else {}),
        }
        for failure in failures:
            failure.metrics = metrics
            raise failure
        return metrics

    def _record_tables(self, recorder: Recorder | None) -> list[HookFailed]:
        """Record the scenario's own tables; what is wrong with any does not keep the others from it."""
        if recorder is None:
            return []
        try:
            tables = called(self.scenario, "tables", dict, self.simulation, self.simulation.rows)
            if self.simulation.thrusters and self.simulation.thrusters.pulses:
                tables = {"thrusters": self.simulation.thrusters.columns(), **tables}
        except HookFailed as error:
            return [error]
        failures, taken = [], recorder.tables
        for name, columns in tables.items():
            try:
                refuse_no_columns(name, columns, taken)
                recorder.append(name, columns)
            except HookFailed as error:
                failures.append(error)
            except (ValueError, TypeError, NotImplementedError) as error:  # what no column can hold
                failures.append(HookFailed(f"tables(): {name!r}: {told(error, is_own=False)}"))
        return failures

    def refuse_check(self) -> None:
        """ValueError if the reference integrator cannot follow."""
        ReferenceMotion(self.simulation.motion)

    def _checked(self, rows: Trajectory) -> dict[str, Any]:
        """The same run by the reference integrator, with controllers, latches and impacts of its own: how far the rows
        are apart at most, and until when both went."""
        simulation = called(self.scenario, "simulation", Simulation, self.dynamics)
        simulation.motion = ReferenceMotion(simulation.motion, seconds=REFERENCE_SECONDS)
        told = {}
        try:
            other = simulation.run(self.scenario.run.duration, record_every=self.scenario.run.record_every)
        except StepFailed as error:
            other, told = error.trajectory, {"reference_ended": str(error)}
        both = min(len(other), len(rows))
        q, v = (np.abs(a[:both] - b[:both]).max(initial=0.0) for a, b in ((other.q, rows.q), (other.v, rows.v)))
        until = float(rows.t[both - 1]) if both else simulation.t
        return {"reference_difference": max(float(q), float(v)), "reference_until": until, **told}

    def draw(
        self,
        path: str | Path,
        warn: Callable[[str], object] = lambda message: None,
        artist: Artist | None = None,
    ) -> None:
        """Figures, replay and report of a recorded run; a run without them is still a run, whatever went wrong. An
        artist draws meanwhile what it can."""
        from softdock import figures, replay
        from softdock.replay.report import write_report
        from softdock.runs.recording import read_run

        own = is_own(type(self.scenario))
        drawings: dict[str, figures.Drawing] = {}
        try:
            recorded = read_run(path)
            recorded.table("states")
            drawings = called(self.scenario, "figures", dict)
        except RunFolderError as error:
            warn(f"no figures: {error}")
            return
        except Exception as error:
            warn(f"no figures: {told(error, own)}")
        if artist:
            artist.begin(path, drawings)

        def attempt(what: str, write: Callable[[], object]) -> None:
            try:
                write()
            except Exception as error:
                warn(f"no {what}: {told(error, own)}")

        attempt("replay", partial(replay.make, recorded, self.dynamics))
        drawn = artist.drawn() if artist else ()
        for name, make in drawings.items():
            if name not in drawn:
                attempt(f"figure {name!r}", partial(figures.draw, recorded, {name: make}))
        attempt("report", partial(write_report, recorded))


def run(
    source: str | Path | Scenario, changes: Sequence[str] = (), *, out: str | Path | None = None, figures: bool = True
) -> Outcome:
    """Run a scenario: one that is loaded, or a name or file with `--set` changes. With `out`, into that directory.

    Without a directory, what goes wrong in the run is raised; with one, the outcome says it.
    """
    from softdock.scenarios.loading import load

    if isinstance(source, Scenario) and changes:
        raise ValueError("changes are for a name or a file; this scenario is loaded already")
    runner = Runner(source if isinstance(source, Scenario) else load(source, changes))
    if out is None:
        return Outcome(DONE, "", runner.run())
    outcome = runner.record(out)
    if figures:
        runner.draw(out, lambda message: warnings.warn(message, stacklevel=3))
    return outcome


def balance_errors(dynamics: Dynamics, rows: Trajectory, known: Mapping[str, Any]) -> dict[str, float]:
    """Largest errors of the ledger over a run; of momentum and angular momentum only if nothing holds the world.
    Those that are known are as they are known."""
    names = {"energy_error": "energy_balance_error"}
    if dynamics.world.floats:
        names |= {"momentum_error": "momentum_drift", "angular_momentum_error": "angular_momentum_balance_error"}
    if all(metric in known for metric in names.values()):
        return {metric: known[metric] for metric in names.values()}
    most, ledger = dict.fromkeys(names, 0.0), Ledger(dynamics, _part(rows, 0, 1))
    for start in range(0, len(rows), AT_ONCE):
        errors = ledger.errors(_part(rows, start, start + AT_ONCE))
        most = {column: float(np.max([most[column], np.abs(errors[column]).max()])) for column in names}
    return {metric: most[column] for column, metric in names.items()}


def _part(rows: Trajectory, start: int, stop: int) -> Trajectory:
    t, q, v, account = (array[start:stop] for array in (rows.t, rows.q, rows.v, rows.account))
    return Trajectory(t, q, v, account)
