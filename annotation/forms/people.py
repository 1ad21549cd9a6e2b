"""Forms about the texts and questions that raters see before they rate, and messages to raters."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import (
    LONGEST_ITEM_TEXT,
    LONGEST_MESSAGE,
    LONGEST_MESSAGE_SUBJECT,
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
from annotation.domain.people.rater_messages import MessageDraft, MessageKind
from annotation.domain.questions.text_languages import consent_translations, is_same_text
from annotation.forms.base import LongTextField, NameField, TextField
from annotation.models import Study
from annotation.selectors.questions.text_languages import naming_language

OLD_TRANSLATION = _(
    "This translation belongs to the previous consent form. Translate the new text, confirm below that the "
    "translation still applies, or empty the field to show raters the new text untranslated."
)


class ReadingFields(forms.Form):
    """The content warning and the minimum page time of a draft."""

    content_warning = TextField(
        label=_("Content warning"),
        max_length=LONGEST_WARNING,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Shown before the consent form and in the instructions. Leave empty for no warning."),
    )
    least_seconds = forms.IntegerField(
        label=_("Minimum page time (seconds)"),
        min_value=1,
        max_value=LONGEST_MINIMUM_PAGE_SECONDS,
        required=False,
        help_text=_(
            "Raters see this time. Responses sent sooner are not saved yet. Leave empty for no minimum."
        ),
    )
    exempt_characters = forms.IntegerField(
        label=_("No minimum time for texts up to (characters)"),
        min_value=0,
        max_value=LONGEST_ITEM_TEXT,
        required=False,
        help_text=_("Pages with only short texts have no minimum time. Leave empty for no exception."),
    )

    def clean_exempt_characters(self) -> int:
        return self.cleaned_data["exempt_characters"] or 0


class ConsentTextForm(forms.Form):
    """A new version of the consent form, with its translations.

    The translations of the previous version are offered again. An unchanged translation of a changed text
    has to be confirmed.
    """

    text = LongTextField(label=_("Consent form"), rows=10)

    def __init__(self, study: Study, data: Any = None) -> None:
        self.before = study.consent
        super().__init__(data, initial={"text": study.consent})
        self.languages = [code for code, _name in settings.LANGUAGES if code != study.language]
        stored = consent_translations(study.translations)
        self.stored = {code: text for code, text in stored.items() if code in self.languages}
        self.fields["text"].widget.attrs["lang"] = study.language
        for code in self.languages:
            self._add(code)

    def _add(self, code: str) -> None:
        text = LongTextField(
            label=naming_language(_("Translation: %(language)s"), code),
            rows=8,
            required=False,
            initial=self.stored.get(code, ""),
        )
        text.widget.attrs["lang"] = code
        self.fields[f"text-{code}"] = text
        if code in self.stored:
            self.fields[f"fits-{code}"] = forms.BooleanField(
                label=naming_language(
                    _("The translation (%(language)s) still applies to the new text"), code
                ),
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if "text" not in given or is_same_text(given["text"], self.before):
            return given
        for code, stored in self.stored.items():
            name = f"text-{code}"
            is_unchanged = name not in self.data or is_same_text(given.get(name, ""), stored)
            if is_unchanged and not given.get(f"fits-{code}"):
                self.add_error(name, OLD_TRANSLATION)
        return given

    def translations(self) -> dict[str, str]:
        """The new text by further language."""
        return {code: self.cleaned_data[f"text-{code}"] for code in self.languages}


class QuestionForm(forms.Form):
    """One demographic question."""

    text = forms.CharField(label=_("Question"), max_length=LONGEST_QUESTION)
    key = NameField(
        label=_("Short name"), max_length=LONGEST_KEY, help_text=_("Column name in exports, such as age.")
    )
    kind = forms.ChoiceField(
        label=_("Question type"),
        choices=[
            (DemographicKind.CHOICE.value, _("single choice")),
            (DemographicKind.TEXT.value, _("free text")),
            (DemographicKind.NUMBER.value, _("number")),
        ],
    )
    options = TextField(
        label=_("Options (one per line)"),
        max_length=MOST_OPTIONS * LONGEST_QUESTION,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("“Prefer not to say” is added automatically."),
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
    """How long a study retains personal data of its raters."""

    keep_about_days = _days(_("Demographic answers (days)"), _("Leave empty for no limit."))
    keep_ids_days = _days(
        _("Platform IDs and accounts (days)"),
        _(
            "Pay all raters first. After deletion, you can no longer pay or contact them. Leave empty for "
            "no limit."
        ),
    )
    keep_activity_days = _days(
        _("Page activity: time away, pastes, webhook deliveries (days)"),
        _("Ratings and page times are retained. Leave empty for no limit."),
    )


class MessageForm(forms.Form):
    """Subject and text of a message, in each language in which its recipients read pages."""

    raters = forms.CharField(widget=forms.HiddenInput)
    kind = forms.ChoiceField(
        widget=forms.HiddenInput, choices=[(one.value, one.value) for one in MessageKind]
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        kind: MessageKind,
        codes: Sequence[str],
        proposed: Mapping[str, Mapping[str, str]],
        data: Any = None,
    ) -> None:
        initial = {"raters": "\n".join(codes), "kind": kind.value, "key": uuid.uuid4()}
        super().__init__(data, initial=initial)
        self.languages = list(proposed)
        for code, words in proposed.items():
            self._add(code, words)

    def _add(self, code: str, words: Mapping[str, str]) -> None:
        alone = len(self.languages) == 1
        subject = str(_("Subject")) if alone else naming_language(_("Subject: %(language)s"), code)
        text = str(_("Text")) if alone else naming_language(_("Text: %(language)s"), code)
        self.fields[f"subject-{code}"] = forms.CharField(
            label=subject,
            max_length=LONGEST_MESSAGE_SUBJECT,
            initial=words["subject"],
            widget=forms.TextInput(attrs={"lang": code}),
        )
        self.fields[f"text-{code}"] = TextField(
            label=text,
            max_length=LONGEST_MESSAGE,
            initial=words["text"],
            widget=forms.Textarea(attrs={"rows": 8, "lang": code}),
        )

    def draft(self) -> MessageDraft:
        """The message that the member wants to send."""
        given = self.cleaned_data
        texts = {
            code: {"subject": given[f"subject-{code}"], "text": given[f"text-{code}"]}
            for code in self.languages
        }
        codes = given["raters"].splitlines()
        return MessageDraft(kind=MessageKind(given["kind"]), codes=codes, texts=texts, key=given["key"])
