"""Media files of a study, which items show in addition to their texts."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.domain.base.limits import LONGEST_MEDIA_ADDRESS
from annotation.domain.items.media import AUDIO, IMAGE, LONGEST_NAME, VIDEO
from annotation.models.base.study import Study

FOLDER = "study-media"


class MediaFile(models.Model):
    """A picture, recording or video that items name.

    The file lies in the storage `media` under `stored_name`, which follows from its content; `sha256` is the
    digest of what is stored, and `sent_sha256` that of what was sent: pictures are re-encoded. One on
    another server has its `address` and no digest. `alt` describes it for those who do not see it,
    `transcript` is the text of what is spoken in it.
    """

    KINDS = ((IMAGE, "image"), (AUDIO, "audio"), (VIDEO, "video"))
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="media_files")
    name = models.CharField(max_length=LONGEST_NAME)
    kind = models.CharField(max_length=5, choices=KINDS)
    mime = models.CharField(max_length=40, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    sent_sha256 = models.CharField(max_length=64, blank=True)
    address = models.URLField(max_length=LONGEST_MEDIA_ADDRESS, blank=True)
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    seconds = models.FloatField(null=True, blank=True)
    alt = models.TextField(blank=True)
    transcript = models.TextField(blank=True)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="one_media_file_per_name"),
            models.CheckConstraint(
                condition=(Q(address="") & ~Q(sha256="")) | (~Q(address="") & Q(sha256="")),
                name="media_file_is_here_or_elsewhere",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def whole_seconds(self) -> int:
        """The duration, at least a second."""
        return max(1, round(self.seconds or 0))

    @property
    def stored_name(self) -> str:
        """Its name in the storage."""
        return f"{media_folder(self.study_id)}/{self.sha256}"


def media_folder(study_id: int) -> str:
    """The folder of a study in the storage `media`."""
    return f"{FOLDER}/{study_id}"
