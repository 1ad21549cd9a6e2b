"""Scoring a study: requesting a run, and the work of each worker; scores never change ratings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from annotation.domain.base.errors import GroundworkError, InvalidContent, LeaseLost
from annotation.domain.base.messages import message
from annotation.models import Item, Job, Study, User
from annotation.selectors.questions.tuple_tables import has_tuples
from annotation.services.base.jobs import Lease, enqueue, share
from scoring.hauser.base.candidates import Group
from scoring.hauser.base.scores import MetricError
from scoring.hauser.runs.pipeline import score_groups
from scoring.models import ScoreChunk, ScoreRun
from scoring.selectors.similes.candidate_digests import whole_digest
from scoring.selectors.similes.similes import FROM_RATERS, digest_of, groups_of, items_by_key
from scoring.services.base.report_store import study_of
from scoring.services.raters.item_figures import refresh_figures
from scoring.services.similes.run_environment import Toolkit, toolkit
from scoring.services.similes.score_chunks import (
    SCORING,
    ClaimedChunk,
    claimed_chunks,
    compares_with_run,
    plan_chunks,
    take_chunk,
)
from scoring.services.similes.score_settings import ScoreSettings
from scoring.services.similes.score_storing import finish_run, store_scored

KIND = "score"
NAME_LENGTH = 120
SIGNATURE_LENGTH = 300
Progress = Callable[[int], object]
logger = logging.getLogger(__name__)


def ignore_progress(_done: int) -> None:
    """Report no progress."""


def request_scores(*, study: Study, actor: User | None, asked: ScoreSettings, announce: bool = True) -> Job:
    """Ask workers to score the items of a study, unless a job with these settings is in progress.

    Parameters
    ----------
    study : Study
        Study of the items.
    actor : User or None
        User who asks for it.
    asked : ScoreSettings
        Settings from `checked_settings`. The same settings continue the same run: scores that are up to date
        are not computed again.
    announce : bool
        Whether workers are notified; False where the caller computes it.

    Raises
    ------
    InvalidContent
        The study has no items (`no_items`), or components of raters are requested and no form asks for tuples
        (`no_tuples`).
    """
    with transaction.atomic():
        # A deletion of items, which is refused while a run is queued, holds this row.
        locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        _refuse_unscorable(locked, asked)
        return enqueue(kind=KIND, study=locked, params=asked.as_json(), created_by=actor, announce=announce)


def _refuse_unscorable(study: Study, asked: ScoreSettings) -> None:
    if not study.items.exists():
        raise InvalidContent(message("The study has no items to score. Import items first."), code="no_items")
    if asked.components == FROM_RATERS and not has_tuples(study):
        raise InvalidContent(
            message(
                "No form of this study asks raters to mark tuples. Use the components marked in the data."
            ),
            code="no_tuples",
        )


def resume_scores(*, job: Job, actor: User | None) -> Job:
    """Continue a run of scores that was paused, cancelled or failed.

    Parameters
    ----------
    job : Job
        Job of kind `score` that ended before it was done.
    actor : User or None
        User who asks for it.

    Returns
    -------
    Job
        A new job for the groups that are left.

    Raises
    ------
    GroundworkError
        The job belongs to no study (`no_study`).
    """
    return request_scores(study=study_of(job), actor=actor, asked=ScoreSettings.from_json(job.params))


def compute_scores(
    *, lease: Lease, helping: bool = False, sharing: bool = True, progress: Progress = ignore_progress
) -> ScoreRun | None:
    """Score chunks until none is free; the worker that finishes the last chunk completes the job.

    A worker that is needed elsewhere leaves after a chunk; the job is then incomplete and continues later.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `score`; several workers may hold it.
    helping : bool
        Whether another worker started the job; if that worker has not planned it yet, or if this worker has
        other models or software, nothing is done.
    sharing : bool
        Whether further workers are notified.
    progress : callable
        Called with the number of items that this worker has newly scored.

    Returns
    -------
    ScoreRun or None
        Where the scores are; None for a helper that could not help.

    Raises
    ------
    GroundworkError
        The knowledge base or a checkpoint cannot be used, or this worker cannot continue an interrupted job
        (`other_software`).
    LeaseLost
        Another worker has taken the job over, or it was paused or cancelled.
    """
    worker = _Worker(lease, progress)
    with toolkit(worker.asked, worker.beat) as kit:
        run = worker.run_of(kit, helping=helping)
        if run is None:
            return None
        if not helping:
            chunks = worker.plan(run)
            if sharing:
                share(job=lease.job, pieces=chunks)
        left = worker.work(kit, run)
    if not ScoreChunk.objects.filter(job=lease.job, done_at=None).exists():
        _complete(lease, run)
    elif left:
        worker.leave()
    return run


def _complete(lease: Lease, run: ScoreRun) -> None:
    try:
        lease.complete(lambda: _finish(run, lease.job))
    except LeaseLost:
        lease.job.refresh_from_db()
        if lease.job.state != "done":
            raise


def _finish(run: ScoreRun, job: Job) -> None:
    finish_run(run, job)
    refresh_figures(study=run.study)


class _Worker:
    """One worker's part in a job."""

    def __init__(self, lease: Lease, progress: Progress) -> None:
        self.lease = lease
        self._progress = progress
        self.study = study_of(lease.job)
        self.asked = ScoreSettings.from_json(lease.job.params)
        self._held: ClaimedChunk | None = None

    def beat(self) -> None:
        """Extend the leases of job and chunk."""
        self.lease.renew()
        if self._held is not None:
            self._held.renew()

    def run_of(self, kit: Toolkit, *, helping: bool) -> ScoreRun | None:
        """The run that the job stores to; None for a helper that cannot help."""
        chunk = self.lease.job.score_chunks.select_related("run").first()
        if chunk is None:
            return None if helping else ensure_run(self.study, kit)
        if chunk.run.key == kit.key:
            return chunk.run
        if helping:
            logger.warning("Job %s needs other models or software than this worker has", self.lease.job.pk)
            return None
        raise GroundworkError(
            message(
                "This run was started by a worker with other models or another software version. "
                "Restart the run."
            ),
            code="other_software",
        )

    def plan(self, run: ScoreRun) -> int:
        """The number of chunks left; an earlier worker may have planned the job and done some."""
        chunks = self.lease.job.score_chunks
        if not chunks.exists():
            return plan_chunks(lease=self.lease, study=self.study, run=run, asked=self.asked)
        done = chunks.exclude(done_at=None).values_list("items", flat=True)
        self.lease.beat(sum(map(len, done)), self.lease.job.total, SCORING)
        return chunks.filter(done_at=None).count()

    def work(self, kit: Toolkit, run: ScoreRun) -> bool:
        """Score free chunks; return whether it stopped because it is needed elsewhere."""
        whole = self._groups(self.study.items.all()) if compares_with_run(self.asked) else []
        members = (digest_of(simile) for group in whole for simile in group.candidates)
        digest = whole_digest(members) if whole else ""
        while (held := take_chunk(self.lease.job)) is not None:
            self._held = held
            try:
                self.beat()
                self._score(kit, run, held, whole, digest)
            except LeaseLost:
                held.release()
                raise
            finally:
                self._held = None
            if self.lease.needed_elsewhere():
                return True
        return False

    def leave(self) -> None:
        """Return the job to the queue, unless other workers are working on its chunks."""
        if not claimed_chunks(self.lease.job).exists():
            self.lease.give_back()

    def _groups(self, items: QuerySet[Item]) -> list[Group]:
        return groups_of(self.study, items, self.asked.components)

    def _score(
        self, kit: Toolkit, run: ScoreRun, held: ClaimedChunk, whole: Sequence[Group], digest: str
    ) -> None:
        groups = self._groups(items_by_key(self.study, held.chunk.items))
        try:
            scored = score_groups(groups, kit.tools, run=whole)
        except MetricError as fault:
            raise GroundworkError(
                message("The models cannot be used: %(reason)s.", reason=str(fault)), code=fault.code
            ) from fault
        with transaction.atomic():
            held.finish()
            store_scored(run, groups, scored, whole=digest)
            # Last, since all workers of a job count in one row, which stays locked until the end.
            self.lease.advance(len(held.chunk.items))
        self._progress(len(held.chunk.items))


def ensure_run(study: Study, kit: Toolkit) -> ScoreRun:
    """Get the study's run of these settings, models and versions, or create it.

    Parameters
    ----------
    study : Study
        The study.
    kit : Toolkit
        What it is made with.
    """
    while True:
        found = ScoreRun.objects.filter(study=study, key=kit.key).first()
        if found is not None:
            return found
        try:
            with transaction.atomic():
                return ScoreRun.objects.create(
                    study=study,
                    name=_free_name(study, kit),
                    profile=kit.made_with["profile"],
                    signature=_signature(kit)[:SIGNATURE_LENGTH],
                    made_with=kit.made_with,
                    key=kit.key,
                    caution=kit.caution,
                    revision=0,
                )
        except IntegrityError:
            continue


def _weights(kit: Toolkit) -> str:
    return " ".join(f"{weight:.3g}" for weight in kit.made_with["weights"].values())


def _free_name(study: Study, kit: Toolkit) -> str:
    provenance = kit.made_with
    marked = ", components of raters" if "components" in provenance else ""
    plain = f"HAUSER, {provenance['profile']}, {provenance['base']}, {_weights(kit)}{marked}"[
        : NAME_LENGTH - 5
    ]
    taken = set(ScoreRun.objects.filter(study=study).values_list("name", flat=True))
    number = 1
    while (name := plain if number == 1 else f"{plain} ({number})") in taken:
        number += 1
    return name


def _signature(kit: Toolkit) -> str:
    provenance = kit.made_with
    checkpoints = provenance["models"].get("checkpoints", {})
    named = [f"{role} {one['name']}@{one['revision'][:19]}" for role, one in checkpoints.items()]
    base = provenance["knowledge_base"]
    parts = [
        f"weights {_weights(kit)}",
        f"knowledge base {base['name']} {base['fingerprint'][:12]}",
        *(["components of raters"] if "components" in provenance else []),
        f"extractor {provenance['extractor']}",
        *(named or [provenance["models"].get("reason", "")]),
        f"groundwork {provenance['software']['groundwork']}",
    ]
    return "; ".join(parts)
