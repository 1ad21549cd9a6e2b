"""Forms about what raters are told and asked before they rate."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import (
    LONGEST_ITEM_TEXT,
    LONGEST_MINIMUM_PAGE_SECONDS,
    LONGEST_RETENTION_DAYS,
    LONGEST_WARNING,
)
from annotation.domain.people.demographics import (
    LONGEST_KEY,
    LONGEST_QUESTION,
    MOST_OPTIONS,
    DemographicKind,
    RaterQuestion,
)
from annotation.domain.questions.text_languages import consent_translations, is_same_text
from annotation.forms.base import LongTextField, NameField, TextField
from annotation.models import Study

OLD_TRANSLATION = _(
    "This is the translation of the text before. Translate the new text, confirm below that this still "
    "fits it, or empty the field: raters then read the new text as it is."
)


class ReadingFields(forms.Form):
    """What a draft says of its texts: a warning, and the least time of a page."""

    content_warning = TextField(
        label=_("Content warning"),
        max_length=LONGEST_WARNING,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Shown before the consent text and again in the guide. Empty: none."),
    )
    least_seconds = forms.IntegerField(
        label=_("Least seconds for a page"),
        min_value=1,
        max_value=LONGEST_MINIMUM_PAGE_SECONDS,
        required=False,
        help_text=_("Raters are told; an answer that comes sooner is given back. Empty: no least time."),
    )
    exempt_characters = forms.IntegerField(
        label=_("… unless none of its texts has more characters than"),
        min_value=0,
        max_value=LONGEST_ITEM_TEXT,
        required=False,
        help_text=_("Very short texts are exempt. Empty: none is."),
    )

    def clean_exempt_characters(self) -> int:
        return self.cleaned_data["exempt_characters"] or 0


class ConsentTextForm(forms.Form):
    """A new version of the consent text, with its translations.

    Those of the text before are offered again. One that is sent as it was goes with another text only where
    that is confirmed: nobody agrees to a new text in the words of the old one.
    """

    text = LongTextField(label=_("Consent text"), rows=10)

    def __init__(self, study: Study, data: Any = None) -> None:
        self.before = study.consent
        super().__init__(data, initial={"text": study.consent})
        self.languages = [(code, name) for code, name in settings.LANGUAGES if code != study.language]
        stored, offered = consent_translations(study.translations), dict(self.languages)
        self.stored = {code: text for code, text in stored.items() if code in offered}
        self.fields["text"].widget.attrs["lang"] = study.language
        for code, name in self.languages:
            self._add(code, name)

    def _add(self, code: str, name: str) -> None:
        text = LongTextField(
            label=_("In %(language)s") % {"language": name},
            rows=8,
            required=False,
            initial=self.stored.get(code, ""),
        )
        text.widget.attrs["lang"] = code
        self.fields[f"text-{code}"] = text
        if code in self.stored:
            self.fields[f"fits-{code}"] = forms.BooleanField(
                label=_("The translation into %(language)s fits the new text as it is") % {"language": name},
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if "text" not in given or is_same_text(given["text"], self.before):
            return given
        for code, stored in self.stored.items():
            name = f"text-{code}"
            is_kept = name not in self.data or is_same_text(given.get(name, ""), stored)
            if is_kept and not given.get(f"fits-{code}"):
                self.add_error(name, OLD_TRANSLATION)
        return given

    def translations(self) -> dict[str, str]:
        """The new text by further language."""
        return {code: self.cleaned_data[f"text-{code}"] for code, _name in self.languages}


class QuestionForm(forms.Form):
    """One question about the rater."""

    text = forms.CharField(label=_("Question"), max_length=LONGEST_QUESTION)
    key = NameField(
        label=_("Name"), max_length=LONGEST_KEY, help_text=_("Stands in the file of answers, such as age.")
    )
    kind = forms.ChoiceField(
        label=_("Answer"),
        choices=[
            (DemographicKind.CHOICE.value, _("one of several options")),
            (DemographicKind.TEXT.value, _("words")),
            (DemographicKind.NUMBER.value, _("a number")),
        ],
    )
    options = TextField(
        label=_("Options, one a line"),
        max_length=MOST_OPTIONS * LONGEST_QUESTION,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("“Prefer not to say” is always added."),
    )

    def asked(self) -> RaterQuestion:
        """The question as `set_questions` takes it."""
        given = self.cleaned_data
        options = tuple(line.strip() for line in given["options"].splitlines() if line.strip())
        return RaterQuestion(given["key"], given["text"], DemographicKind(given["kind"]), options)


def _days(label: Any, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, help_text=help_text, min_value=0, max_value=LONGEST_RETENTION_DAYS, required=False
    )


class RetentionForm(forms.Form):
    """How long a study keeps what it knows of its raters."""

    keep_about_days = _days(_("Days to keep raters’ answers about themselves"), _("Empty: no limit."))
    keep_ids_days = _days(
        _("Days to keep who raters are: platform ids and accounts"),
        _("Pay everybody first: afterwards nobody can be paid or written to. Empty: no limit."),
    )
    keep_activity_days = _days(
        _("Days to keep how raters worked: time away from the page, pastes, notices to webhooks"),
        _("Ratings and the time of each page stay. Empty: no limit."),
    )
