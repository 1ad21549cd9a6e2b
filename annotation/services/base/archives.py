"""Deleting the archives of a study."""

from __future__ import annotations

from annotation.models import Job, Study
from annotation.selectors.base.archives import archive_path


def delete_archives(study: Study) -> None:
    """Delete the bundles that were made of a study; they can be made again.

    Parameters
    ----------
    study : Study
        Whose data have changed in a way that no copy may outlive.
    """
    for job in Job.objects.filter(study=study, kind="bundle"):
        archive_path(job).unlink(missing_ok=True)
