"""The head of the page does not move when a number in it gets another digit, however long the title."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.e2e.rating.rating_pages import at_item, saved
from tests.e2e.rating.stillness.layout_shifts import Stillness
from tests.e2e.rating.stillness.sittings import PagesAhead, Study, rate_still

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_the_tenth_item_is_saved_while_the_ninth_is_on_the_way(context: BrowserContext, study: Study) -> None:
    page = context.new_page()
    still, fetched = Stillness(page), PagesAhead(page)
    page.goto(study.link)
    page.get_by_role("button", name="I agree – start").click()
    for number in range(1, 8):
        at_item(page, number)
        rate_still(page)
    at_item(page, 8)
    saved(page, 7)
    fetched.wait_for(10)
    on_the_way: list[Route] = []

    def hold(route: Route) -> None:
        on_the_way.append(route)

    page.route("**/rate/**", hold)
    for number in (8, 9, 10):
        at_item(page, number)
        rate_still(page)
        expect(page.get_by_text(f"Saving item {number}…")).to_be_visible()
    # No page is here after the tenth: it stays, and says the same of itself as of the ninth.
    at_item(page, 10)
    assert still.shifts() == []
    for route in on_the_way:
        route.abort()


PLACES = """
[...document.querySelectorAll(".head > *, .head__end > *")].map((one) => {
  const { x, y, width } = one.getBoundingClientRect();
  return one.matches(".thread") ? "" : [one.className, x, one.matches(".state") ? 0 : y, width].join(" ");
}).join("; ")
"""
LONG_TITLE = """
from annotation.models import Study
Study.objects.filter(slug="{slug}").update(title="Similes of quiet places, " * 7)
"""
SAY = """(state) => {
  document.querySelector("[data-shown]")?.remove();
  for (const one of document.querySelectorAll("[data-saying]")) one.hidden = one.dataset.saying !== state;
}"""


@pytest.mark.parametrize("width", [641, 760, 900, 959, 1200])
def test_under_a_long_title_the_head_keeps_its_places(
    context: BrowserContext, study: Study, width: int
) -> None:
    study.demo.installation.run_script(LONG_TITLE.format(slug=study.slug))
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(study.link)
    page.get_by_role("button", name="I agree – start").click()
    at_item(page, 1)
    seen = set()
    for number in (1, 12):
        count = page.locator(".head__end > .num")
        count.evaluate("(one, number) => one.textContent = `Item ${number} of 20`", number)
        for state in ("saving", "saved", "unsaved", ""):
            page.evaluate(SAY, state)
            seen.add(page.evaluate(PLACES))
    assert len(seen) == 1, seen
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(".head").bounding_box()
    assert box is not None
    assert box["height"] <= 60
