"""The demographic questions of a study, and the answers of its raters."""

from __future__ import annotations

from annotation.domain.base.states import TAKING_ANSWERS
from annotation.domain.people.demographics import DemographicKind, RaterQuestion
from annotation.models import DemographicAnswer, Rater, RaterKind, Study
from annotation.selectors.base.table_types import Table

DEMOGRAPHIC_COLUMNS = ("study", "rater", "question", "kind", "text", "answer", "declined", "answered_at")


def questions_of(study: Study) -> list[RaterQuestion]:
    """The questions of a study, in order."""
    return [
        RaterQuestion(one.key, one.text, DemographicKind(one.kind), tuple(one.options), one.translations)
        for one in study.demographic_questions.all()
    ]


def unanswered_questions(rater: Rater) -> list[RaterQuestion]:
    """The questions to ask a rater before the first item; none once they have answered."""
    if rater.described_at is not None or rater.consented_at is None or rater.kind != RaterKind.PERSON:
        return []
    return questions_of(rater.study) if rater.study.state in TAKING_ANSWERS else []


def demographics_table(study: Study) -> Table:
    """One row per rater and question; it is joined to no other table."""
    answers = (
        DemographicAnswer.objects.filter(rater__study=study)
        .select_related("rater", "question")
        .order_by("rater__code", "question__position")
    )
    rows = (
        {
            "study": study.slug,
            "rater": one.rater.code,
            "question": one.question.key,
            "kind": one.question.kind,
            "text": one.question.text,
            "answer": one.value,
            "declined": one.declined,
            "answered_at": one.answered_at.isoformat(),
        }
        for one in answers.iterator()
    )
    return DEMOGRAPHIC_COLUMNS, rows
