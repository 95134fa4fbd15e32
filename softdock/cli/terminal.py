"""What a command shows on a terminal, and how it hears Ctrl-C."""

import logging
import shutil
import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from softdock.cli.interrupts import heed
from softdock.runs.measures import COMPUTING, Measure, measure_of, shortened, shown

PATIENCE = 4.0
"""Seconds without a word, at most, while loops are compiled."""
LONGEST = 280
"""Characters of a message."""


logger = logging.getLogger("softdock")
"""Of the whole package: programs that use it set handlers and levels as they like."""


def set_loudness(loudness: int) -> None:
    """How much is said: -1 only what went wrong, 0 as usual, 1 all that is logged."""
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    handler.addFilter(_once())
    logger.handlers[:] = [handler]
    logger.propagate = False
    if not logging.getLogger().handlers:  # other packages log tracebacks of what they tried in vain
        logging.getLogger().addHandler(logging.NullHandler())
    logger.setLevel({-1: logging.ERROR, 0: logging.INFO, 1: logging.DEBUG}[loudness])


def is_verbose() -> bool:
    return logger.level == logging.DEBUG


class _OneLine(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return f"softdock: {one_line(record.getMessage())}"


def _once() -> Callable[[logging.LogRecord], bool]:
    """A filter for what was said already: a world is compiled in several pieces."""
    said: set[str] = set()

    def is_new(record: logging.LogRecord) -> bool:
        before = len(said)
        said.add(record.getMessage())
        return len(said) > before

    return is_new


def say(message: str) -> None:
    """One line on standard error: what went wrong, or was asked for."""
    print(f"softdock: {one_line(message)}", file=sys.stderr, flush=True)


def warn(message: str) -> None:
    """A line that `-q` leaves out."""
    if logger.level < logging.ERROR:
        say(f"warning: {message}")


def note(message: str) -> None:
    """A line that only `-v` shows."""
    logger.debug("%s", message)


def one_line(message: str) -> str:
    """Text in which nothing moves the cursor or goes on for ever: names in it may be anybody's."""
    text = "".join(x if x.isprintable() else ascii(x)[1:-1] for x in " ".join(message[: 10 * LONGEST].split()))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 100]} … {text[-97:]}"


def opened(page: Path | str) -> bool:
    """Open a file or an address in the browser; False where there is none that could show it."""
    import webbrowser

    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    if isinstance(found, webbrowser.GenericBrowser) and not isinstance(found, webbrowser.BackgroundBrowser):
        return False  # one for text, which would take the terminal
    return found.open(page.resolve().as_uri() if isinstance(page, Path) else page)


def announce(message: str) -> None:
    """A line that is said once, however often, and that `-q` leaves out: what takes a while."""
    logger.info("%s", message)


def summary(metrics: Mapping[str, Any], measures: Mapping[str, Measure], meanings: bool = False) -> str:
    """Metrics as lines, the scenario's own before those of every run: name, value with its unit, and, if that is asked
    for, all of long tables and what each means. What has several lines goes on below."""
    width = max(map(len, metrics))
    lines = []
    for name, value in sorted(metrics.items(), key=lambda item: item[0] in COMPUTING):
        first, *more = shown(name, value if meanings else shortened(value), measures).split("\n")
        measure = measure_of(name, measures)
        told = f"   # {measure.meaning}" if meanings and measure and measure.meaning else ""
        lines.append(f"  {name:<{width}}  {first}{told}".rstrip())
        lines += [f"  {'':<{width}}  {line}" for line in more]
    return "\n".join(part for line in lines for part in _fitted(line, width + 4))


def _fitted(line: str, indent: int) -> list[str]:
    """A line as the terminal has room for it, going on below its value; elsewhere as it is."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    if columns < indent + 20 or len(line) <= columns:
        return [line]
    return textwrap.wrap(line, columns, subsequent_indent=" " * indent, drop_whitespace=True, break_on_hyphens=False)


@contextmanager
def watched(duration: float, told: Callable[[float], None] | None = None) -> Iterator[Callable[[float], None]]:
    """A progress callback: it moves a bar (on a terminal), and raises KeyboardInterrupt after Ctrl-C; `told` is told
    the time too.

    The first Ctrl-C, or SIGTERM, is thus heard between two compiled calls, when all rows are on record; a second one
    at once; then none, while the run's directory is closed.
    """
    heard = raised = False

    def interrupt(*_: Any) -> None:
        nonlocal heard, raised
        if heard and not raised:
            raised = True
            raise KeyboardInterrupt
        heard = True

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with _bar(duration) as move:

            def progress(t: float) -> None:
                nonlocal raised
                move(t)
                if told:
                    told(t)
                if heard:
                    raised = True
                    raise KeyboardInterrupt

            yield progress
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def counted(total: int) -> Iterator[Callable[[Any], None]]:
    """A callback for a campaign's tally: a bar with the rate, the time left and the outcomes so far, on a terminal; and
    KeyboardInterrupt after Ctrl-C.

    Nothing is drawn by another thread: workers are forks of this process.
    """
    if not sys.stderr.isatty():
        yield lambda tally: heed()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task, began, shown = bar.add_task("", total=total), time.monotonic(), 0.0

        def show(tally: Any) -> None:
            nonlocal shown
            heed()
            now = time.monotonic()
            if now - shown < 0.1:
                return
            shown, rate = now, tally.now / max(now - began, 1e-9)
            left = f"{(tally.total - tally.done) / rate:.0f} s left" if rate else ""
            outcomes = ", ".join(f"{count} {name}" for name, count in tally.outcomes.most_common(4))
            bar.update(task, completed=tally.done, description=f"{rate:.3g}/s  {left}  {outcomes}", refresh=True)

        yield show


@contextmanager
def busy(what: str) -> Iterator[None]:
    """A sign that something goes on whose length is not known, on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def compiling(scenario: str) -> Iterator[None]:
    """Meanwhile, and until the process ends: if loops must be compiled, say so, and every few seconds how far that is;
    a second process helps."""
    from softdock.kernels import aside, loop_cache

    if not loop_cache.on_compile:
        aside.start_when_needed(scenario)
        loop_cache.on_compile.append(_Teller())
    with busy("preparing"):
        yield


class _Teller:
    """Says what is being compiled, whoever waits for it."""

    def __init__(self) -> None:
        self._count, self._began = 0, 0.0

    def __call__(self, name: str) -> None:
        self._count += 1
        if self._count == 1:
            from softdock.kernels import aside, loop_cache, shipped

            manifest, here = shipped.manifest(), loop_cache.made_for()
            self._began = time.monotonic()
            logger.info("compiling loops (once; kept for later runs)")
            if manifest and manifest.made_for != here:
                logger.info("those that come with softdock are for %s; this is %s", manifest.made_for, here)
            elif manifest and any(
                not aside.is_current(loop, aside.compiler_of(loop))
                for loop in manifest.loops.values()
                if loop.function == name
            ):
                logger.info("those that come with softdock are of other sources")
            threading.Thread(target=self._tell, daemon=True).start()

    def _tell(self) -> None:
        from softdock.kernels.loop_cache import under_way

        while True:
            time.sleep(PATIENCE)
            if now := list(under_way):
                told = (now[-1], self._count - len(now), time.monotonic() - self._began)
                logger.info("compiling %s (%d loops done, %.0f s)", *told)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A callback for how many of how many are done: a bar, on a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), MofNCompleteColumn(), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _bar(duration: float) -> Iterator[Callable[[float], None]]:
    if not sys.stderr.isatty():
        yield lambda t: None
        return
    from rich.console import Console  # only for people who watch
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.completed:.1f} of {task.total:g} s"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task, shown = bar.add_task("", total=duration), time.monotonic()

        def move(t: float) -> None:
            nonlocal shown
            if time.monotonic() - shown > 0.05:
                shown = time.monotonic()
                bar.update(task, completed=t)

        yield move
