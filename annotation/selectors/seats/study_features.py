"""Features of a study that are fixed when it opens; each process reads them once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from annotation.models import AdaptivePairing, Check, DemographicQuestion, Qualification, StageFeed, Study

MOST_STUDIES = 1024


@dataclass(frozen=True)
class StudyFeatures:
    """Whether a study has attention checks, questions about the rater, and a qualification; its stages.

    `pairings` are the forms whose pairs are chosen adaptively.
    """

    checks: bool
    questions: bool
    qualification: bool
    feeds: tuple[StageFeed, ...]
    pairings: tuple[AdaptivePairing, ...]


def features_of(study: Study) -> StudyFeatures:
    """The parts of a study; those of one that was never opened are read again each time."""
    return _read(study.pk) if study.opened_at is None else _opened(study.pk, study.opened_at)


@lru_cache(MOST_STUDIES)
def _opened(study_id: int, _opened_at: datetime) -> StudyFeatures:
    """The time distinguishes studies with the same number in different databases."""
    return _read(study_id)


def _read(study_id: int) -> StudyFeatures:
    return StudyFeatures(
        checks=Check.objects.filter(study=study_id).exists(),
        questions=DemographicQuestion.objects.filter(study=study_id).exists(),
        qualification=Qualification.objects.filter(study=study_id).exists(),
        feeds=tuple(
            StageFeed.objects.filter(target__study=study_id)
            .select_related("source", "target")
            .order_by("target__position", "target_id")
        ),
        pairings=tuple(
            AdaptivePairing.objects.filter(form__study=study_id).select_related("form").order_by("form_id")
        ),
    )
