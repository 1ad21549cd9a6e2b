"""A study: items, forms and policies, with a state."""

from __future__ import annotations

from django.db import models

from annotation.domain.base.limits import LONGEST_LANGUAGE_CODE, LONGEST_TITLE
from annotation.domain.base.orders import GroupPlacement
from annotation.domain.base.states import DesignKind, StudyState, choices, values


class Withdrawal(models.TextChoices):
    """What happens to the responses of raters who withdraw, as stated in the consent form."""

    KEEP = "keep"
    EXCLUDE = "exclude"
    ERASE = "erase"


class Study(models.Model):
    """Items, forms and policies. `source` is the publication of its ratings, empty for collected ones.

    `design` is the assignment design. With `batches` of `batch_size` pages, a rater gets each batch once, at
    most `batches_per_rater`; `mixed` puts pages of several forms into one batch.

    An item is reserved for `seat_minutes`, and for `last_seat_minutes` where few slots are left for the
    raters at work; None for no difference.

    The minimum page time is `least_seconds`, except for pages whose texts all have at most
    `exempt_characters`. Raters see a suggestion to take a break after every `break_after` pages. `language`
    is the language of the study's texts, `interface_language` that of buttons and messages, empty for the
    language of each rater's browser. `translations` has the texts in further languages, by language and name.
    `contact` is the contact for raters; definitions and copies do not contain it, because it is personal.
    `contact_translations` has it by language.
    `consent_number` is the number of the current consent form, 0 before the study opens.

    `ratings_per_item` was set when a draft without forms was created; forms that are added have it.

    `keep_about_days`, `keep_ids_days` and `keep_activity_days` are the retention periods, in days after
    closing, of demographic answers, of platform IDs and accounts, and of page activity; None for no limit.
    From `deleted_after` on, the study is deleted; it can be cancelled until `deletion_began_at`.

    At `target_reached_at` all rating slots were found filled; None while one is not.

    `pilot` is the study that this main study was copied from. With `refuse_pilot_raters`, raters of the
    pilot cannot join. At `pilot_pooled_at` a member declared that statistics and exports take in the
    pilot's answers about the same items in the same words, for the reason `pilot_pooled_because`; None
    where they are separate.
    """

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=LONGEST_TITLE)
    description = models.TextField(blank=True)
    consent = models.TextField(blank=True)
    instructions = models.TextField(blank=True)
    translations = models.JSONField(default=dict, blank=True)
    language = models.CharField(max_length=LONGEST_LANGUAGE_CODE, default="en")
    interface_language = models.CharField(max_length=LONGEST_LANGUAGE_CODE, blank=True)
    state = models.CharField(max_length=8, choices=choices(StudyState), default=StudyState.DRAFT.value)
    source = models.CharField(max_length=60, blank=True)
    identified = models.BooleanField(default=True)
    simulated = models.BooleanField(default=False)
    include_late = models.BooleanField(default=False)
    seat_minutes = models.PositiveIntegerField(default=60)
    last_seat_minutes = models.PositiveIntegerField(null=True, blank=True)
    design = models.CharField(max_length=8, choices=choices(DesignKind), default=DesignKind.POOL.value)
    keep_groups = models.CharField(
        max_length=8, choices=choices(GroupPlacement), default=GroupPlacement.FREE.value
    )
    batch_size = models.PositiveIntegerField(null=True, blank=True)
    batches_per_rater = models.PositiveIntegerField(null=True, blank=True)
    mixed = models.BooleanField(default=False)
    check_every = models.PositiveIntegerField(null=True, blank=True)
    check_jitter = models.PositiveIntegerField(default=0)
    more_allowed = models.BooleanField(default=False)
    least_seconds = models.PositiveIntegerField(null=True, blank=True)
    exempt_characters = models.PositiveIntegerField(default=0)
    break_after = models.PositiveIntegerField(null=True, blank=True)
    content_warning = models.TextField(blank=True)
    contact = models.CharField(max_length=200, blank=True)
    contact_translations = models.JSONField(default=dict, blank=True)
    consent_number = models.PositiveSmallIntegerField(default=0)
    on_withdrawal = models.CharField(max_length=8, choices=Withdrawal.choices, default=Withdrawal.KEEP)
    keep_about_days = models.PositiveIntegerField(null=True, blank=True)
    keep_ids_days = models.PositiveIntegerField(null=True, blank=True)
    keep_activity_days = models.PositiveIntegerField(null=True, blank=True)
    ratings_per_item = models.PositiveIntegerField(null=True, blank=True)
    seed = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    target_reached_at = models.DateTimeField(null=True, blank=True)
    deleted_after = models.DateTimeField(null=True, blank=True)
    deletion_began_at = models.DateTimeField(null=True, blank=True)
    pilot = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="main_studies"
    )
    refuse_pilot_raters = models.BooleanField(default=False)
    pilot_pooled_at = models.DateTimeField(null=True, blank=True)
    pilot_pooled_because = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=values(StudyState)), name="study_state_known"
            ),
        ]

    def __str__(self) -> str:
        return self.title
