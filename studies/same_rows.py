"""Campaigns of several scenarios in two checkouts, compared: are their rows the same, bit for bit?

    python studies/same_rows.py OTHER_CHECKOUT [--only WORD …] [--keep DIR]

Numbers, vectors, words and truths vary, by every design; some runs fail. Compared are all columns but the wall time.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from report import heading

HERE = Path(__file__).resolve().parents[1]
SPARSE = ["run.record_every=400"]
CASES: dict[str, tuple[str, dict[str, str], list[str], dict[str, Any]]] = {
    "docking": (
        "iss-docking",
        {"arm.kp": "truncnormal(10, 0.2, 9, 11)", "payload.mass": "uniform(95, 105)",
         "arm.start": "normal([3.37, 0.97, 1.23], 0.005)"},
        SPARSE, {"runs": 80},
    ),
    "docking, every row": (
        "iss-docking",
        {"arm.docked": "normal([2.932, 0.741, 0.776], 0.01)", "bay.capture_distance": "uniform(0.01, 0.1)",
         "contact.restitution": "uniform(0, 1)", "payload.mass": "uniform(90, 110)"},
        [], {"runs": 48, "design": "latin-hypercube", "seed": 3},
    ),
    "docking, run": (
        "iss-docking",
        {"run.h": "choice(0.01, 0.02)", "run.duration": "choice(30.0, 36.0)", "arm.start[1]": "steps(0.96, 0.98, 3)",
         "handover.release_after": "choice(0.0, 0.5, 0.123)"},
        SPARSE, {"design": "grid"},
    ),
    "docking, geometry": (
        "iss-docking",
        {"orbit.semi_major_axis": "uniform(6.7e6, 7e6)", "arm.lengths[1]": "uniform(1.79, 1.81)",
         "arm.density": "uniform(18, 22)", "station.mass": "uniform(3e5, 4e5)", "station.angle": "uniform(-1, 1)",
         "arm.kd": "uniform(1.9, 2.1)"},
        SPARSE, {"runs": 48, "design": "sobol"},
    ),
    "docking, some fail": (
        "iss-docking",
        {"bay.width": "uniform(0.55, 0.7)", "payload.radius": "uniform(0.2, 0.3)"},
        SPARSE, {"runs": 48, "seed": 2},
    ),
    "docking, words": (
        "iss-docking",
        {"contact.style": "choice('impact', 'compliant')", "station.flexible": "choice(true, false)",
         "contact.stiffness": "lognormal(1e6, 0.5)", "run.seed": "choice(1, 2, 3)"},
        [*SPARSE, "run.duration=15.0"], {"runs": 20},
    ),
    "docking, blocks": (
        "iss-docking", {"arm.kp": "uniform(9, 11)", "payload.mass": "uniform(90, 110)"}, SPARSE,
        {"runs": 32, "design": "saltelli"},
    ),
    "docking, short": (
        "iss-docking", {"arm.kp": "uniform(9, 11)", "payload.mass": "uniform(90, 110)"},
        ["run.duration=0.5", "run.loads=true"], {"runs": 20},
    ),
    "free flyer": (
        "free-flyer",
        {"world.bodies[0].mass": "uniform(300, 400)", "initial.shoulder_pitch.position": "uniform(-0.7, -0.5)",
         "motion.waypoints[0].angles[1]": "uniform(0.4, 0.6)", "run.order": "choice(2, 4)",
         "world.bodies[1].joint.servo.kp": "uniform(3900, 4100)"},
        ["run.duration=20.0"], {"runs": 12},
    ),
    "world": (
        "world",
        {"world.latches[0].capture_distance": "choice(0.001, 0.5)", "world.bodies[0].mass": "uniform(0.9, 1.1)"},
        [], {"runs": 24},
    ),
    "berthing": (
        "berthing", {"bodies.T.mass": "uniform(0.9, 1.1)", "contact.stiffness": "uniform(0.9e5, 1.1e5)"}, [],
        {"runs": 6},
    ),
    "capture": (
        "capture", {"target.spin": "normal([0.08, 0.05, 0.10], 0.01)", "vision.position": "uniform(0.002, 0.01)"},
        ["vision.pose=ideal"], {"runs": 4},
    ),
    "testbed": (
        "testbed", {"control.kp": "uniform(300, 500)", "platform.mass": "uniform(38, 42)"}, ["run.duration=2.0"],
        {"runs": 6},
    ),
}  # fmt: skip


def rows(name: str) -> pa.Table:
    """The rows of a case, by index, without the wall time."""
    from softdock.campaign import campaign_of, results, run_campaign

    scenario, vary, changes, options = CASES[name]
    campaign = campaign_of(scenario, vary=vary, changes=changes, **options)
    with tempfile.TemporaryDirectory() as folder:
        run_campaign(campaign, Path(folder) / "c", workers=2)
        return results(Path(folder) / "c").drop_columns(["seconds"]).replace_schema_metadata(None)


def made(checkout: Path, name: str, file: Path) -> pa.Table:
    """The same by the softdock of a checkout."""
    if not file.exists():
        environment = os.environ | {"PYTHONPATH": str(checkout)}
        command = [sys.executable, __file__, "--write", str(file), "--only", name]
        subprocess.run(command, check=True, cwd=checkout, env=environment)
    return pq.read_table(file)


def differing(before: pa.Table, after: pa.Table) -> list[str]:
    """Columns that are not the same in both: in name, place, type or any bit."""
    if before.column_names != after.column_names:
        return sorted({*before.column_names} ^ {*after.column_names}) or ["(their order)"]
    return [
        name
        for name in before.column_names
        if before[name].type != after[name].type
        or [x if not isinstance(x, float) else x.hex() for x in before[name].to_pylist()]
        != [x if not isinstance(x, float) else x.hex() for x in after[name].to_pylist()]
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, nargs="?")
    parser.add_argument("--only", nargs="*", help="cases whose names begin so")
    parser.add_argument("--keep", type=Path, help="rows of the other checkout are kept here, and used again")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        pq.write_table(rows(given.only[0]), given.write)
        return 0
    print(heading("rows of campaigns in two checkouts", given))
    print("| campaign | rows | failed | columns | differing |\n|---|---:|---:|---:|---|")
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for name in CASES:
            if given.only and not any(name.startswith(word) for word in given.only):
                continue
            file = f"{name.replace(' ', '-').replace(',', '')}.parquet"
            kept = given.keep or Path(scratch)
            kept.mkdir(exist_ok=True)
            before = made(given.other.resolve(), name, kept.resolve() / f"before-{file}")
            after = made(HERE, name, Path(scratch) / f"after-{file}")
            wrong = differing(before, after)
            failed |= bool(wrong)
            lost = before["status"].to_pylist().count("failed")
            print(f"| {name} | {len(before)} | {lost} | {len(before.column_names)} | {', '.join(wrong)} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
