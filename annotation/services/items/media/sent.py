"""The act of `registrations.py` for media files that are sent on a page or over the API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.io.base.reading_limits import content_read_from
from annotation.models import Study, Upload
from annotation.services.base.uploads.senders import check_sender_of_items
from annotation.services.items.media.storing import remaining_bytes, store_media, write_contents
from annotation.services.items.sent_files import study_of


def reading_options(study: Study) -> dict[str, int]:
    """The limits for files that are sent into a study, as its upload stores them.

    Parameters
    ----------
    study : Study
        Theirs.
    """
    return {
        "most_bytes": settings.MEDIA_MOST_BYTES,
        "most_in_all": remaining_bytes(study),
        "most_pixels": settings.MEDIA_MOST_PIXELS,
    }


def write_media(*, upload: Upload, path: Path) -> None:
    """Write the contents of the files of a folder that was read before; `take_media` saves their rows."""
    study = study_of(upload)
    check_sender_of_items(study, upload.created_by)
    write_contents(study.pk, content_read_from(path))


def take_media(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Store the media files of a folder that was read before, as `store_media`."""
    study = study_of(upload)
    check_sender_of_items(study, upload.created_by)
    came = store_media(study=study, prepared=content_read_from(path), actor=upload.created_by)
    return {"added": came.added, "described": came.described}
