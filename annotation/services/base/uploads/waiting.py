"""How many sent files of one account may wait to be read, so that nobody fills the disk and the queue."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.domain.base.errors import NotAllowedNow
from annotation.models import Upload, User
from annotation.services.base.uploads.reading import stored_path

CODE = "too_many_waiting_files"
WHAT_TO_DO = "Wait until one of them has been read, then send this file again."


def refuse_too_many_waiting(*, actor: User, size: int) -> None:
    """Refuse one more file of an account whose files that wait or are being read reach the limit.

    A file whose reading was stopped counts as long as it is on the disk, which is some minutes.

    Parameters
    ----------
    actor : User
        Who sends it. Where two files may come at once, hold the lock of this row.
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
        count = f"{len(found)} of your files are" if len(found) > 1 else "One of your files is"
        raise NotAllowedNow(f"{count} waiting to be read, which is the limit. {WHAT_TO_DO}", code=CODE)
    most = settings.UPLOADS_WAITING_BYTES
    if size + sum(map(_size, found)) > most:
        together = (
            f"This file and those of yours that wait to be read are larger than {most >> 20} MB together."
        )
        raise NotAllowedNow(f"{together} {WHAT_TO_DO}", code=CODE)


def _size(path: Path) -> int:
    """Bytes of a stored file or of a folder of files; 0 where its job has just deleted it."""
    try:
        files = path.iterdir() if path.is_dir() else [path]
        return sum(file.stat().st_size for file in files)
    except FileNotFoundError:
        return 0
