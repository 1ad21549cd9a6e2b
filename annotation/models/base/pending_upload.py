"""Files that wait to be imported."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.base.study import Study


class ImportFile(models.Model):
    """A file that was read and waits until a member chooses the contents of its columns.

    `rows` holds its valid rows, as compressed JSON, and is emptied once they are stored; `problems` those
    that could not be read, `{"row", "column", "code", "message"}`. `what` is the kind of its rows. `stored`,
    `updated` and `skipped` count the rows by result.
    """

    ITEMS, SCORES = "items", "scores"
    KINDS = ((ITEMS, "items"), (SCORES, "scores"))
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="import_files")
    what = models.CharField(max_length=10, choices=KINDS, default=ITEMS)
    name = models.CharField(max_length=200)
    columns = models.JSONField(default=list)
    n_rows = models.PositiveIntegerField(default=0)
    rows = models.BinaryField(default=b"")
    problems = models.JSONField(default=list)
    mapping = models.JSONField(default=dict)
    stored = models.PositiveIntegerField(null=True, blank=True)
    updated = models.PositiveIntegerField(null=True, blank=True)
    skipped = models.PositiveIntegerField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "-pk"]

    def __str__(self) -> str:
        return self.name
