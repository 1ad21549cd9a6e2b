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
from annotation.domain.errors import NoSeatLeft, NotAllowedNow
from annotation.domain.reading import usual_seconds
from annotation.domain.states import CriterionKind, StudyState
from annotation.models import Assignment, Criterion, Invitation, Rater, Response, Study
from annotation.services.assignment import next_assignment
from annotation.services.raters import consent
from annotation.services.responses import submit

LABEL = "Simulated raters"
SECONDS_A_CRITERION = 3.0


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
    seeded and marked as simulated.

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
        The study is not open (`study_draft`, `study_paused`, `study_closed`).
    """
    if study.state != StudyState.OPEN:
        raise NotAllowedNow(f"The study is {study.state}: open it first.", code=f"study_{study.state}")
    Study.objects.filter(pk=study.pk).update(simulated=True)
    people = _join(study, manners(mix, raters, seed=seed), seed)
    working, done = list(people), 0
    while working:
        still = []
        for rater, person in working:
            if _rate_one(rater, person, seed):
                done += 1
                progress(done)
                if most is None or rater.assignments.count() < most:
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
        rater.refresh_from_db()
        people.append((rater, Person(manner, f"{seed}/{place}")))
    return people


def _rate_one(rater: Rater, person: Person, seed: int) -> bool:
    try:
        page = next_assignment(rater=rater)
    except NoSeatLeft:
        return False
    criteria = list(page.version.criteria.prefetch_related("points"))
    answers = {one.key: _answer(page, one, person, seed) for one in criteria}
    text = " ".join(str(part) for part in page.item.fields.values())
    usual = (usual_seconds(text, rater.study.language) or 10.0) + SECONDS_A_CRITERION * len(criteria)
    seconds = person.seconds(usual)
    Assignment.objects.filter(pk=page.pk).update(opened_at=timezone.now() - timedelta(seconds=seconds))
    page.refresh_from_db(fields=["opened_at"])
    submission = Submission(page_key=uuid.uuid4(), answers=answers)
    response = submit(assignment=page, version=page.version, submission=submission).response
    Response.objects.filter(pk=response.pk).update(seconds=round(seconds, 1))
    return True


def _answer(page: Assignment, criterion: Criterion, person: Person, seed: int) -> str:
    told = _right_answer(page, criterion) if person.attends() else None
    if told is not None:
        return str(told)
    if criterion.kind == CriterionKind.LIKERT:
        low, high = criterion.minimum or 0, criterion.maximum or 0
        return str(person.value(low, high, truth_of(seed, page.item.key, criterion.key)))
    options = [point.value for point in criterion.points.all()]
    return person.option(options) if options else "nothing"


def _right_answer(page: Assignment, criterion: Criterion) -> Any:
    """What somebody who reads answers to a planted page; None where any answer is as good."""
    check = page.check_planted
    if check is None:
        return None
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
