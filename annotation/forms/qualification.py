"""Forms by which members set up a qualification."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import LONGEST_TITLE
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.questions.kinds.registry import KINDS
from annotation.forms.base import LongTextField, TextField, shown_text
from annotation.forms.new_study import TABLE_FILES
from annotation.models import Criterion, Form, FormVersion, Qualification, Study

REFERENCED = tuple(key for key, kind in KINDS.items() if kind.has_reference)


class RuleForm(forms.Form):
    """By which rule raters qualify, how often they may try, and whether they see the references."""

    rule = forms.ChoiceField(
        label=_("Raters qualify"),
        choices=[
            (RuleKind.NEAR.value, _("by values near the reference")),
            (RuleKind.RANK.value, _("by rank correlation with the reference")),
            (RuleKind.HAND.value, _("by hand: a researcher approves their answers")),
        ],
    )
    tolerance = forms.FloatField(
        label=_("Near is within (points of the scale)"), min_value=0, required=False, initial=1
    )
    share = forms.FloatField(
        label=_("Values that must be near (%)"), min_value=1, max_value=100, required=False, initial=70
    )
    least = forms.FloatField(
        label=_("Least rank correlation (Spearman, mean of the criteria)"),
        min_value=-1,
        max_value=1,
        required=False,
        initial=0.6,
    )
    attempts = forms.IntegerField(
        label=_("Attempts"),
        min_value=1,
        max_value=100,
        required=False,
        initial=1,
        help_text=_("Empty: as many as a rater likes."),
    )
    feedback = forms.BooleanField(
        label=_("Show reference and reason after each item"),
        required=False,
        initial=True,
        help_text=_("The first answer to an item counts then; else the last."),
    )

    items_per_attempt = forms.IntegerField(
        label=_("Items per attempt"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=_(
            "Empty: all calibration items. A further attempt uses items that are new to the rater first."
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
        """What `set_qualification` takes."""
        given = dict(self.cleaned_data)
        kind, share = RuleKind(given.pop("rule")), given.pop("share")
        return {**given, "kind": kind, "share": None if share is None else share / 100}


class PageForm(forms.Form):
    """A background page."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TITLE)
    text = LongTextField(
        label=_("Text"),
        rows=12,
        help_text=_(
            "An empty line begins a paragraph, “## ” a heading, “- ” an entry of a list; {vehicle:a bell} "
            "marks a component."
        ),
    )


class CalibrationForm(forms.Form):
    """A calibration item: one of the study's, or the texts of a new one; its reference and the reason."""

    form = forms.ModelChoiceField(Form.objects.none(), label=_("Form"), empty_label=None)
    picked = forms.CharField(
        label=_("Key of an item of the study"),
        max_length=120,
        required=False,
        help_text=_(
            "It leaves the items that are rated. Or write the texts of another one; {vehicle:a bell} marks "
            "a component."
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
        for key, name in self.asked.items():
            self.fields[f"value-{key}"] = forms.CharField(
                label=_("Reference: %(name)s") % {"name": name}, max_length=60, required=False
            )
        self.fields["reason"] = TextField(
            label=_("Why this is the reference"),
            max_length=2000,
            required=False,
            widget=forms.Textarea(attrs={"rows": 3}),
        )

    def texts(self) -> dict[str, str]:
        """What a new item shows."""
        return {name: self.cleaned_data[f"text-{name}"] for name in self.shown}

    def reference(self) -> dict[str, object]:
        """Criterion key → value."""
        return {key: self.cleaned_data[f"value-{key}"] for key in self.asked}


class CalibrationFileForm(forms.Form):
    """A file of calibration items."""

    form = forms.ModelChoiceField(Form.objects.none(), label=_("Form"), empty_label=None)
    file = forms.FileField(
        label=_("File of calibration items"),
        help_text=_(
            "One row an item: the texts, reference.… for each criterion, reason; an item’s key under "
            "“item” picks one of the study."
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
    """The texts of the first item, where no form names what it shows."""
    first = study.items.first()
    return list(first.fields) if first else []


def _asked(study: Study) -> dict[str, str]:
    """Criteria that can have a reference, by key."""
    criteria = Criterion.objects.filter(version__form__in=study.forms.all(), kind__in=REFERENCED)
    return dict(criteria.order_by("version__form__position", "position").values_list("key", "name"))
