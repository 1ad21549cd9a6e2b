"""Replications of published studies: asking a worker for one, and computing it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import Job, User
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import ReplicationRun
from scoring.replication.files import PublishedFileError
from scoring.replication.registry import REPLICATIONS, Replication, counts
from scoring.services.base.report_store import software

KIND = "replication"


def request_replication(*, name: str, actor: User | None) -> Job | None:
    """Ask a worker to recompute a study's tables from its public files.

    Parameters
    ----------
    name : str
        A key of the registry.
    actor : User or None
        User who asks for it.

    Returns
    -------
    Job or None
        The new job, or the one under way; None where the same files were computed by this version already.

    Raises
    ------
    GroundworkError
        A file is missing (`missing_file`).
    """
    fingerprint = files_fingerprint(REPLICATIONS[name])
    done = ReplicationRun.objects.filter(name=name, fingerprint=fingerprint, software=software())
    if done.exists():
        return None
    return enqueue(kind=KIND, study=None, params={"name": name}, created_by=actor)


def compute_replication(*, lease: Lease) -> ReplicationRun:
    """Recompute the tables outside any transaction and store them while the lease still holds.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `replication`.

    Raises
    ------
    GroundworkError
        A file is missing or broken.
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    replication = REPLICATIONS[lease.job.params["name"]]
    lease.beat(0, 1, message("Recomputing the tables"))
    fingerprint = files_fingerprint(replication)
    try:
        cells = replication.cells(data_folder(replication)).cells
    except PublishedFileError as refusal:
        raise GroundworkError(str(refusal), code=refusal.code) from refusal
    return lease.complete(
        lambda: ReplicationRun.objects.create(
            name=replication.name,
            job=lease.job,
            cells=[{**cell.to_row(), "printed": cell.published} for cell in cells],
            counts=counts(cells),
            fingerprint=fingerprint,
            software=software(),
        )
    )


def data_folder(replication: Replication) -> Path:
    """The folder of a study's files in `GROUNDWORK_PUBLISHED_DATA`.

    Parameters
    ----------
    replication : Replication
        The study.
    """
    return Path(settings.PUBLISHED_DATA) / replication.name


def files_fingerprint(replication: Replication) -> str:
    """SHA-256 over the files of a study.

    Parameters
    ----------
    replication : Replication
        The study.

    Raises
    ------
    GroundworkError
        A file is missing (`missing_file`).
    """
    digest = hashlib.sha256()
    for name in replication.files:
        path = data_folder(replication) / name
        if not path.is_file():
            missing = message(
                "%(path)s does not exist. Save your copy there or set GROUNDWORK_PUBLISHED_DATA.",
                path=str(path),
            )
            raise GroundworkError(missing, code="missing_file")
        digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
