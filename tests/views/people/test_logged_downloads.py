"""Each download of data of a study, on a page or by the API, is in its audit log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import JobState
from annotation.models import AuditEntry, Job
from annotation.selectors.base.archives import archive_path
from annotation.selectors.questions.documents import DOCUMENTS
from scoring.selectors.reports.exports import EXPORTED
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
FILES = [*EXPORTED, *DOCUMENTS]


@pytest.fixture
def cast(settings: Any, tmp_path: Path) -> Cast:
    settings.MEDIA_ROOT = tmp_path
    return make_cast()


def browser(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["researcher"])
    return client


def logged(cast: Cast) -> list[dict[str, Any]]:
    entries = AuditEntry.objects.filter(study=cast.study, act="download").order_by("pk")
    assert {entry.actor for entry in entries} <= {cast.users["researcher"]}
    return [entry.detail for entry in entries]


def ending(what: str, file_format: str) -> str:
    return DOCUMENTS[what].ending if what in DOCUMENTS else file_format


@pytest.mark.parametrize("what", FILES)
def test_every_file_of_the_api(cast: Cast, what: str) -> None:
    address = f"{cast.base}/exports/"
    answer = cast.client("researcher").get(address, {"what": what, "format": "jsonl"})
    assert answer.status_code == 200
    assert logged(cast) == [{"what": what, "format": ending(what, "jsonl")}]


@pytest.mark.parametrize("what", [*FILES, "audit"])
def test_every_file_of_the_page(cast: Cast, what: str) -> None:
    address = reverse("study-download", args=[cast.slug, what])
    assert browser(cast).get(address, {"format": "xlsx"}).status_code == 200
    assert logged(cast) == [{"what": what, "format": ending(what, "xlsx")}]


def test_the_audit_log_of_its_own_page(cast: Cast) -> None:
    browser(cast).get(reverse("study-audit-download", args=[cast.slug, "csv"]))
    assert logged(cast) == [{"what": "audit", "format": "csv"}]


def test_each_download_of_a_bundle_is_logged(cast: Cast) -> None:
    job = Job.objects.create(study=cast.study, kind="bundle", state=JobState.DONE, params={"pay": False})
    archive_path(job).parent.mkdir(parents=True, exist_ok=True)
    archive_path(job).write_bytes(b"PK")
    answers = [
        browser(cast).get(reverse("study-bundle-file", args=[cast.slug, job.pk])),
        cast.client("researcher").get(f"{cast.base}/bundle/"),
    ]
    assert [b"".join(answer) for answer in answers] == [b"PK", b"PK"]
    assert logged(cast) == 2 * [{"what": "bundle", "format": "zip"}]


def test_nothing_is_logged_where_nothing_was_taken(cast: Cast) -> None:
    client, address = browser(cast), reverse("study-download", args=[cast.slug, "ratings"])
    assert client.head(address).status_code == 200
    assert client.get(address, {"format": "exe"}).status_code == 404
    assert client.get(reverse("study-download", args=[cast.slug, "secrets"])).status_code == 404
    assert cast.client("researcher").head(f"{cast.base}/exports/").status_code == 200
    assert cast.client("researcher").get(f"{cast.base}/exports/", {"what": "secrets"}).status_code == 400
    client.force_login(cast.users["stranger"])
    assert client.get(address).status_code == 404
    assert logged(cast) == []
