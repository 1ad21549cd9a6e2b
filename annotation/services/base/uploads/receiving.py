"""Uploaded files: stored for a worker, waited for, and their outcome."""

from __future__ import annotations

import shutil
import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from annotation.domain.base.errors import (
    FileProblem,
    FileRefused,
    GroundworkError,
    InvalidContent,
    NotAllowedNow,
)
from annotation.domain.base.messages import from_stored, message
from annotation.domain.base.states import ENDED_JOBS, JobState, StudyState
from annotation.io.base.readers import ending_of
from annotation.models import Study, Upload, User
from annotation.selectors.base.workers import workforce
from annotation.services.base.job_kinds import queue_of
from annotation.services.base.jobs import claim, enqueue
from annotation.services.base.uploads.reading import KIND, read_upload, stored_path
from annotation.services.base.uploads.waiting import refuse_too_many_waiting

LOOK_EVERY = 0.1
RETENTION = timedelta(days=1)
LONGEST_NAME = 200
# Bytes of a name under which one of several files is stored; file systems take 255.
MOST_NAME_BYTES = 240
# Seconds after which a folder without a row is abandoned.
SETTLED = 600
REFUSALS: Mapping[str, type[GroundworkError]] = {
    "InvalidContent": InvalidContent,
    "NotAllowedNow": NotAllowedNow,
}


def receive_upload(
    *,
    act: str,
    file: UploadedFile[Any] | Sequence[UploadedFile[Any]],
    actor: User,
    study: Study | None = None,
    options: Mapping[str, Any] | None = None,
    page: str = "",
) -> Upload:
    """Store a sent file where a worker finds it, and ask a worker to read it.

    Parameters
    ----------
    act : str
        The key of a registered act.
    file
        One file; several are stored under their own names.
    actor, study
        Who sends it, and into which study; None for a file that belongs to none.
    options : mapping
        What else the act takes, as JSON values.
    page : str
        The address on which its sender waits.

    Raises
    ------
    InvalidContent
        It is larger than `UPLOAD_MAX_BYTES` (`too_large`); two of several files have one name
        (`name_twice`), or a name is too long for a file system (`name_too_long`).
    NotAllowedNow
        Too many files of its sender wait to be read (`too_many_waiting_files`).
    """
    files = [file] if isinstance(file, UploadedFile) else list(file)
    name = _shortened(Path(files[0].name or "upload").name)
    size = sum(one.size or 0 for one in files)
    if size > settings.UPLOAD_MAX_BYTES:
        raise InvalidContent(
            message("%(name)s is larger than this installation accepts. Split the file.", name=name),
            code="too_large",
        )
    several = not isinstance(file, UploadedFile)
    if several:
        _refuse_names([_name_of(one) for one in files])
    refuse_too_many_waiting(actor=actor, size=size)
    upload = Upload(study=study, act=act, options=dict(options or {}), name=name, page=page, created_by=actor)
    upload.place.mkdir(parents=True)
    try:
        _store(files, stored_path(upload), several=several)
        with transaction.atomic():
            # Another file of the account may have arrived meanwhile; this lock takes them one at a time.
            User.objects.select_for_update(no_key=True).get(pk=actor.pk)
            refuse_too_many_waiting(actor=actor, size=size)
            upload.save()
            params = {"upload": upload.pk, "running": study is not None and study.state != StudyState.DRAFT}
            upload.job = enqueue(kind=KIND, study=study, params=params, created_by=actor)
            upload.save(update_fields=["job"])
    except BaseException:
        shutil.rmtree(upload.place, ignore_errors=True)
        raise
    return upload


def wait_for(upload: Upload, *, seconds: float) -> bool:
    """Wait for the job of an upload, at most so long; whether it has ended.

    Parameters
    ----------
    upload : Upload
        Its row and its job are read again.
    seconds : float
        The longest wait; where no worker is there that would read the file, there is none.
    """
    if connection.in_atomic_block:
        _read_here(upload)
    if has_ended(upload):
        return True
    if not workforce().takes(queue_of(KIND).broker_name):
        return False
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(LOOK_EVERY)
        if has_ended(upload):
            return True
    return False


def has_ended(upload: Upload) -> bool:
    """Whether the job of the upload has ended, by the current state in the database."""
    # In one query: the worker may store what came of the file between two.
    upload.refresh_from_db(from_queryset=Upload.objects.select_related("job"))
    return upload.job is None or upload.job.state in ENDED_JOBS


def outcome_of(upload: Upload) -> dict[str, Any]:
    """Return the result of an upload whose job has ended.

    Raises
    ------
    GroundworkError
        Nothing was stored: what the act or the reader refused, `stopped`, or that the job failed.
    """
    if upload.outcome is not None:
        return dict(upload.outcome)
    if upload.refusal is None:
        job = upload.job
        if job is None or job.state == JobState.CANCELLED:
            raise NotAllowedNow(message("Reading the file was stopped. Nothing was saved."), code="stopped")
        raise NotAllowedNow(
            message("Nothing was saved. %(reason)s", reason=job.error_words), code=job.error_code
        )
    refused = upload.refusal
    if refused["problems"]:
        raise FileRefused([FileProblem.from_stored(one) for one in refused["problems"]])
    refusal = REFUSALS.get(refused["kind"], GroundworkError)
    fields = {name: from_stored(sentence) for name, sentence in refused["fields"].items()}
    raise refusal(from_stored(refused["message"]), code=refused["code"], fields=fields)


def dismiss_upload(*, upload: Upload) -> None:
    """Delete a file that was refused or stopped and its row, so that it is listed no more; its job stays.

    Parameters
    ----------
    upload : Upload
        One whose job has ended.

    Raises
    ------
    NotAllowedNow
        It waits or is being read (`upload_under_way`).
    """
    deleted, _ = Upload.objects.filter(pk=upload.pk, job__state__in=ENDED_JOBS).delete()
    if not deleted:
        raise NotAllowedNow(
            message("%(name)s is still being read. Stop reading it first.", name=upload.name),
            code="upload_under_way",
        )
    shutil.rmtree(upload.place, ignore_errors=True)


def forget_uploads() -> None:
    """Delete files that no job will read any more, and what came of uploads that ended a day ago.

    A file that waits or is being read stays, however old it is; a reading job deletes its own.
    """
    folder = Path(settings.MEDIA_ROOT) / "uploads"
    for place in folder.iterdir() if folder.is_dir() else ():
        if not _is_needed(place):
            shutil.rmtree(place, ignore_errors=True)
    old = timezone.now() - RETENTION
    ended = Q(job__state__in=ENDED_JOBS, job__finished_at__lt=old) | Q(job=None, created_at__lt=old)
    Upload.objects.filter(ended).delete()


def delete_files_of(study: Study) -> None:
    """Delete the files that were sent into a study; their rows stay."""
    for upload in study.uploads.all():
        shutil.rmtree(upload.place, ignore_errors=True)


def delete_files_with(study: Study) -> None:
    """Delete the files that were sent into a study, once the transaction is committed that deletes it."""
    places = [upload.place for upload in study.uploads.all()]

    def delete() -> None:
        for place in places:
            shutil.rmtree(place, ignore_errors=True)

    transaction.on_commit(delete)


def _is_needed(place: Path) -> bool:
    try:
        key, age = uuid.UUID(hex=place.name), time.time() - place.stat().st_mtime
    except (ValueError, FileNotFoundError):  # not one of ours; deleted by its job just now
        return True
    # The row of a new folder may not be stored yet.
    waiting = Upload.objects.filter(folder=key).exclude(job__state__in=ENDED_JOBS)
    return age < SETTLED or waiting.exists()


def _name_of(file: UploadedFile[Any]) -> str:
    return Path(file.name or "").name


def _refuse_names(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidContent(
                message("Two files are called %(name)s. Rename one of them.", name=name), code="name_twice"
            )
        if len(name.encode()) > MOST_NAME_BYTES:
            raise InvalidContent(
                message("The name of %(name)s is too long. Rename the file.", name=name), code="name_too_long"
            )
        seen.add(name)


def _store(files: Sequence[UploadedFile[Any]], path: Path, *, several: bool) -> None:
    if several:
        path.mkdir()
    for one in files:
        file = path / _name_of(one) if several else path
        with file.open("wb") as target:
            target.writelines(one.chunks())


def _shortened(name: str) -> str:
    """Shorten a name to the length of its column; the ending, which decides how it is read, stays."""
    ending = ending_of(name)
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - len(ending)] + ending


def _read_here(upload: Upload) -> None:
    """Read a file within a transaction of the caller, whose rows no worker can see yet."""
    lease = claim(job_id=upload.job_id) if upload.job_id else None
    if lease is None:
        return
    try:
        read_upload(lease=lease)
    except GroundworkError as refusal:
        lease.fail(code=refusal.code, message=refusal.message, quotes_input=True)
