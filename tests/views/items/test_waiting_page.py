"""The sender of a file that takes longer waits on a page that says how far it is, without JavaScript too."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Upload
from annotation.services.base.uploads.receiving import receive_upload
from annotation.tasks import run_job
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
PAGE = "/studies/lamps/settings/import/"


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


def sent(cast: Cast, content: bytes, name: str = "my.csv") -> tuple[Upload, str]:
    file = SimpleUploadedFile(name, content)
    upload = receive_upload(act="items", file=file, actor=cast.users["owner"], study=cast.study, page=PAGE)
    return upload, f"{PAGE}?upload={upload.pk}"


def visitor(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_the_page_waits_until_the_worker_is_done_and_then_tells_what_was_stored(cast: Cast) -> None:
    upload, address = sent(cast, b"item,simile\ni1,like rain\n")
    owner = visitor(cast, "owner")
    waiting = owner.get(address).content.decode()
    assert "my.csv" in waiting
    assert "Waiting for a worker." in waiting
    assert "No worker is running. Jobs wait until a worker starts." in waiting
    assert '<noscript><meta http-equiv="refresh"' in waiting
    part: Any = owner.get(address, HTTP_HX_REQUEST="true")
    assert (part.status_code, "<html" in part.content.decode()) == (200, False)
    run_job(upload.job_id or 0)
    ended: Any = owner.get(address, HTTP_HX_REQUEST="true")
    assert (ended.status_code, ended.headers["HX-Trigger"]) == (286, "outdated")
    assert "1 item added from my.csv." in owner.get(address, follow=True).content.decode()


def test_what_is_wrong_with_a_file_is_shown_where_its_sender_waited(cast: Cast) -> None:
    upload, address = sent(cast, b"item,simile\ni1\n")
    run_job(upload.job_id or 0)
    page = visitor(cast, "owner").get(address)
    assert page.status_code == 422
    assert "1 cells, but the header has 2" in page.content.decode()


def test_an_infinite_number_in_a_file_is_a_problem_of_its_row(cast: Cast) -> None:
    upload, address = sent(cast, b'{"item": "i1", "simile": 1e999}', name="my.jsonl")
    run_job(upload.job_id or 0)
    page = visitor(cast, "owner").get(address)
    assert page.status_code == 422
    assert "inf cannot be stored as a number" in page.content.decode()


def test_no_one_else_sees_what_came_of_a_file(cast: Cast) -> None:
    upload, address = sent(cast, b"item,simile\ni1\n")
    run_job(upload.job_id or 0)
    page = visitor(cast, "admin").get(address)
    assert page.status_code == 200
    assert "1 cells where" not in page.content.decode()
