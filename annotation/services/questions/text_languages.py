"""Texts in further languages: refused where no rater could be shown them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from annotation.domain.base.errors import InvalidContent
from config.interface_language import known_language


def offered_translations(translations: Mapping[str, Any]) -> dict[str, Any]:
    """The translations, where raters’ pages are on offer in each of their languages.

    Raises
    ------
    InvalidContent
        There are no pages in a language (`language_not_offered`).
    """
    problems = {
        f"translations.{language}": f"There are no pages in {language!r} here: choose one of {_offered()}."
        for language in translations
        if not known_language(language)
    }
    if problems:
        raise InvalidContent(" ".join(problems.values()), code="language_not_offered", fields=problems)
    return dict(translations)


def _offered() -> str:
    return ", ".join(code for code, _ in settings.LANGUAGES)
