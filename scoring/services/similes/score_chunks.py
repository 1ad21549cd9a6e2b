"""The work of a run in chunks of whole groups: planned once, claimed by compare-and-set on a lease."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from numpy.typing import NDArray

from annotation.domain.base.errors import LeaseLost
from annotation.domain.base.messages import message
from annotation.models import Job, Study
from annotation.services.base.jobs import Lease, lease_end, lease_over
from scoring.models import ScoreChunk, ScoreRun
from scoring.selectors.similes.candidate_digests import CandidateDigests, candidate_digests, changed_groups
from scoring.services.similes.score_settings import ScoreSettings
from scoring.textmetrics.registry import METRICS

SCORING = message("Scoring")
CHUNK_ITEMS = 128
LOOKED_AT = 20
STORED_AT_ONCE = 500


@dataclass(frozen=True)
class ClaimedChunk:
    """A chunk that this worker has claimed."""

    chunk: ScoreChunk
    token: uuid.UUID

    def renew(self) -> None:
        """Extend the lease.

        Raises
        ------
        LeaseLost
            Another worker has it.
        """
        if not self._mine().update(lease_until=lease_end()):
            raise LeaseLost(f"{self.chunk} is no longer held by this worker.")

    def finish(self) -> None:
        """Mark it as done, inside the transaction that stores its scores; raises as `renew`."""
        if not self._mine().update(done_at=timezone.now(), lease=None, lease_until=None):
            raise LeaseLost(f"{self.chunk} is no longer held by this worker.")

    def release(self) -> None:
        """Release it unfinished."""
        self._mine().update(lease=None, lease_until=None)

    def _mine(self) -> QuerySet[ScoreChunk]:
        return ScoreChunk.objects.filter(pk=self.chunk.pk, lease=self.token, done_at=None)


def plan_chunks(*, lease: Lease, study: Study, run: ScoreRun, asked: ScoreSettings) -> int:
    """Store the groups to score as chunks, without unchanged groups.

    Parameters
    ----------
    lease : Lease
        Lease of the job.
    study : Study
        Study of the items; excluded ones are scored too.
    run : ScoreRun
        Run that stores the scores.
    asked : ScoreSettings
        Settings of the run.

    Returns
    -------
    int
        How many chunks there are.

    Raises
    ------
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    lease.beat(0, 1, message("Finding changed items"))
    candidates = candidate_digests(study, asked.components, lease.renew)
    whole = candidates.whole() if compares_with_run(asked) else ""
    chunks = list(_filled(candidates, changed_groups(candidates, run, whole, lease.renew)))
    with transaction.atomic():
        lease.renew()
        ScoreChunk.objects.filter(run=run).delete()
        for start in range(0, len(chunks), STORED_AT_ONCE):
            some = enumerate(chunks[start : start + STORED_AT_ONCE], start)
            ScoreChunk.objects.bulk_create(
                ScoreChunk(job=lease.job, run=run, number=number, items=items.tolist())
                for number, items in some
            )
        Job.objects.filter(pk=lease.job.pk).update(total=sum(map(len, chunks)), done=0, step=SCORING)
    return len(chunks)


def compares_with_run(asked: ScoreSettings) -> bool:
    """Whether a metric compares each candidate with all of the run."""
    return asked.reference_set == "run" and any("set" in METRICS[name].needs for name in asked.metrics)


def take_chunk(job: Job) -> ClaimedChunk | None:
    """Claim a free chunk of a job, or one with an expired lease; None where there is none.

    Parameters
    ----------
    job : Job
        Job of the chunks.
    """
    while True:
        free = Q(done_at=None) & (Q(lease=None) | lease_over())
        found = list(ScoreChunk.objects.filter(free, job=job).order_by("number")[:LOOKED_AT])
        if not found:
            return None
        for chunk in found:
            token = uuid.uuid4()
            taken = ScoreChunk.objects.filter(free, pk=chunk.pk).update(
                lease=token, lease_until=lease_end(), attempt=F("attempt") + 1
            )
            if taken:
                return ClaimedChunk(chunk, token)


def claimed_chunks(job: Job) -> QuerySet[ScoreChunk]:
    """The chunks of a job that workers have claimed."""
    held = ScoreChunk.objects.filter(job=job, done_at=None, lease_until__isnull=False)
    return held.exclude(lease_over())


def _filled(candidates: CandidateDigests, changed: Iterable[slice]) -> Iterator[NDArray[np.int64]]:
    """The items of whole groups, together at least a chunk."""
    pieces: list[NDArray[np.int64]] = []
    for rows in changed:
        pieces.append(candidates.items[rows])
        if sum(map(len, pieces)) >= CHUNK_ITEMS:
            yield np.concatenate(pieces)
            pieces = []
    if pieces:
        yield np.concatenate(pieces)
