"""The texts of a study as a rater's page shows them: in the language of the page where it has them."""

from __future__ import annotations

from django.utils.translation import get_language

from annotation.models import Study
from annotation.selectors.questions.text_languages import study_in


def page_language() -> str:
    """The language of the page that is being made."""
    return get_language() or ""


def shown_study(study: Study) -> Study:
    """A copy for templates, with the texts in the language of the page."""
    return study_in(study, page_language())
