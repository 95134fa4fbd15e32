"""What heads every study's table: when, of which commit, with which options, on what machine."""

import argparse
import datetime
import platform
import re
import subprocess
from pathlib import Path


def heading(title: str, options: argparse.Namespace) -> str:
    git = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
    chosen = ", ".join(f"{key} {value}" for key, value in sorted(vars(options).items()))
    today = datetime.datetime.now(datetime.UTC).date()
    return f"{title}: {today}, commit {commit}, {chosen}, Python {platform.python_version()} on {platform.machine()}"


def kind_of(refusal: Exception) -> str:
    """What a step that failed says, without when and without its numbers: the same for all refusals of a kind."""
    return re.sub(r"[-+]?\d[\d.e+-]*", "#", str(refusal).split(" s ", 1)[-1])
