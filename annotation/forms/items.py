"""The forms that import items, and that correct their descriptions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.bounded_json import TooDeeplyNested, load_json
from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.items.drawn_sets import LARGEST_FACTOR
from annotation.forms.base import isolated
from annotation.models import Item
from annotation.services.items.corrections import LONGEST_NAME
from annotation.services.items.drawn_sets import SetDraw


class ImportForm(forms.Form):
    """A file of items, of ratings, or of texts with marks for a study that exists."""

    ITEMS, COLUMNS, RATINGS = "items", "columns", "ratings"
    TUPLES, PROBING, PAIRS, SETS = "tuples", "probing", "pairs", "sets"
    ERRORS = "errors"
    what = forms.ChoiceField(
        choices=[
            (ITEMS, _("Items")),
            (COLUMNS, _("Items")),
            (RATINGS, _("Ratings")),
            (TUPLES, _("Annotated sentences")),
            (ERRORS, _("Marked errors")),
            (PROBING, _("Probing questions")),
            (PAIRS, _("Pairs from a ranking")),
            (SETS, _("Sets of texts")),
        ]
    )
    file = forms.FileField(label=_("File"))
    low = forms.IntegerField(label=_("Lowest value"), min_value=-9999, max_value=9999, required=False)
    high = forms.IntegerField(label=_("Highest value"), min_value=-9999, max_value=9999, required=False)
    rater = forms.CharField(label=_("Rater code"), max_length=64, required=False)
    text = forms.CharField(label=_("Text column"), max_length=120, required=False)
    by = forms.CharField(label=_("Ranking column"), max_length=120, required=False)
    lowest_first = forms.BooleanField(label=_("Lower values are better"), required=False)
    factor = forms.FloatField(label=_("Sets per item"), required=False)
    within_groups = forms.BooleanField(label=_("Only items of one group in a set"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        low, high = cleaned.get("low"), cleaned.get("high")
        if (low is None) != (high is None) or (low is not None and high is not None and low >= high):
            self.add_error(
                "low", _("Enter the lowest and the highest value of the scale, or leave both empty.")
            )
        for name in {self.PAIRS: ("text", "by"), self.SETS: ("text",)}.get(cleaned.get("what", ""), ()):
            if not cleaned.get(name):
                self.add_error(name, _("Enter the column name."))
        return cleaned

    def scale(self) -> tuple[int, int] | None:
        """The ends of the scale, if given."""
        low, high = self.cleaned_data["low"], self.cleaned_data["high"]
        return None if low is None else (low, high)


BAD_FACTOR = _(
    "Enter a number of sets per item above 0 and at most %(limit_value)s, such as 1.5 or 2. It is not the "
    "number of all sets."
)


class SetsForm(forms.Form):
    """How sets are drawn from the items of a draft; the same seed draws the same sets again."""

    text = forms.ChoiceField(label=_("Text"))
    factor = forms.FloatField(
        label=_("Sets per item"),
        min_value=0.1,
        max_value=LARGEST_FACTOR,
        widget=forms.NumberInput(attrs={"step": "0.1"}),
        error_messages={"max_value": BAD_FACTOR},
    )
    within_groups = forms.BooleanField(label=_("Only items of one group in a set"), required=False)
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, texts: Sequence[str], data: Any = None, **asked: Any) -> None:
        super().__init__(data, **asked)
        self.fields["text"].choices = [(name, name) for name in texts]  # type: ignore[attr-defined]

    def draw(self) -> SetDraw:
        """How the sets are drawn."""
        given = self.cleaned_data
        return SetDraw(given["factor"], given["within_groups"], given["seed"])


class DescriptionForm(forms.Form):
    """The group, the system and the metadata of an item."""

    group = forms.CharField(label=_("Group"), max_length=LONGEST_NAME, required=False)
    system = forms.CharField(label=_("System"), max_length=LONGEST_NAME, required=False)
    new_name = forms.CharField(
        label=_("Name of new metadata"), max_length=LONGEST_NAME, required=False, help_text=_("Optional.")
    )
    new_value = forms.CharField(label=_("Value of new metadata"), required=False)

    def __init__(self, item: Item, data: Any = None) -> None:
        super().__init__(data, initial={"group": item.group, "system": item.system})
        self.metadata = dict(item.metadata)
        self.names = {f"meta-{name}": name for name in self.metadata}
        for field, name in self.names.items():
            self.fields[field] = forms.CharField(
                label=isolated(name), required=False, initial=as_typed(self.metadata[name])
            )
        self.order_fields(["group", "system", *self.names, "new_name", "new_value"])

    def description(self) -> dict[str, Any]:
        """The arguments of `correct_item`; metadata without a value are removed.

        Raises
        ------
        InvalidContent
            A value has too many levels (`too_deeply_nested`).
        """
        given = self.cleaned_data
        metadata = {
            name: _value(given[field], self.metadata[name])
            for field, name in self.names.items()
            if given[field]
        }
        # Another member may have added them since the page was shown.
        metadata |= {
            name: self.metadata[name] for field, name in self.names.items() if field not in self.data
        }
        if given["new_name"].strip() and given["new_value"]:
            metadata[given["new_name"].strip()] = given["new_value"]
        return {"group": given["group"], "system": given["system"], "metadata": metadata}


def as_typed(value: Any) -> str:
    """A JSON value as it is typed: a text without quotation marks."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(typed: str, before: Any) -> Any:
    """The typed value: a text if the value was one, else a value of the same kind if it can be read so."""
    if isinstance(before, str):
        return typed
    try:
        value = load_json(typed)
    except TooDeeplyNested as problem:
        raise InvalidContent(message("The value is nested too deeply."), code=problem.code) from problem
    except ValueError:
        return typed
    numbers = (int, float)
    same_kind = type(value) is type(before) or (isinstance(value, numbers) and isinstance(before, numbers))
    return value if same_kind else typed
