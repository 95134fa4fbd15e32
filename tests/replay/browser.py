"""A headless Chromium of the system's, and nothing else: no download, no network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--disable-gpu", "--enable-unsafe-swiftshader", "--force-device-scale-factor=1",
)  # fmt: skip


@contextmanager
def browser(width: int = 1280, height: int = 720, log: bool = True, bars: bool = False) -> Iterator[Any]:
    """A Selenium driver whose pages are `width` by `height`; `log` keeps console and requests, which costs time; with
    `bars`, scroll bars take room."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (flag for flag in FLAGS if not (bars and flag == "--hide-scrollbars")):
        options.add_argument(flag)
    if log:
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        size(driver, width, height)
        driver.set_script_timeout(60)
        yield driver
    finally:
        driver.quit()


def size(driver: Any, width: int, height: int) -> None:
    """Make pages exactly so large."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def visit(driver: Any, page: Path, after: str = "") -> None:
    """Open a page from disk and wait until it is ready to use; `after` is a query or a fragment."""
    driver.get("about:blank")  # so that a change of the fragment alone loads the page anew
    driver.get(page.resolve().as_uri() + after)
    driver.execute_async_script(
        "const done = arguments[0]; window.replay.ready.then(() => done(), (e) => done(String(e)))"
    )
    driver.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"
    )
