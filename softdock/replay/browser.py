"""A headless Chromium that is installed already, driven through a pipe by its DevTools protocol: no other package."""

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)
FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
    "--force-device-scale-factor=1", "--enable-unsafe-swiftshader",
)  # fmt: skip

PATIENCE = 120.0
"""Seconds for an answer."""


class NoBrowser(Exception):
    """There is no Chromium, or it does not do what it should; the one-line message says what."""


def found() -> str | None:
    """Where a Chromium is: `SOFTDOCK_BROWSER`, or one on the path."""
    named = [shutil.which(name) for name in (os.environ.get("SOFTDOCK_BROWSER", ""), *NAMES) if name]
    return next((place for place in (*named, *PLACES) if place and os.path.isfile(place)), None)


class Page:
    """A page in the browser: `run` evaluates JavaScript there."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = os.fdopen(to, "wb", buffering=0), os.fdopen(back, "rb", buffering=1 << 20)
        self._number, self._rest, self._session = 0, b"", ""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """One command, and what it gives."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        try:
            self._to.write(json.dumps(message).encode() + b"\0")
        except OSError:
            raise NoBrowser("the browser has ended") from None
        while True:
            answer = json.loads(self._line())
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise NoBrowser(f"the browser refuses {method}: {answer['error'].get('message', '')}")
                return dict(answer.get("result", {}))

    def _line(self) -> bytes:
        parts = [self._rest]
        while b"\0" not in parts[-1]:
            if not select([self._back.fileno()], [], [], PATIENCE)[0]:
                raise NoBrowser(f"the browser has not answered for {PATIENCE:g} s")
            if not (part := os.read(self._back.fileno(), 1 << 20)):
                raise NoBrowser("the browser has ended")
            parts.append(part)
        whole, _, self._rest = b"".join(parts).partition(b"\0")
        return whole

    def run(self, code: str) -> Any:
        """The value of an expression; if it is a promise, when it is kept. NoBrowser if it fails."""
        answer = self.send("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            about = answer["exceptionDetails"]
            said = about.get("exception", {}).get("description") or about.get("text", "")
            raise NoBrowser(f"the page cannot be drawn: {' '.join(said.split())[:200]}")
        return answer["result"].get("value")

    def open(self, page: Path, after: str = "") -> None:
        """A page from disk, when it is ready to use."""
        self.send("Page.navigate", url=page.resolve().as_uri() + after)
        loaded = (
            "new Promise((done) => document.readyState === 'complete' ? done(0)"
            " : addEventListener('load', () => done(0)))"
        )
        for code in (loaded, "window.replay.ready.then(() => 0)"):
            self.run(code)

    def close(self) -> None:
        self._to.close()
        self._back.close()


@contextmanager
def opened(width: int, height: int) -> Iterator[Page]:
    """A page of this size; NoBrowser if there is no browser."""
    place = found()
    if place is None:
        raise NoBrowser("no Chromium or Chrome was found; install one, or set SOFTDOCK_BROWSER to where it is")
    flags = [*FLAGS, f"--window-size={width},{height}"]
    if os.name == "posix" and os.geteuid() == 0:
        flags.append("--no-sandbox")  # which Chromium insists on for root
    heard, to = os.pipe()
    back, said = os.pipe()
    heard, said = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (heard, said))  # away from 3 and 4

    def connect() -> None:
        os.dup2(heard, 3)
        os.dup2(said, 4)

    with tempfile.TemporaryDirectory(prefix="softdock-browser-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [place, *flags, f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=connect,  # noqa: PLW1509  # two calls of the system's
            pass_fds=(3, 4), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            os.close(heard)
            os.close(said)
            page = Page(to, back)
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            page.send("Emulation.setDeviceMetricsOverride", **metrics)
            yield page
            page.close()
        finally:
            process.kill()
            process.wait()
