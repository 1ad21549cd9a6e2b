"""Erasures of raters’ data, and copies downloaded before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from annotation.models import AuditEntry, Rater, Study, Withdrawal

ERASING = Q(act="erase_rater") | Q(act="withdraw", detail__answers=Withdrawal.ERASE.value)
# Files with the data of raters that left the installation by way of the log.
TAKEN = (
    "download",
    *("export_bonuses", "export_bundle", "export_contacts", "export_payments", "export_platform_ids"),
    "export_personal_data",
    *("make_release", "upload_release"),
)


@dataclass(frozen=True)
class Erasure:
    """A rater's code, and when their data were first erased."""

    study: str
    rater: str
    at: datetime


def erasures_of(study: Study) -> list[Erasure]:
    """Raters whose data were erased, the latest first, each once with the first time.

    Copies made before the first time hold everything; erasing again erases only what was stored since.
    """
    entries = AuditEntry.objects.filter(ERASING, study=study).order_by("created_at", "pk")
    first: dict[str, datetime] = {}
    for entry in entries:
        first.setdefault(str(entry.detail["rater"]), entry.created_at)
    return [Erasure(study.slug, rater, at) for rater, at in reversed(first.items())]


def erased_by_team(rater: Rater) -> datetime | None:
    """When the study team erased a rater's data; None if it did not, or if withdrawing had erased them."""
    entries = AuditEntry.objects.filter(ERASING, study=rater.study_id, detail__rater=rater.code)
    first = entries.order_by("created_at", "pk").first()
    return first.created_at if first is not None and first.act == "erase_rater" else None


def last_erasure(study: Study) -> datetime | None:
    """When the data of a rater of a study or of its pilot, which its bundles may hold, were last erased."""
    times = AuditEntry.objects.filter(ERASING, study__in=[study.pk, study.pilot_id]).order_by("-created_at")
    return times.values_list("created_at", flat=True).first()


def copies_taken(study: Study, *, before: datetime) -> QuerySet[AuditEntry]:
    """Downloads, and bundles that were made, before a moment, the latest first.

    Includes those of main studies that were ever pooled with this study as their pilot.
    """
    pooled = AuditEntry.objects.filter(act="pool_pilot", study__pilot=study).values("study")
    of_study = Q(study=study) | Q(study__in=pooled)
    taken = AuditEntry.objects.filter(of_study, act__in=TAKEN, created_at__lt=before)
    return taken.select_related("actor")
