"""Uploading a release to the data hub: asked for by an owner, done by a worker."""

from __future__ import annotations

import re
import tempfile
import zipfile
from pathlib import Path

from django.conf import settings

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Job, Release, User
from annotation.services.base import audit
from annotation.services.base.jobs import Lease, enqueue
from scoring.backends.data_hub import Uploaded, upload_dataset
from scoring.services.base.report_store import study_of
from scoring.services.reports.releases import open_release

KIND = "upload_release"
REPOSITORY = re.compile(r"[a-zA-Z0-9][\w.-]{0,95}/[a-zA-Z0-9][\w.-]{0,95}", re.ASCII)


def request_upload(*, release: Release, actor: User, repository: str, private: bool = True) -> Job:
    """Ask a worker to upload a release to the data hub of this installation.

    Parameters
    ----------
    release, actor
        What to upload, and the owner who decides.
    repository : str
        Owner and name of the data set on the hub, such as `lab/similes`.
    private : bool
        Whether the data set is private.

    Raises
    ------
    NotAllowedNow
        `hub_off`: this installation has no token.
    InvalidContent
        `bad_repository`.
    """
    _require_token()
    if not REPOSITORY.fullmatch(repository):
        refused = message("Write the owner and the name of the data set, such as lab/similes.")
        raise InvalidContent(refused, code="bad_repository", fields={"repository": refused})
    params = {"release": release.pk, "repository": repository, "private": private}
    return enqueue(kind=KIND, study=release.study, params=params, created_by=actor)


def upload_release(*, lease: Lease) -> None:
    """Unpack the archive of a release and upload its files; the job of `request_upload`.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `upload_release`.

    Raises
    ------
    NotAllowedNow
        `hub_off`.
    GroundworkError
        `archive_deleted`: data of a rater were erased since; or as for `upload_dataset`.
    """
    _require_token()
    job, study = lease.job, study_of(lease.job)
    release = Release.objects.select_related("job", "study").get(study=study, pk=job.params["release"])
    archive = open_release(release)
    if archive is None:
        sentence = message("The archive of this release was deleted. Create a new release.")
        raise GroundworkError(sentence, code="archive_deleted")
    repository = job.params["repository"]
    with archive, tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)
        uploaded = upload_dataset(
            Path(folder) / study.slug,
            repository=repository,
            own=study.audit.filter(act=KIND, detail__repository=repository).exists(),
            private=bool(job.params.get("private", True)),
            about=f"Version {release.version} ({release.digest[:16]})",
            address=settings.HUB_ADDRESS,
            token=settings.HUB_TOKEN,
        )
    lease.complete(lambda: _record(job, release, uploaded))


def _record(job: Job, release: Release, uploaded: Uploaded) -> None:
    audit.record(
        study=release.study,
        actor=job.created_by,
        act="upload_release",
        version=release.version,
        repository=job.params["repository"],
        address=uploaded.address,
        private=uploaded.private,
    )


def _require_token() -> None:
    if not settings.HUB_TOKEN:
        off = message("Uploads are off. An administrator of this installation sets GROUNDWORK_HUB_TOKEN.")
        raise NotAllowedNow(off, code="hub_off")
