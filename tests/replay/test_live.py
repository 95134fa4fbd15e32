"""The page of a run that goes on: its stream read without a browser, the page in one, and who may ask for it."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, DRIVER, browser

from softdock.replay.document import inert
from softdock.replay.live import HOST, Live
from softdock.replay.page import replay_data
from softdock.runs.recording import read_run
from softdock.scenarios import Runner, load

SECONDS = 4.0
"""Of the clock, that a run takes here."""


class Slow:
    """A run that is shown live and waits between its compiled calls, in a thread of its own; if it `dawdles`, ten
    times as long in its second half until it was shown twice: on a busy machine pages are made more seldom."""

    def __init__(self, path: Path, seconds: float = SECONDS, dawdles: bool = False) -> None:
        self.path, self.seconds, self.dawdles = path, seconds, dawdles
        self.runner = Runner(load("free-flyer", ["run.duration=600.0", "run.record_every=20"]))
        self.live = Live(path, self.runner.dynamics, 600.0)
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        calls = 600.0 / (self.runner.simulation.chunk * self.runner.simulation.h)

        def progress(t: float) -> None:
            self.live.tell(t)
            late = self.dawdles and t > 300.0 and self.live._version < 2
            time.sleep(self.seconds / calls * (10 if late else 1))

        outcome = self.runner.record(self.path, progress)
        assert outcome.status == "done"
        self.live.end()


def asked(live: Live, path: str, host: str | None = None, method: str = "GET") -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection(HOST, live.port, timeout=20)
    connection.request(method, path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, dict(answer.headers), answer.read().decode()


def events(text: str) -> Iterator[tuple[str, list[str]]]:
    for block in text.split("\n\n"):
        kind, *data = block.split("\n")
        if kind.startswith("event: "):
            yield kind[7:], [line[6:] for line in data]


def test_the_stream_grows_with_the_run_and_ends_with_all_of_it(tmp_path: Path) -> None:
    slow = Slow(tmp_path / "run", dawdles=True)
    with slow.live as live:
        slow.thread.start()
        status, headers, text = asked(live, f"/{live.token}/stream")  # until it ends
        live.see_off(expected=False)
        slow.thread.join()
    heard = list(events(text))
    assert status == 200 and headers["Content-Type"].startswith("text/event-stream")
    runs = [json.loads(data[0]) for kind, data in heard if kind == "run"]
    ends = [run["channels"][run["t"]][1] for run in runs]
    assert len(runs) >= 3 and ends == sorted(ends) and ends[0] < ends[-1]
    assert [run["status"] for run in runs] == ["running"] * (len(runs) - 1) + ["done"]
    times = [json.loads(data[0])["t"] for kind, data in heard if kind == "time"]
    assert times == sorted(times) and times[-1] == pytest.approx(600.0) and len(times) > 4
    assert heard[-1][0] == "end"
    data, tracks, _ = replay_data(read_run(slow.path))
    assert heard[-2][0] == "run" and heard[-2][1][1] == tracks and runs[-1] == json.loads(inert(data))


def test_only_this_machine_and_who_knows_the_address_is_answered(tmp_path: Path) -> None:
    slow = Slow(tmp_path / "run")
    with slow.live as live:
        assert live.address == f"http://127.0.0.1:{live.port}/{live.token}/"
        status, headers, page = asked(live, f"/{live.token}/")
        assert status == 200 and "connect-src 'self'" in headers["Content-Security-Policy"]
        assert "default-src 'none'" in page and "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "Access-Control-Allow-Origin" not in headers and headers["Cache-Control"] == "no-store"
        assert asked(live, "/")[0] == asked(live, "/stream")[0] == asked(live, f"/{live.token}/../x")[0] == 404
        assert asked(live, f"/{live.token}/", host="evil.example")[0] == 403  # a name that was made to lead here
        assert asked(live, f"/{live.token}/", host=f"localhost:{live.port}")[0] == 200
        assert asked(live, f"/{live.token}/", method="POST")[0] == 501
        here = {found[4][0] for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in here - {HOST}:  # also its own other addresses do not answer
            with pytest.raises(OSError), socket.create_connection((address, live.port), 1):
                pass
        live.see_off(expected=False)
    assert not slow.path.exists()


def test_a_page_that_is_closed_early_does_not_matter(tmp_path: Path) -> None:
    slow = Slow(tmp_path / "run")
    with slow.live as live:
        slow.thread.start()
        connection = http.client.HTTPConnection(HOST, live.port, timeout=20)
        connection.request("GET", f"/{live.token}/stream")
        connection.getresponse().read(10)
        connection.close()
        slow.thread.join()
        began = time.monotonic()
        live.see_off(expected=False)
        assert time.monotonic() - began < 5
    assert read_run(slow.path).metrics["status"] == "done"


def started(tmp_path: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "softdock", "run", "free-flyer", "--out", str(tmp_path / "run"), "--no-figures"]
    return subprocess.Popen(
        [*command, "--live", "--no-open", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_ctrl_c_saves_what_there_is_and_ends_the_page(tmp_path: Path) -> None:
    run = started(tmp_path, "--set", "run.duration=30000.0", "--set", "run.record_every=1000")
    assert run.stderr
    port, token = re.findall(r"http://127\.0\.0\.1:(\d+)/([\w-]+)/", run.stderr.readline())[0]
    connection = http.client.HTTPConnection(HOST, int(port), timeout=20)
    connection.request("GET", f"/{token}/stream")
    answer, text = connection.getresponse(), ""
    while "event: run" not in text:
        text += answer.readline().decode()
    run.send_signal(signal.SIGINT)
    text += answer.read().decode()
    _, said = run.communicate(timeout=30)
    assert run.returncode == 130 and "interrupted at t =" in said
    assert text.rstrip().endswith("event: end\ndata:")
    last = [json.loads(data[0]) for kind, data in events(text) if kind == "run"][-1]
    assert last["status"] == "interrupted"
    metrics = read_run(tmp_path / "run").metrics
    assert metrics["status"] == "interrupted" and metrics["time"] > 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--live", "--port", "70000"], "--port 70000: ports are from 1 to 65535"),
        (["--live", "--port", "-1"], "--port -1: ports are from 1 to 65535"),
        (["--live", "--port", "TAKEN"], "is in use; choose another"),
        (["--port", "8000"], "--port 8000: is the port of --live"),
    ],
)
def test_a_port_that_cannot_be_had_is_told_in_one_line(tmp_path: Path, more: list[str], said: str) -> None:
    from typer.testing import CliRunner

    from softdock.cli.app import app

    with socket.create_server((HOST, 0)) as taken:
        arguments = [str(taken.getsockname()[1]) if x == "TAKEN" else x for x in more]
        done = CliRunner().invoke(app, ["run", "free-flyer", "--out", str(tmp_path / "run"), *arguments])
    assert done.exit_code == 2 and said in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Debian's chromium and chromium-driver")
def test_the_page_follows_the_run_and_is_whole_at_its_end(tmp_path: Path) -> None:
    pytest.importorskip("selenium", reason="selenium drives the browser")
    slow = Slow(tmp_path / "run", 5.0)
    with slow.live as live, browser() as driver:
        driver.get_log("performance")
        driver.get(live.address)
        slow.thread.start()
        driver.execute_async_script("window.replay.ready.then(arguments[0])")
        ask = driver.execute_script
        first = ask("return [window.replay.end(), document.querySelector('.badge').textContent]")
        assert 0 < first[0] < 600.0 and first[1] == "running"
        driver.execute_async_script(
            "const [was, done] = arguments;"
            "const look = () => window.replay.time() > was ? done() : setTimeout(look, 50); look()",
            first[0],
        )
        slow.thread.join()
        live.see_off(expected=False)
        driver.execute_async_script(
            "const done = arguments[0]; const look = () => document.querySelector('.badge.good')"
            " ? done() : setTimeout(look, 50); look()"
        )
        assert ask("return window.replay.end()") == pytest.approx(600.0)
        assert ask("return document.querySelectorAll('.plot canvas').length") >= 3
        assert ask("return document.querySelector('.live')") is None
        assert "energy" in ask("return document.querySelector('#tab-metrics').textContent")
        shown = ask("return window.replay.seek(300)")
        assert shown["time"] == pytest.approx(300.0) and set(shown["poses"]) == set(_bodies(slow.runner))
        messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        asked_for = {url for url in sent if not url.startswith(("data:", "blob:"))}
        assert asked_for == {live.address, f"{live.address}stream"}
        assert not [x for x in driver.get_log("browser") if x["level"] == "SEVERE"]


def _bodies(runner: Any) -> list[str]:
    return [body.name for body in runner.scenario.world.bodies]
