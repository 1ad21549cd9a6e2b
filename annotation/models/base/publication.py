"""The publications of a study: its human evaluation sheet, and releases of its data."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.base.job import Job
from annotation.models.base.study import Study


class EvaluationSheet(models.Model):
    """Answers of members to questions of the human evaluation sheet that the study data do not answer.

    `answers` has `choice` and `text` by place: `3.1.2`, or `4.1.1:form:criterion`. `revision` counts how
    often they were saved.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="evaluation_sheet")
    answers = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"evaluation sheet of {self.study_id}"


class Release(models.Model):
    """A version of the data of a study that was made for publication.

    `digest` is the SHA-256 of the archive, which is deleted when data of a rater are erased. `counts` has the
    numbers of items, responses, raters, ratings and figures; `difference` those added, removed and changed
    since `earlier`, by the same names, and is empty for the first release or where the earlier archive is
    gone.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="releases")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="release")
    major = models.PositiveSmallIntegerField()
    minor = models.PositiveSmallIntegerField()
    note = models.CharField(max_length=500, blank=True)
    licence = models.CharField(max_length=40, blank=True)
    digest = models.CharField(max_length=64)
    counts = models.JSONField(default=dict)
    earlier = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    difference = models.JSONField(default=dict)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "-major", "-minor"]
        constraints = [
            models.UniqueConstraint(fields=["study", "major", "minor"], name="one_release_per_version"),
        ]

    def __str__(self) -> str:
        return self.version

    @property
    def version(self) -> str:
        """Such as 1.0."""
        return f"{self.major}.{self.minor}"
