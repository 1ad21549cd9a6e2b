"""A file may be called anything: what a file system does not take is no fault of the server."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
NAMES = ("é" * 200 + ".csv", "items." + "é" * 200, "..", "../../items.csv")


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False, items=0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", ["studies/lamps/items/", "studies/lamps/imports/", "published/hanna/"])
def test_a_name_that_cannot_be_stored_is_no_fault(cast: Cast, path: str, name: str) -> None:
    file = SimpleUploadedFile(name, b"item,simile\nL1,Like a moon.\n") if name != ".." else "items.csv"
    answer = cast.client("owner").post(f"/api/v1/{path}", {"file": file}, format="multipart")
    assert answer.status_code in {201, 202, 400, 422}, answer.content


@pytest.mark.parametrize("name", NAMES[:2])
def test_a_page_takes_such_a_file_or_says_why_not(cast: Cast, name: str) -> None:
    client = Client()
    client.force_login(cast.users["owner"])
    file = SimpleUploadedFile(name, b"item,simile\nL1,Like a moon.\n")
    answer = client.post(reverse("study-import", args=[cast.slug]), {"what": "items", "file": file})
    assert answer.status_code in {200, 302, 422}
