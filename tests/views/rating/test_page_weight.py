"""What a rating page weighs on the way to the rater: every page is compressed, within a budget."""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmarks.quick_client import Answered, rating_form
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
BUDGET = tomllib.loads((Path(__file__).parents[2] / "page_budget.toml").read_text(encoding="utf-8"))["warm"]
BROWSER = {"accept-encoding": "gzip, deflate, br", "prefer": "return=representation"}


@pytest.fixture
def rating() -> tuple[Client, Any]:
    """A rater's browser with the first item shown."""
    cast = make_cast(items=3)
    browser = Client(headers=BROWSER)
    browser.post(f"/join/{cast.invitation.token}/")
    return browser, browser.get(browser.get(f"/rate/{cast.slug}/").headers["Location"])


def text_of(response: Any) -> str:
    assert response["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in response["Vary"]
    return gzip.decompress(response.content).decode()


def test_an_item_and_the_one_that_follows_it_are_sent_compressed_within_the_budget(rating):
    browser, first = rating
    action, fields = rating_form(Answered(200, "", text_of(first), 0.0))
    following = browser.post(action, fields)
    assert following.status_code == 200
    assert "Rate item 1 of 3" in text_of(first)
    assert "Rate item 2 of 3" in text_of(following)
    assert max(len(first.content), len(following.content)) <= BUDGET["bytes"]


def test_a_page_that_holds_the_personal_link_repeats_nothing_of_its_address(rating):
    """Else its compressed length would tell of the link what an attacker guesses in the address."""
    browser, first = rating
    repeated = text_of(browser.get(f"{first.request['PATH_INFO']}?seen=guessed-by-an-attacker"))
    assert 'data-link="/join/' in repeated
    assert "guessed" not in repeated


def test_a_browser_that_reads_no_compression_gets_the_page_as_it_is(rating):
    browser, first = rating
    plain = browser.get(first.request["PATH_INFO"], headers={"accept-encoding": "identity"})
    assert "Content-Encoding" not in plain
    assert rating_form(Answered(200, "", plain.content.decode(), 0.0))
