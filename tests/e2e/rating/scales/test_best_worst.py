"""Best and worst are chosen by keys, by touch and without scripts, and no text is both."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import saved
from tests.e2e.rating.scales.order_study import LOOK
from tests.e2e.rating.scales.scale_study import begin, script_output
from tests.e2e.walk.accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.processes]
MAKE = """
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.people.invitations import invite
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state
owner = User.objects.get(email="owner@example.org")
slug = f"best-worst-{Study.objects.count()}"
template = TEMPLATES["best_worst_novelty"]
study = create_demo_study(template=template, slug=slug, title="Evenings", owner=owner)
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + slug + " " + invite(study=study, actor=owner).token)
"""
SHOWN = "points => points.map(point => point.value)"


@pytest.fixture
def study(demo: Demo) -> tuple[str, str]:
    slug, token = script_output(demo, MAKE).split()
    return slug, f"{demo.url.rstrip('/')}/join/{token}/"


def shown(page: Page) -> list[str]:
    order: list[str] = page.locator("[data-choice=best]").evaluate_all(SHOWN)
    return order


def quoted(best: str, worst: str) -> str:
    between = [letter for letter in "abcd" if letter not in (best, worst)]
    return str([[[best], between, [worst]]]).replace("'", '"')


def test_keys_choose_and_choosing_a_text_again_moves_it(
    context: BrowserContext, demo: Demo, study: tuple[str, str]
) -> None:
    slug, link = study
    page = context.new_page()
    begin(page, link)
    first, _, third, _ = shown(page)
    says, press = page.get_by_role("status").filter(has_text="hoos"), page.keyboard.press
    expect(says).to_have_text("Choose one best and one worst.")
    press("Digit3")
    expect(says).to_have_text("Best: 3. Now choose the worst.")
    press("Enter")
    # Only the choice that is missing is asked for and marked.
    expect(page.locator(".criterion__error")).to_have_text(
        "Best: 3. Now choose the worst.", use_inner_text=True
    )
    border = "option => getComputedStyle(option).borderTopColor"
    best, worst = (
        page.get_by_role("radio", name=f"{choice}: option 1").evaluate(border) for choice in ("Best", "Worst")
    )
    assert best != worst
    press("Shift+Digit3")
    expect(says).to_have_text("Worst: 3. Now choose the best.")
    expect(page.get_by_role("radio", name="Best: option 3")).not_to_be_checked()
    press("Digit1")
    expect(says).to_have_text("Best: 1, worst: 3. Choosing again replaces the choice.")
    # A fifth text does not exist.
    press("Digit5")
    page.reload()
    page.get_by_role("button", name="Save and next").wait_for()
    expect(says).to_have_text("Best: 1, worst: 3. Choosing again replaces the choice.")
    press("Enter")
    saved(page, 1)
    assert script_output(demo, LOOK % slug) == quoted(first, third)


def test_touch_chooses_on_a_phone_in_all_languages_without_faults(
    browser: Browser, demo: Demo, study: tuple[str, str]
) -> None:
    slug, link = study
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    begin(page, link)
    _, second, _, fourth = shown(page)
    page.locator(".point:has([data-choice=best])").nth(1).tap()
    page.locator(".point:has([data-choice=worst])").nth(3).tap()
    # The line below names the texts by these numbers.
    expect(page.locator(".best-worst__number").nth(1)).to_be_visible()
    schemes: dict[str, Literal["light", "dark"]] = {"ja": "dark", "zh-hans": "light", "en": "light"}
    for language, scheme in schemes.items():
        context.add_cookies([{"name": "django_language", "value": language, "url": demo.url}])
        page.emulate_media(color_scheme=scheme)
        page.reload()
        expect(page.locator("[data-choice]:checked")).to_have_count(2)
        # The same question in another language is no new one.
        expect(page.locator(".criterion__new")).to_have_count(0)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("button[type=submit].btn--main").tap()
    saved(page, 1)
    expect(page.locator("[data-choice]:checked")).to_have_count(0)
    assert script_output(demo, LOOK % slug) == quoted(second, fourth)
    context.close()


def test_two_groups_of_radio_buttons_are_enough_without_scripts(
    browser: Browser, demo: Demo, study: tuple[str, str]
) -> None:
    slug, link = study
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    begin(page, link)
    order = shown_plain(page)
    page.get_by_role("radio", name="Best: option 2").check()
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("The worst is missing: choose one option as the worst").first).to_be_visible()
    page.get_by_role("alert").get_by_role("link", name="Novelty").click()
    expect(page).to_have_url(re.compile("#asked-"))
    page.get_by_role("radio", name="Worst: option 2").check()
    page.get_by_role("button", name="Save and next").click()
    expect(
        page.get_by_text("Choose one option as the best and another one as the worst.").first
    ).to_be_visible()
    expect(page.get_by_role("radio", name="Best: option 2")).to_be_checked()
    page.get_by_role("radio", name="Worst: option 4").check()
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Item 2 of 24").first).to_be_visible()
    assert script_output(demo, LOOK % slug) == quoted(order[1], order[3])
    context.close()


def shown_plain(page: Page) -> list[str]:
    """The options in order, on a page without scripts."""
    points = page.get_by_role("radio", name="Best")
    return [str(points.nth(place).get_attribute("value")) for place in range(4)]
