"""An owner uploads a release to a data hub, by the hub's own client, only where a token is set."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.models import Job, Release
from annotation.selectors.base.archives import archive_path
from annotation.services.base.jobs import claim
from scoring.services.reports.hub_uploads import request_upload, upload_release
from scoring.services.reports.releases import make_release, request_release
from tests.bundle.release.data_hub import Received, data_hub
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
TOKEN, REPOSITORY = "hf_secret_of_the_tests", "lab/similes"


@pytest.fixture
def hub(settings: Any) -> Iterator[Received]:
    with data_hub(TOKEN) as received:
        settings.HUB_TOKEN, settings.HUB_ADDRESS = TOKEN, received.address
        yield received


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def released(cast: Cast) -> Release:
    job = request_release(study=cast.study, actor=cast.users["owner"], licence="CC-BY-4.0")
    lease = claim(job_id=job.pk)
    assert lease is not None
    make_release(lease=lease)
    return Release.objects.get(job=job)


def run(job: Job) -> None:
    lease = claim(job_id=job.pk)
    assert lease is not None
    upload_release(lease=lease)


def signed_in(cast: Cast, who: str = "owner") -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_the_hub_gets_the_files_of_the_archive_and_the_log_says_where(cast: Cast, hub: Received) -> None:
    release = released(cast)
    address = reverse("study-release-upload", args=[cast.slug, release.pk])
    hub.files[REPOSITORY], hub.visibility[REPOSITORY] = {".gitattributes": b""}, "private"
    assert signed_in(cast, "admin").post(address, {"repository": REPOSITORY}).status_code == 403
    assert signed_in(cast).post(address, {"repository": REPOSITORY}).status_code == 302
    run(Job.objects.get(kind="upload_release"))
    with zipfile.ZipFile(archive_path(release.job)) as archive:
        expected = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    assert hub.files == {REPOSITORY: expected | {".gitattributes": b""}}
    assert hub.messages == [f"Version 1.0 ({release.digest[:16]})"]
    entry = cast.study.audit.get(act="upload_release")
    assert entry.detail["version"] == "1.0"
    assert entry.detail["address"].startswith(f"{hub.address}/datasets/{REPOSITORY}/commit/")
    assert TOKEN not in str(list(cast.study.audit.values("detail"))) + str(list(Job.objects.values("params")))


def test_a_data_set_of_others_is_not_touched(cast: Cast, hub: Received) -> None:
    """The token of the installation may write to it; the study may not."""
    hub.files[REPOSITORY], hub.visibility[REPOSITORY] = {"others.csv": b"theirs"}, "private"
    hub.messages.append("Version 1.0")
    job = request_upload(release=released(cast), actor=cast.users["owner"], repository=REPOSITORY)
    with pytest.raises(GroundworkError) as refusal:
        run(job)
    assert refusal.value.code == "repository_taken"
    assert hub.files == {REPOSITORY: {"others.csv": b"theirs"}}


def test_a_public_data_set_gets_nothing_that_is_to_be_private(cast: Cast, hub: Received) -> None:
    hub.files[REPOSITORY], hub.visibility[REPOSITORY] = {}, "public"
    job = request_upload(release=released(cast), actor=cast.users["owner"], repository=REPOSITORY)
    with pytest.raises(GroundworkError) as refusal:
        run(job)
    assert refusal.value.code == "repository_public"
    assert hub.files == {REPOSITORY: {}}


def test_the_study_replaces_its_own_files(cast: Cast, hub: Received) -> None:
    release, owner = released(cast), cast.users["owner"]
    run(request_upload(release=release, actor=owner, repository=REPOSITORY))
    hub.files[REPOSITORY]["old.csv"] = b"old"
    hub.messages.append("Another version")
    run(request_upload(release=release, actor=owner, repository=REPOSITORY))
    assert "old.csv" not in hub.files[REPOSITORY]


def test_an_upload_that_was_not_recorded_is_made_again(cast: Cast, hub: Received) -> None:
    """A worker that ends between the upload and its record leaves a data set with files."""
    release = released(cast)
    hub.files[REPOSITORY], hub.visibility[REPOSITORY] = {"old.csv": b"old"}, "private"
    hub.messages.append(f"Version 1.0 ({release.digest[:16]})")
    run(request_upload(release=release, actor=cast.users["owner"], repository=REPOSITORY))
    assert "old.csv" not in hub.files[REPOSITORY]
    assert cast.study.audit.get(act="upload_release").detail["private"] is True


@pytest.mark.parametrize(("private", "visibility"), [(True, "private"), (False, "public")])
def test_a_new_data_set_is_private_unless_the_owner_says_otherwise(
    cast: Cast, hub: Received, private: bool, visibility: str
) -> None:
    job = request_upload(
        release=released(cast), actor=cast.users["owner"], repository=REPOSITORY, private=private
    )
    run(job)
    assert hub.visibility == {REPOSITORY: visibility}


def test_a_refused_token_is_an_error_that_says_what_to_check(
    cast: Cast, hub: Received, settings: Any
) -> None:
    settings.HUB_TOKEN = "hf_another"
    job = request_upload(release=released(cast), actor=cast.users["owner"], repository=REPOSITORY)
    with pytest.raises(GroundworkError) as refusal:
        run(job)
    assert refusal.value.code == "hub_refused"
    assert "hf_another" not in str(refusal.value.message)
    assert not cast.study.audit.filter(act="upload_release").exists()


def test_without_a_token_nothing_is_offered_and_nothing_starts(cast: Cast) -> None:
    release, owner = released(cast), cast.users["owner"]
    page = signed_in(cast).get(reverse("study-releases", args=[cast.slug])).content.decode()
    assert "Upload" not in page
    with pytest.raises(NotAllowedNow) as refusal:
        request_upload(release=release, actor=owner, repository=REPOSITORY)
    assert refusal.value.code == "hub_off"


@pytest.mark.parametrize("repository", ["similes", "../x/y", "lab/sim iles", "lab/", "a" * 97 + "/b"])
def test_what_is_no_name_of_a_data_set_is_refused(cast: Cast, hub: Received, repository: str) -> None:
    with pytest.raises(InvalidContent) as refusal:
        request_upload(release=released(cast), actor=cast.users["owner"], repository=repository)
    assert refusal.value.code == "bad_repository"
    assert not Job.objects.filter(kind="upload_release").exists()
