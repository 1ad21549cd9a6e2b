"""Chromium, one second of thought: how long after Enter the next item is on the screen.

    python -m benchmarks.next_item [--items 40] [--study 20000] [--delay 0 100]

Two raters take turns at a study, item by item: one whose browser fetches pages ahead, and as the baseline
one whose requests for pages ahead are blocked, so that the next item comes with the answer to the save.
`--delay` adds milliseconds to each request, as a network would.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from benchmarks.exact import MAKE, found
from benchmarks.submissions import percentile
from tests.support import chromium
from tests.support.installation import Installation

THINK_MS, SOON_MS = 1000, 100
WINDOW: ViewportSize = {"width": 1280, "height": 800}
# From the key press to the first frame after the one that paints the next item.
WATCH = """
  addEventListener("keydown", ({ key }) => {
    if (key !== "Enter") return;
    const begun = performance.now(), title = document.title;
    const look = () => document.title === title ? requestAnimationFrame(look)
      : requestAnimationFrame(() => { window.tookMs = performance.now() - begun; });
    window.tookMs = null;
    requestAnimationFrame(look);
  }, true);
"""


def enter(browser: Browser, link: str, delay: int, *, ahead: bool) -> Page:
    """A rater who has joined and sees the first item."""
    page = browser.new_context(viewport=WINDOW, bypass_csp=True).new_page()
    page.add_init_script(WATCH)
    if not ahead:
        page.route("**/ahead/", lambda route: route.abort())
    page.goto(link)
    page.get_by_role("button", name="I agree").click()
    page.locator("html.has-script").wait_for(state="attached")
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    unlimited = {"downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", {"offline": False, "latency": delay, **unlimited})
    return page


def save(page: Page) -> float:
    """Think, choose, save: milliseconds until the next item is shown."""
    page.wait_for_timeout(THINK_MS)
    for place, key in enumerate("435"):
        if place:
            page.keyboard.press("ArrowDown")
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_function("window.tookMs > 0")
    return float(page.evaluate("window.tookMs"))


def measure(browser: Browser, link: str, delay: int, items: int) -> None:
    pages = {name: enter(browser, link, delay, ahead=name == "ahead") for name in ("ahead", "baseline")}
    took: dict[str, list[float]] = {name: [] for name in pages}
    for _ in range(items):
        for name, page in pages.items():
            took[name].append(save(page))
    for page in pages.values():
        page.context.close()
    for name, times in took.items():
        shown = ", ".join(f"{one} {value:.0f} ms" for one, value in figures(times).items())
        soon = sum(time < SOON_MS for time in times)
        print(f"delay {delay:>4} ms, {name:<8} {shown}; {soon} of {items} under {SOON_MS} ms")
    ratio = percentile(took["ahead"], 0.5) / percentile(took["baseline"], 0.5)
    print(f"delay {delay:>4} ms, median ahead / baseline {ratio:.2f}", flush=True)


def figures(times: list[float]) -> dict[str, float]:
    return {"median": percentile(times, 0.5), "p95": percentile(times, 0.95), "slowest": max(times)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--items", type=int, default=40, help="rated by each rater")
    parser.add_argument("--study", type=int, default=20_000, help="items of the study")
    parser.add_argument("--delay", type=int, nargs="+", default=[0, 100])
    options = parser.parse_args()
    path = chromium.find()
    if path is None:
        print("No Chromium is installed (Debian: apt-get install chromium).", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="groundwork-next-") as folder, sync_playwright() as playwright:
        installation = Installation(Path(folder) / "var", {})
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        with installation.serve("--bind", "127.0.0.1:0") as server:
            given = {"slug": "next", "items": options.study, "overlap": 3, "checks": False}
            token = found(installation, MAKE.format(given=json.dumps(given)))
            for delay in options.delay:
                measure(browser, f"{server.url}/join/{token}/", delay, options.items)
        installation.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
