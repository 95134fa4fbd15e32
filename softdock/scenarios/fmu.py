"""A scenario as an FMI 3.0 co-simulation FMU: another tool drives it, step by step, and pushes on its bodies.

The FMU starts a Python with softdock as a process of its own and exchanges lines of JSON with it, so that the tool
needs neither softdock nor its libraries: that Python is the one that made the FMU, or `SOFTDOCK_PYTHON`. The FMU's
binaries and model description are made by pythonfmu3.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

import numpy as np

from softdock.runs.whole import write_whole
from softdock.scenarios.loading import load
from softdock.scenarios.runner import Runner
from softdock.scenarios.scenario import Scenario
from softdock.world import Layout
from softdock.world.joints import FREEDOM

SCRIPT = '''"""Made by softdock: drives a process that runs the scenario."""

import json
import os
import subprocess

from pythonfmu3 import DefaultExperiment, Float64, Fmi3Causality, Fmi3Slave, Fmi3Variability
from pythonfmu3.unit import Unit

PYTHON = os.environ.get("SOFTDOCK_PYTHON", {python!r})


class {name}(Fmi3Slave):
    description = {description!r}

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        folder = str(self.resources).removeprefix("file://")
        command = [PYTHON, "-m", "softdock.scenarios.fmu", folder]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        about = self.ask(None)
        self.force, self.state, self.time = [0.0] * len(about["inputs"]), about["state"], 0.0
        self.default_experiment = DefaultExperiment(0.0, about["duration"], about["period"])
        self.register_units([Unit(name, **exponents) for name, exponents in about["units"].items()])
        self.add("time", None, Fmi3Causality.independent, lambda: self.time)
        for k, (name, unit) in enumerate(about["inputs"]):
            self.add(name, unit, Fmi3Causality.input, lambda k=k: self.force[k], lambda x, k=k: self.take(k, x), 0.0)
        for k, (name, unit) in enumerate(about["outputs"]):
            self.add(name, unit, Fmi3Causality.output, lambda k=k: self.state[k])

    def add(self, name, unit, causality, getter, setter=None, start=None):
        access = dict(getter=getter, setter=setter, variability=Fmi3Variability.continuous)
        self.register_variable(Float64(name, causality=causality, unit=unit, start=start, **access), nested=False)

    def take(self, k, value):
        self.force[k] = value

    def ask(self, question):
        if question is not None:
            self.process.stdin.write(json.dumps(question) + "\\n")
            self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"softdock could not be run by {{PYTHON}}; set SOFTDOCK_PYTHON to a Python that has it")
        return json.loads(line)

    def to_xml(self, model_options=dict()):
        root = super().to_xml(model_options)
        root.set("variableNamingConvention", "flat")  # bodies may have any name
        return root

    def do_step(self, current_time, step_size):
        answer = self.ask({{"step": step_size, "force": self.force}})
        if "error" in answer:
            print("softdock:", answer["error"], flush=True)
            return False
        self.time, self.state = current_time + step_size, answer["state"]
        return True

    def terminate(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()

    __del__ = terminate
'''
_UNITS = {
    "m": {"m": 1}, "rad": {"rad": 1}, "m/s": {"m": 1, "s": -1}, "rad/s": {"rad": 1, "s": -1},
    "N": {"kg": 1, "m": 1, "s": -2}, "N m": {"kg": 1, "m": 2, "s": -2},
}  # fmt: skip
"""FMI's exponents of base units."""


class Coupled:
    """A scenario that somebody else drives: forces on velocities go in, states come out."""

    def __init__(self, scenario: Scenario) -> None:
        self.simulation = Runner(scenario).simulation
        layout, run = Layout(scenario.world), scenario.run
        units = _unit_rows(layout)
        q, v = layout.names()
        self.about = {
            "inputs": [(f"force.{label}", units["force"][label]) for label in v],
            "outputs": [(f"q.{x}", units["q"].get(x)) for x in q] + [(f"v.{x}", units["v"][x]) for x in v],
            "units": _UNITS,
            "duration": run.duration,
            "period": run.h * run.record_every,
            "state": self.state(),
        }

    def state(self) -> list[float]:
        """q and v now."""
        return [*self.simulation.q.tolist(), *self.simulation.v.tolist()]

    def advance(self, duration: float, force: list[float]) -> list[float]:
        """Go on for `duration` (s), a whole number of the scenario's steps, under these forces: the state then."""
        simulation = self.simulation
        simulation.outside = np.array(force) if any(force) else None
        simulation.run(duration, record_every=max(1, round(duration / simulation.h)))
        return self.state()


def _unit_rows(layout: Layout) -> dict[str, dict[str, str]]:
    """Units of the entries of q, v and forces; quaternions have none."""
    rows: dict[str, dict[str, str]] = {"q": {}, "v": {}, "force": {}}
    for body, kind in layout.kind.items():
        if kind == "mode":
            rows["q"][body], rows["v"][body], rows["force"][body] = "kg^0.5 m", "kg^0.5 m/s", "kg^0.5 m/s^2"
            continue
        for label in FREEDOM[kind].labels()[1]:
            turns = label.startswith(".w") or label == ".angle" or kind == "revolute"
            rows["v"][body + label] = "rad/s" if turns else "m/s"
            rows["force"][body + label] = "N m" if turns else "N"
        for label in FREEDOM[kind].flat:
            rows["q"][body + label] = "rad" if label == ".angle" or kind == "revolute" else "m"
    return rows


def serve(scenario: Scenario, questions: IO[str], answers: IO[str]) -> None:
    """Answer an FMU's lines of JSON until there are no more."""
    coupled = Coupled(scenario)
    answers.write(json.dumps(coupled.about) + "\n")
    answers.flush()
    for line in questions:
        asked = json.loads(line)
        try:
            answer: dict[str, Any] = {"state": coupled.advance(asked["step"], asked["force"])}
        except Exception as error:  # told to the tool that drives it
            answer = {"error": " ".join(str(error).split())[:280] or type(error).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def save_fmu(scenario: Scenario, path: Path, folder: Path = Path()) -> Path:
    """Write a scenario as an FMU; `folder` is where its Python file is, if it has one. ValueError if pythonfmu3 is
    missing, or the scenario cannot be made ready."""
    try:
        from pythonfmu3.builder import FmuBuilder
    except ImportError:
        raise ValueError("this format needs the extra 'fmu': pip install 'softdock[fmu]'") from None
    if os.path.lexists(path):
        raise ValueError(f"{path}: exists already; choose another")
    name = re.sub(r"\W", "_", path.stem, flags=re.ASCII)
    name = name if name[:1].isalpha() else f"model_{name}"
    Runner(scenario)  # whatever is wrong with it shows here
    with tempfile.TemporaryDirectory(prefix="softdock-fmu-") as temporary:
        inside = Path(temporary)
        text, files = scenario.resolved(), [inside / "scenario.toml"]
        if scenario.scenario.endswith(".py"):
            own = inside / Path(scenario.scenario).name
            own.write_bytes((folder / scenario.scenario).read_bytes())
            text = re.sub(r"^scenario = .*$", f'scenario = "{own.name}"', text, count=1, flags=re.MULTILINE)
            files.append(own)
        (inside / "scenario.toml").write_text(text, encoding="utf-8")
        script = inside / f"{name}.py"
        said = SCRIPT.format(name=name, python=sys.executable, description=f"softdock: {scenario.scenario}")
        script.write_text(said, encoding="utf-8")
        built = FmuBuilder.build_FMU(script, inside / "out", files)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda place: place.write_bytes(built.read_bytes()))
    return path


if __name__ == "__main__":
    serve(load(Path(sys.argv[1]) / "scenario.toml"), sys.stdin, sys.stdout)
