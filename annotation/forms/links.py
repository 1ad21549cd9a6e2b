"""The form of an invitation link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import (
    LONGEST_LINK_CODE,
    LONGEST_LINK_LABEL,
    LONGEST_PARAMETER,
    LONGEST_RETURN_ADDRESS,
    MOST_FAILED_CHECKS,
    MOST_RATERS_PER_LINK,
)
from annotation.domain.base.platforms import Outcome, Platform
from annotation.domain.base.states import DesignKind
from annotation.models import Study
from annotation.selectors.people.link_codes import CODE_NAMES

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Words: TypeAlias = "str | _StrPromise"
PLAIN = ("kind", "label", "cap", "panel")


def _code(outcome: Outcome, help_text: Words = "") -> forms.CharField:
    """The code that the platform shows for an outcome."""
    return forms.CharField(
        label=CODE_NAMES[outcome], max_length=LONGEST_LINK_CODE, required=False, help_text=help_text
    )


def _address(label: Words, help_text: Words = "") -> forms.CharField:
    """Where the platform takes people back."""
    return forms.CharField(
        label=label, max_length=LONGEST_RETURN_ADDRESS, required=False, help_text=help_text
    )


def _parameter(label: Words, help_text: Words = "") -> forms.CharField:
    """What the platform calls one part of the address by which people come."""
    return forms.CharField(label=label, max_length=LONGEST_PARAMETER, required=False, help_text=help_text)


class LinkForm(forms.Form):
    """A link by which raters come: for one person, for everybody, or for a crowd platform."""

    PERSONAL = "personal"
    kind = forms.ChoiceField(
        label=_("Kind of link"),
        choices=[
            (Platform.NONE.value, _("open: for everybody who has it")),
            (PERSONAL, _("personal: one person")),
            (Platform.PROLIFIC.value, "Prolific"),
            (Platform.MTURK.value, "Mechanical Turk"),
            (Platform.OTHER.value, _("another platform")),
        ],
        initial=Platform.NONE.value,
    )
    label = forms.CharField(
        label=_("For whom (seen by members only)"), max_length=LONGEST_LINK_LABEL, required=False
    )
    cap = forms.IntegerField(
        label=_("Most raters by this link"),
        min_value=1,
        max_value=MOST_RATERS_PER_LINK,
        required=False,
        help_text=_("Empty: as many as there is work for."),
    )
    completion_code = _code(Outcome.FINISHED)
    screenout_code = _code(
        Outcome.SCREENED_OUT,
        _(
            "For people who do not qualify or come when nothing is left. Each outcome has a code of its own; "
            "without one, people are asked to return the task. Mechanical Turk takes no codes."
        ),
    )
    no_consent_code = _code(Outcome.NO_CONSENT, _("Also for raters who withdraw."))
    failed_checks_code = _code(Outcome.FAILED_CHECKS)
    failed_checks_from = forms.IntegerField(
        label=_("Attention checks failed, at least"),
        min_value=1,
        max_value=MOST_FAILED_CHECKS,
        required=False,
        help_text=_("From how many on a rater gets the code for failed checks. Empty: nobody does."),
    )
    completion_url = _address(
        _("Return address when done"),
        _("May hold {person}, {task}, {session} and {code}. Prolific’s own is built in."),
    )
    screenout_url = _address(_("Return address of those who cannot take part"))
    no_consent_url = _address(_("Return address of those who do not agree"))
    failed_checks_url = _address(_("Return address after failed attention checks"))
    person_param = _parameter(_("Parameter that says who comes"), _("Needed for another platform only."))
    task_param = _parameter(_("Parameter of the task"))
    session_param = _parameter(_("Parameter of the session"))

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        if study.design == DesignKind.PANELS:
            self.fields["panel"] = forms.ModelChoiceField(study.forms.all(), label=_("Panel of the form"))

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        """What every link has."""
        return [self[name] for name in self.fields if name in PLAIN]

    @property
    def platform_fields(self) -> list[forms.BoundField]:
        """What only a link for a crowd platform has."""
        return [self[name] for name in self.fields if name not in PLAIN]

    @property
    def concerns_platform(self) -> bool:
        """Whether something of a crowd platform is chosen, written or wrong, so that its fields are shown."""
        chosen = self.is_bound and self["kind"].value() not in {Platform.NONE.value, self.PERSONAL}
        return chosen or any(field.value() or field.errors for field in self.platform_fields)

    def invitation(self) -> dict[str, Any]:
        """What `invite` takes."""
        given = dict(self.cleaned_data)
        kind = given.pop("kind")
        personal = kind == self.PERSONAL
        platform = Platform.NONE if personal else Platform(kind)
        return {**given, "personal": personal, "platform": platform}
