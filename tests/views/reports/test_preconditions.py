"""Pages of results say what is missing before anything can be computed, and lead there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
OF_RATINGS = (
    "study-reliability",
    "study-systems",
    "study-metrics",
    "study-mixed-model",
    "study-multiverse",
    "study-disagreement",
)


def page_of(cast: Cast, name: str) -> str:
    client = Client()
    client.force_login(cast.users["owner"])
    answer = client.get(reverse(name, args=[cast.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def main_of(page: str) -> str:
    return page[page.index("<main") :]


def submits(page: str) -> list[Any]:
    return re.findall(r'<button class="btn[^>]*type="submit"', main_of(page))


@pytest.mark.parametrize("name", OF_RATINGS)
def test_without_ratings_a_draft_leads_to_opening_and_offers_no_computation(name: str) -> None:
    cast = make_cast(opened=False, items=0)
    page = page_of(cast, name)
    assert "No ratings yet." in page
    assert reverse("study-open", args=[cast.slug]) in main_of(page)
    assert not submits(page)


@pytest.mark.parametrize("name", OF_RATINGS)
def test_without_ratings_an_open_study_leads_to_its_invitation_links(name: str) -> None:
    cast = make_cast()
    page = page_of(cast, name)
    assert "No ratings yet." in page
    assert reverse("study-links", args=[cast.slug]) in main_of(page)
    assert not submits(page)


def test_scoring_without_items_leads_to_the_import() -> None:
    cast = make_cast(opened=False, items=0)
    page = page_of(cast, "study-score-runs")
    assert reverse("study-import", args=[cast.slug]) in main_of(page)
    assert not submits(page)


def test_the_overview_of_a_draft_without_items_offers_their_import_first() -> None:
    cast = make_cast(opened=False, items=0)
    buttons = re.findall(r'<a class="btn[^"]*" href="([^"]+)"', main_of(page_of(cast, "study")))
    assert buttons[:2] == [reverse(name, args=[cast.slug]) for name in ("study-import", "study-open")]
