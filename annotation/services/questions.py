"""Criteria as what checking an answer needs to know of them."""

from __future__ import annotations

from annotation.domain.answers import Question
from annotation.domain.states import CriterionKind
from annotation.models import Criterion


def question_of(criterion: Criterion) -> Question:
    """What checking an answer needs to know of a criterion, its `points` prefetched.

    Parameters
    ----------
    criterion : Criterion
        Of a form version.
    """
    return Question(
        key=criterion.key,
        name=criterion.name,
        kind=CriterionKind(criterion.kind),
        minimum=criterion.minimum,
        maximum=criterion.maximum,
        required=criterion.required,
        options=tuple(point.value for point in criterion.points.all()),
        asked_after=criterion.asked_after,
        asked_when=criterion.asked_when,
    )
