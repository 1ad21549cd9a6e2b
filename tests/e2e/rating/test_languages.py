"""Rating in Chinese and Japanese in a browser: with an input method, changing the language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import at_item, begin, rate_by_keys

pytestmark = [pytest.mark.browser, pytest.mark.processes]

ENTER_OF_A_COMPOSITION = """(field) => field.dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...%s }))"""


@pytest.mark.parametrize("event_property", ["{ isComposing: true }", "{ keyCode: 229 }"])
def test_enter_that_ends_a_composition_does_not_save(
    context: BrowserContext, demo: Demo, event_property: str
) -> None:
    page = context.new_page()
    begin(page, demo)
    rate_by_keys(page)
    page.locator("input[name=answer-quality]:checked").evaluate(ENTER_OF_A_COMPOSITION % event_property)
    page.wait_for_timeout(300)
    at_item(page, 1)
    page.keyboard.press("Enter")
    at_item(page, 2)


def test_the_language_is_changed_in_the_menu_and_the_answers_begun_stay(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)
    rate_by_keys(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    rate_by_keys(page, "4")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="日本語").click()
    expect(page).to_have_title(re.compile(r"件中2件目"))
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator("input[name=answer-quality]:checked")).to_have_value("4")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="English").click()
    at_item(page, 2)


def test_theme_and_text_size_apply_at_once_and_stay_with_the_browser(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin(page, demo)
    rate_by_keys(page)
    paper, size = (
        "getComputedStyle(document.body).backgroundColor",
        "getComputedStyle(document.body).fontSize",
    )
    light, standard = page.evaluate(paper), page.evaluate(size)
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("button", name="Very large").click()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(paper) != light
    assert float(page.evaluate(size)[:-2]) == pytest.approx(1.3 * float(standard[:-2]))
    page.keyboard.press("Escape")
    expect(page.locator(".menu summary")).to_be_focused()
    expect(page.get_by_role("button", name="Dark")).to_be_hidden()
    dark = page.evaluate(paper)
    page.locator("h1").focus()
    page.keyboard.press("Enter")
    at_item(page, 2)
    page.reload()
    assert (page.evaluate(paper), page.evaluate(size)) == (dark, f"{1.3 * float(standard[:-2]):g}px")


LINE_HEIGHT = """(text) => {
  const style = getComputedStyle(text);
  return parseFloat(style.lineHeight) / parseFloat(style.fontSize);
}"""
# Where each line of what is underlined ends, and where its last letter does.
ENDS_OF_LINES = """(marked) => {
  const range = document.createRange(), letters = new Map();
  const text = marked.firstChild;
  for (let at = 0; at < text.length; at += 1) {
    if (!text.data[at].trim()) continue;
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const box = range.getBoundingClientRect();
    letters.set(Math.round(box.top), box.right);
  }
  return [...marked.getClientRects()].map((line) => [line.right, letters.get(Math.round(line.top))]);
}"""


def test_an_english_text_has_the_same_lines_on_a_japanese_page(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    text = page.locator(".figure-text")
    english = text.evaluate(LINE_HEIGHT)
    page.locator(".menu summary").click()
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert text.evaluate(LINE_HEIGHT) == english


def test_the_line_under_a_vehicle_ends_with_its_last_letter(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin(page, demo)
    vehicle = page.locator("em.vehicle")
    vehicle.evaluate("(one) => { one.textContent = 'a rumour nobody could trace '.repeat(9).trim(); }")
    lines = vehicle.evaluate(ENDS_OF_LINES)
    assert len(lines) > 2
    assert [end for end, _ in lines] == pytest.approx([letter for _, letter in lines], abs=0.5)


PAIRS = """
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.registry import TEMPLATES
from annotation.services.people.invitations import invite
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state
owner = User.objects.get(email="owner@example.org")
study = create_demo_study(template=TEMPLATES["preference_ties"], slug="pairs", title="Pairs", owner=owner)
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""
LEAST_LINE = 10
NAMED = """
from annotation.models import Study
title = "字義通りの文に対する直喩（HAUSER）、2ステージ"
study = Study.objects.get(slug="everyday-similes")
study.translations["ja"]["title"] = title
study.save(update_fields=["translations"])
"""


def test_a_long_japanese_title_is_not_cut_in_the_head(browser: Browser, demo: Demo) -> None:
    demo.installation.run_script(NAMED)
    context = browser.new_context(locale="ja", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(demo.link)
    page.get_by_role("button", name="同意して始める").click()
    title = page.locator(".head__where")
    expect(title).to_contain_text("2ステージ")
    # A third line would be hidden; glyphs reach a little beyond their line.
    hidden = "(one) => Math.max(one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth)"
    assert title.evaluate(hidden) < LEAST_LINE
    assert page.locator(".head").evaluate("(one) => one.offsetHeight") < 60
    context.close()


def test_options_have_the_colours_of_the_dark_theme(browser: Browser, demo: Demo) -> None:
    """Browsers fill radio buttons with a grey of their own there."""
    token = demo.installation.run_script(PAIRS).partition("FOUND")[2].strip()
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{demo.url.rstrip('/')}/join/{token}/")
    page.get_by_role("button", name="I agree – start").click()
    fill = "(one) => [getComputedStyle(one).appearance, getComputedStyle(one).backgroundColor].join()"
    page.mouse.move(0, 0)
    surface = page.locator(".side").first.evaluate("(one) => getComputedStyle(one).backgroundColor")
    for radio in page.locator(".pair input").all():
        assert radio.evaluate(fill) == f"none,{surface}"
    context.close()
