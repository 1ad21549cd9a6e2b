"""Limits on the waiting files of one account, so that no account fills the disk and the queue."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import counted_message, message
from annotation.models import Upload, User
from annotation.services.base.uploads.reading import stored_path

CODE = "too_many_waiting_files"


def refuse_too_many_waiting(*, actor: User, size: int) -> None:
    """Refuse one more file of an account whose files that wait or are being read reach the limit.

    A file whose reading was stopped counts as long as it is on the disk, which is some minutes.

    Parameters
    ----------
    actor : User
        User who sends it. Where two files may come at once, hold the lock of this row.
    size : int
        Bytes of the file.

    Raises
    ------
    NotAllowedNow
        `too_many_waiting_files`: there are `UPLOADS_WAITING` of them, or with this one they are larger than
        `UPLOADS_WAITING_BYTES`.
    """
    unread = Upload.objects.filter(created_by=actor, job__isnull=False)
    unread = unread.filter(outcome__isnull=True, refusal__isnull=True)
    found = [stored_path(upload) for upload in unread if upload.place.exists()]
    if len(found) >= settings.UPLOADS_WAITING:
        raise NotAllowedNow(
            counted_message(
                "%(n)d of your files is waiting to be read, which is the limit. Wait until it has been "
                "read, then "
                "upload this file again.",
                "%(n)d of your files are waiting to be read, which is the limit. Wait until one of them "
                "has been "
                "read, then upload this file again.",
                n=len(found),
            ),
            code=CODE,
        )
    most = settings.UPLOADS_WAITING_BYTES
    if size + sum(map(_size, found)) > most:
        raise NotAllowedNow(
            message(
                "This file and your files that are waiting to be read are larger than %(most)d MB "
                "together. Wait "
                "until one of them has been read, then upload this file again.",
                most=most >> 20,
            ),
            code=CODE,
        )


def _size(path: Path) -> int:
    """Bytes of a stored file or of a folder of files; 0 where its job has just deleted it."""
    try:
        files = path.iterdir() if path.is_dir() else [path]
        return sum(file.stat().st_size for file in files)
    except FileNotFoundError:
        return 0
