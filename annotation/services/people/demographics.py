"""Demographic questions: set in a draft, asked once after consent, stored separately from the ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import TAKING_ANSWERS, RaterState
from annotation.domain.people.demographics import RaterQuestion, check_answers, check_questions
from annotation.models import DemographicAnswer, DemographicQuestion, Rater, RaterKind, Study, User
from annotation.selectors.people.demographics import questions_of
from annotation.services.base import audit
from annotation.services.base.drafts import refuse_unless_draft
from annotation.services.people.consent import check_consented
from annotation.services.questions.text_languages import offered_translations


def set_questions(*, study: Study, actor: User, questions: Sequence[RaterQuestion]) -> None:
    """Set what a draft asks its raters about themselves; the earlier questions are replaced.

    Parameters
    ----------
    study : Study
        A draft.
    actor : User
        User who sets them.
    questions : sequence of Asked
        All of them, in order; none for no questions.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    InvalidContent
        `invalid_questions`, or a language in which there are no pages (`language_not_offered`).
    """
    check_questions(questions)
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        refuse_unless_draft(
            study, message("You can only change demographic questions while the study is a draft.")
        )
        study.demographic_questions.all().delete()
        DemographicQuestion.objects.bulk_create(
            DemographicQuestion(
                study=study,
                key=one.key,
                text=one.text.strip(),
                kind=one.kind.value,
                options=list(one.options),
                translations=offered_translations(one.translations),
                position=position,
            )
            for position, one in enumerate(questions)
        )
        audit.record(
            study=study, actor=actor, act="set_demographic_questions", keys=[one.key for one in questions]
        )


def answer_questions(*, rater: Rater, answers: Mapping[str, str | None]) -> Rater:
    """Store a rater's answers about themselves, once; sending again changes nothing.

    Parameters
    ----------
    rater, answers
        A rater who has consented, and the answer to each question by key; None where the rater prefers not
        to say.

    Raises
    ------
    InvalidAnswer
        A question is open or its answer cannot be taken. Nothing is stored.
    NotAllowedNow
        The rater has not agreed yet (`no_consent`) or has withdrawn, or the study is closed.
    """
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        if rater.state == RaterState.WITHDRAWN:
            raise NotAllowedNow(message("You have withdrawn from this study."), code="rater_withdrawn")
        check_consented(rater)
        if rater.study.state not in TAKING_ANSWERS:
            raise NotAllowedNow(
                message("This study is not accepting answers right now."), code=f"study_{rater.study.state}"
            )
        if rater.described_at is not None or rater.kind == RaterKind.TRIAL:
            return rater
        checked = check_answers(questions_of(rater.study), answers)
        rater.described_at = timezone.now()
        DemographicAnswer.objects.bulk_create(
            DemographicAnswer(
                rater=rater,
                question=question,
                value=checked[question.key] or "",
                declined=checked[question.key] is None,
                answered_at=rater.described_at,
            )
            for question in rater.study.demographic_questions.all()
        )
        rater.save(update_fields=["described_at"])
    return rater
