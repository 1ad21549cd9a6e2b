"""Forms about Prolific: the draft of a study there, its places, and decisions about submissions."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.pay.wages import PayFor
from annotation.forms.base import TextField
from annotation.models import Invitation, Pay, Study
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
        found["reward"] = Decimal(math.ceil(pay.amount * units * CENTS)) / CENTS or None
    return found
