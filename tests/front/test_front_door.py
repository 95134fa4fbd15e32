"""`import softdock`: what it lists, loads and shows to a type checker; what its objects print."""

import ast
import subprocess
import sys
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import softdock as sd
from softdock.figures.look import legend, panels
from softdock.scenarios import Runner, load

HEAVY = {"numba", "llvmlite", "casadi", "pyarrow", "matplotlib", "scipy", "trimesh", "gymnasium"}


def loaded(program: str) -> set[str]:
    """Heavy modules that a program loads."""
    program += "\nimport sys; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    return HEAVY & {*out.splitlines()[-1].split()}


def test_dir_lists_the_public_names_only_and_each_can_be_had() -> None:
    import softdock.kernels  # noqa: F401  (a package that is not public becomes an attribute when it is imported)

    assert sorted(dir(sd)) == sorted([*sd.__all__, "__version__"])
    assert len(set(sd.__all__)) == len(sd.__all__)
    assert not [name for name in sd.__all__ if name.startswith("_")]
    for name in dir(sd):
        assert getattr(sd, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Dinamics'"):
        _ = sd.Dinamics  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name",
    [
        "arm",
        "campaign",
        "control",
        "dynamics",
        "contact",
        "estimation",
        "figures",
        "mission",
        "planning",
        "replay",
        "scenarios",
        "sensing",
        "world",
    ],
)
def test_dir_of_a_package_lists_its_public_names_only_and_each_can_be_had(name: str) -> None:
    package = import_module(f"softdock.{name}")
    assert sorted(dir(package)) == sorted(package.__all__)
    assert all(getattr(package, public) is not None for public in dir(package))


def test_names_for_type_checkers_are_those_that_are_loaded_when_used() -> None:
    tree = ast.parse(Path(sd.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom) and node.module != "softdock.world"]
    typed = {name.name for node in imports for name in node.names}
    assert typed | set(sd.world.__all__) == set(sd.__all__)  # type: ignore[attr-defined]
    assert set(sd._LAZY) <= typed


def test_a_described_world_and_help_load_no_compiler_and_no_file_format() -> None:
    assert loaded("import softdock as sd; sd.Body(name='a', mass=1.0); dir(sd)") == set()
    help_ = "from typer.testing import CliRunner; from softdock.cli.app import app; CliRunner().invoke(app, ['--help'])"
    assert loaded(help_) == set()


@pytest.fixture(scope="module")
def world() -> sd.World:
    hull = sd.Body(name="hull", mass=100.0, inertia=(20.0, 20.0, 10.0))
    arm = sd.Body(name="arm", parent="hull", joint=sd.Revolute(), mass=5.0, inertia=(1.0, 1.0, 0.1))
    dock = sd.Latch(name="dock", kind="point", frame_a="world", frame_b="hull", engaged=True)
    return sd.World(name="craft", bodies=(hull, arm), latches=(dock,))


def test_objects_say_what_they_are(world: sd.World, tmp_path: Path) -> None:
    assert repr(world) == str(world) == "<World 'craft': 2 bodies, 1 latch; nq 8, nv 7; gravity none>"
    dynamics = sd.Dynamics(world)
    assert repr(dynamics) == "<Dynamics of 'craft': nq 8, nv 7; bodies 2, mass 105 kg>"
    motion = sd.Motion(dynamics, *dynamics.state(), h=0.01)
    motion.run(5)
    assert repr(motion) == "<Motion of 'craft' at t = 0.05 s: 5 steps of 0.01 s, order 2; engaged: dock>"
    simulation = sd.Simulation(dynamics, *dynamics.state(), h=0.01)
    simulation.at(1.0, sd.release("dock"))
    with sd.Recorder(tmp_path / "run", world) as recorder:
        rows = simulation.run(0.1, recorder=recorder)
    assert repr(rows) == "<Trajectory: 11 rows, t = 0 to 0.1 s; nq 8, nv 7; impacts 0>"
    side_by_side = sd.Trajectory.joined([rows, rows], np.stack)
    assert repr(side_by_side) == "<Trajectory: 2 × 11 rows, t = 0 to 0.1 s; nq 8, nv 7; impacts 0>"
    empty = sd.Trajectory(rows.t[:0], rows.q[:0], rows.v[:0], rows.account[:0])
    assert repr(empty) == "<Trajectory: 0 rows; nq 8, nv 7; impacts 0>"
    assert repr(simulation) == (
        "<Simulation of 'craft' at t = 0.1 s: 10 steps of 0.01 s;\n"
        " controllers: none; engaged: dock; events 1, actions ahead 1>"
    )
    run = sd.read_run(tmp_path / "run")
    where = str(tmp_path / "run")
    assert repr(run).startswith(f"<Run {where!r} of 'craft': done, 11 rows to t = 0.1 s;\n tables: ")
    assert repr(run.states).startswith("<Table: 11 rows of 16 columns: t (s), q.hull.x (m), ")
    assert repr(dynamics.layout) == "<Layout: nq 8, nv 7: hull (free), arm (revolute)>"
    assert (repr(sd.engage("dock")), repr(sd.release("dock"))) == ("engage('dock')", "release('dock')")
    runner = Runner(load("world"))
    assert repr(runner).startswith("<Runner of 'world' for 40 s, at <Simulation of ")


def test_a_panel_with_nothing_in_it_has_no_legend_and_no_warning() -> None:
    figure, (ax, other) = panels("title", "note", ["a (m)", "b (m)"])
    other.plot([0, 1], [0, 1], label="one")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        legend(ax)
        legend(other)
    assert ax.get_legend() is None and other.get_legend() is not None and len(figure.axes) == 2
