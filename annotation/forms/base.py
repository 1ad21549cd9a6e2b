"""Fields that several forms use."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import (
    CURRENCY,
    LONGEST_PAGE_SECONDS,
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_ITEMS_BETWEEN_CHECKS,
)
from annotation.domain.base.text_validation import refuse_name
from annotation.templatetags.rater_words import translated


class TextField(forms.CharField):
    """A text of several lines, with the line endings that it had before a browser sent it."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.replace("\r\n", "\n") if isinstance(text, str) else text


def shown_text(name: str, heading: str | None = None) -> TextField:
    """The field for one text of an attention check or calibration item, with the heading that raters see."""
    return TextField(
        label=_("Item text: %(name)s") % {"name": heading or name},
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


def items_between_checks(initial: int | None = None) -> forms.IntegerField:
    """The field for the number of items between two attention checks."""
    return forms.IntegerField(
        label=_("Items between attention checks (approx.)"),
        min_value=2,
        max_value=MOST_ITEMS_BETWEEN_CHECKS,
        required=False,
        initial=initial,
        help_text=_("Leave empty for no checks. In a batch design, each batch has one check."),
    )


class TitleField(forms.CharField):
    """A title; a title that is too long is refused with a message, because browsers cut it silently."""

    def __init__(self, *, max_length: int = LONGEST_TITLE, **options: Any) -> None:
        super().__init__(max_length=max_length, **options)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {name: value for name, value in super().widget_attrs(widget).items() if name != "maxlength"}


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
    """A short name used in files and addresses; the error for an invalid name suggests a valid one."""

    def run_validators(self, value: Any) -> None:
        super().run_validators(value)
        refusal = refuse_name(value, self.max_length or LONGEST_TITLE) if value else ""
        if refusal:
            raise ValidationError(translated(refusal), code="invalid_name")


class PageSeconds(forms.FloatField):
    """The seconds that a page takes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LONGEST_PAGE_SECONDS, **options)


class LanguageSelect(forms.Select):
    """A menu of languages, the name of each marked with its language."""

    def create_option(self, name: str, value: Any, *given: Any, **options: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *given, **options)
        if value:
            option["attrs"]["lang"] = str(value)
        return option


def isolated(words: str) -> str:
    """Words of a study for use in a label, with their own text direction."""
    return f"\u2068{words}\u2069"
