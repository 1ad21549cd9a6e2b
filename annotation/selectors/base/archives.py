"""Where the archives of studies lie."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.models import Job


def archive_path(job: Job) -> Path:
    """Where the archive of a job lies, whether it is still there or not.

    Parameters
    ----------
    job : Job
        Of kind `bundle`.

    Returns
    -------
    Path
        Under the media folder, which the web server and the workers share.
    """
    return Path(settings.MEDIA_ROOT) / "bundles" / f"{job.study_id}-{job.pk}.zip"
