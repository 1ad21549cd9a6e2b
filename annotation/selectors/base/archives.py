"""Where the archives of studies lie."""

from __future__ import annotations

import uuid
from pathlib import Path

from django.conf import settings

from annotation.models import Job

PART = ".part"


def bundle_folder() -> Path:
    """The folder of all bundles, under the media folder."""
    return Path(settings.MEDIA_ROOT) / "bundles"


def archive_path(job: Job) -> Path:
    """The file of a bundle under the media folder, whether it is still there or not."""
    return bundle_folder() / f"{job.study_id}-{job.pk}.zip"


def part_path(job: Job, lease: uuid.UUID) -> Path:
    """The file that the holder of a lease writes, which becomes the archive when it is complete."""
    return archive_path(job).with_suffix(f".{lease.hex}{PART}")
