"""Items: the things to rate."""

from __future__ import annotations

from django.db import models

from annotation.models.study import Study


class Item(models.Model):
    """One thing to rate.

    `fields` holds its named texts; `components` the marked parts of them, each
    `{"field", "part", "start", "end", "text"}` with offsets in Unicode code points (null where
    the wording does not stand in the text). `group` gathers candidates for one literal sentence
    or prompt, `system` says what produced the text.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=120)
    group = models.CharField(max_length=120, blank=True)
    system = models.CharField(max_length=120, blank=True)
    fields = models.JSONField(default=dict)
    components = models.JSONField(default=list, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["study", "position"]
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="one_key_per_item")]
        indexes = [
            models.Index(fields=["study", "position"], name="item_order"),
            models.Index(fields=["study", "group"], name="item_group"),
        ]

    def __str__(self) -> str:
        return self.key
