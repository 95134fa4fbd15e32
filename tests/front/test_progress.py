"""What a terminal shows while a command works, in a pseudo-terminal."""

import os
import re
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="pseudo-terminals are of Unix")
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


def watched(*command: str) -> tuple[int, str]:
    """Exit status, and all that a command writes to a terminal of 100 columns."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="100", LINES="40")
        os.execv(sys.executable, [sys.executable, "-m", "softdock", *command])
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), b"".join(parts).decode(errors="replace")


def test_something_moves_while_figures_are_drawn_and_nothing_of_it_stays(tmp_path: Path) -> None:
    status, text = watched("run", "world", "--out", str(tmp_path / "run"))
    assert status == 0
    drawing = re.findall(f"([{SPINNER}])[^{SPINNER}]*drawing figures", text)
    assert len(set(drawing)) >= 4  # it stood still, once
    _, last, summary = text.rpartition("\x1b[2K")  # what moved is wiped away before the summary
    assert last and "drawing" not in summary and not re.search(f"[{SPINNER}]", summary)
    assert "energy_lost_engaging" in summary and "Replay: " in summary
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")  # the cursor is back
