"""Forms about pay: the settings, a bonus, the bonus list."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import MOST_MONEY
from annotation.domain.pay.wages import BonusLayout, PayFor
from annotation.forms.base import CurrencyField, PageSeconds
from annotation.models import Pay, Rater, RaterKind, Study


class PayForm(forms.Form):
    """What raters are paid, and what they are told of it."""

    currency = CurrencyField(label=_("Currency"))
    paid_for = forms.ChoiceField(
        label=_("Paid for"),
        choices=[
            (PayFor.PAGE.value, _("each page")),
            (PayFor.SITTING.value, _("each sitting")),
            (PayFor.RATER.value, _("taking part, once")),
        ],
        help_text=_("A pause of more than half an hour begins a new sitting."),
    )
    amount = forms.DecimalField(label=_("Amount"), min_value=0, max_value=MOST_MONEY, decimal_places=4)
    floor = forms.DecimalField(
        label=_("Floor: the least an hour should earn"),
        min_value=0,
        max_value=MOST_MONEY,
        decimal_places=2,
        required=False,
        help_text=_("Empty: none, and nobody’s pay is topped up."),
    )
    page_seconds = PageSeconds(label=_("Seconds a page is expected to take"), required=False)
    shown = forms.BooleanField(label=_("Raters read pay and time before they start"), required=False)

    def __init__(self, pay: Pay | None, data: Any = None) -> None:
        initial = {} if pay is None else {name: getattr(pay, name) for name in self.base_fields}
        if pay is not None:
            initial["amount"] = f"{pay.amount.normalize():f}"
        super().__init__(data, initial=initial)

    def clean_floor(self) -> Any:
        return self.cleaned_data["floor"] or None

    def settings(self) -> dict[str, Any]:
        """What `set_pay` takes."""
        return {**self.cleaned_data, "paid_for": PayFor(self.cleaned_data["paid_for"])}


class BonusForm(forms.Form):
    """A bonus for one rater."""

    rater = forms.CharField(label=_("Code of the rater"), max_length=64)
    amount = forms.DecimalField(
        label=_("Bonus"), min_value=0, max_value=MOST_MONEY, decimal_places=2, help_text=_("0 takes it away.")
    )
    note = forms.CharField(label=_("What it is for"), max_length=200, required=False)

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.study = study

    def clean_rater(self) -> Rater:
        people = Rater.objects.filter(study=self.study, kind=RaterKind.PERSON, simulated=False)
        found = people.filter(code=self.cleaned_data["rater"].strip()).first()
        if found is None:
            raise forms.ValidationError(_("Nobody in this study has this code."))
        return found


class BonusListForm(forms.Form):
    """How the bonus list is to be written."""

    layout = forms.ChoiceField(
        label=_("Written"),
        choices=[
            (BonusLayout.TABLE.value, _("as a table")),
            (BonusLayout.PROLIFIC.value, _("for Prolific’s bulk bonus")),
            (BonusLayout.MTURK.value, _("for Mechanical Turk")),
        ],
    )
    with_ids = forms.BooleanField(
        label=_("With the platforms’ ids: this is written to the audit log"), required=False
    )
