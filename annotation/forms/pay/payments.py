"""Forms about pay: the settings, the budget, bonuses and payments."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import (
    LONGEST_PAYMENT_NOTE,
    LONGEST_PAYMENT_REFERENCE,
    MOST_BUDGET,
    MOST_MONEY,
)
from annotation.domain.pay.payment_states import PaymentKind
from annotation.domain.pay.wages import BonusLayout, PayFor
from annotation.forms.base import CurrencyField, PageSeconds
from annotation.forms.new_study import TABLE_FILES
from annotation.models import Pay, Rater, RaterKind, Study

CENTS = 100


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
        return _person(self.study, self.cleaned_data["rater"])


class BudgetForm(forms.Form):
    """The budget of the study; empty for none."""

    budget = forms.DecimalField(
        label=_("Budget"),
        min_value=0,
        max_value=MOST_BUDGET,
        decimal_places=2,
        required=False,
        help_text=_("Leave empty for no budget. Platform fees are not included."),
    )

    def __init__(self, pay: Pay, data: Any = None) -> None:
        super().__init__(data, initial={"budget": pay.budget})


class PaymentListForm(forms.Form):
    """What a new payment list contains."""

    KINDS: ClassVar[dict[str, list[PaymentKind]]] = {
        "all": list(PaymentKind),
        "bonuses": [PaymentKind.TOP_UP, PaymentKind.BONUS],
    }

    kinds = forms.ChoiceField(
        label=_("Payments"),
        choices=[("all", _("Pay, top-ups and bonuses")), ("bonuses", _("Only top-ups and bonuses"))],
        help_text=_("Choose the second if a crowd platform pays the pay rate."),
    )

    def chosen(self) -> list[PaymentKind]:
        return self.KINDS[self.cleaned_data["kinds"]]


class PaymentFileForm(forms.Form):
    """The format of a payment list."""

    layout = forms.ChoiceField(
        label=_("Format"),
        choices=[
            (BonusLayout.TABLE.value, _("Table")),
            (BonusLayout.PROLIFIC.value, _("Prolific bulk bonus")),
            (BonusLayout.MTURK.value, _("Mechanical Turk")),
        ],
    )
    with_ids = forms.BooleanField(label=_("Include platform IDs (recorded in the audit log)"), required=False)


class ResultsForm(forms.Form):
    """A file with the results of payments."""

    file = forms.FileField(
        label=_("File of results"),
        help_text=_(
            "Columns: payment, state (confirmed or failed) and, if you like, reference and note. "
            "Payments that were tried again also need attempt."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": TABLE_FILES}),
    )


class OutsidePaymentForm(forms.Form):
    """A payment that was made outside."""

    rater = forms.CharField(label=_("Rater code"), max_length=64)
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (PaymentKind.BASE.value, _("pay")),
            (PaymentKind.TOP_UP.value, _("top-up")),
            (PaymentKind.BONUS.value, _("bonus")),
        ],
    )
    amount = forms.DecimalField(label=_("Amount"), min_value=0, max_value=MOST_MONEY, decimal_places=3)
    reference = forms.CharField(
        label=_("Reference"),
        max_length=LONGEST_PAYMENT_REFERENCE,
        help_text=_("As the bank or platform shows it, without names."),
    )
    note = forms.CharField(label=_("Note"), max_length=LONGEST_PAYMENT_NOTE, required=False)
    beyond_earned = forms.BooleanField(
        label=_("More than earned"),
        required=False,
        help_text=_("Tick it only if the rater is to get more than the study shows as earned."),
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data, auto_id="outside_%s")
        self.study = study

    def clean_rater(self) -> Rater:
        return _person(self.study, self.cleaned_data["rater"])

    def clean_kind(self) -> PaymentKind:
        return PaymentKind(self.cleaned_data["kind"])


def _person(study: Study, code: str) -> Rater:
    people = Rater.objects.filter(study=study, kind=RaterKind.PERSON, simulated=False)
    found = people.select_related("study").filter(code=code.strip()).first()
    if found is None:
        raise forms.ValidationError(_("No rater in this study has this code."))
    return found
