"""The longest plausible texts widen no page, and nothing of them is cut, on a phone and on a desktop."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.e2e.demo import Demo
from tests.e2e.rating.every_kind.kind_studies import LONG, opened
from tests.e2e.rating.every_kind.kinds import CASES

pytestmark = [pytest.mark.browser, pytest.mark.processes]
Studies = dict[str, dict[str, str]]
made: dict[str, Studies] = {}
WORD = "Donaudampfschifffahrtsgesellschaftskapitän" * 3
# Elements that are wider than the window, or that hide a part of what they hold.
FAULTS = """() => {
  const width = document.documentElement.clientWidth;
  // The name of a folded question is cut with three dots: it is whole where the question is.
  const styleOf = (one) => getComputedStyle(one);
  const hides = (one) => ["hidden", "clip"].includes(styleOf(one).overflowX)
    && styleOf(one).textOverflow !== "ellipsis";
  return [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility() && !one.closest(".vh")
    && one.textContent.trim()).filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      return left < -1 || right > width + 1 || hides(one) && one.scrollWidth > one.clientWidth + 1;
    }).map((one) => one.outerHTML.slice(0, 140));
}"""


@pytest.fixture
def studies(demo: Demo) -> Studies:
    """Made once for all kinds."""
    if demo.url not in made:
        made[demo.url] = opened(demo, "long", LONG, WORD)
    return made[demo.url]


@pytest.mark.parametrize("kind", CASES)
def test_the_longest_texts_fit_and_are_shown_whole(browser: Browser, studies: Studies, kind: str) -> None:
    page = browser.new_page()
    page.goto(studies[kind]["link"])
    page.get_by_role("button", name="I agree – start").click()
    page.locator("[data-open-keys]:not([hidden])").wait_for(state="attached")
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert (over, page.evaluate(FAULTS)) == (0, []), width
