"""Views of the item list under a name."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models import Study


class SavedView(models.Model):
    """The query of an address of the item list; all members of a study see it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=80)
    query = models.CharField(max_length=2000, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_name_per_view")]

    def __str__(self) -> str:
        return self.name
