"""Forms about a study on a crowd platform."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.platforms import Platform
from annotation.domain.pay.wages import PayFor
from annotation.forms.base import TextField, TitleField
from annotation.forms.pay.payments import CENTS
from annotation.models import Invitation, Pay, Study
from annotation.selectors.pay.crowd import links_for
from annotation.selectors.pay.workload_preview import expected_seconds
from annotation.services.pay.crowd.outside_studies import MOST_PLACES
from annotation.services.pay.mturk import hits
from annotation.services.pay.prolific.draft_content import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_MINUTES,
    MOST_REWARD,
    Draft,
)


class LinkChoice(forms.ModelChoiceField):  # type: ignore[type-arg]  # it takes none at run time
    """One of the links for a platform."""

    def __init__(self, study: Study, platform: Platform) -> None:
        super().__init__(links_for(study, platform), label=_("Invitation link"), empty_label=None)

    def label_from_instance(self, link: Any) -> str:
        return str(link.label or link.completion_code or link.pk)


class DraftForm(forms.Form):
    """The settings of a draft on Prolific; amounts are in the currency of the study's pay."""

    title = TitleField(label=_("Title on Prolific"), max_length=LONGEST_TITLE)
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
        self.fields = {"invitation": LinkChoice(study, Platform.PROLIFIC), **self.fields}

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


class HitForm(forms.Form):
    """The settings of a HIT on Mechanical Turk; amounts are in dollars."""

    title = TitleField(label=_("Title on Mechanical Turk"), max_length=hits.LONGEST_TITLE)
    description = TextField(
        label=_("Description on Mechanical Turk"),
        max_length=hits.LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    keywords = forms.CharField(
        label=_("Keywords"), max_length=hits.LONGEST_KEYWORDS, help_text=_("Separate them by commas.")
    )
    places = forms.IntegerField(
        label=_("Assignments"),
        min_value=1,
        max_value=MOST_PLACES,
        help_text=_(
            "One for each worker: the number of raters that the open rating slots need now. Mechanical Turk "
            "charges a higher fee for 10 or more, and does not extend a smaller HIT to 10 or more."
        ),
    )
    reward = forms.DecimalField(
        label=_("Reward"),
        min_value=Decimal("0.01"),
        max_value=Decimal(hits.MOST_REWARD) / CENTS,
        decimal_places=2,
        help_text=_("What each worker is paid whose assignment is approved, in USD, without fees."),
    )
    minutes = forms.IntegerField(
        label=_("Minutes until an assignment must be submitted"), min_value=1, max_value=hits.MOST_MINUTES
    )
    days = forms.IntegerField(
        label=_("Days in which workers can accept it"), min_value=1, max_value=hits.MOST_DAYS, initial=7
    )
    approval_days = forms.IntegerField(
        label=_("Days until an assignment is approved by itself"),
        min_value=1,
        max_value=hits.MOST_APPROVAL_DAYS,
        initial=7,
    )
    least_percent = forms.IntegerField(
        label=_("Least share of approved assignments, in percent"), min_value=0, max_value=100, required=False
    )
    least_approved = forms.IntegerField(
        label=_("Least number of approved assignments"),
        min_value=0,
        max_value=hits.MOST_APPROVED_WORK,
        required=False,
    )
    countries = forms.CharField(
        label=_("Countries of workers"),
        max_length=4 * hits.MOST_COUNTRIES,
        required=False,
        help_text=_("Two-letter codes such as US, with spaces between them. Empty for all countries."),
    )
    confirmed = forms.BooleanField(label=_("Publish it now. Workers can accept it at once."))

    def __init__(self, study: Study, pay: Pay | None, places: int, pages: int, data: Any = None) -> None:
        found = _initial(study, pay, places, pages)
        if "minutes" in found:
            # Workers may take breaks, and work that is not submitted in time is lost.
            found["minutes"] = min(max(60, 4 * found["minutes"]), hits.MOST_MINUTES)
        super().__init__(data, initial=found)
        self.fields = {"invitation": LinkChoice(study, Platform.MTURK), **self.fields}

    def hit(self) -> tuple[Invitation, hits.Hit]:
        """The link, and the arguments of `request_hit`."""
        given = dict(self.cleaned_data)
        invitation = given.pop("invitation")
        del given["confirmed"]
        given["reward"] = int(given["reward"] * CENTS)
        given["countries"] = tuple(given["countries"].upper().split())
        for name in ("least_percent", "least_approved"):
            given[name] = given[name] or 0
        return invitation, hits.Hit(**given)


class LinkedStudyForm(forms.Form):
    """A study that was created on a platform."""

    number = forms.CharField(label=_("Its ID on the platform"), max_length=64)

    def __init__(self, study: Study, platform: Platform, data: Any = None) -> None:
        super().__init__(data, auto_id="linked_%s")
        self.fields = {"invitation": LinkChoice(study, platform), **self.fields}


class PlacesForm(forms.Form):
    """The new total number of places."""

    places = forms.IntegerField(label=_("Total places"), min_value=1, max_value=MOST_PLACES)


def _initial(study: Study, pay: Pay | None, places: int, pages: int) -> dict[str, Any]:
    """Initial values from the study: the reward is the pay for one rater who completes all pages."""
    found: dict[str, Any] = {
        "title": study.title,
        "description": study.description,
        "places": places or None,
    }
    if pages:
        found["minutes"] = max(1, math.ceil(pages * expected_seconds(pay) / 60))
    if pay is not None and (pages or pay.paid_for != PayFor.PAGE):
        units = pages if pay.paid_for == PayFor.PAGE else 1
        found["reward"] = Decimal(math.ceil(pay.amount * units * CENTS)).scaleb(-2) or None
    return found
