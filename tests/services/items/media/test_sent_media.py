"""Sent media files are written before the transaction that saves their rows and ends their job."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.services.base.jobs import claim
from annotation.services.base.uploads.reading import read_upload
from annotation.services.base.uploads.receiving import receive_upload
from annotation.services.items.media.sent import reading_options
from tests.support.media.media_study import picture
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


def test_files_are_there_before_the_lock_of_the_study_is_taken(tmp_path: Path) -> None:
    cast = make_cast(opened=False)
    upload = receive_upload(
        act="media",
        file=[SimpleUploadedFile("p.png", picture())],
        actor=cast.users["owner"],
        study=cast.study,
        options=reading_options(cast.study),
    )
    assert upload.job_id is not None
    lease = claim(job_id=upload.job_id)
    assert lease is not None
    folder = tmp_path / "stored" / "study-media" / str(cast.study.pk)
    found_at_completion: list[int] = []
    complete = lease.complete

    def looking(write: object) -> object:
        found_at_completion.append(len(list(folder.iterdir())) if folder.exists() else 0)
        return complete(write)  # type: ignore[arg-type]

    lease.complete = looking  # type: ignore[assignment, method-assign]
    read_upload(lease=lease)
    assert found_at_completion == [1]
    assert cast.study.media_files.count() == 1
