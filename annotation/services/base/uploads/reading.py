"""The job that reads a sent file in a process with limits; its act then stores the content."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from annotation.domain.base.errors import FileRefused, GroundworkError, LeaseLost
from annotation.domain.base.messages import as_stored, message
from annotation.io.base.readers import ending_of
from annotation.io.base.reading_limits import ReadingLimits, read_beforehand
from annotation.models import Upload
from annotation.services.base.jobs import Lease
from annotation.services.base.uploads.acts import UploadAct, act_named
from annotation.services.base.uploads.senders import check_sender

KIND = "read_upload"
MOST_PROBLEMS = 1000
# Classes of refusals that are reported to the waiting sender as themselves.
KINDS = {"InvalidContent", "NotAllowedNow"}
READING, STORING = "Reading the file", "Saving"


def stored_path(upload: Upload) -> Path:
    """Where a sent file is stored, by a name that only it has; a folder where its act reads several.

    Parameters
    ----------
    upload : Upload
        Its row, saved or not.
    """
    ending = "" if act_named(upload.act).several else ending_of(upload.name)
    return upload.place / f"upload{ending}"


def read_upload(*, lease: Lease) -> Upload:
    """Read a sent file and do with it what it was sent for; its file is deleted whatever comes of it.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `receive_upload`.

    Raises
    ------
    GroundworkError
        Nothing was stored; the row has the reason.
    """
    uploads = Upload.objects.select_related("study", "created_by")
    upload = uploads.filter(pk=lease.job.params["upload"]).first()
    if upload is None or not stored_path(upload).exists():
        raise GroundworkError(
            message("The uploaded file no longer exists. Upload it again."), code="no_such_file"
        )
    act = act_named(upload.act)
    try:
        check_sender(upload)
        path = stored_path(upload)
        with _read_beforehand(lease, upload, act, path):
            lease.beat(1, 1, STORING)
            if act.before:
                import_string(act.before)(upload=upload, path=path)
            run: Callable[..., dict[str, Any]] = import_string(act.run)
            if act.repeatable:
                outcome = run(upload=upload, path=path)
                lease.complete(lambda: _end(upload, outcome))
            else:
                lease.complete(lambda: _end(upload, run(upload=upload, path=path)))
    except LeaseLost:
        raise
    except GroundworkError as refused:
        _refuse(lease, upload, refused)
        shutil.rmtree(upload.place, ignore_errors=True)
        raise
    shutil.rmtree(upload.place, ignore_errors=True)
    return upload


def _read_beforehand(
    lease: Lease, upload: Upload, act: UploadAct, path: Path
) -> AbstractContextManager[None]:
    limits = ReadingLimits(settings.UPLOAD_SECONDS, settings.UPLOAD_MEMORY_MB, settings.UPLOAD_CELLS)
    options = {key: upload.options[key] for key in act.reader_options}
    return read_beforehand(
        path,
        reader=act.reader,
        name=upload.name,
        options=options,
        limits=limits,
        seen=lambda size: lease.beat(0, 1, f"{READING}, {size / 1_000_000:.1f} MB read"),
    )


def _end(upload: Upload, outcome: dict[str, Any]) -> None:
    upload.outcome = outcome
    upload.save(update_fields=["outcome"])


def _refuse(lease: Lease, upload: Upload, refused: GroundworkError) -> None:
    """Store why nothing was stored, unless another worker has taken the job over and reads the file."""
    with transaction.atomic():
        if not lease.hold():
            raise LeaseLost(f"Job {lease.job.pk} is no longer held by this worker.") from refused
        upload.refusal = _as_dict(refused)
        upload.save(update_fields=["refusal"])


def _as_dict(refused: GroundworkError) -> dict[str, Any]:
    kind = next((one.__name__ for one in type(refused).__mro__ if one.__name__ in KINDS), "GroundworkError")
    problems = refused.problems[:MOST_PROBLEMS] if isinstance(refused, FileRefused) else []
    return {
        "kind": kind,
        "code": refused.code,
        "message": as_stored(problems[0].sentence if problems else refused.message),
        "fields": {name: as_stored(sentence) for name, sentence in refused.fields.items()},
        "problems": [one.as_stored() for one in problems],
    }
