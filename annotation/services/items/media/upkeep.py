"""Daily upkeep: contents of media that a killed worker or a rolled-back copy has left are deleted."""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation.io.items.media import stored
from annotation.models import MediaFile
from annotation.models.items.media_file import FOLDER, media_folder
from annotation.services.items.media.storing import delete_unused
from config.postgresql.shared_clock import shared_now

# A younger content may be on its way to its row.
MINIMUM_AGE = timedelta(days=1)


def forget_media() -> None:
    """Delete contents older than a day that no media file has, those of studies that are gone too."""
    before = shared_now() - MINIMUM_AGE
    for name in stored.folders(FOLDER):
        if name.isdecimal():
            _forget(int(name), before)


def _forget(study_id: int, before: datetime) -> None:
    folder = media_folder(study_id)
    used = set(MediaFile.objects.filter(study=study_id).values_list("sha256", flat=True))
    left = {
        name
        for name in stored.names(folder)
        if name not in used and stored.is_older(f"{folder}/{name}", before)
    }
    if left:
        delete_unused(study_id, left)
