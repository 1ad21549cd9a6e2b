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
    """The pay of raters, and whether they see it before they start."""

    currency = CurrencyField(label=_("Currency"))
    paid_for = forms.ChoiceField(
        label=_("Payment unit"),
        choices=[
            (PayFor.PAGE.value, _("per page")),
            (PayFor.SITTING.value, _("per session")),
            (PayFor.RATER.value, _("per study")),
        ],
        help_text=_("A pause of more than 30 minutes starts a new session."),
    )
    amount = forms.DecimalField(label=_("Pay rate"), min_value=0, max_value=MOST_MONEY, decimal_places=4)
    floor = forms.DecimalField(
        label=_("Minimum hourly rate"),
        min_value=0,
        max_value=MOST_MONEY,
        decimal_places=2,
        required=False,
        help_text=_("Leave empty for no minimum and no top-ups."),
    )
    page_seconds = PageSeconds(label=_("Expected seconds per page"), required=False)
    shown = forms.BooleanField(
        label=_("Show pay and expected time to raters before they start"), required=False
    )

    def __init__(self, pay: Pay | None, data: Any = None) -> None:
        initial = {} if pay is None else {name: getattr(pay, name) for name in self.base_fields}
        if pay is not None:
            initial["amount"] = f"{pay.amount.normalize():f}"
        super().__init__(data, initial=initial)

    def clean_floor(self) -> Any:
        return self.cleaned_data["floor"] or None

    def settings(self) -> dict[str, Any]:
        """The arguments of `set_pay`."""
        return {**self.cleaned_data, "paid_for": PayFor(self.cleaned_data["paid_for"])}


class BonusForm(forms.Form):
    """A bonus for one rater."""

    rater = forms.CharField(label=_("Rater code"), max_length=64)
    amount = forms.DecimalField(
        label=_("Bonus"),
        min_value=0,
        max_value=MOST_MONEY,
        decimal_places=2,
        help_text=_("Enter 0 to remove the bonus."),
    )
    note = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.study = study

    def clean_rater(self) -> Rater:
        people = Rater.objects.filter(study=self.study, kind=RaterKind.PERSON, simulated=False)
        found = people.filter(code=self.cleaned_data["rater"].strip()).first()
        if found is None:
            raise forms.ValidationError(_("No rater in this study has this code."))
        return found


class BonusListForm(forms.Form):
    """The format of the bonus list."""

    layout = forms.ChoiceField(
        label=_("Format"),
        choices=[
            (BonusLayout.TABLE.value, _("Table")),
            (BonusLayout.PROLIFIC.value, _("Prolific bulk bonus")),
            (BonusLayout.MTURK.value, _("Mechanical Turk")),
        ],
    )
    with_ids = forms.BooleanField(label=_("Include platform IDs (recorded in the audit log)"), required=False)
