"""An adjudicator decides a case of each kind of question by keys alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.every_kind.answering_keys import press, shown_options
from tests.e2e.rating.every_kind.kinds import CASES
from tests.e2e.studies.cases.kind_cases import DECIDED, decided_in, opened
from tests.e2e.studies.signing_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.processes]
made: dict[str, Mapping[str, Any]] = {}
signed_in: dict[str, Any] = {}


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
    shown = shown_options(page, kind)
    press(page, CASES[kind].case_keys)
    expect(page.locator(".messages")).to_contain_text(" decided.")
    assert decided_in(demo, slug) == {key: str(value) for key, value in CASES[kind].answers(shown).items()}
    assert problems == []
