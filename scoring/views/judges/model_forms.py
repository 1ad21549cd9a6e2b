"""Forms for a judge that answers by a model."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.base import isolated
from annotation.models import Study
from scoring.selectors.judges.families import systems_of
from scoring.services.judges.judge_storing import LONGEST_NAME, LONGEST_NOTE, JudgeNotes
from scoring.services.judges.running.prompts import askable_criteria
from scoring.services.judges.running.settings import (
    CAUSAL,
    CLASSIFIER,
    LONGEST_MODEL,
    MODE,
    MOST_SAMPLES,
    READINGS,
    ChatSettings,
)

KINDS = (
    (CAUSAL, _("language model: probabilities of the scale points")),
    (CLASSIFIER, _("classifier: its labels, for one criterion")),
)
READ_AS = ((MODE, _("most probable value")), (READINGS[1], _("mean weighted by probability")))


class JudgeForm(forms.Form):
    """Name, criteria and what is known of the judge."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    criteria = forms.MultipleChoiceField(label=_("Criteria"), widget=forms.CheckboxSelectMultiple)
    description = forms.CharField(
        label=_("What it is (optional)"),
        help_text=_("For example the model, its version and the version of the prompt."),
        max_length=LONGEST_NOTE,
        required=False,
    )
    same_family_as = forms.ChoiceField(
        label=_("System from the same model family (optional)"), required=False
    )
    saw_items = forms.CharField(
        label=_("Items that it was trained or tuned on (optional)"), max_length=LONGEST_NOTE, required=False
    )

    def __init__(self, study: Study, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        names = systems_of(study)
        self._choose(
            "criteria", [(name, isolated(one.name)) for name, one in askable_criteria(study).items()]
        )
        self._choose("same_family_as", [("", str(_("none"))), *((name, isolated(name)) for name in names)])
        if not names:
            del self.fields["same_family_as"]

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        cast("forms.ChoiceField", self.fields[name]).choices = choices

    @property
    def notes(self) -> JudgeNotes:
        """What is stated about the judge."""
        given = self.cleaned_data
        return JudgeNotes(
            given["name"], given["description"], given.get("same_family_as", ""), given["saw_items"]
        )


class LocalForm(JudgeForm):
    """A model in the folder of models."""

    field_order = ("checkpoint", "name", "criteria", "kind", "reading", "labels")
    checkpoint = forms.CharField(
        label=_("Model"),
        help_text=_("A folder in the folder of models, or ORGANISATION/NAME@REVISION that was downloaded."),
        max_length=LONGEST_MODEL,
        widget=forms.TextInput(attrs={"list": "models"}),
    )
    kind = forms.ChoiceField(label=_("Kind of model"), choices=KINDS)
    reading = forms.ChoiceField(label=_("Its answer"), choices=READ_AS)
    labels = forms.CharField(
        label=_("Values of a classifier’s labels (optional)"),
        help_text=_("Such as NEGATIVE=1, POSITIVE=5; without them, labels are named as the scale points."),
        max_length=LONGEST_NOTE,
        required=False,
    )

    def clean_labels(self) -> dict[str, str]:
        """The value of each label."""
        pairs = [one.partition("=") for one in self.cleaned_data["labels"].split(",") if one.strip()]
        return {label.strip(): value.strip() for label, _sign, value in pairs}


class ChatForm(JudgeForm):
    """A model at the chat endpoint of the installation."""

    field_order = (
        *("model", "name", "criteria", "samples", "temperature", "seed", "per_minute"),
        *("price_read", "price_written", "budget"),
    )
    model = forms.CharField(label=_("Name of the model at the endpoint"), max_length=LONGEST_MODEL)
    samples = forms.IntegerField(
        label=_("Answers for each item"), min_value=1, max_value=MOST_SAMPLES, initial=ChatSettings.samples
    )
    temperature = forms.FloatField(
        label=_("Temperature"),
        help_text=_("Several answers need a temperature above 0."),
        min_value=0,
        max_value=2,
        initial=0,
    )
    seed = forms.IntegerField(label=_("Seed of the first answer"), min_value=0, initial=ChatSettings.seed)
    per_minute = forms.IntegerField(
        label=_("Most calls a minute"), min_value=1, max_value=6_000, initial=ChatSettings.per_minute
    )
    price_read = forms.DecimalField(
        label=_("Price of a million tokens read"), min_value=0, initial=0, max_digits=12, decimal_places=6
    )
    price_written = forms.DecimalField(
        label=_("Price of a million tokens written"), min_value=0, initial=0, max_digits=12, decimal_places=6
    )
    budget = forms.DecimalField(
        label=_("Budget (optional)"),
        help_text=_("In the unit of the prices. The judge stops before a call that could exceed it."),
        min_value=0,
        max_digits=12,
        decimal_places=2,
        required=False,
    )

    @property
    def changes(self) -> dict[str, Any]:
        """The fields of `ChatSettings` but the model, as they are stored."""
        numbers = ("samples", "temperature", "seed", "per_minute")
        given = self.cleaned_data
        amounts = {name: given[name] for name in ("price_read", "price_written", "budget")}
        return {
            **{name: given[name] for name in numbers},
            **{name: "" if one is None else f"{one:f}" for name, one in amounts.items()},
        }
