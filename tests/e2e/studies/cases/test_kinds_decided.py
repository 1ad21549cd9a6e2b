"""An adjudicator decides a case of each newer kind of question by keys alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.every_kind.answering_keys import OPTIONS, expected, press
from tests.e2e.studies.cases.kind_cases import DECIDED, decided_in, opened
from tests.e2e.studies.signing_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.processes]
made: dict[str, Mapping[str, Any]] = {}
signed_in: dict[str, Any] = {}

# What is pressed on the page of a case; a text in brackets is typed.
KEYS = {
    "slider": "(72) Enter",
    "magnitude": "(12.5) Enter",
    "best-worst": "Digit1 Shift+Digit3 Enter",
    "ranking": "ArrowDown Space ArrowDown Space Enter",
    "errors": "(40) ArrowDown ArrowRight Shift+ArrowRight 2 m Enter",
    "binary": "y n y y n y y y n y y y y y Enter",
    "preference": "2 ArrowDown (The second one ends.) Control+Enter",
}


@pytest.fixture
def page(context: BrowserContext, demo: Demo) -> Page:
    """The owner, signed in once: log-ins are limited by the minute."""
    found = context.new_page()
    if demo.url not in signed_in:
        made[demo.url] = opened(demo)
        sign_in_as(found, demo, "owner@example.org")
        signed_in[demo.url] = context.storage_state()
    context.add_cookies(signed_in[demo.url]["cookies"])
    return found


def open_case(page: Page, demo: Demo, kind: str) -> str:
    one = made[demo.url][kind]
    address = f"{demo.url.rstrip('/')}/studies/{one['slug']}/adjudication/{one['case']}/"
    page.goto(address)
    expect(page.locator("html.has-script")).to_be_attached()
    return str(one["slug"])


@pytest.mark.parametrize("kind", DECIDED)
def test_a_case_of_each_kind_is_decided_by_keys_alone(page: Page, demo: Demo, kind: str) -> None:
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    slug = open_case(page, demo, kind)
    shown = page.locator(OPTIONS[kind][0]).evaluate_all(OPTIONS[kind][1]) if kind in OPTIONS else []
    press(page, KEYS[kind])
    expect(page.locator(".messages")).to_contain_text(" decided.")
    assert decided_in(demo, slug) == {key: str(value) for key, value in expected(kind, shown).items()}
    assert problems == []
