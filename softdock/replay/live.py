"""The replay page of a run that goes on: served to this machine alone, from what is in the run's directory already.

The page listens to one stream of server-sent events: `time` (simulated seconds so far, and of how many), `run` (the
page's data and tracks, each on a line) when there are new rows, and `end` (the status) after the last of them.
"""

import errno
import json
import secrets
import threading
import time
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from softdock.dynamics import Dynamics
from softdock.replay.document import LISTENING, document, inert
from softdock.replay.page import replay_data
from softdock.runs.recorder import PARTS
from softdock.runs.recording import read_run

HOST, HTTP = "127.0.0.1", 80
OFTEN = 1.0
"""Seconds, at the least, from one look at the directory to the next: rows come there about as often."""
SHARE = 0.1
"""Of the time, at the most, that is spent on making data for the page: the run comes first."""
TICK = 0.25
"""Seconds from one `time` to the next."""
FAREWELL = 10.0
"""Seconds that the server waits, after the end, for a page that is still on its way."""
MOST_PAGES = 8
_HEADERS = {
    "Content-Security-Policy": f"{LISTENING}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Live:
    """A server for the time of a run; ValueError, in one line, if the port cannot be had.

    with Live(path, dynamics, duration) as live:
        runner.record(path, progress=live.tell)
        live.end()
    """

    def __init__(self, path: str | Path, dynamics: Dynamics, duration: float, port: int = 0) -> None:
        if not 0 <= port <= 65535:
            raise ValueError(f"--port {port}: ports are from 1 to 65535 (0: any that is free)")
        self.path, self.duration = Path(path), duration
        self._dynamics, self._t, self._ended = dynamics, 0.0, False
        self._news = threading.Condition()
        self._version, self._data, self._seen = 0, "", ""
        self._pages, self._served = 0, 0
        self._stopped = threading.Event()
        self.token = secrets.token_urlsafe(12)
        """Part of the address: other users of this machine cannot guess it."""
        try:
            self._server = _Server(self, port)
        except OSError as error:
            why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be had: {error.strerror or error}"
            raise ValueError(f"--port {port}: {why}; choose another, or none") from None
        self.port = int(self._server.server_address[1])

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/{self.token}/"

    def __enter__(self) -> Self:
        for work in (self._server.serve_forever, self._watch):
            threading.Thread(target=work, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        with self._news:
            self._ended = True
            self._news.notify_all()
        self._server.shutdown()
        self._server.server_close()

    def tell(self, t: float) -> None:
        """How far the run is (s)."""
        self._t = t

    def end(self) -> None:
        """The run's directory is complete: hand it to all pages, as the last that they get."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._look(last=True)
        with self._news:
            self._ended = True
            self._news.notify_all()

    def see_off(self, expected: bool) -> None:
        """Return when all pages have the end; if one is `expected`, that too, unless it does not come."""
        until = time.monotonic() + FAREWELL
        while time.monotonic() < until and (self._pages or (expected and not self._served)):
            time.sleep(0.05)

    def _watch(self) -> None:
        """Make data whenever there are new rows and somebody looks."""
        rest = OFTEN / 4
        while not self._stopped.wait(rest):
            rest = OFTEN / 4
            if self._pages:
                began = time.perf_counter()
                if self._look():
                    rest = max(OFTEN, (time.perf_counter() - began) * (1 / SHARE - 1))

    def _look(self, last: bool = False) -> bool:
        """Read the directory if it has changed; False if there is nothing new, or not yet anything."""
        seen = self._state()
        if seen == self._seen and not last:
            return False
        try:
            run = read_run(self.path)
            data, tracks, _ = replay_data(run, self._dynamics)
        except Exception:  # before the first row, or just when parts are put together; no page shall end a run
            return False
        if not last:
            data["status"] = "running"
        with self._news:
            if last or not self._stopped.is_set():
                self._data, self._seen, self._version = f"{inert(data)}\n{tracks}", seen, self._version + 1
                self._news.notify_all()
        return True

    def _state(self) -> str:
        """Changes when rows or events come."""
        with suppress(OSError):
            parts = sorted(file.name for file in (self.path / PARTS).glob("states-*.parquet"))
            events = self.path / "events.json"
            return f"{parts[-1:]} {events.stat().st_mtime_ns if events.exists() else 0}"
        return ""

    def page(self) -> str:
        """The page, without a run in it yet."""
        body = '<noscript>This page needs JavaScript.</noscript>\n<div id="app" data-live="stream"></div>'
        return document(f"{self.path.resolve().name} (live)", body, __package__, "bundle/replay", LISTENING)

    def stream(self, write: Any) -> None:
        """Events to one page, until the end."""
        with self._news:
            if self._pages >= MOST_PAGES:
                raise OverflowError
            self._pages += 1
        try:
            told = -1.0
            version = 0
            while True:
                with self._news:
                    self._news.wait_for(lambda v=version: self._ended or self._version > v, TICK)  # type: ignore[misc]
                    ended, data, fresh = self._ended, self._data, self._version > version
                    version = self._version
                if self._t != told:
                    told = self._t
                    write("time", json.dumps({"t": told, "of": self.duration}))
                else:
                    write("", "")
                if fresh:
                    write("run", data)
                if ended:
                    write("end", "")
                    self._served += 1
                    return
        finally:
            with self._news:
                self._pages -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, live: Live, port: int) -> None:
        self.live = live
        super().__init__((HOST, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that was closed is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version, sys_version = "softdock", ""
    timeout = 30.0

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""

    def do_GET(self) -> None:
        live, path = self.server.live, urlsplit(self.path).path
        port = "" if live.port == HTTP else f":{live.port}"  # browsers leave out the usual one
        if self.headers.get("Host") not in (f"{HOST}{port}", f"localhost{port}"):
            self._say(HTTPStatus.FORBIDDEN)  # another name that leads here: somebody else's page
        elif secrets.compare_digest(path.encode(), f"/{live.token}/".encode()):
            self._answer("text/html; charset=utf-8", live.page().encode())
        elif secrets.compare_digest(path.encode(), f"/{live.token}/stream".encode()):
            self._stream(live)
        else:
            self._say(HTTPStatus.NOT_FOUND)

    def _head(self, status: HTTPStatus, kind: str, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()

    def _answer(self, kind: str, content: bytes, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._head(status, kind, len(content))
        self.wfile.write(content)

    def _say(self, status: HTTPStatus) -> None:
        self._answer("text/plain; charset=utf-8", f"{status.phrase}\n".encode(), status)

    def _stream(self, live: Live) -> None:
        begun = False

        def write(event: str, data: str) -> None:
            nonlocal begun
            if not begun:
                self._head(HTTPStatus.OK, "text/event-stream; charset=utf-8")
                begun = True
            lines = "".join(f"data: {line}\n" for line in data.split("\n"))
            self.wfile.write((f"event: {event}\n{lines}\n" if event else ":\n\n").encode())
            self.wfile.flush()

        try:
            live.stream(write)
        except OverflowError:
            self._say(HTTPStatus.SERVICE_UNAVAILABLE)
