"""Share links: those of a study, the one of a secret, and what it shows."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from annotation.domain.base.sealing import digest_of
from annotation.models import Study
from scoring.models import Report, ShareLink

OF_RATER = "rater:"
# The tables of a report that name no rater and no item.
SHARED_TABLES = (
    "before",
    "versions",
    "components",
    "accuracy",
    "without_key",
    "win_rates",
    "wins_by_percent",
    "first_shown",
    "strengths",
    "order_candidates",
    "order_pairs",
    "best_worst_halves",
)


def share_links_of(study: Study) -> QuerySet[ShareLink]:
    """The share links of a study, newest first, with their reports and creators."""
    return (
        ShareLink.objects.filter(study=study)
        .select_related("report", "created_by")
        .defer("report__figures", "report__tables")
    )


def active_share_link(token: str) -> ShareLink | None:
    """The link with a secret, with its report; None if it does not exist, has expired or was revoked."""
    return (
        ShareLink.objects.select_related("study", "report")
        .filter(
            token_digest=digest_of(token),
            revoked_at=None,
            expires_at__gt=timezone.now(),
            study__deletion_began_at=None,
        )
        .first()
    )


def shared_report(report: Report) -> Report:
    """A copy of a report for people without an account: no single rater, no pair of raters and no item.

    Parameters
    ----------
    report : Report
        A stored one; the copy is not stored.
    """
    tables: dict[str, Any] = {name: report.tables[name] for name in SHARED_TABLES if name in report.tables}
    tables["distributions"] = {
        name: {**table, "raters": []} for name, table in report.tables.get("distributions", {}).items()
    }
    return Report(
        pk=report.pk,
        study_id=report.study_id,
        kind=report.kind,
        figures=[row for row in report.figures if not str(row["variant"]).startswith(OF_RATER)],
        tables=tables,
        data=report.data,
        method=report.method,
        fingerprint=report.fingerprint,
        software=report.software,
        created_at=report.created_at,
    )
