"""Media files in a bucket of a server that speaks S3 are served as those of a folder are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from annotation.io.items.media import stored
from annotation.services.items.media.storing import delete_media_of, remove_media
from config.settings import media_files
from tests.support.media.media_study import picture_cast, recording_cast
from tests.support.outside.object_store import BUCKET, ObjectStore, running, settings_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bucket(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[type[ObjectStore]]:
    """The storage `media` as an installation has it that names a bucket."""
    with running(tmp_path / "objects") as store:
        for name, value in settings_of(store.address).items():
            monkeypatch.setenv(name, value)
        settings.STORAGES = {**settings.STORAGES, "media": media_files.storage()}
        yield store


def objects(store: type[ObjectStore]) -> list[str]:
    return sorted(file.name for file in (store.root / BUCKET).rglob("*") if file.is_file())


def test_files_are_objects_under_their_digest(bucket, tmp_path):
    study = picture_cast(tmp_path).study
    files = list(study.media_files.all())
    assert objects(bucket) == sorted(one.sha256 for one in files)
    content = b"".join(stored.pieces(files[0].stored_name, 0, files[0].size))
    assert content.startswith(b"\x89PNG")
    assert len(content) == files[0].size


def test_a_part_of_a_file_is_all_that_the_bucket_is_asked_for(bucket, tmp_path):
    cast = recording_cast(tmp_path)
    file = cast.study.media_files.get(name="p0.wav")
    member = Client()
    member.force_login(cast.users["owner"])
    bucket.asked.clear()
    address = f"/studies/{cast.slug}/settings/media/{file.pk}/"
    response: Any = member.get(address, headers={"Range": "bytes=100-299"})
    assert len(b"".join(response.streaming_content)) == 200
    assert ("GET", "bytes=100-299") in bucket.asked
    assert ("GET", "") not in bucket.asked


def test_files_leave_the_bucket_with_their_study(bucket, tmp_path, django_capture_on_commit_callbacks):
    cast = picture_cast(tmp_path)
    with django_capture_on_commit_callbacks(execute=True):
        remove_media(study=cast.study, name="p0.png", actor=cast.users["owner"])
    assert len(objects(bucket)) == 1
    delete_media_of(cast.study)
    assert objects(bucket) == []
