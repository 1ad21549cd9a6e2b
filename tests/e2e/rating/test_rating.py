"""A rater at work in a real browser: coming and going, correcting, without a connection."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys, saved, set_state

pytestmark = [pytest.mark.browser, pytest.mark.processes]

LOOK = """
import json
from annotation.models import Rater, Response
rater = Rater.objects.filter(simulated=False).exclude(consented_at=None).latest("pk")
rows = Response.objects.filter(assignment__rater=rater).order_by("assignment__position", "revision")
print("FOUND" + json.dumps([[r.assignment.position, r.revision, r.current, r.cannot_rate, r.remark,
    sorted(r.ratings.values_list("criterion__key", "value"))] for r in rows]))
"""


def stored(demo: Demo) -> list[list[Any]]:
    """The responses of the rater who joined last."""
    printed = demo.installation.run_script(LOOK)
    found: list[list[Any]] = json.loads(printed.partition("FOUND")[2])
    return found


def quality(page: Page, value: int):
    return page.locator(f"input[name=answer-quality][value='{value}']")


def test_a_lost_connection_neither_loses_nor_doubles_an_answer(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    context.set_offline(True)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    expect(page.locator("#offline")).to_be_visible()
    assert stored(demo) == []
    context.set_offline(False)
    at_item(page, 2)
    saved(page, 1)
    assert [row[:3] for row in stored(demo)] == [[1, 1, True]]


def test_an_answer_whose_session_has_ended_waits_until_the_rater_is_back(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)
    session_cookies = [cookie for cookie in context.cookies() if cookie["name"] == "sessionid"]
    context.clear_cookies(name="sessionid")
    rate_by_keys(page)
    page.keyboard.press("Enter")
    expect(page.locator("#waiting")).to_be_visible()
    assert stored(demo) == []
    context.add_cookies(session_cookies)  # type: ignore[arg-type]
    page.reload()
    at_item(page, 2)
    assert [row[:3] for row in stored(demo)] == [[1, 1, True]]


def test_an_answer_that_was_stored_but_not_acknowledged_is_not_doubled(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)

    def lose_the_answer(route):
        route.fetch()
        route.abort()

    page.route(
        "**/rate/**",
        lambda route: lose_the_answer(route) if route.request.method == "POST" else route.continue_(),
    )
    rate_by_keys(page)
    # The page may learn that it is stored before it says that it waits: pages fetched ahead say so too.
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        page.keyboard.press("Enter")
    page.unroute("**/rate/**")
    at_item(page, 2)
    saved(page, 1)
    assert [row[:3] for row in stored(demo)] == [[1, 1, True]]


def test_a_server_without_space_is_named_and_the_answer_is_sent_again_by_itself(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)
    reached = [True]

    def refuse(route):
        if route.request.method != "POST":
            route.continue_()
        elif reached[0]:
            route.fulfill(status=507)
        else:
            route.abort()

    page.route("**/rate/**", refuse)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    notice, offline = page.locator("#no-space"), page.locator("#offline")
    expect(notice).to_contain_text("The server has no space left. Answers waiting on this device: 1.")
    expect(notice).to_contain_text("kept on this device and sent again automatically")
    expect(notice).to_be_visible()
    expect(offline).to_be_hidden()
    reached[0] = False
    expect(offline).to_be_visible(timeout=20_000)
    expect(notice).to_be_hidden()
    assert stored(demo) == []
    page.unroute("**/rate/**")
    at_item(page, 2)
    saved(page, 1)
    assert [row[:3] for row in stored(demo)] == [[1, 1, True]]


def test_on_a_phone_what_is_missing_is_asked_above_the_bar(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(viewport={"width": 375, "height": 667})
    page = context.new_page()
    begin(page, demo)
    count = page.locator(".tell__count")
    expect(count).to_contain_text("Questions answered: 0 of 3.")
    quality(page, 4).check()
    expect(count).to_contain_text("Questions answered: 1 of 3.")
    count.get_by_role("button", name="Next: Creativity").click()
    expect(page.locator("fieldset[data-key=creativity]")).to_be_focused()
    expect(page.locator("fieldset[data-key=creativity]")).to_be_in_viewport(ratio=1)
    page.get_by_label("Can’t rate").check()
    question = page.locator(".remark")
    expect(question).to_be_in_viewport(ratio=1)
    asked, bar = question.bounding_box(), page.locator(".rate__actions").bounding_box()
    assert asked is not None
    assert bar is not None
    assert asked["y"] + asked["height"] <= bar["y"]
    page.keyboard.press("Tab")
    expect(question.locator("textarea")).to_be_focused()
    page.get_by_label("Can’t rate").uncheck()
    context.set_offline(True)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    notice = page.locator("#offline")
    expect(notice).to_contain_text("Answers waiting on this device: 1.")
    # A long message would cover a question.
    assert page.evaluate("document.querySelector('#offline').offsetHeight") <= 48
    notice.get_by_role("button", name="Details").click()
    expect(notice.get_by_text("They will be sent when you are back online.")).to_be_visible()
    expect(notice).to_be_focused()
    context.close()


def test_a_double_click_saves_once(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    rate_by_keys(page)
    page.get_by_role("button", name="Save and next").dblclick()
    at_item(page, 2)
    saved(page, 1)
    expect(page.locator(".criterion__error:visible")).to_have_count(0)
    assert [row[:2] for row in stored(demo)] == [[1, 1]]


def test_going_back_corrects_and_keeps_the_first_answer(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    rate_by_keys(page, "435")
    page.keyboard.press("Enter")
    at_item(page, 2)
    page.keyboard.press("b")
    at_item(page, 1)
    expect(quality(page, 4)).to_be_checked()
    quality(page, 4).focus()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    at_item(page, 2)
    saved(page, 1)
    rows = [
        (revision, current, dict(ratings)["quality"]) for _, revision, current, _, _, ratings in stored(demo)
    ]
    assert rows == [(1, False, 4), (2, True, 2)]


def test_what_is_chosen_survives_a_reload(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    page.keyboard.press("4")
    page.reload()
    at_item(page, 1)
    expect(quality(page, 4)).to_be_checked()


def test_a_missing_answer_is_pointed_out_and_nothing_is_sent(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(page.locator("[data-key=creativity] .criterion__error")).to_be_visible()
    expect(page.locator("[data-key=quality] .criterion__error")).to_be_hidden()
    assert stored(demo) == []


def test_cannot_rate_with_a_remark_on_a_phone(browser: Browser, demo: Demo) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, demo)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_text("Can’t rate: not enough context", exact=True).tap()
    page.get_by_label("What is missing?").fill("Who is speaking?")
    page.get_by_role("button", name="Save and next").tap()
    at_item(page, 2)
    saved(page, 1)
    assert stored(demo) == [[1, 1, True, "lacks_context", "Who is speaking?", []]]
    context.close()


def test_the_rubric_of_the_current_criterion_is_in_the_margin(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    expect(page.locator("#rubric-quality")).to_be_visible()
    page.keyboard.press("4")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#rubric-creativity")).to_be_visible()
    expect(page.locator("#rubric-quality")).to_be_hidden()
    expect(page.locator("#quality-4")).to_be_visible()


def test_the_rubric_stays_with_the_focus_where_the_page_moves_under_the_mouse(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)
    # The messages at the criteria push the last of them under the button that was pressed.
    page.get_by_role("button", name="Save and next").click()
    expect(page.locator(".criterion__error").first).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.locator("#rubric-quality")).to_be_visible()
    expect(page.locator("#rubric-informativeness")).to_be_hidden()


def test_an_answer_stored_while_the_study_was_paused_is_not_called_unsaved(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)
    set_state(demo, "paused")
    try:
        rate_by_keys(page)
        page.keyboard.press("Enter")
        expect(page.get_by_text("This study is paused")).to_be_visible()
        expect(page.get_by_text("was not saved")).to_be_hidden()
        assert [row[0] for row in stored(demo)] == [1]
    finally:
        set_state(demo, "open")
    page.goto(demo.link)
    at_item(page, 2)


def test_the_browsers_back_button_goes_to_the_item_before(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    rate_by_keys(page, "435")
    page.keyboard.press("Enter")
    saved(page, 1)
    at_item(page, 2)
    page.go_back()
    at_item(page, 1)
    expect(quality(page, 4)).to_be_checked()
    page.get_by_role("link", name="Go to current item").click()
    at_item(page, 2)


def covered_at_the_end(page: Page) -> float:
    """By how much the notices lie over the last scale where the page is scrolled to its end."""
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    scale = page.locator(".scale").last.bounding_box()
    notice = page.locator("#errors").bounding_box()
    assert scale
    assert notice
    return scale["y"] + scale["height"] - notice["y"]


def test_a_second_tab_does_not_replace_an_answer_unseen(context: BrowserContext, demo: Demo) -> None:
    first, second = context.new_page(), context.new_page()
    begin(first, demo)
    second.goto(first.url)
    at_item(second, 1)
    rate_by_keys(first, "435")
    first.keyboard.press("Enter")
    at_item(first, 2)
    saved(first, 1)
    rate_by_keys(second, "111")
    second.keyboard.press("Enter")
    expect(second.get_by_text("this answer was changed in another tab or on another device")).to_be_visible()
    assert [row[:2] for row in stored(demo)] == [[1, 1]]
    keep = second.get_by_role("link", name="Keep and continue")
    expect(second.get_by_text("Currently saved:")).to_be_visible()
    # A second Enter would keep what is stored.
    expect(keep).to_be_focused()
    assert covered_at_the_end(second) <= 0
    box = second.get_by_role("checkbox", name="Can’t rate: not enough context")
    box.check()
    assert covered_at_the_end(second) <= 0
    chosen = second.locator("[name=answer-quality][value='1']")
    expect(chosen).to_be_checked()
    expect(chosen).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    box.uncheck()
    second.get_by_role("button", name="Save and next").click()
    at_item(second, 2)
    saved(second, 1)
    assert [row[1:3] for row in stored(demo)] == [[1, False], [2, True]]


def test_an_error_text_goes_when_the_answer_is_there(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    page.keyboard.press("Enter")
    error = page.locator("[data-key=creativity] .criterion__error")
    expect(error).to_be_visible()
    page.locator("input[name=answer-creativity][value='3']").check()
    expect(error).to_be_hidden()
    expect(page.locator("[data-key=quality] .criterion__error")).to_be_visible()


def test_on_a_desktop_the_guide_fills_the_page_without_examples(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    begin(page, demo)
    page.get_by_role("link", name="Instructions").click()
    where = [
        page.locator(f"{part} >> nth=0").bounding_box()
        for part in (".guide h1", ".guide .contents", ".asked h2", ".asked__rubric")
    ]
    title, contents, criterion, rubric = (box for box in where if box)
    assert contents["x"] > 640
    assert contents["y"] < title["y"] + title["height"]
    assert abs(rubric["y"] - criterion["y"]) < 2
    assert rubric["x"] > title["x"] + 300
    page.goto(page.url.replace("/guide/", "/pause/"))
    fact, value = (page.locator(f".facts {part} >> nth=0").bounding_box() for part in ("dt", "dd"))
    assert fact
    assert value
    assert value["x"] > fact["x"] + 150
    assert value["y"] < fact["y"] + fact["height"]
    page.close()


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_the_guide_and_never_scrolls_sideways(browser: Browser, demo: Demo, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, demo)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".menu summary").tap()
    page.get_by_role("link", name="Instructions").tap()
    expect(page.get_by_role("heading", name="Instructions")).to_be_visible()
    context.close()
