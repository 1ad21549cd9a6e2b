"""The form that imports items."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class ImportForm(forms.Form):
    """A file of items, of ratings, or of sentences with tuples for a study that exists."""

    ITEMS, COLUMNS, RATINGS = "items", "columns", "ratings"
    TUPLES, PROBING, PAIRS = "tuples", "probing", "pairs"
    what = forms.ChoiceField(
        choices=[
            (ITEMS, _("Items")),
            (COLUMNS, _("Items")),
            (RATINGS, _("Ratings")),
            (TUPLES, _("Annotated sentences")),
            (PROBING, _("Probing questions")),
            (PAIRS, _("Pairs from a ranking")),
        ]
    )
    file = forms.FileField(label=_("File"))
    low = forms.IntegerField(label=_("Lowest value"), min_value=-9999, max_value=9999, required=False)
    high = forms.IntegerField(label=_("Highest value"), min_value=-9999, max_value=9999, required=False)
    rater = forms.CharField(label=_("Rater code"), max_length=64, required=False)
    text = forms.CharField(label=_("Text column"), max_length=120, required=False)
    by = forms.CharField(label=_("Ranking column"), max_length=120, required=False)
    lowest_first = forms.BooleanField(label=_("Lower values are better"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        low, high = cleaned.get("low"), cleaned.get("high")
        if (low is None) != (high is None) or (low is not None and high is not None and low >= high):
            self.add_error(
                "low", _("Enter the lowest and the highest value of the scale, or leave both empty.")
            )
        if cleaned.get("what") == self.PAIRS:
            for name in ("text", "by"):
                if not cleaned.get(name):
                    self.add_error(name, _("Enter the column name."))
        return cleaned

    def scale(self) -> tuple[int, int] | None:
        """The ends of the scale, if given."""
        low, high = self.cleaned_data["low"], self.cleaned_data["high"]
        return None if low is None else (low, high)
