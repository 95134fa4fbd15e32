"""Workers that raise, die, hang or eat memory: every index has one row at the end."""

import os
import signal
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from softdock.campaign.pool import LAST, LEAST, MOST_AHEAD, MOST_TOGETHER, Pool, Worker, lot_of
from softdock.campaign.trial import failure


def blank(index: int) -> dict:
    return {"index": index, "seconds": 0.0} | failure("")


def good(index: int) -> dict:
    return {"index": index, "status": "done", "reason": "", "seconds": 1e-6}


def run(work, count: int, **options) -> dict[int, dict]:
    with Pool(work, blank, workers=2, **options) as pool:
        rows = [row for row in pool.rows((k,) for k in range(count)) if row]
    assert Counter(row["index"] for row in rows) == Counter(range(count))
    return {row["index"]: row for row in rows}


def test_all_rows_come_once() -> None:
    rows = run(good, 500)
    assert all(row["status"] == "done" for row in rows.values())


def had() -> list[int]:
    return [library["num_threads"] for library in threadpool_info()]


def threads(index: int) -> dict:
    there = Path("/proc/self/task")
    tasks = len(list(there.iterdir())) if there.exists() else 1
    return good(index) | {"threads": max([1, *had()]), "tasks": tasks}


def test_workers_do_linear_algebra_in_one_thread_and_have_no_others() -> None:
    np.linalg.eigh(np.eye(30))
    before = had()
    assert {(row["threads"], row["tasks"]) for row in run(threads, 4).values()} == {(1, 1)}
    assert had() == before  # of the caller


def test_a_worker_that_is_killed_once_has_its_run_done_again(tmp_path: Path) -> None:
    def work(index: int) -> dict:
        if index == 17 and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return good(index)

    assert all(row["status"] == "done" for row in run(work, 60).values())


def test_a_run_that_kills_its_workers_is_a_row() -> None:
    def work(index: int) -> dict:
        if index % 20 == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return good(index)

    rows = run(work, 60)
    assert [k for k, row in rows.items() if row["status"] == "failed"] != []
    assert sorted(k for k, row in rows.items() if "SIGTERM" in row["reason"]) == [3, 23, 43]


def test_a_run_that_hangs_is_a_row() -> None:
    def work(index: int) -> dict:
        time.sleep(60 if index == 5 else 0)
        return good(index)

    began = time.monotonic()
    rows = run(work, 40, time_limit=0.5)
    assert rows[5]["reason"] == "took longer than the time limit of 0.5 s" and rows[5]["seconds"] >= 0.5
    assert sum(row["status"] == "failed" for row in rows.values()) == 1
    assert time.monotonic() - began < 20


def test_a_run_that_eats_memory_is_a_row() -> None:
    def work(index: int) -> dict:
        try:
            if index == 4:
                np.ones(2**28)  # 2 GB
        except MemoryError:
            return blank(index) | failure("out of memory")
        return good(index)

    rows = run(work, 10, memory_limit=500)
    assert rows[4]["reason"] == "out of memory" and sum(r["status"] == "failed" for r in rows.values()) == 1


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    """A fork that starts a pool and is killed leaves no process behind."""
    child = os.fork()
    if child == 0:
        pool = Pool(lambda index: (time.sleep(0.05), good(index))[1], blank, workers=3)
        for _ in pool.rows((k,) for k in range(10_000)):
            (tmp_path / "pids").write_text(" ".join(map(str, pool.processes)))
    while not (tmp_path / "pids").exists() or len((tmp_path / "pids").read_text().split()) < 3:
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    until = time.monotonic() + 300
    while any(_alive(pid) for pid in pids):
        assert time.monotonic() < until, "workers outlive their parent"
        time.sleep(0.05)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("workers", [1, 4])
def test_two_lots_through_one_pool(workers: int) -> None:
    with Pool(good, blank, workers=workers) as pool:
        for lot in (range(5), range(5, 12)):
            assert sorted(row["index"] for row in pool.rows((k,) for k in lot) if row) == list(lot)


def test_lots_are_whole_and_small_at_the_end() -> None:
    def several(tasks: list[tuple[int]]) -> list[dict]:
        return [good(index) | {"lot": len(tasks)} for (index,) in tasks]

    with Pool(good, blank, workers=2, several=several) as pool:
        lots = [row.get("lot", 1) for row in pool.rows((k,) for k in range(2000)) if row]
    assert Counter(lots)[MOST_TOGETHER] > 1500
    quick = Worker(None, None, several=True, pace=1e-6)  # what it is given depends on how much is left,
    assert [quick.room(share) for share in (1000, 11, 3, 0)] == [MOST_AHEAD, 11, LEAST, LEAST]
    slow = Worker(None, None, several=True, pace=0.5 * LAST)  # and on how long it would take
    assert [slow.room(share) for share in (5, 1, 0)] == [5, 2, 2]
    single = Worker(None, None, several=False, pace=1e-6)
    assert [single.room(share) for share in (11, 3, 0)] == [11, 3, 1]


def test_lots_fill_lanes() -> None:
    assert [lot_of(tasks) for tasks in (1, 2, 7, 8, 9, 17, 31, 64, 90)] == [1, 4, 4, 4, 8, 12, 16, 32, 32]
