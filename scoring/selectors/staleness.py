"""Whether a report still speaks of all the data there are."""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.db.models import Exists, Q

from annotation.models import AuditEntry, Exclusion, ExclusionLift, Response, Study
from scoring.models import Report, ScoreRun


def is_stale(study: Study, report: Report) -> bool:
    """Whether answers, exclusions or scores have come in, or been taken back, since a report was made.

    Parameters
    ----------
    study : Study
        The study.
    report : Report
        One of its reports.

    Returns
    -------
    bool
        One query; True says that computing again may give other figures.
    """
    since = report.created_at
    newer = [
        Exists(Response.objects.filter(assignment__rater__study=study, submitted_at__gt=since)),
        Exists(Exclusion.objects.filter(study=study, created_at__gt=since)),
        Exists(ExclusionLift.objects.filter(exclusion__study=study, created_at__gt=since)),
        # Whoever withdraws may have had their answers erased, which leaves nothing newer behind.
        Exists(AuditEntry.objects.filter(study=study, act="withdraw", created_at__gt=since)),
    ]
    if report.kind in {"metrics", "comparison"}:
        newer.append(Exists(ScoreRun.objects.filter(study=study, created_at__gt=since)))
    return Study.objects.filter(reduce(or_, map(Q, newer)), pk=study.pk).exists()
