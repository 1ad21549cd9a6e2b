"""Filling a study with simulated raters, through the same services as the pages."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotation.domain.answers import Submission
from annotation.domain.checks import CheckKind
from annotation.domain.crowd import Manner, Person, manners, truth_of
from annotation.domain.errors import NoSeatLeft, NotAllowedNow, TooFast
from annotation.domain.reading import usual_seconds
from annotation.domain.states import SEQUENCE, CriterionKind, StudyState
from annotation.domain.tuples import tuples_text
from annotation.models import (
    Assignment,
    Check,
    Criterion,
    Invitation,
    Rater,
    RaterKind,
    Response,
    Study,
)
from annotation.selectors.demographics import still_asked
from annotation.selectors.qualification import calibration_of
from annotation.services.assignment import next_assignment
from annotation.services.demographics import answer_questions
from annotation.services.qualifying import begin_again, read_page
from annotation.services.raters import consent
from annotation.services.responses import submit

LABEL = "Simulated raters"
SECONDS_A_CRITERION = 3.0
MOST_ATTEMPTS = 3
NO_FURTHER = frozenset({"attempt_failed", "waiting_for_approval", "rater_failed"})


def simulate(
    *,
    study: Study,
    raters: int,
    mix: Mapping[Manner, float],
    seed: int,
    most: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> list[tuple[Rater, Manner]]:
    """Let simulated raters join an open study and rate until nothing is left for them.

    They take turns, one page each, so that they share the work as a crowd does. Everything they do is
    seeded and marked as simulated. They qualify as people do; by hand they wait, since a decision about
    people is not simulated.

    Parameters
    ----------
    study : Study
        Open.
    raters : int
        How many join at most; fewer where no seat is left.
    mix : mapping of Manner to float
        Shares of their manners.
    seed : int
        Of all they do.
    most : int or None
        Pages for each at most.
    progress : callable
        Told the number of answers so far.

    Returns
    -------
    list of (Rater, Manner)
        Those who joined.

    Raises
    ------
    NotAllowedNow
        The study is not open (`study_draft`, `study_paused`, `study_closed`), or people rate in it
        (`has_raters`).
    """
    if study.state != StudyState.OPEN:
        raise NotAllowedNow(
            f"The study is {StudyState(study.state).words}: open it first.", code=f"study_{study.state}"
        )
    if study.raters.filter(kind=RaterKind.PERSON, simulated=False, assignments__isnull=False).exists():
        raise NotAllowedNow(
            "People rate in this study: simulated raters would take their items. Use another study.",
            code="has_raters",
        )
    people = _join(study, manners(mix, raters, seed=seed), seed)
    working, done = list(people), 0
    while working:
        still = []
        for rater, person in working:
            if _rate_one(rater, person, seed):
                done += 1
                progress(done)
                if most is None or rater.assignments.filter(purpose__in=SEQUENCE).count() < most:
                    still.append((rater, person))
        working = still
    return [(rater, person.manner) for rater, person in people]


def _join(study: Study, drawn: list[Manner], seed: int) -> list[tuple[Rater, Person]]:
    invitation, _ = Invitation.objects.get_or_create(study=study, rater=None, label=LABEL, cap=None)
    people = []
    for place, manner in enumerate(drawn):
        try:
            rater = consent(invitation=invitation)
        except NoSeatLeft:
            break
        Rater.objects.filter(pk=rater.pk).update(
            simulated=True, seed=random.Random(f"{seed}/rater/{place}").randrange(2**31)
        )
        Study.objects.filter(pk=study.pk, simulated=False).update(simulated=True)
        rater.refresh_from_db()
        asked = [question.key for question in still_asked(rater)]
        if asked:
            answer_questions(rater=rater, answers=dict.fromkeys(asked))
        people.append((rater, Person(manner, f"{seed}/{place}")))
    return people


def _rate_one(rater: Rater, person: Person, seed: int) -> bool:
    page = _next_page(rater)
    if page is None:
        return False
    criteria = list(page.version.criteria.prefetch_related("points"))
    answers = {one.key: _answer(page, one, person, seed) for one in criteria}
    text = " ".join(str(part) for part in page.item.fields.values())
    usual = (usual_seconds(text, rater.study.language) or 10.0) + SECONDS_A_CRITERION * len(criteria)
    seconds = person.seconds(usual)
    submission = Submission(page_key=uuid.uuid4(), answers=answers)
    try:
        _submit_after(page, seconds, submission)
    except TooFast as early:
        # Nobody looks over the answers: they come again as they were once the time is up.
        _submit_after(page, seconds + early.left, submission)
    return True


def _submit_after(page: Assignment, seconds: float, submission: Submission) -> None:
    Assignment.objects.filter(pk=page.pk).update(opened_at=timezone.now() - timedelta(seconds=seconds))
    page.refresh_from_db(fields=["opened_at"])
    response = submit(assignment=page, version=page.version, submission=submission).response
    Response.objects.filter(pk=response.pk).update(seconds=round(seconds, 1))


def _next_page(rater: Rater) -> Assignment | None:
    """What comes now, the background read and failed attempts tried again; None where nothing does."""
    while True:
        try:
            return next_assignment(rater=rater)
        except NoSeatLeft:
            return None
        except NotAllowedNow as refusal:
            if refusal.code == "background_unread":
                rater = read_page(rater=rater, number=rater.pages_read + 1)
            elif refusal.code == "attempt_failed" and rater.attempts.count() < MOST_ATTEMPTS:
                begin_again(rater=rater)
            elif refusal.code in NO_FURTHER:
                return None
            else:
                raise


def _answer(page: Assignment, criterion: Criterion, person: Person, seed: int) -> str:
    told = _right_answer(page, criterion) if person.attends() else None
    if told is not None:
        return str(told)
    if criterion.kind == CriterionKind.LIKERT:
        low, high = criterion.minimum or 0, criterion.maximum or 0
        return str(person.value(low, high, truth_of(seed, page.item.key, criterion.key)))
    options = [point.value for point in criterion.points.all()]
    if criterion.kind == CriterionKind.TUPLES:
        return tuples_text([dict.fromkeys(options, "nothing")])
    return person.option(options) if options else "nothing"


def _right_answer(page: Assignment, criterion: Criterion) -> Any:
    """What somebody who reads answers to a planted page; None where any answer is as good."""
    calibration = calibration_of(page)
    if calibration is not None:
        wanted = calibration.reference.get(criterion.key)
        return round(wanted) if isinstance(wanted, float | int) else wanted
    return None if page.check_planted is None else _right_for(page.check_planted, criterion)


def _right_for(check: Check, criterion: Criterion) -> Any:
    if check.kind == CheckKind.INSTRUCTED:
        return check.settings["told"].get(criterion.key)
    if check.kind == CheckKind.GOLD:
        reference = check.settings["reference"].get(criterion.key)
        return None if reference is None else round(reference)
    if check.kind == CheckKind.TWIN:
        return criterion.minimum
    if check.kind == CheckKind.COMPREHENSION:
        return check.settings["accepted"][0]
    return check.settings["right"] if check.kind == CheckKind.KNOWLEDGE else None
