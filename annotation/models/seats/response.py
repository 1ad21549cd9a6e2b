"""Responses with their revisions, and the ratings in them. Never changed, never deleted."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotation.domain.base.limits import LONGEST_LANGUAGE_CODE
from annotation.models.questions.form import Criterion, FormVersion
from annotation.models.questions.given_answer import GivenAnswer, answer_constraints
from annotation.models.seats.assignment import Assignment


class Response(models.Model):
    """What a rater submitted for an assignment. A correction is a new revision; the highest is current.

    `submission_key` identifies one submission of one page, so that sending it again finds this row.
    `hurried_after` are the seconds after which the same answer was first sent, before the minimum page
    time: the rater was asked to check it, and sent it again unchanged.
    `cannot_rate` holds a reason code, `lacks_context` first, instead of ratings or in addition to them.
    `shown_at` is when the page of this revision was shown, null where it is not known.
    `seconds` are measured by the server; the browser reports the seconds with the page visible and away
    from it, how often it was left and what was pasted, null without a report (no scripts, or over the API).
    `first_values` are the numbers at which the rater first placed the marks of sliders, by key of the
    criterion, as the first page sent them; a correction keeps them.
    `heard` states for each recording and video, by column of the item, how the rater came to its end:
    `played`, `stated` (a page without scripts) or `read` (the transcript instead).
    `suggestions` states for each criterion for which an earlier stage suggested an answer whether it was
    `accepted` or `changed`. `interface_language` is that of the page on which it was given, empty where it is
    not known. `text_language` is that of the criteria on that page as the imported file states it, `und`
    where that cell was empty; for other responses it is empty, and follows from
    the page's language and the form's translations.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="responses")
    revision = models.PositiveSmallIntegerField(default=1)
    current = models.BooleanField(default=True)
    submission_key = models.UUIDField(unique=True)
    version = models.ForeignKey(FormVersion, on_delete=models.PROTECT, related_name="responses")
    cannot_rate = models.CharField(max_length=40, blank=True)
    remark = models.TextField(blank=True)
    late = models.BooleanField(default=False)
    shown_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(null=True, blank=True)
    hurried_after = models.FloatField(null=True, blank=True)
    active_seconds = models.FloatField(null=True, blank=True)
    away_seconds = models.FloatField(null=True, blank=True)
    times_away = models.PositiveIntegerField(null=True, blank=True)
    pastes = models.PositiveIntegerField(null=True, blank=True)
    suggestions = models.JSONField(default=dict, blank=True)
    first_values = models.JSONField(default=dict, blank=True)
    heard = models.JSONField(default=dict, blank=True)
    interface_language = models.CharField(max_length=LONGEST_LANGUAGE_CODE, blank=True)
    text_language = models.CharField(max_length=LONGEST_LANGUAGE_CODE, blank=True)

    class Meta:
        ordering = ["assignment_id", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "revision"], name="one_number_per_revision"),
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(current=True), name="one_current_revision"
            ),
            models.CheckConstraint(condition=Q(revision__gte=1), name="revisions_count_from_1"),
            models.CheckConstraint(
                condition=Q(shown_at=None) | Q(submitted_at=None) | Q(shown_at__lte=F("submitted_at")),
                name="shown_before_submitted",
            ),
        ]
        indexes = [models.Index(fields=["submitted_at"], name="response_time")]

    def __str__(self) -> str:
        return f"response {self.pk}, revision {self.revision}"


class Rating(GivenAnswer):
    """The answer to one criterion in a response.

    `shown` lists the values of the options in the order in which the rater saw them, where raters see them in
    different orders.
    """

    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="ratings")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="ratings")
    shown = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "criterion"], name="one_rating_per_criterion"),
            *answer_constraints("rating"),
        ]

    @property
    def words(self) -> str:
        """The answer for reading, its `criterion` and the points of that loaded."""
        kind = self.criterion.question_kind
        labels = {point.value: point.label for point in self.criterion.points.all()}
        return kind.in_words(kind.values(str(self)), labels)
