"""Criteria in the form that the validation of answers needs."""

from __future__ import annotations

from annotation.domain.questions.kinds.kind import IN_A_TEXT, Question
from annotation.domain.questions.marked_text import marked_field
from annotation.models import Criterion, Form, FormVersion


def question_of(criterion: Criterion) -> Question:
    """The question of a criterion for the validation of answers; its `points` are prefetched.

    Parameters
    ----------
    criterion : Criterion
        Of a form version.
    """
    is_marked = criterion.question_kind.yields in IN_A_TEXT
    return Question(
        key=criterion.key,
        name=criterion.name,
        kind=criterion.question_kind,
        minimum=criterion.minimum,
        maximum=criterion.maximum,
        required=criterion.required,
        options=tuple(point.value for point in criterion.points.all()),
        asked_after=criterion.asked_after,
        asked_when=criterion.asked_when,
        settings=criterion.settings,
        field=marked_field(criterion.version.blocks) if is_marked else "",
    )


def questions_of(form: Form) -> list[Question]:
    """The questions of a form's newest version."""
    version = FormVersion.objects.filter(form=form).latest("number", "correction")
    return [question_of(criterion) for criterion in version.criteria.prefetch_related("points")]
