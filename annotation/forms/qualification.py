"""Forms by which members set up a qualification."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import LONGEST_REFERENCE
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.questions.kinds.registry import KINDS
from annotation.forms.base import LongTextField, TextField, TitleField, shown_text
from annotation.forms.new_study import TABLE_FILES
from annotation.models import Criterion, Form, FormVersion, Qualification, Study
from annotation.templatetags.rater_words import translated

REFERENCED = tuple(key for key, kind in KINDS.items() if "calibration" not in kind.lacks)


class RuleForm(forms.Form):
    """The qualification rule, the number of attempts, and whether raters see the reference values."""

    rule = forms.ChoiceField(
        label=_("Rule"),
        choices=[
            (RuleKind.NEAR.value, _("values close to the reference values")),
            (RuleKind.RANK.value, _("rank correlation with the reference values")),
            (RuleKind.HAND.value, _("approval by a researcher (trial annotation)")),
        ],
    )
    tolerance = forms.FloatField(label=_("Tolerance (scale points)"), min_value=0, required=False, initial=1)
    share = forms.FloatField(
        label=_("Required share of values within the tolerance (%)"),
        min_value=1,
        max_value=100,
        required=False,
        initial=70,
    )
    least = forms.FloatField(
        label=_("Minimum rank correlation (Spearman, mean of the criteria)"),
        min_value=-1,
        max_value=1,
        required=False,
        initial=0.6,
    )
    attempts = forms.IntegerField(
        label=_("Maximum number of attempts"),
        min_value=1,
        max_value=100,
        required=False,
        initial=1,
        help_text=_("Leave empty for no limit."),
    )
    feedback = forms.BooleanField(
        label=_("Show reference value and reason after each item"),
        required=False,
        initial=True,
        help_text=_("If shown, the first answer to each item counts; otherwise, the last."),
    )

    items_per_attempt = forms.IntegerField(
        label=_("Items per attempt"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=_(
            "Leave empty to use all calibration items. Later attempts start with items that are new to the "
            "rater."
        ),
    )

    def __init__(self, stored: Qualification | None, data: Any = None) -> None:
        initial = {}
        if stored is not None:
            initial = {name: getattr(stored, name) for name in self.base_fields}
            numbers = {
                "tolerance": stored.tolerance,
                "share": None if stored.share is None else 100 * stored.share,
                "least": stored.least,
            }
            initial |= {name: None if one is None else f"{one:g}" for name, one in numbers.items()}
        super().__init__(data, initial=initial)

    def settings(self) -> dict[str, Any]:
        """The arguments of `set_qualification`."""
        given = dict(self.cleaned_data)
        kind, share = RuleKind(given.pop("rule")), given.pop("share")
        return {**given, "kind": kind, "share": None if share is None else share / 100}


class PageForm(forms.Form):
    """A background page."""

    title = TitleField(label=_("Title"))
    text = LongTextField(
        label=_("Text"),
        rows=12,
        help_text=_(
            "An empty line starts a new paragraph. Start a heading with “## ” and a list entry with “- ”. "
            "Mark a component as in {vehicle:a bell}."
        ),
    )


class CalibrationForm(forms.Form):
    """A calibration item, existing or new, with its reference values and the reason."""

    form = forms.ModelChoiceField(Form.objects.none(), label=_("Form"), empty_label=None)
    picked = forms.CharField(
        label=_("Item ID of an existing item"),
        max_length=120,
        required=False,
        help_text=_(
            "The item is then no longer rated in the main task. To use a new item, leave this empty and "
            "enter "
            "its texts. Mark a component as in {vehicle:a bell}."
        ),
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        choices = self.fields["form"]
        if isinstance(choices, forms.ModelChoiceField):
            choices.queryset = study.forms.all()
        self.initial["form"] = study.forms.first()
        self.study = study
        self.shown, self.asked = _shown(study), _asked(study)
        for name in self.shown:
            self.fields[f"text-{name}"] = shown_text(name)
        for key, criterion in self.asked.items():
            self.fields[f"value-{key}"] = forms.CharField(
                label=_("Reference value: %(name)s") % {"name": criterion.name},
                max_length=LONGEST_REFERENCE,
                required=False,
                help_text=translated(criterion.question_kind.reference_help),
            )
        self.fields["reason"] = TextField(
            label=_("Reason for the reference values"),
            max_length=2000,
            required=False,
            widget=forms.Textarea(attrs={"rows": 3}),
        )

    def texts(self) -> dict[str, str]:
        """The texts of a new item."""
        return {name: self.cleaned_data[f"text-{name}"] for name in self.shown}

    def reference(self) -> dict[str, object]:
        """Criterion key → value."""
        return {key: self.cleaned_data[f"value-{key}"] for key in self.asked}


class CalibrationFileForm(forms.Form):
    """A file of calibration items."""

    form = forms.ModelChoiceField(Form.objects.none(), label=_("Form"), empty_label=None)
    file = forms.FileField(
        label=_("Calibration item file"),
        help_text=_(
            "One row per item: its texts, one reference.… column per criterion, and reason. To use an item "
            "of "
            "the study, enter its ID in the column “item” instead of texts."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": TABLE_FILES}),
    )

    def __init__(self, study: Study, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="file_%s")
        choices = self.fields["form"]
        if isinstance(choices, forms.ModelChoiceField):
            choices.queryset = study.forms.all()
        self.initial["form"] = study.forms.first()


def _shown(study: Study) -> list[str]:
    versions = FormVersion.objects.filter(form__in=study.forms.all()).order_by("form__position", "-number")
    return list(dict.fromkeys(block["field"] for version in versions for block in version.blocks)) or _texts(
        study
    )


def _texts(study: Study) -> list[str]:
    """The texts of the first item, if no form lists its texts."""
    first = study.items.first()
    return list(first.fields) if first else []


def _asked(study: Study) -> dict[str, Criterion]:
    """Criteria that can have a reference, by key."""
    criteria = Criterion.objects.filter(version__form__in=study.forms.all(), kind__in=REFERENCED)
    return {one.key: one for one in criteria.order_by("version__form__position", "position")}
