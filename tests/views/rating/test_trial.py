"""A member who tries a study that has nothing to show reads what is missing, not that all is done."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [("items", "This study has no items yet."), ("forms", "This study has no form yet.")],
)
def test_trying_an_incomplete_draft_names_what_is_missing(missing, sentence):
    cast = make_cast(opened=False)
    getattr(cast.study, missing).all().delete()
    client = Client()
    client.force_login(cast.users["owner"])
    page = client.get(reverse("rate", args=[cast.slug])).content.decode()
    assert sentence in page
    assert "Nothing to try yet" in page
    assert "Done. Thank you!" not in page
