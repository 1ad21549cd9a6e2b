"""A slider is answered by keys, by touch and without scripts, and is missing until the rater acts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.rating_pages import saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]

MAKE = """
from dataclasses import replace
from annotation.domain.base.states import StudyState
from annotation.domain.questions.kinds.registry import KINDS
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import Point, Serving
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
template = TEMPLATES["miyazawa"]
form = template.forms[0]
(asked,) = form.criteria
ends = (Point("0", "does not fit at all"), Point("100", "fits perfectly"))
apt = replace(asked, key="apt", name="Aptness", question="How well does it fit?", points=ends,
    kind=KINDS["slider"])
liked = replace(apt, key="liked", name="Liking", points=(Point("0", "not at all"), Point("1", "very much")),
    settings={"slider": {"step": 0.1}})
made = replace(template, forms=(replace(form, criteria=(apt, liked)),), serving=Serving())
slug = f"slider-{Study.objects.count()}"
study = create_from_template(template=made, slug=slug, title="Sliders", owner=owner, overlap=9)
add_items(study=study, rows=[NewItem(key=key, fields={"expression": "a parcel left with neighbours"})
    for key in ("I-1", "I-2")])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + slug + " " + invite(study=study, actor=owner).token)
"""
LOOK = """
import json
from annotation.models import Rating
found = Rating.objects.filter(criterion__version__form__study__slug="%s").order_by("pk")
print("FOUND" + json.dumps(list(found.values_list("criterion__key", "value"))))
"""


def told(demo: Demo, script: str) -> str:
    return demo.installation.run_script(script).partition("FOUND")[2].strip()


@pytest.fixture
def study(demo: Demo) -> tuple[str, str]:
    slug, token = told(demo, MAKE).split()
    return slug, f"{demo.url.rstrip('/')}/join/{token}/"


def stored(demo: Demo, slug: str) -> Any:
    return json.loads(told(demo, LOOK % slug))


def begin(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()
    page.get_by_role("button", name="Save and next").wait_for()


def test_nothing_is_chosen_until_a_key_places_the_mark(
    context: BrowserContext, demo: Demo, study: tuple[str, str]
) -> None:
    slug, link = study
    page = context.new_page()
    begin(page, link)
    apt = page.get_by_role("slider", name="Aptness: 0 does not fit at all, 100 fits perfectly")
    number = page.get_by_role("spinbutton", name="Aptness, a number from 0 to 100")
    liked = page.get_by_role("slider", name="Liking: 0 not at all, 1 very much")
    expect(apt).to_have_attribute("aria-valuetext", "Not placed yet")
    expect(number).to_have_value("")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("Place the mark on the line").first).to_be_visible()
    expect(apt).to_be_focused()
    for key, value in [
        *[("ArrowRight", "0"), ("ArrowRight", "1"), ("PageUp", "11"), ("End", "100"), ("PageDown", "90")],
        *[("Home", "0"), ("Delete", ""), ("ArrowLeft", "100"), ("ArrowLeft", "99")],
    ]:
        page.keyboard.press(key)
        expect(number).to_have_value(value)
        expect(apt).to_have_attribute("aria-valuetext", value or "Not placed yet")
    page.keyboard.type("72")
    expect(number).to_have_value("72")
    expect(apt).to_have_value("72")
    liked.focus()
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    saved(page, 1)
    assert stored(demo, slug) == [["apt", 72], ["liked", 0.3]]


def test_up_and_down_go_to_another_slider_and_never_answer(
    context: BrowserContext, study: tuple[str, str]
) -> None:
    page = context.new_page()
    begin(page, study[1])
    apt, liked = (page.get_by_role("slider", name=name) for name in ("Aptness", "Liking"))
    number = page.get_by_role("spinbutton", name="Aptness")
    expect(apt).to_be_visible()
    # With the focus nowhere a digit begins the answer to the first slider that is open.
    page.keyboard.type("42")
    expect(number).to_have_value("42")
    page.keyboard.press("ArrowDown")
    expect(liked).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(apt).to_be_focused()
    number.focus()
    number.hover()
    page.mouse.wheel(0, 40)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(number).to_have_value("42")
    expect(page.get_by_role("spinbutton", name="Liking")).to_have_value("")
    expect(page.get_by_text("go to another criterion")).to_have_count(1)


def test_a_touch_places_the_mark_on_a_narrow_screen(
    browser: Browser, demo: Demo, study: tuple[str, str]
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 720}, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, study[1])
    for name in ("Aptness", "Liking"):
        line = page.get_by_role("slider", name=name)
        line.evaluate("line => line.scrollIntoView({ block: 'center' })")
        box = line.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        # The middle, where the hidden mark is: a touch there moves nothing.
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("spinbutton", name="Aptness")).to_have_value("50")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("slider", name="Aptness")).to_have_attribute("aria-valuetext", "Not placed yet")
    saved(page, 1)
    assert stored(demo, study[0])[0] == ["apt", 50]
    context.close()


def test_the_field_is_the_control_without_scripts(
    browser: Browser, demo: Demo, study: tuple[str, str]
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    begin(page, study[1])
    expect(page.get_by_role("slider")).to_have_count(0)
    page.get_by_role("spinbutton", name="Aptness").fill("18")
    page.get_by_role("spinbutton", name="Liking").fill("0.7")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("spinbutton", name="Aptness")).to_have_value("")
    assert stored(demo, study[0]) == [["apt", 18], ["liked", 0.7]]
    context.close()
