"""The `softdock` command, also as `python -m softdock`: a process of its own, from its first import to its end."""

import sys

INTERRUPTED = 130


def entry() -> None:
    """Perform the command and end the process.

    Ctrl-C is one line while modules are loaded, too. When all is done, signals are not heard any more, and Python does
    not take itself down piece by piece: that was a fifth of a short run's time, in which a signal would have ended it
    as if it had been killed."""
    status = INTERRUPTED
    try:
        import gc
        import os
        import signal

        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices are small: threads only wait for each other

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # in the background it may be ignored
            signal.signal(signal.SIGINT, _first)
        from softdock.runs.artist import start

        start(sys.argv[1:])
        gc.set_threshold(50_000)  # modules make many objects that stay: to look for garbage among them takes time
        from softdock.cli.app import main

        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except KeyboardInterrupt:
        print("softdock: interrupted", file=sys.stderr)
    _end(status)


def _first(number: int, frame: object) -> None:
    """Before the command listens itself: a second Ctrl-C finds that the first is being told."""
    import signal

    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _end(status: int) -> None:
    import atexit
    import os
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:  # whoever read it has gone
        status = status or 1
    os._exit(status)


if __name__ == "__main__":
    entry()
