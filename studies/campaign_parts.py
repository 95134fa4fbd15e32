"""Where the processor time of a campaign's run goes, as one of 32 side by side: part by part, and the steps in lanes.

    python studies/campaign_parts.py [--rounds 25]

Of each part the least of all rounds counts; each round has runs of its own. Runs are those of
`softdock bench --only campaign`.
"""

import argparse
import cProfile
import pstats
import time
from typing import Any

from report import heading

from softdock.bench.campaign import VARY
from softdock.campaign import campaign_of
from softdock.campaign.pool import MOST_TOGETHER
from softdock.campaign.trial import Trial
from softdock.dynamics import abreast

PARTS = (
    "draws", "row, begun", "scenario and world", "compiled world", "motion and mission", "start",
    *("to the end wall",) * 2, *("docking",) * 2, *("hand over",) * 4, *("release",) * 3, *("return",) * 4,
    "metrics", "metrics", "row",
)  # fmt: skip
"""Of each step of a run, as `abreast.side_by_side` takes it."""


def parts(trial: Trial, lot: int) -> dict[str, float]:
    """Milliseconds a run of each part, as `abreast.side_by_side` does them; each lot is of other runs, of whose numbers
    nothing is known yet."""
    runs = [trial.going(MOST_TOGETHER * lot + k) for k in range(MOST_TOGETHER)]
    answers: dict[int, Any] = dict.fromkeys(range(len(runs)))
    took: dict[str, float] = {}
    for name in PARTS:
        began, waiting = time.thread_time(), {}
        for k, answer in answers.items():
            try:
                waiting[k] = runs[k].send(answer)
            except StopIteration:
                continue
        took[name] = took.get(name, 0.0) + time.thread_time() - began
        asked = {k: motion for k, motion in waiting.items() if motion is not None}
        began = time.thread_time()
        answers = dict.fromkeys(waiting) | dict(zip(asked, abreast._taken([*asked.values()]), strict=True))
        took["steps in lanes"] = took.get("steps in lanes", 0.0) + time.thread_time() - began
    assert not answers, "runs have other parts than these"
    return {name: 1e3 * seconds / len(runs) for name, seconds in took.items()}


def calls(trial: Trial) -> float:
    """Calls of functions, built-in ones too, in a run."""
    assert trial.several
    with cProfile.Profile() as profile:
        trial.several([(k,) for k in range(MOST_TOGETHER)])
    return sum(entry[1] for entry in pstats.Stats(profile).stats.values()) / MOST_TOGETHER  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    arguments = parser.parse_args()
    trial = Trial(campaign_of("iss-docking", vary=VARY, changes=["run.record_every=400"], runs=10**6))
    trial.warm()
    parts(trial, arguments.rounds)
    least: dict[str, float] = {}
    for lot in range(arguments.rounds):
        for name, ms in parts(trial, lot).items():
            least[name] = min(ms, least.get(name, ms))
    print(heading("Parts of a run of a campaign (ms of processor time, least of rounds)", arguments))
    for name, ms in least.items():
        print(f"{name:24} {ms:.3f}")
    print(f"{'all':24} {sum(least.values()):.3f}\ncalls of functions: {calls(trial):.0f}")


if __name__ == "__main__":
    main()
