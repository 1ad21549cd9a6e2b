"""Texts in further languages: refused where no rater could be shown them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import joined, message
from config.interface_language import known_language


def offered_translations(translations: Mapping[str, Any]) -> dict[str, Any]:
    """The translations, if raters’ pages are available in each of their languages.

    Raises
    ------
    InvalidContent
        A language is not available (`language_not_offered`).
    """
    problems = {
        f"translations.{language}": message(
            "Raters’ pages are not available in “%(language)s”. Choose one of these languages: %(offered)s.",
            language=language,
            offered=_offered(),
        )
        for language in translations
        if not known_language(language)
    }
    if problems:
        raise InvalidContent(joined(problems.values()), code="language_not_offered", fields=problems)
    return dict(translations)


def _offered() -> str:
    return ", ".join(code for code, _ in settings.LANGUAGES)
