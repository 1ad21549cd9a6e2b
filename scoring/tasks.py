"""What workers do for the computing side."""

from __future__ import annotations

import logging
from collections.abc import Callable

from celery import shared_task

from annotation.domain.errors import FileRefused, GroundworkError, LeaseLost
from annotation.services.jobs import Lease, claim, shared_lease
from scoring.services.bundles import make_bundle
from scoring.services.corpus_curves import compute_corpus
from scoring.services.exclusion_preview import compute_preview
from scoring.services.item_figures import compute_figures
from scoring.services.metric_comparison import compute_comparison
from scoring.services.metrics import compute_metrics
from scoring.services.multiverse import compute_multiverse
from scoring.services.reliability import compute_report
from scoring.services.replications import compute_replication
from scoring.services.score_files import store_file
from scoring.services.score_runs import compute_scores
from scoring.services.sent_files import compute_file

logger = logging.getLogger(__name__)


@shared_task(name="scoring.reliability")
def reliability_task(job_id: int) -> None:
    """Compute a reliability report."""
    _work(job_id, lambda lease: compute_report(lease=lease))


@shared_task(name="scoring.metrics")
def metrics_task(job_id: int) -> None:
    """Compute how well metrics follow the ratings of a study."""
    _work(job_id, lambda lease: compute_metrics(lease=lease))


@shared_task(name="scoring.comparison")
def comparison_task(job_id: int) -> None:
    """Compare two metrics of a study."""
    _work(job_id, lambda lease: compute_comparison(lease=lease))


@shared_task(name="scoring.item_figures")
def item_figures_task(job_id: int) -> None:
    """Compute the figures of every item and rater."""
    _work(job_id, lambda lease: compute_figures(lease=lease))


@shared_task(name="scoring.exclusion_preview")
def exclusion_preview_task(job_id: int) -> None:
    """Compute what an exclusion rule would do."""
    _work(job_id, lambda lease: compute_preview(lease=lease))


@shared_task(name="scoring.multiverse")
def multiverse_task(job_id: int) -> None:
    """Compute the headline figures under each set of exclusions."""
    _work(job_id, lambda lease: compute_multiverse(lease=lease))


@shared_task(name="scoring.replication")
def replication_task(job_id: int) -> None:
    """Recompute the tables of a published study."""
    _work(job_id, lambda lease: compute_replication(lease=lease))


@shared_task(name="scoring.corpus")
def corpus_task(job_id: int) -> None:
    """Compute how scores follow the ratings as the corpus they refer to grows."""
    _work(job_id, lambda lease: compute_corpus(lease=lease))


@shared_task(name="scoring.import_scores")
def import_scores_task(job_id: int) -> None:
    """Store the columns of scores of a file that was checked."""
    _work(job_id, lambda lease: store_file(lease=lease))


@shared_task(name="scoring.score_file")
def score_file_task(job_id: int) -> None:
    """Score the candidates of a file that was sent."""
    _work(job_id, lambda lease: compute_file(lease=lease))


@shared_task(name="scoring.bundle")
def bundle_task(job_id: int) -> None:
    """Write an export bundle."""
    _work(job_id, lambda lease: make_bundle(lease=lease))


@shared_task(name="scoring.score")
def score_task(job_id: int) -> None:
    """Score the items of a study, or help the workers that do."""
    lease = claim(job_id=job_id)
    if lease is not None:
        _held(lease, lambda lease: compute_scores(lease=lease))
        return
    shared = shared_lease(job_id=job_id)
    if shared is None:
        return
    try:
        compute_scores(lease=shared, helping=True)
    except LeaseLost:
        logger.warning("Job %s was taken over or cancelled", job_id)
    except GroundworkError as refusal:
        logger.warning("Job %s cannot be helped here: %s", job_id, refusal.message)


def _work(job_id: int, compute: Callable[[Lease], object]) -> None:
    """Claim a job and do it; whoever does not hold the lease leaves it alone."""
    lease = claim(job_id=job_id)
    if lease is not None:
        _held(lease, compute)


def _held(lease: Lease, compute: Callable[[Lease], object]) -> None:
    """Do a job that this worker holds, and say how it ended where it failed."""
    job_id = lease.job.pk
    try:
        compute(lease)
    except LeaseLost:
        logger.warning("Job %s was taken over or cancelled", job_id)
    except FileRefused as refusal:
        lease.fail(code=refusal.code, message=f"Nothing was stored. {refusal.problems[0]}")
    except GroundworkError as refusal:
        lease.fail(code=refusal.code, message=refusal.message)
    except Exception as fault:  # the task boundary: the job must say that it failed
        logger.exception("Job %s failed", job_id)
        lease.fail(
            code="fault", message=f"The computation failed ({type(fault).__name__}); see the worker's log."
        )
