"""When a job ends, the page that shows its figures is loaded once, however long that takes."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.e2e.demo import Demo
from tests.support.people import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.processes]

MAKE = """
from annotation.models import Study
from tests.support.studies.rated_study import rated_study
if not Study.objects.filter(slug="lamps").exists():
    rated_study(with_scores=False)
"""
# Longer than the part about the job waits before it asks again.
SLOW_SECONDS = 4


def test_a_page_that_loads_slowly_is_asked_for_once_when_its_job_has_ended(
    context: BrowserContext, demo: Demo
) -> None:
    demo.installation.run_script(MAKE)
    page = context.new_page()
    page.goto(f"{demo.url.rstrip('/')}/account/login/?next=/studies/lamps/reliability/")
    page.get_by_label("Email").fill("owner-lamps@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    asked: list[str] = []

    def slowly(route: Route) -> None:
        # The page that answers what was sent is the end of a redirection, which is not caught.
        if route.request.method == "GET":
            asked.append(route.request.url)
            time.sleep(SLOW_SECONDS)
        route.continue_()

    page.route("**/studies/lamps/reliability/", slowly)
    page.get_by_role("button", name="Compute reliability").click()
    heading = page.get_by_role("heading", name="Coefficients with 95% CI")
    expect(heading).to_be_visible(timeout=60_000)
    assert len(asked) == 1
