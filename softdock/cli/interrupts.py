"""Ctrl-C and SIGTERM as KeyboardInterrupt that is not lost.

A handler raises wherever Python happens to be. Within a callback from C or a finaliser, as there are many while LLVM
compiles, Python prints such an exception and goes on: a command that was to end would go on to its end.
"""

import logging
import signal
import sys
import threading
from typing import Any

SOON = 0.01
"""Seconds until an interrupt that was lost is tried again."""
_sent: list[int] = []
"""Signals that came."""


def listen() -> None:
    """From now on; what came before is forgotten. Only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        return
    _sent.clear()
    signal.signal(signal.SIGTERM, _interrupt)
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):  # in the background it may be ignored
        signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _lost


def heed() -> None:
    """KeyboardInterrupt if one was sent: for loops that must not go on, whatever became of the exception."""
    if _sent:
        raise KeyboardInterrupt


def _interrupt(number: int, _: Any) -> None:
    _sent.append(number)
    raise KeyboardInterrupt


def _again() -> None:
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main:
        signal.pthread_kill(main, signal.SIGTERM)  # so that it wakes, too, if it sleeps
    else:
        signal.raise_signal(signal.SIGTERM)


def _lost(what: "sys.UnraisableHookArgs") -> None:
    if issubclass(what.exc_type, KeyboardInterrupt):
        again = threading.Timer(SOON, _again)
        again.daemon = True
        again.start()
    else:
        logging.getLogger("softdock").debug("ignored: %r", what.exc_value)
