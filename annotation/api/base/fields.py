"""Fields of the API whose limits are those of forms and study definitions."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework import serializers

from annotation.domain.base.limits import (
    CURRENCY,
    LANGUAGE,
    LONGEST_LANGUAGE_CODE,
    LONGEST_PAGE_SECONDS,
    LONGEST_TEXT,
)
from annotation.domain.base.numbers import plain_number


class CurrencyField(serializers.RegexField):
    """Three capital letters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            rf"^{CURRENCY}\Z",
            help_text="3 capital letters, such as EUR.",
            error_messages={"invalid": "Enter the currency as 3 capital letters, such as EUR."},
            **options,
        )


class LanguageField(serializers.RegexField):
    """The code of a language."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            rf"^{LANGUAGE}$",
            max_length=LONGEST_LANGUAGE_CODE,
            error_messages={"invalid": "Enter a language code, such as en, zh, ja or pt-BR."},
            **options,
        )


class LongTextField(serializers.CharField):
    """A text that a study shows, such as its instructions."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_TEXT, **options)


class InterfaceLanguageField(serializers.ChoiceField):
    """The interface language of the page that shows a text of the study."""

    def __init__(self, **options: Any) -> None:
        offered = [code for code, _ in settings.LANGUAGES]
        description = "Interface language of the page; empty or omitted without such a page."
        super().__init__(
            choices=offered, required=False, allow_blank=True, **{"help_text": description, **options}
        )


class PlainNumberField(serializers.FloatField):
    """A number; a whole one is written without a decimal point."""

    def to_representation(self, value: Any) -> Any:
        return plain_number(float(value))


class PageSeconds(serializers.FloatField):
    """The expected time of a page in seconds."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LONGEST_PAGE_SECONDS, **options)
