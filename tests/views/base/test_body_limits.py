"""What is sent is measured, and who sends it is checked, before any of it is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from annotation.models import User
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
MORE = 2 * 1024 * 1024 + 1
FILES = ("/studies/lamps/settings/import/", "/studies/lamps/qualification/", "/studies/lamps/scores/import/")
ALSO_FILES = ("/studies/new/", "/studies/new/definition/")
seen: list[str] = []


class Noting(FileUploadHandler):
    """Notes each file whose body is read; Django calls it where it would write a file of its own."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        seen.append(self.request.path if self.request else "")
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:  # noqa: ARG002
        return raw_data

    def file_complete(self, file_size: int) -> None: ...


@pytest.fixture(autouse=True)
def noted(settings: Any) -> list[str]:
    settings.FILE_UPLOAD_HANDLERS = [f"{__name__}.Noting"]
    seen.clear()
    return seen


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


def routes(patterns: Any = None, before: str = "") -> Iterator[str]:
    for one in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(one.pattern).removeprefix("^").removesuffix("$")
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, route)
        elif isinstance(one, URLPattern):
            yield route


def address(route: str, token: str) -> str:
    words = {"slug": "lamps", "pk": "1", "token": token, "number": "1", "key": "a"}
    pieces = (piece.partition(":")[2].rstrip(">") if "<" in piece else piece for piece in route.split("/"))
    return "/" + "/".join(words.get(piece, piece.lstrip("^")) for piece in pieces)


def send(client: Client, path: str, size: int = MORE) -> Any:
    """A form with a file and a token against forgery, which the check of it would read."""
    client.cookies[django_settings.CSRF_COOKIE_NAME] = "a" * 32
    return client.post(
        path, {"csrfmiddlewaretoken": "a" * 32, "file": SimpleUploadedFile("a.csv", b"a" * size)}
    )


def test_no_address_reads_the_file_of_a_visitor_who_is_not_signed_in(cast: Cast, noted: list[str]) -> None:
    client = Client(enforce_csrf_checks=True)
    addresses = sorted({address(route, cast.invitation.token) for route in routes()})
    assert len(addresses) > 150
    answers = {path: send(client, path).status_code for path in addresses}
    assert noted == []
    assert {path: status for path, status in answers.items() if status >= 500} == {}
    assert answers[f"/join/{cast.invitation.token}/"] == 413
    assert answers["/account/login/"] == 413


@pytest.mark.parametrize("path", FILES)
def test_a_study_reads_no_file_of_a_user_without_the_right_to_send_one(
    cast: Cast, noted: list[str], path: str
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.users["stranger"])
    assert send(client, path, 100).status_code == 404
    assert noted == []


@pytest.mark.parametrize("path", [*FILES, *ALSO_FILES])
def test_a_page_that_takes_files_still_refuses_forged_forms(cast: Cast, path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.users["owner"])
    assert client.post(path, {"file": SimpleUploadedFile("a.csv", b"a")}).status_code == 403
    assert send(client, path, 100).status_code != 403


@pytest.mark.parametrize("path", [*FILES, *ALSO_FILES, "/api/v1/studies/lamps/items/"])
def test_a_file_larger_than_is_taken_is_refused_before_it_is_read(
    cast: Cast, noted: list[str], settings: Any, path: str
) -> None:
    settings.UPLOAD_MAX_BYTES = 1024 * 1024  # and 1 MB for the rest of a form
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(pk=cast.users["owner"].pk))
    answer = send(client, path)
    assert answer.status_code == 413
    assert "larger than 2 MB" in answer.content.decode()
    assert noted == []


def test_a_body_of_unsaid_length_is_refused(cast: Cast) -> None:
    for path in ("/account/login/", "/api/v1/auth/token/", FILES[0]):
        answer = Client().post(path, {"a": "b"}, HTTP_TRANSFER_ENCODING="chunked")
        assert answer.status_code == 411, path
