"""Ctrl-C and SIGTERM: heard while modules are loaded and in callbacks where Python drops exceptions, not at the end."""

import subprocess
import sys
import time

import pytest

LOST = """
import ctypes, os, signal, time
from softdock.cli.interrupts import heed, listen
listen()

@ctypes.CFUNCTYPE(None)
def callback():
    os.kill(os.getpid(), signal.{name})
    time.sleep(0.01)

try:
    callback()  # Python prints what is raised in it, and goes on
    time.sleep(20)
except KeyboardInterrupt:
    pass
else:
    raise SystemExit("lost")
try:
    heed()
except KeyboardInterrupt:
    print("heard")
"""


def _run(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_within_a_callback_of_c_is_not_lost(name: str) -> None:
    began = time.monotonic()
    done = _run(LOST.format(name=name))
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "heard", "")
    assert time.monotonic() - began < 15.0


END = """
import atexit, os, signal, sys
from softdock.__main__ import entry

class Hurt:
    def __del__(self):  # while Python would take itself down
        os.kill(os.getpid(), signal.SIGINT)

hurt = Hurt()
atexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))
sys.argv = ["softdock", {word!r}]
entry()
"""


@pytest.mark.parametrize(("word", "status"), [("--version", 0), ("nothing", 2)])
def test_a_signal_when_all_is_done_changes_nothing(word: str, status: int) -> None:
    done = _run(END.format(word=word))
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith("softdock ") == (status == 0)


LOADING = """
import builtins, os, signal, sys
load = builtins.__import__

def slow(name, *rest):
    if name == "softdock.cli.app":
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
    return load(name, *rest)

builtins.__import__ = slow
from softdock.__main__ import entry
entry()
"""


def test_ctrl_c_twice_while_modules_are_loaded_is_one_line() -> None:
    done = _run(LOADING)
    assert (done.returncode, done.stderr) == (130, "softdock: interrupted\n")
