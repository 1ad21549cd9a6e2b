"""Theme and text size are a browser's own, also without scripts."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.views.base.display import CHOICES, DARK_WHERE
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


def head_of(client: Client, address: str) -> str:
    return client.get(address).content.decode().partition("<body")[0]


def test_a_theme_and_a_text_size_stay_with_the_browser_and_come_back_to_the_page():
    link = f"/join/{make_cast().invitation.token}/"
    client = Client()
    assert DARK_WHERE["system"] in head_of(client, link)
    answer = client.post(reverse("set-display"), {"theme": "dark", "next": link})
    assert answer["Location"] == link
    client.post(reverse("set-display"), {"text_size": "larger", "next": link})
    for address in (link, "/"):
        head = head_of(client, address)
        assert 'media="screen"' in head
        assert 'data-text-size="larger"' in head
    assert 'media="screen"' not in head_of(Client(), link)


def test_the_menu_shows_what_is_chosen():
    link = f"/join/{make_cast().invitation.token}/"
    client = Client()
    client.post(reverse("set-display"), {"theme": "light", "next": link})
    page = " ".join(client.get(link).content.decode().split())
    for name, values in CHOICES.items():
        for value in values:
            pressed = "true" if value in {"light", "standard"} else "false"
            assert f'name="{name}" value="{value}" aria-pressed="{pressed}"' in page


@pytest.mark.parametrize("sent", [{}, {"theme": "<b>"}, {"colour": "dark"}])
def test_anything_else_is_refused_and_sets_no_cookie(sent: dict[str, str]):
    answer = Client().post(reverse("set-display"), sent)
    assert answer.status_code == 400
    assert not answer.cookies


def test_a_cookie_with_anything_else_is_as_none():
    client = Client()
    client.cookies.load({"theme": '"><script>', "text_size": "huge"})
    head = head_of(client, "/")
    assert DARK_WHERE["system"] in head
    assert "data-text-size" not in head


@pytest.mark.parametrize("address", ["https://elsewhere.example/", "//elsewhere.example/", "foo", ""])
def test_it_leads_to_no_other_site(address: str):
    answer = Client().post(reverse("set-display"), {"theme": "dark", "next": address})
    assert (answer.status_code, answer["Location"]) == (302, "/")
