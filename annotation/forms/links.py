"""The forms of invitation links."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from django import forms
from django.utils import timezone
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
from annotation.models import Invitation, Study
from annotation.selectors.people.link_codes import CODE_NAMES, PLATFORMS_WITH_CODES, proposed_codes

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Words: TypeAlias = "str | _StrPromise"
FAILED_CODE = "failed_checks_code"
# One failed check can be an accident.
FAILED_CHECKS_PROPOSED = 2
RARE = ("_url", "_param")
PLAIN = ("kind", "label", "cap", "expires_on", "panel")


def _code(outcome: Outcome, help_text: Words = "") -> forms.CharField:
    """The code that the platform shows for an outcome."""
    return forms.CharField(
        label=CODE_NAMES[outcome], max_length=LONGEST_LINK_CODE, required=False, help_text=help_text
    )


def _address(label: Words, help_text: Words = "") -> forms.CharField:
    """The address to which raters return on the platform."""
    return forms.CharField(
        label=label, max_length=LONGEST_RETURN_ADDRESS, required=False, help_text=help_text
    )


def _parameter(label: Words, help_text: Words = "") -> forms.CharField:
    """The platform’s name for one parameter of its link."""
    return forms.CharField(label=label, max_length=LONGEST_PARAMETER, required=False, help_text=help_text)


def _expiry() -> forms.DateField:
    """The last day on which new raters may join."""
    return forms.DateField(
        label=_("Expires after (date)"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("The last day on which new raters can join. Leave empty for no expiry."),
    )


def end_of(day: date | None) -> datetime | None:
    """The end of a day in the time zone of the page."""
    if day is None:
        return None
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min)) - timedelta(seconds=1)


def _cap() -> forms.IntegerField:
    return forms.IntegerField(
        label=_("Maximum number of raters"),
        min_value=1,
        max_value=MOST_RATERS_PER_LINK,
        required=False,
        help_text=_("Leave empty for no limit."),
    )


def _label() -> forms.CharField:
    return forms.CharField(
        label=_("Label (visible to study members only)"), max_length=LONGEST_LINK_LABEL, required=False
    )


def _add_panel(form: forms.Form, study: Study) -> None:
    """The form whose panel the raters join, in a study with panels."""
    if study.design == DesignKind.PANELS:
        form.fields["panel"] = forms.ModelChoiceField(study.forms.all(), label=_("Form of the panel"))


class LinkForm(forms.Form):
    """An invitation link: for one person, for anyone, or for a crowd platform."""

    PERSONAL = "personal"
    kind = forms.ChoiceField(
        label=_("Kind of link"),
        choices=[
            (Platform.NONE.value, _("open: anyone with the link")),
            (PERSONAL, _("personal: one rater")),
            (Platform.PROLIFIC.value, "Prolific"),
            (Platform.MTURK.value, "Mechanical Turk"),
            (Platform.OTHER.value, _("other platform")),
        ],
        initial=Platform.NONE.value,
    )
    label = _label()
    cap = _cap()
    expires_on = _expiry()
    completion_code = _code(Outcome.FINISHED)
    screenout_code = _code(
        Outcome.SCREENED_OUT,
        _(
            "For raters who do not qualify or get no items. Without a code, they are asked "
            "to return the task. Mechanical Turk does not use these codes."
        ),
    )
    no_consent_code = _code(Outcome.NO_CONSENT, _("Also shown to raters who withdraw."))
    failed_checks_code = _code(Outcome.FAILED_CHECKS)
    failed_checks_from = forms.IntegerField(
        label=_("Minimum number of failed attention checks"),
        min_value=1,
        max_value=MOST_FAILED_CHECKS,
        required=False,
        help_text=_(
            "Raters with at least this many failed checks get the code for failed checks. Required with a "
            "code or return URL for failed checks."
        ),
    )
    completion_url = _address(
        _("Return URL: completed"),
        _("You can use {person}, {task}, {session} and {code}. For Prolific, leave empty."),
    )
    screenout_url = _address(_("Return URL: screened out"))
    no_consent_url = _address(_("Return URL: no consent"))
    failed_checks_url = _address(_("Return URL: failed attention checks"))
    person_param = _parameter(_("URL parameter: rater ID"), _("Required only for other platforms."))
    task_param = _parameter(_("URL parameter: task ID"))
    session_param = _parameter(_("URL parameter: session ID"))

    def __init__(self, study: Study, data: Any = None) -> None:
        self.codes = proposed_codes(study)
        number = {"failed_checks_from": FAILED_CHECKS_PROPOSED} if FAILED_CODE in self.codes else {}
        super().__init__(data, initial={**self.codes, **number})
        _add_panel(self, study)

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        """The fields of every link."""
        return [self[name] for name in self.fields if name in PLAIN]

    @property
    def platform_fields(self) -> list[forms.BoundField]:
        """The fields of a platform link only."""
        return [self[name] for name in self.fields if name not in PLAIN]

    @property
    def code_fields(self) -> list[forms.BoundField]:
        """The codes that the platform knows, and from which number of failed checks on one is shown."""
        return [one for one in self.platform_fields if not one.name.endswith(RARE)]

    @property
    def rare_fields(self) -> list[forms.BoundField]:
        """Return addresses and parameters, which Prolific and Mechanical Turk do not need."""
        return [one for one in self.platform_fields if one.name.endswith(RARE)]

    @property
    def rare_in_use(self) -> list[str]:
        """The labels of the return addresses and parameters that are filled in."""
        return [str(one.label) for one in self.rare_fields if one.value()]

    @property
    def rare_wrong(self) -> bool:
        """Whether a return address or a parameter was refused."""
        return any(one.errors for one in self.rare_fields)

    @property
    def concerns_platform(self) -> bool:
        """Whether to show the fields of a platform link: one was filled in or wrong, or a platform chosen."""
        chosen = self.is_bound and self["kind"].value() not in {Platform.NONE.value, self.PERSONAL}
        return chosen or any(field.errors or self._is_own(field) for field in self.platform_fields)

    def _is_own(self, field: forms.BoundField) -> bool:
        """Whether a value was sent for a field that differs from the proposed one."""
        return self.is_bound and str(field.value() or "") not in {"", str(field.initial or "")}

    def invitation(self) -> dict[str, Any]:
        """The arguments of `invite`; a link without codes gets none of the proposed ones."""
        given = dict(self.cleaned_data)
        given["expires_at"] = end_of(given.pop("expires_on"))
        kind = given.pop("kind")
        if kind not in PLATFORMS_WITH_CODES:
            given |= dict.fromkeys((name for name in self.codes if given[name] == self.codes[name]), "")
        has_way = given[FAILED_CODE] or given["failed_checks_url"]
        if not has_way and given["failed_checks_from"] == FAILED_CHECKS_PROPOSED:
            given["failed_checks_from"] = None
        personal = kind == self.PERSONAL
        platform = Platform.NONE if personal else Platform(kind)
        return {**given, "personal": personal, "platform": platform}


class ChangedLinkForm(forms.Form):
    """The changeable settings of an existing link."""

    label = _label()
    cap = _cap()
    expires_on = _expiry()
    completion_code = _code(Outcome.FINISHED)

    def __init__(self, link: Invitation, data: Any = None) -> None:
        day = timezone.localdate(link.expires_at) if link.expires_at else None
        initial = {"label": link.label, "cap": link.cap, "expires_on": day}
        initial["completion_code"] = link.completion_code
        super().__init__(data, initial=initial, prefix=f"link-{link.pk}")
        self.link = link
        if link.rater_id is not None:
            del self.fields["cap"]
        if link.platform == Platform.NONE:
            del self.fields["completion_code"]

    def changes(self) -> dict[str, Any]:
        """The arguments of `change_link`; a day that was not changed leaves the time as it is."""
        day = self.cleaned_data["expires_on"]
        same = "expires_on" not in self.changed_data
        return {
            "label": self.cleaned_data["label"],
            "cap": self.cleaned_data.get("cap"),
            "expires_at": self.link.expires_at if same else end_of(day),
            "completion_code": self.cleaned_data.get("completion_code"),
        }


class PersonalLinksForm(forms.Form):
    """Personal links for a list of people."""

    file = forms.FileField(
        label=_("List of people (CSV or TSV)"),
        help_text=_(
            "One person per row, with a column “email”, “name” or “code”. The list is not stored: "
            "you download it with the rater codes and links added."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv"}),
    )
    label = _label()
    expires_on = _expiry()

    def __init__(self, study: Study, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, prefix="people")
        _add_panel(self, study)
