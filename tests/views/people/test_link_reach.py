"""Where a link is shown that raters elsewhere cannot open, the page says so and names the setting."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
DOCUMENTED = "/help/deployment/#one-machine-nothing-to-install"
PAGES = ("study-links", "study-open")


def shown(page: str, host: str, *, opened: bool) -> str:
    cast = make_cast(opened=opened)
    client = Client(headers={"host": host})
    client.force_login(cast.users["owner"])
    return client.get(reverse(page, args=[cast.slug])).content.decode()


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("page", PAGES)
def test_a_link_of_this_machine_names_the_setting_and_its_documentation(page: str, opened: bool) -> None:
    text = shown(page, "127.0.0.1:8000", opened=opened)
    assert "Raters on other computers cannot open invitation links that begin with 127.0.0.1" in text
    assert "GROUNDWORK_HOSTS" in text
    assert DOCUMENTED in text


@pytest.mark.parametrize("page", PAGES)
def test_a_link_of_a_network_says_who_can_open_it(page: str) -> None:
    text = shown(page, "testserver", opened=True)
    assert "Only people in your network can open invitation links that begin with testserver" in text


@pytest.mark.parametrize("page", PAGES)
def test_a_link_that_everybody_can_open_has_no_warning(page: str, settings) -> None:
    settings.ALLOWED_HOSTS = ["ratings.example.org"]
    text = shown(page, "ratings.example.org", opened=True)
    assert "http://ratings.example.org/join/" in text
    assert DOCUMENTED not in text
