"""Sent files, until a worker has read them, and their results."""

from __future__ import annotations

import uuid
from pathlib import Path

from django.conf import settings
from django.db import models

from annotation.models.base.job import Job
from annotation.models.base.study import Study


class Upload(models.Model):
    """A sent file with its purpose and options; its job reads it.

    The file lies in a folder of its own under `uploads` in the media folder, which web server and workers
    share, until the job has ended. `act` is the key of a registered act, with its `options`;
    `page` is where its sender waits. Afterwards `outcome` states what was stored, or `refusal` the problem.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, null=True, blank=True, related_name="uploads")
    job = models.OneToOneField(Job, on_delete=models.CASCADE, null=True, related_name="upload")
    act = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    name = models.CharField(max_length=200)
    folder = models.UUIDField(default=uuid.uuid4, unique=True)
    page = models.CharField(max_length=300, blank=True)
    outcome = models.JSONField(null=True)
    refusal = models.JSONField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> Path:
        """The folder of its file, which may be deleted already."""
        return Path(settings.MEDIA_ROOT) / "uploads" / self.folder.hex
