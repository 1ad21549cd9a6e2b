"""Figures of every item and rater, computed by a job and stored so that lists can be sorted by them."""

from __future__ import annotations

from django.db import models

from annotation.models import Item, Job, Rater, Study


class FigureSet(models.Model):
    """One computation for a whole study; pages read the newest that is `ready`.

    `data_state` says how much there was when the data were read: where it differs from the present, the
    figures are shown as out of date. `criteria` lists the criteria in order, each `{"name", "minimum",
    "maximum", "alpha"}`; `metrics` says for each metric from which run its scores come, its sign, and by
    criterion what a divergence is measured with.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="figure_sets")
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="figure_sets")
    ready = models.BooleanField(default=False)
    data_state = models.JSONField(default=dict)
    n_items = models.PositiveIntegerField(default=0)
    systems = models.JSONField(default=list)
    criteria = models.JSONField(default=list)
    metrics = models.JSONField(default=dict)
    software = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"figures {self.pk}"


class ItemSummary(models.Model):
    """What is known of one item beyond a single criterion, with what lists are searched and sorted by.

    `search` holds key and texts, case folded. `apart` is the mean absolute difference between two raters,
    averaged over the criteria.
    """

    made = models.ForeignKey(FigureSet, on_delete=models.CASCADE, related_name="summaries")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="summaries")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=120)
    group = models.CharField(max_length=120, blank=True)
    system = models.CharField(max_length=120, blank=True)
    search = models.TextField(blank=True)
    n_answers = models.PositiveIntegerField(default=0)
    n_cannot = models.PositiveIntegerField(default=0)
    n_context = models.PositiveIntegerField(default=0)
    apart = models.FloatField(null=True)

    class Meta:
        verbose_name_plural = "item summaries"
        constraints = [models.UniqueConstraint(fields=["made", "item"], name="one_summary_per_item")]
        indexes = [
            models.Index(fields=["made", "group"], name="summary_group"),
            models.Index(fields=["made", "system"], name="summary_system"),
        ]

    def __str__(self) -> str:
        return self.key


class ItemFigure(models.Model):
    """Figures of one item on one criterion, as `scoring.stats.raters.disagreement` defines them.

    A null is a figure that cannot be computed; `counts` says how often each value was given.
    """

    summary = models.ForeignKey(ItemSummary, on_delete=models.CASCADE, related_name="figures")
    criterion = models.CharField(max_length=125)
    n = models.PositiveIntegerField(default=0)
    n_cannot = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    mean = models.FloatField(null=True)
    sd = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    minimum = models.FloatField(null=True)
    maximum = models.FloatField(null=True)
    range = models.FloatField(null=True)
    apart = models.FloatField(null=True)
    from_alpha = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["summary", "criterion"], name="one_figure_per_criterion")
        ]

    def __str__(self) -> str:
        return f"{self.criterion} of {self.summary_id}"


class FigureColumn(models.Model):
    """One figure of all items, in their order: what a list is filtered and sorted by.

    A list of 100,000 items takes a few of these and no row of those that it does not show. `values` are
    float64, the least significant byte first, NaN where there is no figure. In addition to the columns of a
    list, which include divergences from each metric, there are `pk`, the keys of the summaries, and `item`.
    """

    made = models.ForeignKey(FigureSet, on_delete=models.CASCADE, related_name="columns")
    name = models.CharField(max_length=250)
    values = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["made", "name"], name="one_column_per_name")]

    def __str__(self) -> str:
        return self.name


class RaterFigure(models.Model):
    """Figures of one rater in comparison with the others, over all criteria.

    `severity` is the mean of their values less the means of the others of the same item, with its
    interval; `held_out` the mean over the criteria of the correlations with the mean of the others.
    """

    made = models.ForeignKey(FigureSet, on_delete=models.CASCADE, related_name="rater_figures")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="figures")
    n_answers = models.PositiveIntegerField(default=0)
    n_cannot = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(null=True)
    n_checks = models.PositiveIntegerField(default=0)
    n_failed = models.PositiveIntegerField(default=0)
    n_shared = models.PositiveIntegerField(default=0)
    severity = models.FloatField(null=True)
    severity_low = models.FloatField(null=True)
    severity_high = models.FloatField(null=True)
    held_out = models.FloatField(null=True)
    flat = models.FloatField(null=True)
    longest_run = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["made", "rater"], name="one_figure_per_rater")]

    def __str__(self) -> str:
        return f"figures of rater {self.rater_id}"
