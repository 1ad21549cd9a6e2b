"""Deleting the archives of a study."""

from __future__ import annotations

from annotation.domain.base.states import JobState
from annotation.models import Job, Study
from annotation.selectors.base.archives import PART, bundle_folder, part_path


def delete_archives(study: Study) -> None:
    """Delete the bundles that were made of a study; they can be made again.

    Parameters
    ----------
    study : Study
        Whose data have changed in a way that no copy may outlive.
    """
    for archive in bundle_folder().glob(f"{study.pk}-*.zip"):
        archive.unlink(missing_ok=True)
    delete_parts(study)


def delete_parts(study: Study) -> None:
    """Delete unfinished bundles of killed workers; files that a worker is writing stay.

    Parameters
    ----------
    study : Study
        Theirs.
    """
    writing = Job.objects.filter(study=study, kind__in=("bundle", "release"), lease__isnull=False)
    running = writing.filter(state=JobState.RUNNING)
    written = {part_path(job, job.lease) for job in running if job.lease is not None}
    for part in bundle_folder().glob(f"{study.pk}-*{PART}"):
        if part not in written:
            part.unlink(missing_ok=True)
