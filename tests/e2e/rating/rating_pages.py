"""The pages of a rater of the demo study."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.demo import Demo


def begin(page: Page, demo: Demo) -> None:
    page.goto(demo.link)
    page.get_by_role("button", name="I agree – start").click()
    at_item(page, 1)


def at_item(page: Page, number: int) -> None:
    expect(page).to_have_title(re.compile(f"^Item {number} of "), timeout=20_000)
    page.locator("html.has-script").wait_for(state="attached")


def saved(page: Page, number: int) -> None:
    """The page says that the item is saved: the next one may have been shown before."""
    state = page.locator(".head__end > .state")
    expect(state).to_have_text(f"Item {number} saved", use_inner_text=True, timeout=20_000)


def rate_by_keys(page: Page, keys: str = "435") -> None:
    for place, key in enumerate(keys):
        if place:
            page.keyboard.press("ArrowDown")
        page.keyboard.press(key)


PAUSE = """
from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.services.studies.lifecycle import change_state
change_state(study=Study.objects.get(slug="everyday-similes"), to=StudyState("{state}"), actor=None)
"""


def set_state(demo: Demo, state: str) -> None:
    demo.installation.run_script(PAUSE.format(state=state))


RELEASE = """
from annotation.domain.base.states import SeatState
from annotation.models import Seat
Seat.objects.filter(state=SeatState.RESERVED).update(state=SeatState.FREE, rater=None, until=None)
"""


def release_reservations(demo: Demo) -> None:
    """Give back what raters of earlier tests left reserved: pages are fetched ahead where enough is free."""
    demo.installation.run_script(RELEASE)
