"""Warnings about the set-up of a study for its members; none of them prevents an act."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.selectors.people.link_codes import PLATFORMS_WITH_CODES, lacks_completion_code
from annotation.selectors.quality.study_texts import missing_by_language
from annotation.selectors.questions.text_languages import naming_language


@dataclass(frozen=True)
class SetupWarning:
    """What is missing; `page` is the URL name of the page that mends it, and `link` the label of the link."""

    words: str
    page: str
    link: str


def find_setup_warnings(study: Study) -> list[SetupWarning]:
    """What is missing in the set-up of a study that is not closed, and what it means for raters."""
    if study.source or study.state == StudyState.CLOSED:
        return []
    found = []
    if not study.consent.strip():
        words = _("The consent form is empty. Describe what raters agree to.")
        page = "study-texts" if study.state == StudyState.DRAFT else "study-consent"
        found.append(SetupWarning(words, page, _("Write consent form")))
    if not study.contact:
        words = _("Raters have no contact. Add one under Settings.")
        found.append(SetupWarning(words, "study-settings", _("Add contact")))
    links = study.invitations.filter(platform__in=PLATFORMS_WITH_CODES, revoked_at=None)
    if any(lacks_completion_code(link) for link in links):
        words = _("A platform link has no completion code. The platform cannot confirm completion.")
        found.append(SetupWarning(words, "study-links", _("Add completion code")))
    return [*found, *_missing_translations(study)]


def _missing_translations(study: Study) -> list[SetupWarning]:
    found = []
    for language, missing in missing_by_language(study).items():
        if missing:
            sentence = ngettext(
                "%(n)d text is not translated into %(language)s. Raters see it in the study language.",
                "%(n)d texts are not translated into %(language)s. Raters see them in the study language.",
                missing,
            )
            words = naming_language(sentence % {"n": missing, "language": "%(language)s"}, language)
            found.append(SetupWarning(words, "study-translations", _("Translate texts")))
    return found
