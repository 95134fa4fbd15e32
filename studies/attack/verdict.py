"""What counts as clean, and how an input is tried: a command in this process or in one of its own, or a call."""

import contextlib
import io
import re
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

LONGEST = 300
"""Characters of a message."""
SLOWEST = 5.0
"""Seconds of the processor's time before something must have been said."""
_UGLY = re.compile(r"Traceback|this should not happen|\b[A-Z][A-Za-z]*(Error|Exception)\b")


class TooSlow(BaseException):
    """It took longer than an input may; where it was then."""


@dataclass
class Tally:
    """How often one kind of attack was tried, and what was not clean."""

    name: str
    tried: int = 0
    found: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def count(self, flaw: str, example: object) -> None:
        """One more; `flaw` is empty if it was clean."""
        self.tried += 1
        if flaw:
            kind = re.sub(r"[0-9]+", "#", flaw)[:90]
            self.found[kind] += 1
            self.examples.setdefault(kind, f"{flaw[:300]}  <-  {str(example)[:300]!r}")

    @property
    def row(self) -> str:
        bad = sum(self.found.values())
        return f"| {self.name} | {self.tried} | {self.tried - bad} | {bad} |"


@contextlib.contextmanager
def limited(seconds: float = SLOWEST) -> Iterator[None]:
    """TooSlow after so much of the processor's time; the machine may be shared."""

    def late(_: int, frame: Any) -> None:
        raise TooSlow("/".join(f"{x.name}:{x.lineno}" for x in traceback.extract_stack(frame)[-6:]))

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def flaw_of_message(text: str) -> str:
    """What is wrong with what was said on standard error."""
    for line in text.splitlines():
        if len(line) > LONGEST:
            return f"a message of {len(line)} characters: {line[:60]}"
        if found := _UGLY.search(line):
            return f"{found.group()}: {line[-120:]}"
        if any(not x.isprintable() for x in line):
            return f"unprintable: {line[:60]!r}"
    return ""


def flaw_of_call(call: Callable[[], object], refusals: tuple[type[BaseException], ...] = (ValueError,)) -> str:
    """What is wrong with how a call ends: it may return, or refuse with a message of one line."""
    err = io.StringIO()
    try:
        with limited(), warnings.catch_warnings(), contextlib.redirect_stderr(err):
            warnings.simplefilter("ignore")
            call()
    except refusals as error:
        message = " ".join(str(error).split())
        said = flaw_of_message(err.getvalue())
        return said if message and not _UGLY.search(message) else f"says {message[:100]!r}"
    except TooSlow as error:
        return f"took more than {SLOWEST:g} s, in {error}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return flaw_of_message(err.getvalue())


def command(*words: object, seconds: float = SLOWEST) -> tuple[int, str, str, str]:
    """A softdock command in this process: exit status, output, messages, and what is wrong with it."""
    from softdock.cli.app import main

    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["softdock", *map(str, words)]
    status, flaw, shown = -1, "", warnings.showwarning
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), limited(seconds):
            main()
    except SystemExit as exit_:
        status = int(exit_.code or 0) if isinstance(exit_.code, int | None) else -1
    except TooSlow as error:
        flaw = f"took more than {seconds:g} s, in {error}"
    except BaseException as error:
        flaw = f"{type(error).__name__}: {error}"
    finally:
        sys.argv, warnings.showwarning = before, shown
    said = err.getvalue()
    flaw = flaw or flaw_of_message(said)
    if not flaw and status not in (0, 1, 2, 130):
        flaw = f"exit status {status}"
    if not flaw and status and not said.strip():
        flaw = f"exit status {status} without a word"
    return status, out.getvalue(), said, flaw


def left() -> Callable[[], float]:
    """A clock: seconds since now."""
    began = time.monotonic()
    return lambda: time.monotonic() - began
