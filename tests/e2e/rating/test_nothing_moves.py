"""After the first paint of an item nothing of the form moves, whatever the page has to say."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin
from tests.e2e.rating.stillness.layout_shifts import Stillness, places

pytestmark = [pytest.mark.browser, pytest.mark.processes]

WINDOWS = [(1366, 620), (1280, 800), (360, 740)]


def save(page: Page) -> None:
    page.locator(".rate__actions button[type=submit]").click()


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_choosing_errors_offline_and_corrections_move_nothing(
    browser: Browser, demo: Demo, width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    still = Stillness(page)
    # Without a page fetched ahead, the item stays while its answer waits.
    page.route("**/ahead/", lambda route: route.abort())
    begin(page, demo)
    item, before = page.url, places(page)
    expect(page.get_by_role("button", name="Save and next")).to_be_in_viewport(ratio=1)
    page.keyboard.press("4")
    assert places(page) == before
    save(page)
    expect(page.locator(".criterion__error:visible")).to_have_count(2)
    assert places(page) == before
    for key in ("4", "ArrowDown", "2"):
        page.keyboard.press(key)
    expect(page.locator(".criterion__error:visible")).to_have_count(0)
    assert places(page) == before
    page.keyboard.press("x")
    expect(page.get_by_label("What is missing?")).to_be_visible()
    assert places(page) == before
    page.keyboard.press("x")
    context.set_offline(True)
    save(page)
    expect(page.locator("#offline")).to_be_visible()
    assert places(page) == before
    context.set_offline(False)
    at_item(page, 2)
    page.goto(item)
    expect(page.get_by_text("You have already answered this item.")).to_be_visible()
    assert places(page) == before
    for _ in range(2):
        page.keyboard.press("x")
        assert places(page) == before
    page.get_by_role("link", name="Comment on this item").click()
    page.get_by_label("Your comment").fill("Drums?")
    page.get_by_role("button", name="Send comment").click()
    expect(page.get_by_text("Comment sent. Your rating stays as it is.")).to_be_visible()
    assert places(page) == before
    assert still.shifts() == []
    context.close()


OPEN = """
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.people.invitations import invite
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state
owner = User.objects.get(email="owner@example.org")
for name in {names}:
    study = create_demo_study(
        template=TEMPLATES[name], slug=f"still-{{Study.objects.count()}}", title=name, owner=owner)
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    print("FOUND" + invite(study=study, actor=owner).token)
"""


def test_options_and_pairs_stay_where_they_are(browser: Browser, demo: Demo) -> None:
    printed = demo.installation.run_script(OPEN.format(names=["simile_probing", "preference"]))
    for token in printed.split("FOUND")[1:]:
        for width, height in WINDOWS:
            page = browser.new_page(viewport={"width": width, "height": height})
            still = Stillness(page)
            page.goto(f"{demo.url.rstrip('/')}/join/{token.split()[0]}/")
            page.get_by_role("button", name="I agree – start").click()
            at_item(page, 1)
            before = places(page)
            if width == 1280 and (sides := page.locator(".side")).count():
                # Texts that are compared are no smaller than a title.
                expect(sides.first).to_have_css("font-size", "26px")
            save(page)
            expect(page.get_by_text("Choose an option, or select “Can’t rate”.")).to_be_visible()
            assert places(page) == before
            for key in "21":
                page.keyboard.press(key)
                assert places(page) == before
            expect(page.locator(".criterion__error:visible")).to_have_count(0)
            assert places(page) == before
            assert still.shifts() == []
            page.close()


def test_the_focus_after_an_error_is_no_choice_and_keys_go_on_from_there(
    browser: Browser, demo: Demo
) -> None:
    page = browser.new_page()
    begin(page, demo)
    page.keyboard.press("Enter")
    expect(page.locator("fieldset[data-key=quality]")).to_be_focused()
    expect(page.locator(".says:visible")).to_have_count(0)
    page.keyboard.press("3")
    expect(page.locator("[name=answer-quality][value='3']")).to_be_checked()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("5")
    expect(page.locator("[name=answer-creativity][value='5']")).to_be_checked()
    page.close()


def test_seven_points_are_in_one_row_on_a_phone(browser: Browser, demo: Demo) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    begin(page, demo)
    rows = page.evaluate("""() => {
      const scale = document.querySelector(".scale");
      scale.className = "scale scale--7";
      const point = scale.querySelector(".point");
      while (scale.querySelectorAll(".point").length < 7) scale.prepend(point.cloneNode(true));
      const boxes = [...scale.querySelectorAll(".point")].map((one) => one.getBoundingClientRect());
      return [new Set(boxes.map((box) => box.y)).size, Math.min(...boxes.map((box) => box.width))];
    }""")
    assert rows[0] == 1
    assert rows[1] >= 40
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()
