"""Warnings about the set-up of a study for its members; none of them prevents an act."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.selectors.quality.study_texts import missing_by_language
from annotation.selectors.questions.text_languages import language_name

PLATFORMS_WITH_CODES = (Platform.PROLIFIC.value, Platform.OTHER.value)


def find_setup_warnings(study: Study) -> list[str]:
    """What is missing in the set-up of a study that is not closed, and what it means for raters."""
    if study.source or study.state == StudyState.CLOSED:
        return []
    found = []
    if not study.consent.strip():
        found.append(_("The consent form is empty. Describe what raters agree to."))
    if not study.contact:
        found.append(_("Raters have no contact. Add one under Settings."))
    links = study.invitations.filter(platform__in=PLATFORMS_WITH_CODES, revoked_at=None, completion_code="")
    if links.filter(completion_url="").exists():
        found.append(_("A platform link has no completion code. The platform cannot confirm completion."))
    for language, missing in missing_by_language(study).items():
        if missing:
            found.append(
                ngettext(
                    "%(n)d text is not translated into %(language)s. Raters see it in the study language.",
                    "%(n)d texts are not translated into %(language)s. Raters see them in the study "
                    "language.",
                    missing,
                )
                % {"n": missing, "language": language_name(language)}
            )
    return found
