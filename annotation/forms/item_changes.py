"""The form that changes items of a study: their ratings per item, or their retirement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms.boundfield import BoundField, BoundWidget
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.limits import MOST_RATINGS_PER_ITEM
from annotation.forms.base import TextField, isolated
from annotation.models import Form, Item, Study
from annotation.selectors.items.selection import select_items
from annotation.services.items.corrections import LONGEST_NAME
from annotation.services.seats.item_changes import ItemAct
from annotation.templatetags.rater_words import translated

ALL, GROUP, CHOSEN = "all", "group", "chosen"
LONGEST_LIST = 1_000_000
# The id of the list of groups that a browser offers, and the most that it offers.
GROUP_LIST, MOST_GROUPS = "groups", 1000
# The fields that each choice of the first two fields needs.
NEEDED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "act": {ItemAct.RATINGS.value: ("form", "to"), ItemAct.RETIRE.value: ("reason",)},
    "which": {GROUP: ("group",), CHOSEN: ("items",)},
}


class ItemChangeForm(forms.Form):
    """What to do with which items. The page shows the fields of a choice below it, where it is chosen."""

    act = forms.ChoiceField(
        label=_("Change"),
        widget=forms.RadioSelect,
        initial=ItemAct.RATINGS.value,
        choices=[
            (ItemAct.RATINGS.value, _("Raise ratings per item")),
            (ItemAct.RETIRE.value, _("Retire items")),
            (ItemAct.RESTORE.value, _("Restore retired items")),
        ],
    )
    which = forms.ChoiceField(
        label=_("Items"),
        widget=forms.RadioSelect,
        initial=ALL,
        choices=[(ALL, _("All items")), (GROUP, _("Items of a group")), (CHOSEN, _("Items by ID"))],
    )
    group = forms.CharField(
        label=_("Group"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"list": GROUP_LIST}),
    )
    items = TextField(
        label=_("Item IDs, one per line"),
        required=False,
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    form = forms.ModelChoiceField(Form.objects.none(), label=_("Form"), required=False)
    to = forms.IntegerField(
        label=_("Ratings per item to reach"), min_value=1, max_value=MOST_RATINGS_PER_ITEM, required=False
    )
    reason = forms.CharField(
        label=_("Reason for retiring"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("Optional. It is saved in the audit log."),
    )

    def __init__(self, study: Study, data: Any = None, *, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        self.study = study
        self.chosen: QuerySet[Item] = Item.objects.none()
        self.fields["form"] = forms.ModelChoiceField(
            study.forms.all(), label=_("Form"), empty_label=None, required=False, initial=study.forms.first()
        )
        self.fields["form"].label_from_instance = lambda form: isolated(form.title)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("act") == ItemAct.RATINGS and not self.errors:
            for name in ("form", "to"):
                if not cleaned.get(name):
                    self.add_error(name, _("This field is required."))
        self._refuse_ignored_entries(cleaned)
        if not self.errors:
            self._choose(cleaned)
        return cleaned

    def _refuse_ignored_entries(self, cleaned: dict[str, Any]) -> None:
        which = cleaned.get("which")
        if which != GROUP and cleaned.get("group", "").strip():
            self.add_error("group", _("Choose “Items of a group” above, or clear this field."))
        if which != CHOSEN and cleaned.get("items", "").strip():
            self.add_error("items", _("Choose “Items by ID” above, or clear this field."))

    def _choose(self, cleaned: dict[str, Any]) -> None:
        which = cleaned["which"]
        try:
            self.chosen = select_items(
                self.study,
                every=which == ALL,
                group=cleaned["group"].strip() if which == GROUP else "",
                keys=cleaned["items"].splitlines() if which == CHOSEN else (),
            )
        except GroundworkError as refusal:
            field = {GROUP: "group", CHOSEN: "items"}.get(which, "which")
            self.add_error(field, translated(refusal.message))

    def groups(self) -> list[str]:
        """The groups of the study that the page offers."""
        named = self.study.items.exclude(group="").order_by("group").values_list("group", flat=True)
        return list(named.distinct()[:MOST_GROUPS])

    def choices_with_fields(self) -> Iterator[tuple[BoundField, list[tuple[BoundWidget, list[BoundField]]]]]:
        """The first two fields, each with its choices and the fields that a choice needs."""
        for name, needed in NEEDED.items():
            choices = self[name].subwidgets
            below = [[self[field] for field in needed.get(one.data["value"], ())] for one in choices]
            yield self[name], list(zip(choices, below, strict=True))

    @property
    def act_chosen(self) -> ItemAct:
        return ItemAct(self.cleaned_data["act"])
