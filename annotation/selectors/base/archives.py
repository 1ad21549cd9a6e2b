"""Paths of the archives of studies, and whether they are up to date."""

from __future__ import annotations

import uuid
from pathlib import Path

from django.conf import settings

from annotation.models import AuditEntry, Job, ProblemReport, Response
from annotation.selectors.base.audit_log import ABOUT_PAYMENTS

PART = ".part"
# What changes nothing of a study.
READING = (
    *("download", "export_bundle", "export_bonuses", "export_contacts", "export_platform_ids"),
    *("make_release", "upload_release"),
    *ABOUT_PAYMENTS,
)


def bundle_folder() -> Path:
    """The folder of all bundles, under the media folder."""
    return Path(settings.MEDIA_ROOT) / "bundles"


def archive_path(job: Job) -> Path:
    """The file of a bundle under the media folder, whether it is still there or not."""
    return bundle_folder() / f"{job.study_id}-{job.pk}.zip"


def archive_size(job: Job) -> int | None:
    """The bytes of a bundle; None if its file is no longer there."""
    try:
        return archive_path(job).stat().st_size
    except FileNotFoundError:
        return None


def part_path(job: Job, lease: uuid.UUID) -> Path:
    """The file that the holder of a lease writes, which becomes the archive when it is complete."""
    return archive_path(job).with_suffix(f".{lease.hex}{PART}")


def is_outdated(job: Job) -> bool:
    """Whether answers or problems were sent, or the study was changed, after a bundle began to be made."""
    began = job.started_at or job.created_at
    acts = AuditEntry.objects.filter(study=job.study_id, created_at__gt=began).exclude(act__in=READING)
    answers = Response.objects.filter(assignment__rater__study=job.study_id, submitted_at__gt=began)
    problems = ProblemReport.objects.filter(assignment__rater__study=job.study_id, reported_at__gt=began)
    return acts.exists() or answers.exists() or problems.exists()
