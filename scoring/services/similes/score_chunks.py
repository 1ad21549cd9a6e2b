"""The work of a run in chunks of whole groups: planned once, claimed by compare-and-set on a lease."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from annotation.domain.base.errors import LeaseLost
from annotation.domain.base.messages import message
from annotation.models import Job, Study
from annotation.services.base.jobs import Lease, lease_end, lease_over
from scoring.models import ScoreChunk, ScoredItem, ScoreRun
from scoring.selectors.similes.similes import digest_of, fingerprint, similes
from scoring.services.similes.score_settings import ScoreSettings
from scoring.textmetrics.registry import METRICS

SCORING = message("Scoring")
CHUNK_ITEMS = 128
LOOKED_AT = 20
# Before the key of a candidate that belongs to no group; no group is called so.
ALONE = "\0"


@dataclass(frozen=True)
class HeldChunk:
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
    groups = _digests(lease, study, asked.components)
    whole = whole_digest(list(groups.values()), asked)
    known = dict(ScoredItem.objects.filter(run=run).values_list("item_id", "fingerprint"))
    changed = [
        [int(key) for key, _ in members]
        for group, members in groups.items()
        for print_ in [fingerprint(members, run.key, whole, belongs=not group.startswith(ALONE))]
        if {known.get(int(key)) for key, _ in members} != {print_}
    ]
    chunks = [
        ScoreChunk(job=lease.job, run=run, number=number, items=items)
        for number, items in enumerate(_filled(changed))
    ]
    with transaction.atomic():
        lease.renew()
        ScoreChunk.objects.filter(run=run).delete()
        ScoreChunk.objects.bulk_create(chunks, batch_size=500)
        Job.objects.filter(pk=lease.job.pk).update(
            total=sum(len(chunk.items) for chunk in chunks), done=0, step=SCORING
        )
    return len(chunks)


def whole_digest(groups: Sequence[Sequence[tuple[str, str]]], asked: ScoreSettings) -> str:
    """The part of a group's fingerprint for all texts of the run; empty where they do not matter.

    Parameters
    ----------
    groups : sequence of sequence of (str, str)
        Key and digest of each candidate, by group.
    asked : ScoreSettings
        Settings of the run.
    """
    if not compares_with_run(asked):
        return ""
    return sha256("".join(digest for members in groups for _, digest in members).encode()).hexdigest()


def compares_with_run(asked: ScoreSettings) -> bool:
    """Whether a metric compares each candidate with all of the run."""
    return asked.reference_set == "run" and any("set" in METRICS[name].needs for name in asked.metrics)


def take_chunk(job: Job) -> HeldChunk | None:
    """Claim a free chunk of a job, or one with an expired lease; None where there is none.

    Parameters
    ----------
    job : Job
        Whose chunks.
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
                return HeldChunk(chunk, token)


def held_chunks(job: Job) -> QuerySet[ScoreChunk]:
    """The chunks of a job that workers are at."""
    held = ScoreChunk.objects.filter(job=job, done_at=None, lease_until__isnull=False)
    return held.exclude(lease_over())


def _digests(lease: Lease, study: Study, components: str) -> dict[str, list[tuple[str, str]]]:
    """Keys and digests of the candidates by group; a candidate without a group is its own."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for number, (group, simile) in enumerate(similes(study, study.items.all(), components)):
        own = (simile.key, digest_of(simile))
        groups.setdefault(group or f"{ALONE}{simile.key}", []).append(own)
        if number % 1000 == 0:
            lease.renew()
    return groups


def _filled(groups: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    items: list[int] = []
    for members in groups:
        items.extend(members)
        if len(items) >= CHUNK_ITEMS:
            yield items
            items = []
    if items:
        yield items
