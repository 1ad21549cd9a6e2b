"""axe-core finds nothing wrong on a sample of researchers' pages; `make accessibility` checks every one."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Browser

from tests.e2e.demo import Demo
from tests.e2e.studies.window_widths import too_wide
from tests.e2e.walk.accessibility import violations
from tests.e2e.walk.choice import SCHEMES, WINDOWS
from tests.e2e.walk.researcher_pages import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.processes]

STUDY = "studies/everyday-similes/"
# At least one page of each part of the navigation, of the two homes and of what an account has.
SAMPLE = (
    "",
    "studies/new/",
    STUDY,
    f"{STUDY}items/L1-1/",
    f"{STUDY}raters/R-001/",
    f"{STUDY}settings/checks/",
    f"{STUDY}reliability/",
    f"{STUDY}disagreement/",
    f"{STUDY}adjudication/",
    f"{STUDY}exports/",
    f"{STUDY}pay/",
    f"{STUDY}settings/forms/similes/",
)
# The twelve forms that a page can have, each once.
FORMS = list(itertools.product(WINDOWS.values(), SCHEMES, ("en", "zh-hans", "ja")))


def test_a_sample_of_pages_in_every_form_passes_all_rules_and_fits_the_window(
    browser: Browser, demo: Demo
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page, found = context.new_page(), []
    sign_in(page, demo.url.rstrip("/"), "owner")
    for path, ((width, height), scheme, language) in zip(SAMPLE, FORMS, strict=True):
        context.add_cookies([{"name": "django_language", "value": language, "url": demo.url}])
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        answer = page.goto(f"{demo.url.rstrip('/')}/{path}")
        assert answer
        assert answer.status == 200, path
        assert page.locator("html").get_attribute("lang") == language, path
        where = f"{path} {width} {scheme} {language}"
        found += [f"{where}: {one}" for one in (*violations(page), *too_wide(page))]
    context.close()
    assert found == []
