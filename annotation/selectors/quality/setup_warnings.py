"""What of a study's set-up raters would stumble over: said to its members, forbidden to nobody."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.selectors.quality.study_texts import missing_by_language

PLATFORMS_WITH_CODES = (Platform.PROLIFIC.value, Platform.OTHER.value)


def find_setup_warnings(study: Study) -> list[str]:
    """What is missing in the set-up of a study that is not over, and what it means for raters."""
    if study.source or study.state == StudyState.CLOSED:
        return []
    found = []
    if not study.consent.strip():
        found.append(_("The consent text is empty: raters are not told what they agree to."))
    if not study.contact:
        found.append(_("Nobody is named whom raters can write to: name somebody under Settings."))
    links = study.invitations.filter(platform__in=PLATFORMS_WITH_CODES, revoked_at=None, completion_code="")
    if links.filter(completion_url="").exists():
        found.append(
            _("A link for a crowd platform has no completion code: the platform is not told who is done.")
        )
    for language, missing in missing_by_language(study).items():
        if missing:
            found.append(
                ngettext(
                    "%(n)d text is missing in %(language)s: raters read it in the study’s own language.",
                    "%(n)d texts are missing in %(language)s: raters read them in the study’s own language.",
                    missing,
                )
                % {"n": missing, "language": language}
            )
    return found
