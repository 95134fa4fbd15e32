"""The page of a campaign in a real browser: what it shows, and that a point leads to its replay."""

import json
import sys
from pathlib import Path

import pytest

from softdock.campaign import campaign_of, rerun, results, run_campaign
from softdock.campaign.report import write_report

sys.path.insert(0, str(Path(__file__).parents[1] / "replay"))
from browser import CHROMIUM, DRIVER, browser

pytest.importorskip("selenium", reason="selenium drives the browser")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Debian's chromium and chromium-driver")

VARY = ["arm.kp=uniform(9, 11)", "payload.mass=uniform(90, 110)"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight short runs, of which run 3 is kept."""
    path = tmp_path_factory.mktemp("page") / "few & <odd>"
    campaign = campaign_of("iss-docking", vary=VARY, changes=["run.duration=0.5", "run.record_every=10"], runs=8)
    run_campaign(campaign, path, workers=1)
    rerun(path, 3)
    return write_report(path)


def test_the_page_shows_the_table_and_a_point_opens_its_replay(page: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    with browser() as driver:
        driver.get(page.as_uri())
        assert driver.find_element(By.TAG_NAME, "h1").text == "few & <odd>: iss-docking"
        assert driver.find_element(By.ID, "rate").text.startswith("0.0 % docked (0 of 8)")
        dots = {int(d.get_attribute("data-index")): d for d in driver.find_elements(By.CSS_SELECTOR, "circle.dot")}
        assert sorted(dots) == list(range(8))
        first = driver.current_window_handle
        dots[5].click()
        said = driver.find_element(By.ID, "detail").text
        assert "Run 5: not docked" in said and "--rerun 5" in said and len(driver.window_handles) == 1
        kp = results(page.parent)["arm.kp"].to_pylist()[5]
        assert f"arm.kp {float(f'{kp:.4g}'):g}" in said
        dots[3].click()  # a real one: browsers open no page for a script's
        WebDriverWait(driver, 300).until(lambda d: len(d.window_handles) == 2)
        driver.switch_to.window(next(w for w in driver.window_handles if w != first))
        WebDriverWait(driver, 300).until(lambda d: "runs/0000003/replay.html" in d.current_url)
        WebDriverWait(driver, 300).until(lambda d: d.execute_script("return !!window.replay"))
        messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
        asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)
        driver.switch_to.window(first)
        assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
