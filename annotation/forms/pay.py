"""Forms about pay: the settings, the budget, bonuses and payments, and a study on Prolific."""

from __future__ import annotations

import math
from decimal import Decimal
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
from annotation.forms.base import CurrencyField, PageSeconds, TextField
from annotation.forms.new_study import TABLE_FILES
from annotation.models import Invitation, Pay, Rater, RaterKind, Study
from annotation.selectors.pay.prolific import links_for_prolific
from annotation.selectors.pay.workload_preview import expected_seconds
from annotation.services.pay.prolific.draft_content import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_MINUTES,
    MOST_PLACES,
    MOST_REWARD,
    Draft,
)

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


class LinkChoice(forms.ModelChoiceField):  # type: ignore[type-arg]  # it takes none at run time
    """One of the links for Prolific."""

    def __init__(self, study: Study) -> None:
        super().__init__(links_for_prolific(study), label=_("Invitation link"), empty_label=None)

    def label_from_instance(self, link: Any) -> str:
        return str(link.label or link.completion_code or link.pk)


class DraftForm(forms.Form):
    """What a draft is made of; amounts are in the currency of the study's pay."""

    title = forms.CharField(label=_("Title on Prolific"), max_length=LONGEST_TITLE)
    description = TextField(
        label=_("Description on Prolific"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 5})
    )
    places = forms.IntegerField(
        label=_("Places"),
        min_value=1,
        max_value=MOST_PLACES,
        help_text=_("The number of raters that the open rating slots need now."),
    )
    minutes = forms.IntegerField(label=_("Expected minutes"), min_value=1, max_value=MOST_MINUTES)
    reward = forms.DecimalField(
        label=_("Reward"),
        min_value=Decimal("0.01"),
        max_value=Decimal(MOST_REWARD) / CENTS,
        decimal_places=2,
        help_text=_("What Prolific pays each person whose submission is approved, without fees."),
    )
    screen_out_reward = forms.DecimalField(
        label=_("Reward for screened-out people"),
        min_value=Decimal("0.01"),
        max_value=Decimal(MOST_REWARD) / CENTS,
        decimal_places=2,
        required=False,
        help_text=_("Only if your workspace on Prolific has paid screen-outs. Leave empty otherwise."),
    )
    screen_out_places = forms.IntegerField(
        label=_("Most screen-outs"),
        min_value=1,
        max_value=MOST_PLACES,
        required=False,
        help_text=_("Prolific pauses the study after this number."),
    )

    def __init__(self, study: Study, pay: Pay | None, places: int, pages: int, data: Any = None) -> None:
        super().__init__(data, initial=_initial(study, pay, places, pages))
        self.fields = {"invitation": LinkChoice(study), **self.fields}

    def draft(self) -> tuple[Invitation, Draft]:
        """The link, and the arguments of `create_draft`."""
        given = self.cleaned_data
        paid_out = given["screen_out_reward"]
        draft = Draft(
            title=given["title"],
            description=given["description"],
            places=given["places"],
            reward=int(given["reward"] * CENTS),
            minutes=given["minutes"],
            screen_out_reward=int(paid_out * CENTS) if paid_out else None,
            screen_out_places=given["screen_out_places"] or 0,
        )
        return given["invitation"], draft


class LinkedStudyForm(forms.Form):
    """A study that was created on Prolific."""

    number = forms.CharField(
        label=_("Study ID on Prolific"),
        max_length=60,
        help_text=_("The address of the study’s page on Prolific contains it."),
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data, auto_id="linked_%s")
        self.fields = {"invitation": LinkChoice(study), **self.fields}


class PlacesForm(forms.Form):
    """The new total of places."""

    places = forms.IntegerField(label=_("Total places"), min_value=1, max_value=MOST_PLACES)


def _initial(study: Study, pay: Pay | None, places: int, pages: int) -> dict[str, Any]:
    """What the study itself says: the reward is the pay for one rater who does all their pages."""
    found: dict[str, Any] = {
        "title": study.title[:LONGEST_TITLE],
        "description": study.description[:LONGEST_TEXT],
        "places": places or None,
    }
    if pages:
        found["minutes"] = max(1, math.ceil(pages * expected_seconds(pay) / 60))
    if pay is not None and (pages or pay.paid_for != PayFor.PAGE):
        units = pages if pay.paid_for == PayFor.PAGE else 1
        found["reward"] = Decimal(math.ceil(pay.amount * units * CENTS)).scaleb(-2) or None
    return found
