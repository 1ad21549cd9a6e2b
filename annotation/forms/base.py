"""Fields that several forms use."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import CURRENCY, LONGEST_PAGE_SECONDS, LONGEST_TEXT, LONGEST_TITLE
from annotation.domain.base.text_validation import refuse_name


class TextField(forms.CharField):
    """A text of several lines, whose lines end as they did before a browser sent them."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.replace("\r\n", "\n") if isinstance(text, str) else text


def shown_text(name: str) -> TextField:
    """The field for one text that a planted item shows."""
    return TextField(
        label=_("Text shown: %(name)s") % {"name": name},
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class LongTextField(TextField):
    """A text that a study shows, such as its instructions."""

    def __init__(self, *, rows: int, **options: Any) -> None:
        super().__init__(max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": rows}), **options)


class CurrencyField(forms.RegexField):
    """Three capital letters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            rf"^{CURRENCY}\Z",
            max_length=3,
            help_text=_("Three capital letters, such as EUR."),
            error_messages={"invalid": _("Enter three capital letters, such as EUR.")},
            **options,
        )


class NameField(forms.CharField):
    """A short name that files and addresses have; one that cannot be taken is refused with one that can."""

    def run_validators(self, value: Any) -> None:
        super().run_validators(value)
        refusal = refuse_name(value, self.max_length or LONGEST_TITLE) if value else ""
        if refusal:
            raise ValidationError(refusal, code="invalid_name")


class PageSeconds(forms.FloatField):
    """How long a page takes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LONGEST_PAGE_SECONDS, **options)


def isolated(words: str) -> str:
    """Words of a study within a label, whose direction they do not change."""
    return f"\u2068{words}\u2069"
