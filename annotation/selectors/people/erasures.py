"""Whose data were erased from a study, and who had taken copies before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from annotation.models import AuditEntry, Study, Withdrawal

ERASING = Q(act="erase_rater") | Q(act="withdraw", detail__answers=Withdrawal.ERASE.value)
# Files with the data of raters that left the installation by way of the log.
TAKEN = ("export_bundle", "export_contacts", "export_platform_ids", "export_personal_data")


@dataclass(frozen=True)
class Erasure:
    """A rater's code, and when their data were erased."""

    study: str
    rater: str
    at: datetime


def erasures_of(study: Study) -> list[Erasure]:
    """What was erased, the latest first; a rater who was erased twice stands there twice."""
    entries = AuditEntry.objects.filter(ERASING, study=study)
    return [Erasure(study.slug, str(entry.detail["rater"]), entry.created_at) for entry in entries]


def last_erasure(study: Study) -> datetime | None:
    """When a rater's data were last erased."""
    times = AuditEntry.objects.filter(ERASING, study=study).order_by("-created_at")
    return times.values_list("created_at", flat=True).first()


def copies_taken(study: Study, *, before: datetime) -> QuerySet[AuditEntry]:
    """Bundles and lists of people that were made before a moment, the latest first."""
    taken = AuditEntry.objects.filter(study=study, act__in=TAKEN, created_at__lt=before)
    return taken.select_related("actor")
