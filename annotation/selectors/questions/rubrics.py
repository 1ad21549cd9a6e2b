"""The criteria of a form version, read once by each process: a version in use never changes."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from annotation.domain.base.states import StudyState
from annotation.models import Criterion, FormVersion, Study
from annotation.selectors.questions.text_languages import translate_criteria

MOST_VERSIONS = 256


def criteria_of(version: FormVersion, study: Study, language: str = "") -> list[Criterion]:
    """The criteria of a version in their order, with their points.

    Parameters
    ----------
    version : FormVersion
        A version of a form of the study.
    study : Study
        A draft is read again each time, because it may change.
    language : str
        The language of a rater's page; empty for the study's own.
    """
    if study.state == StudyState.DRAFT:
        found = list(version.criteria.prefetch_related("points"))
        translate_criteria(found, version.translations, language)
        return found
    shown = language if language in version.translations else ""
    return list(_criteria(version.pk, version.created_at, shown))


@lru_cache(MOST_VERSIONS)
def _criteria(version_id: int, _created_at: datetime, language: str) -> tuple[Criterion, ...]:
    """Read criteria; the time distinguishes versions with the same number in different databases."""
    found = Criterion.objects.filter(version=version_id).select_related("version")
    criteria = tuple(found.prefetch_related("points"))
    for one in criteria[:1]:
        translate_criteria(criteria, one.version.translations, language)
    return criteria
