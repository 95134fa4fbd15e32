"""How the tests share a machine whose caches are empty: what compiles much goes first, and each loop is compiled once.

Worker processes take files from one queue (`--dist loadfile --no-loadscope-reorder`) in the order given here. On two
cores one worker compiles the contact queries while the other, after small things, runs the pages of docs/, which
compile the loops over time steps; until those are in the cache, the first does what needs none of them. A file that is
not in the list comes after those that are: nothing depends on the order but time.
"""

import gc
import os
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process per core already; before NumPy is loaded
gc.set_threshold(100_000, 20, 20)  # Numba and CasADi make objects by the million, few of them in cycles

FIRST = (
    "contact/test_proximity",
    "kernels/test_translate", "kernels/test_sincos", "world/test_example_robots", "docs/test_examples",
    # what takes none of the loops over time steps
    "estimation/test_estimators", "dynamics/test_beside_pinocchio", "arm/test_arm_descriptions",
    "testbed/test_identification", "planning/test_inverse_kinematics", "sensing/test_registration",
    "arm/test_arm_torques", "estimation/test_estimation_models", "kernels/test_kernel_cache",
    "kernels/test_kernel_call", "contact/test_program", "mechanics/test_discrete_lagrangian",
    "campaign/test_statistics", "replay/test_replay_plots", "campaign/test_pool", "planning/test_intercept",
    # the longest of the rest
    "capture/test_capture", "runs/test_scenarios", "replay/test_replay_browser", "replay/test_replay_files",
    "dynamics/test_robustness", "campaign/test_campaign", "bench/test_bench", "dynamics/test_latches",
    "runs/test_processes", "testbed/test_testbed", "contact_runs/test_soft_cuboids", "docking/test_iss_docking",
    "control/test_floating", "dynamics/test_ledger", "dynamics/test_batches_and_bad_arrays", "runs/test_cli",
)  # fmt: skip
PLACE = {f"{name}.py": place for place, name in enumerate(FIRST)}
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: PLACE.get(item.path.relative_to(HERE).as_posix(), len(PLACE)))
