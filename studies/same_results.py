"""Every built-in scenario in two checkouts, compared: are the recorded numbers the same, bit for bit?

    python studies/same_results.py OTHER_CHECKOUT [--only NAME …] [--keep DIR]

Runs each scenario with this checkout and with the other one (`git worktree add ../before COMMIT` makes one), and
compares every column of every recorded table that is not a measurement of time. Tables and columns are matched by name;
where a change renamed them, by their place among those renamed (columns: among those of their unit in that table), so
that the numbers under the new names are compared too. Exit status 1 if anything differs.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from report import heading

HERE = Path(__file__).resolve().parents[1]


def scenarios() -> list[str]:
    from softdock.scenarios import SCENARIOS

    return list(SCENARIOS)


def recorded(checkout: Path, name: str, out: Path) -> Path:
    """The run directory of a scenario by the softdock of a checkout."""
    if not (out / "metrics.json").exists():
        command = [sys.executable, "-m", "softdock", "run", name, "--no-figures", "--json", "--out", str(out)]
        environment = os.environ | {"PYTHONPATH": str(checkout)}
        subprocess.run(command, check=True, cwd=checkout, env=environment, stdout=subprocess.DEVNULL)
    return out


def tables(run: Path) -> dict[str, dict[str, tuple[np.ndarray, str]]]:
    """Columns of every table, with their units."""
    found = {}
    for path in sorted(run.glob("*.parquet")):
        table = pq.read_table(path)
        found[path.stem] = {
            field.name: (table[field.name].to_numpy(), (field.metadata or {}).get(b"unit", b"").decode())
            for field in table.schema
        }
    return found


def compared(before: dict[str, tuple[np.ndarray, str]], after: dict[str, tuple[np.ndarray, str]]) -> tuple[int, float]:
    """How many columns differ, and by how much at most; a column without a partner counts as infinitely far off."""
    differing, most = 0, 0.0
    left = {name: after[name] for name in after if name not in before}
    for name, (values, unit) in before.items():
        partner = after.get(name)
        if partner is None:
            match = next((other for other, (_, its) in left.items() if its == unit), None)
            partner = left.pop(match) if match else None
        if partner is None or partner[0].shape != values.shape or partner[0].dtype != values.dtype:
            differing, most = differing + 1, np.inf
        elif partner[0].tobytes() != values.tobytes():
            numbers = values.dtype.kind in "fiu"
            apart = float(np.nanmax(np.abs(partner[0] - values))) if numbers and len(values) else np.inf
            if not numbers and (partner[0] == values).all():
                continue
            differing, most = differing + 1, max(most, apart)
    return differing + len(left), np.inf if left else most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--keep", type=Path, help="runs are kept here, and those of the other checkout used again")
    given = parser.parse_args()
    print(heading("scenarios in two checkouts", given))
    print("| scenario | tables | columns | differing columns | largest difference |\n|---|---:|---:|---:|---:|")
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for name in given.only or scenarios():
            kept = given.keep or Path(scratch)
            before = tables(recorded(given.other.resolve(), name, kept.resolve() / f"before-{name}"))
            after = tables(recorded(HERE, name, Path(scratch) / f"after-{name}"))
            renamed = iter([table for table in after if table not in before])
            partners = {table: table if table in after else next(renamed, "") for table in before}
            counts = [compared(before[table], after.get(partner, {})) for table, partner in partners.items()]
            differing, most = sum(count for count, _ in counts), max(size for _, size in counts)
            failed |= differing > 0 or len(before) != len(after)
            print(
                f"| {name} | {len(before)} | {sum(map(len, before.values()))} | {differing} | {most:.3g} |", flush=True
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
