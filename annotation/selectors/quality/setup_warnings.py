"""Warnings about the set-up of a study for its members; none of them prevents an act."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.selectors.people.link_codes import PLATFORMS_WITH_CODES, lacks_completion_code
from annotation.selectors.quality.study_texts import missing_by_language
from annotation.selectors.questions.shown_options import fields_in_order
from annotation.selectors.questions.text_languages import naming_language
from config.formats.enumeration import joined

MOST_NAMED = 5


@dataclass(frozen=True)
class SetupWarning:
    """What is missing; `page` is the URL name of the page that fixes it, and `link` the label of the link."""

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
    return [*found, *_same_texts(study), *_missing_translations(study)]


def _same_texts(study: Study) -> list[SetupWarning]:
    """Items of a draft in which two of the texts that are put in order are the same."""
    names = fields_in_order(study) if study.state == StudyState.DRAFT else []
    if not names:
        return []
    same = []
    for key, fields in study.items.values_list("key", "fields").order_by("position").iterator():
        texts = [str(fields[name]).strip() for name in names if fields.get(name)]
        if len(set(texts)) < len(texts):
            same.append(key)
    if not same:
        return []
    words = ngettext(
        "%(n)d item has the same text twice among those that raters put in order: %(items)s.",
        "%(n)d items have the same text twice among those that raters put in order: %(items)s.",
        len(same),
    )
    shown = {"n": len(same), "items": joined([*same[:MOST_NAMED], *(["…"] if same[MOST_NAMED:] else [])])}
    return [SetupWarning(words % shown, "study-items", _("Change items"))]


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
