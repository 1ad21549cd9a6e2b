"""Problems with items that raters report."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.domain.base.states import ProblemReason, choices, values
from annotation.models.seats.assignment import Assignment


class ProblemReport(models.Model):
    """A problem that a rater found with the item of an assignment; it changes no rating.

    `report_key` identifies the page that was sent, so that sending it again finds this row.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="problems")
    report_key = models.UUIDField()
    reason = models.CharField(max_length=12, choices=choices(ProblemReason))
    text = models.TextField(blank=True)
    reported_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["reported_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "report_key"], name="one_report_per_key"),
            models.CheckConstraint(
                condition=Q(reason__in=values(ProblemReason)), name="problem_reason_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason} with assignment {self.assignment_id}"
