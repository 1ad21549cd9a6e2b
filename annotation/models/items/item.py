"""Items: the things to rate."""

from __future__ import annotations

from django.db import models

from annotation.models.base.study import Study


class OrdinaryItems(models.Manager["Item"]):
    """Items without planted ones: the items of all lists, counts and exports."""

    def get_queryset(self) -> models.QuerySet[Item]:
        return super().get_queryset().filter(planted=False)


class Item(models.Model):
    """One thing to rate.

    A `planted` item is shown as a check or for practice; only `Item.everything` finds it.

    `fields` holds its named texts; `components` the marked parts of them, each
    `{"field", "part", "start", "end", "text"}` with offsets in Unicode code points (null where
    the wording does not occur in the text). `group` gathers candidates for one literal sentence
    or prompt, `system` is the producer of the text. A retired item has no open rating slots, and keeps its
    responses. `added_at` is not known of items that were added before it was stored.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=120)
    group = models.CharField(max_length=120, blank=True)
    system = models.CharField(max_length=120, blank=True)
    fields = models.JSONField(default=dict)
    components = models.JSONField(default=list, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)
    planted = models.BooleanField(default=False)
    added_at = models.DateTimeField(null=True, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = OrdinaryItems()
    everything = models.Manager["Item"]()

    class Meta:
        base_manager_name = "everything"
        ordering = ["study_id", "position"]
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="one_key_per_item")]
        indexes = [
            models.Index(fields=["study", "position"], name="item_order"),
            models.Index(fields=["study", "group"], name="item_group"),
        ]

    def __str__(self) -> str:
        return self.key
