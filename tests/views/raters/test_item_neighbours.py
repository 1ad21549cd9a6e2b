"""The item page leads to the items before and after in the list from which it was opened."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import FormVersion, Study
from tests.support.studies.disagreement_study import figures_of, make_study, owner_of

pytestmark = pytest.mark.django_db
LINK = re.compile(r'<a rel="(prev|next)" href="([^"]*)"')


@pytest.fixture
def study() -> Study:
    return make_study(groups=3)


@pytest.fixture
def client(study: Study) -> Client:
    client = Client()
    client.force_login(owner_of(study))
    return client


def page_at(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def around(page: str) -> dict[str, str]:
    return {which: html.unescape(address) for which, address in LINK.findall(page)}


def walk(client: Client, address: str) -> list[str]:
    """The items from one on, by the links to the next."""
    found = []
    while address:
        page = page_at(client, address)
        found.append(address.partition("/items/")[2].partition("/")[0])
        following = around(page).get("next", "")
        if following:
            assert around(page_at(client, following))["prev"] == address
        address = following
    return found


def test_the_links_walk_through_the_filtered_view_in_its_order(study: Study, client: Client) -> None:
    figures_of(study)
    query = "system=human&sort=-quality.sd"
    listed = page_at(client, f"{reverse('study-disagreement', args=[study.slug])}?{query}")
    links = re.findall(r'href="(/studies/[^"]*/items/[^"?]*\?view=[^"]*)"', listed)
    keys = [link.partition("/items/")[2].partition("/")[0] for link in links]
    assert len(keys) == 6
    assert walk(client, html.unescape(links[0])) == keys
    page = page_at(client, html.unescape(links[1]))
    assert "2 of 6" in page
    assert "system=human" in page


def test_the_links_walk_through_a_search_of_the_items(study: Study, client: Client) -> None:
    first = reverse("study-item", args=[study.slug, "G01-0"]) + "?q=bus+1"
    assert walk(client, first) == [f"G01-{place}" for place in range(5)]
    whole = reverse("study-item", args=[study.slug, "G02-3"])
    assert walk(client, whole) == ["G02-3", "G02-4"]


@pytest.mark.parametrize("view", ["q=nothing+has+this", "sort=unknown&where=x", "%00", "a=%ff"])
def test_a_view_that_lacks_the_item_or_is_damaged_shows_the_page_without_neighbours(
    study: Study, client: Client, view: str
) -> None:
    figures_of(study)
    address = reverse("study-item", args=[study.slug, "G00-0"])
    assert client.get(address, {"view": view}).status_code == 200


def test_a_text_is_called_as_the_form_calls_it(study: Study, client: Client) -> None:
    item = study.items.order_by("position")[0]
    name = next(iter(item.fields))
    FormVersion.objects.filter(form__study=study).update(
        blocks=[{"field": name, "label": "Sentence to rate"}]
    )
    page = page_at(client, reverse("study-item", args=[study.slug, item.key]))
    labels = re.findall(r'<span class="specimen__label"[^>]*>([^<]*)<', page)
    assert labels == ["Sentence to rate", *list(item.fields)[1:]]
