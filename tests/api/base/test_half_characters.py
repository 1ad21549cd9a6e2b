"""Half a surrogate pair is refused wherever JSON is parsed: neither UTF-8 nor a database can hold it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from tests.support.people import Cast, join, make_cast

pytestmark = pytest.mark.django_db

BODIES = (r'{"\ud800": 1}', r'{"title": "half \udc00"}', r'{"a": [{"b": "\ud83d"}]}', r'"\ud800"')


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def send(client: APIClient, address: str, body: str) -> Any:
    client.raise_request_exception = False
    return client.post(address, body, content_type="application/json")


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("who", ["anonymous", "rater", "owner"])
def test_a_body_with_half_a_character_is_a_400(cast, who, body):
    client = join(cast.invitation)[1] if who == "rater" else cast.client(who)
    address = {
        "anonymous": f"/api/v1/join/{cast.invitation.token}/",
        "rater": f"/api/v1/rate/{cast.slug}/next/",
        "owner": f"{cast.base}/webhooks/",
    }[who]
    answer = send(client, address, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "lone_surrogate")
    assert "half a character" in answer.json()["message"]


def test_a_whole_character_written_as_a_pair_is_read(cast):
    answer = send(cast.client("owner"), "/api/v1/studies/", r'{"slug": "moon", "title": "\ud83c\udf19"}')
    assert (answer.status_code, answer.json()["title"]) == (201, "🌙")


@pytest.mark.parametrize(
    ("mapping", "status"),
    [
        (r'{"item": "item", "simile": "text:\ud800"}', 400),
        (r'{"item": "item", "simile": "text:x", "\ud800": ""}', 400),
        (r'{"item": "item", "simile": "text:\u0000"}', 422),
    ],
)
def test_names_of_columns_are_texts_that_can_be_stored(mapping, status):
    cast = make_cast(opened=False)
    client = cast.client("owner")
    client.raise_request_exception = False
    sent = {"file": SimpleUploadedFile("items.csv", b"item,simile\nX1,so\n"), "mapping": mapping}
    answer = client.post(f"{cast.base}/imports/", sent, format="multipart")
    assert answer.status_code == status
    assert not cast.study.jobs.exclude(kind="read_upload").exists()
    assert not cast.study.items.filter(key="X1").exists()
