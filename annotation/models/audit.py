"""Who did what when: written once, never changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.study import Study


class AuditEntry(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="audit")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    act = models.CharField(max_length=60)
    detail = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["study", "created_at"], name="audit_time")]

    def __str__(self) -> str:
        return f"{self.act} at {self.created_at:%Y-%m-%d %H:%M}"
