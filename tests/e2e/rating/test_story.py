"""A long story and six criteria: text and rubric are in view at each of them, and nothing moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item
from tests.e2e.rating.stillness.layout_shifts import Stillness
from tests.e2e.rating.story_pages import begin, invited

pytestmark = [pytest.mark.browser, pytest.mark.processes]

CRITERIA = ["Relevance", "Coherence", "Empathy", "Surprise", "Engagement", "Complexity"]


def in_view(page: Page, css: str) -> bool:
    """Whether every visible element of a kind lies within the window."""
    return bool(
        page.evaluate(
            """(css) => [...document.querySelectorAll(css)].filter((one) => one.checkVisibility({
                 visibilityProperty: true })).every((one) => {
                 const { top, bottom } = one.getBoundingClientRect();
                 return bottom > top && top >= 0 && bottom <= window.innerHeight; })""",
            css,
        )
    )


def side_by_side(page: Page, first: str, second: str) -> bool:
    """Whether two elements of the row of buttons are side by side without overlapping."""
    left, right = (page.locator(f".rate__actions {css}").bounding_box() for css in (first, second))
    assert left is not None
    assert right is not None
    return left["x"] + left["width"] <= right["x"]


def test_text_and_rubric_are_in_view_at_each_criterion_on_a_laptop(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport={"width": 1366, "height": 620})
    still = Stillness(page)
    begin(page, demo)
    # A story is set as a book is, not as a single sentence.
    expect(page.locator(".specimen .long")).to_have_css("font-size", "20px")
    for place, name in enumerate(CRITERIA):
        page.mouse.move(300, 300)
        page.mouse.wheel(0, 150)
        page.wait_for_function("(least) => window.scrollY >= least", arg=min(150 * place, 600))
        rubric = page.locator(".criterion.is-shown")
        expect(rubric.locator(".criterion__name")).to_have_text(name)
        expect(rubric.locator(".says:visible")).to_have_count(rubric.locator(".point").count())
        assert in_view(page, ".criterion.is-shown :is(.point, .says), .rate__actions button, .steps button")
        assert page.locator(".specimen .long").evaluate("(one) => one.getBoundingClientRect().bottom > 500")
        onward = f"Next: {CRITERIA[place + 1]}" if place < 5 else "Save and next"
        page.keyboard.press("3")
        expect(page.get_by_role("button", name=onward)).to_be_visible()
        scrolled = page.evaluate("window.scrollY")
        page.keyboard.press("Enter")
        assert place == 5 or page.evaluate("window.scrollY") == scrolled
    assert still.shifts() == []
    at_item(page, 2)
    assert side_by_side(page, ".check span", ".previous"), "What is beside “Can’t rate” lies over it"
    page.keyboard.press("ArrowRight")
    expect(page.locator(".criterion.is-shown .criterion__name")).to_have_text("Coherence")
    page.get_by_role("button", name="Surprise").click()
    page.locator(".criterion.is-shown .says").nth(1).click(force=True)
    expect(page.locator("[name=answer-surprise][value='2']")).to_be_checked()
    page.close()


def test_on_a_phone_the_criteria_are_a_sheet_that_folds(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, demo)
    sheet = page.locator("form.criteria")
    assert sheet.evaluate("(one) => one.getBoundingClientRect().height") <= 0.7 * 740 + 1
    assert in_view(page, ".rate__actions button")
    page.get_by_role("button", name="Hide and read on").tap()
    assert sheet.evaluate("(one) => one.getBoundingClientRect().height") < 80
    page.get_by_role("button", name="Rate", exact=True).tap()
    page.locator(".criterion.is-shown .point").nth(3).tap()
    page.get_by_role("button", name="Next: Coherence").tap()
    expect(page.locator(".criterion.is-shown .criterion__name")).to_have_text("Coherence")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_on_a_phone_the_story_stays_where_it_is_read_while_it_is_rated(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, demo)
    page.evaluate("window.scrollTo(0, 700)")
    page.get_by_role("button", name="Hide and read on").tap()
    # What is folded is named, and the keyboard goes on where it was.
    expect(page.locator("[data-fold-now]")).to_have_text("Relevance: 1 of 6")
    expect(page.locator("[data-fold-now]")).to_be_visible()
    expect(page.get_by_role("button", name="Rate", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Hide and read on")).to_be_focused()
    expect(page.locator("[data-fold-now]")).to_be_hidden()
    for name in CRITERIA[1:]:
        page.locator(".criterion.is-shown .point").nth(2).tap()
        page.get_by_role("button", name=f"Next: {name}").tap()
        expect(page.locator(".criterion.is-shown .criterion__name")).to_have_text(name)
        assert page.evaluate("window.scrollY") == 700
    context.close()


def test_no_time_is_too_early_for_the_next_criterion(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    begin(page, demo, least_seconds=600)
    button = page.locator(".rate__actions button[type=submit]")
    border = "getComputedStyle(document.querySelector('.rate__actions button[type=submit]')).borderStyle"
    for name in CRITERIA[1:]:
        expect(button).to_contain_text(f"Next: {name}")
        assert page.evaluate(border) != "dashed"
        page.keyboard.press("3")
        page.keyboard.press("Enter")
    page.keyboard.press("3")
    expect(button).to_contain_text("Save and next")
    assert page.evaluate(border) == "dashed"
    page.close()


def test_without_scripts_the_criteria_follow_the_story(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(invited(demo))
    page.get_by_role("button", name="I agree – start").click()
    expect(page.get_by_role("group").filter(has=page.get_by_role("radio"))).to_have_count(6)
    expect(page.get_by_role("button", name="Next: Coherence")).to_have_count(0)
    tops = [one.bounding_box() for one in page.locator("fieldset.criterion").all()]
    ends = page.locator(".specimen").bounding_box()
    assert ends
    assert all(top and top["y"] >= ends["y"] + ends["height"] for top in tops)
    context.close()
