"""The job that compares metrics with ratings, done at once."""

from __future__ import annotations

from annotation.models import Study
from annotation.services.base.jobs import claim
from scoring.models import Report
from scoring.services.metrics.metrics import compute_metrics, request_metrics


def compute(study: Study) -> Report:
    job = request_metrics(study=study, actor=None)
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_metrics(lease=lease)
