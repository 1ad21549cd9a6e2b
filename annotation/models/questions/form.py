"""Forms, their versions, criteria and the points of their scales."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q

from annotation.domain.base.limits import LONGEST_TITLE
from annotation.domain.questions.kinds.kind import QuestionKind
from annotation.domain.questions.kinds.registry import DEFAULT_KIND, KINDS, kind_choices
from annotation.domain.questions.wording.version_numbers import PLACES, place_of, version_label
from annotation.models.base.number import NumberField
from annotation.models.base.study import Study


class OrdinaryForms(models.Manager["Form"]):
    """Forms by which items are rated; those of planted questions are left out."""

    def get_queryset(self) -> models.QuerySet[Form]:
        return super().get_queryset().filter(planted=False)


class Form(models.Model):
    """Criteria that one rater answers together for one item, on one page.

    A `planted` form holds the question of a check; only `Form.everything` finds it.

    `overlap` is how many raters each item needs; `per_rater` caps what one rater is given.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="forms")
    key = models.SlugField(max_length=60)
    title = models.CharField(max_length=LONGEST_TITLE)
    position = models.PositiveSmallIntegerField(default=0)
    overlap = models.PositiveSmallIntegerField(default=3)
    per_rater = models.PositiveIntegerField(null=True, blank=True)
    planted = models.BooleanField(default=False)

    objects = OrdinaryForms()
    everything = models.Manager["Form"]()

    class Meta:
        base_manager_name = "everything"
        ordering = ["study_id", "position", "pk"]
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="one_key_per_form")]

    def __str__(self) -> str:
        return self.title


class FormVersion(models.Model):
    """The wording that raters saw. A version with responses is never edited.

    A corrected wording keeps its number: `correction` counts the corrections of version `number`, and is 0
    for the version itself. Answers to versions with the same `pool` are analysed together; `pool` is the
    `place` of the first of them.

    `blocks` lists what of an item is shown, in order: `{"field", "label", "role", "mark"}` with
    role `literal`, `figure` or `text`, and `mark` the component parts to emphasise; with `lang` where it
    is not in the language of the study, with `optional` where an item may lack it, with `blank` where a
    run of underscores is a gap to be filled. The lines of a block of role `options` are what the points of
    the criterion `of` say for this item; the text of one of role `side` is what its point `value` says.

    `examples` are the worked examples of the instructions: `{"criterion", "text", "answer", "right",
    "reason"}`. `practice` has the texts of an item that raters may try first, `{"field", "text"}`; no
    answer to it is stored. `translations` has the texts in further languages, by language and in the shape
    of a definition.

    `instructions` are those of the study, language → text, that raters of this version read; None where they
    are the study's present ones.
    """

    form = models.ForeignKey(Form, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField(default=1)
    correction = models.PositiveSmallIntegerField(default=0)
    pool = models.PositiveIntegerField(default=0, editable=False)
    title = models.CharField(max_length=LONGEST_TITLE, blank=True)
    question = models.TextField(blank=True)
    blocks = models.JSONField(default=list)
    cannot_rate = models.BooleanField(default=True)
    examples = models.JSONField(default=list, blank=True)
    practice = models.JSONField(default=list, blank=True)
    translations = models.JSONField(default=dict, blank=True)
    instructions = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["form_id", "number", "correction"]
        constraints = [
            models.UniqueConstraint(fields=["form", "number", "correction"], name="one_number_per_version"),
            models.CheckConstraint(
                condition=Q(pool__lte=F("number") * PLACES + F("correction")),
                name="pool_starts_earlier",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.form_id} version {self.label}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save; a version that is not pooled with an earlier one starts a new pool."""
        self.pool = self.pool or self.place
        super().save(*args, **kwargs)

    @property
    def place(self) -> int:
        """Position among the versions of the form."""
        return place_of(self.number, self.correction)

    @property
    def label(self) -> str:
        """The number as people read it: 2, and 2.1 for its first correction."""
        return version_label(self.number, self.correction)

    @property
    def shown_title(self) -> str:
        """The title that raters saw."""
        return self.title or self.form.title


class Criterion(models.Model):
    """One question of a form. `minimum` and `maximum` bound a scale, ends included.

    With `asked_after` it is asked only where the answer to the criterion of that key, earlier in the form,
    is `asked_when`, or is a number within the bound `asked_when`, such as `>=4`. The points of kind `tuples`
    are the parts of a tuple, those of kind `preference` the sides `a` and `b`, and `tie` where that is
    allowed. `settings` holds what only some kinds have.
    """

    version = models.ForeignKey(FormVersion, on_delete=models.CASCADE, related_name="criteria")
    key = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    question = models.TextField(blank=True)
    kind = models.CharField(max_length=12, choices=kind_choices, default=DEFAULT_KIND)
    minimum = NumberField(null=True, blank=True)
    maximum = NumberField(null=True, blank=True)
    required = models.BooleanField(default=True)
    asked_after = models.SlugField(max_length=60, blank=True)
    asked_when = models.CharField(max_length=60, blank=True)
    settings = models.JSONField(default=dict, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = "criteria"
        ordering = ["version_id", "position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["version", "key"], name="one_key_per_criterion"),
            models.CheckConstraint(
                condition=Q(minimum__isnull=True, maximum__isnull=True) | Q(minimum__lt=F("maximum")),
                name="scale_has_two_ends",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def question_kind(self) -> QuestionKind:
        """The kind of question that it is."""
        return KINDS[self.kind]

    @property
    def ends_in_signs(self) -> str:
        """The ends of its scale that were set, such as “1–5” or “≥ 0”."""
        return self.question_kind.ends_in_signs(self.minimum, self.maximum)


class ScalePoint(models.Model):
    """One point of a scale: the value that is stored, the label that is shown, the key that chooses it."""

    criterion = models.ForeignKey(Criterion, on_delete=models.CASCADE, related_name="points")
    value = models.CharField(max_length=60)
    label = models.CharField(max_length=120, blank=True)
    description = models.TextField(blank=True)
    keyboard = models.CharField(max_length=1, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["criterion_id", "position"]
        constraints = [models.UniqueConstraint(fields=["criterion", "value"], name="one_value_per_point")]

    def __str__(self) -> str:
        return f"{self.value} {self.label}".strip()
