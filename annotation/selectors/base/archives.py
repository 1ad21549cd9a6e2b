"""Where the archives of studies lie."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.models import Job


def archive_path(job: Job) -> Path:
    """The file of a bundle under the media folder, whether it is still there or not."""
    return Path(settings.MEDIA_ROOT) / "bundles" / f"{job.study_id}-{job.pk}.zip"
