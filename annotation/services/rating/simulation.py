"""Filling a study with simulated raters, through the same services as the pages."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotation.domain.base.errors import NoSeatLeft, NotAllowedNow, TooFast
from annotation.domain.base.messages import joined, message
from annotation.domain.base.states import SEQUENCE, StudyState
from annotation.domain.items.heard import PLAYED_THROUGH
from annotation.domain.items.media import media_blocks
from annotation.domain.quality.checks import CheckKind
from annotation.domain.quality.reading_speed import usual_seconds
from annotation.domain.questions.answers import Submission
from annotation.domain.questions.error_spans.marks import marks_text
from annotation.domain.questions.error_spans.settings import ErrorSettings
from annotation.domain.questions.kinds.kind import Raw
from annotation.domain.rating.simulated_raters import (
    AnsweringPattern,
    SimulatedRater,
    draw_patterns,
    true_position,
)
from annotation.domain.seats.stages import StagePeople
from annotation.models import Assignment, Check, Criterion, Invitation, Rater, RaterKind, Response, Study
from annotation.selectors.people.demographics import unanswered_questions
from annotation.selectors.quality.qualification import calibration_of
from annotation.selectors.seats.stages import feeds_of
from annotation.services.base import audit
from annotation.services.people.demographics import answer_questions
from annotation.services.quality.qualification_progress import read_page, start_attempt
from annotation.services.questions.criteria import question_of
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit

LABEL = "Simulated raters"
SECONDS_A_CRITERION = 3.0
MOST_ATTEMPTS = 3
NO_FURTHER = frozenset({"attempt_failed", "waiting_for_approval", "rater_failed"})


def simulate(
    *,
    study: Study,
    raters: int,
    mix: Mapping[AnsweringPattern, float],
    seed: int,
    most: int | None = None,
) -> list[tuple[Rater, AnsweringPattern]]:
    """Let simulated raters join an open study and rate until nothing is left for them.

    They take turns, one page each, so that they share the work as a crowd does; where a stage wants raters of
    its own, a crowd for each comes after the one before. Everything they do is
    seeded and marked as simulated. They qualify as people do; by hand they wait, since a decision about
    people is not simulated.

    Parameters
    ----------
    study, raters
        An open study, and how many raters join at most; fewer where no slot is left.
    mix : mapping of AnsweringPattern to float
        Shares of their answering patterns.
    seed : int
        Of all they do.
    most : int or None
        Pages for each at most.

    Returns
    -------
    list of (Rater, AnsweringPattern)
        Those who joined. The audit log has an entry for each crowd, with their patterns and the seed.

    Raises
    ------
    NotAllowedNow
        The study is not open (`study_draft`, `study_paused`, `study_closed`), or people rate in it
        (`has_raters`).
    """
    _refuse_among_people(study)
    drawn = list(enumerate(draw_patterns(mix, raters, seed=seed)))
    people: list[tuple[Rater, SimulatedRater]] = []
    for size in _crowds(study, raters):
        crowd, drawn = _join(study, drawn[:size], seed), drawn[size:]
        people += crowd
        _record(study, crowd, seed=seed, most=most)
        _work(crowd, seed, most, staged=bool(feeds_of(study)))
    return [(rater, person.pattern) for rater, person in people]


def _record(study: Study, crowd: list[tuple[Rater, SimulatedRater]], *, seed: int, most: int | None) -> None:
    if crowd:
        patterns = Counter(person.pattern.value for _, person in crowd)
        audit.record(
            study=study,
            actor=None,
            act="simulate",
            raters=[rater.code for rater, _ in crowd],
            patterns=dict(sorted(patterns.items())),
            seed=seed,
            most_pages=most,
        )


def _refuse_among_people(study: Study) -> None:
    if study.state != StudyState.OPEN:
        raise NotAllowedNow(
            joined([StudyState(study.state).sentence, message("Open it first.")]),
            code=f"study_{study.state}",
        )
    if study.raters.filter(kind=RaterKind.PERSON, simulated=False, assignments__isnull=False).exists():
        raise NotAllowedNow(
            message("This study has real raters, and simulated raters would rate their items. Use a copy."),
            code="has_raters",
        )


def _crowds(study: Study, raters: int) -> list[int]:
    """How many raters come for each stage that wants its own, by its share of the answers to an item."""
    own = [feed.target.overlap for feed in feeds_of(study) if feed.people == StagePeople.OTHERS]
    fed = sum(own)
    first = max(1, sum(form.overlap for form in study.forms.all()) - fed)
    sizes = [raters * overlap // (first + fed) for overlap in own]
    return [raters - sum(sizes), *sizes]


def _work(crowd: list[tuple[Rater, SimulatedRater]], seed: int, most: int | None, *, staged: bool) -> None:
    """Let raters take turns until no rater gets another item."""
    working = crowd
    while working:
        rated = [(rater, person) for rater, person in working if _rate_one(rater, person, seed)]
        # Raters without an item try again while others go on: items may reach the next stage.
        looking = working if staged and rated else rated
        working = [one for one in looking if most is None or _pages(one[0]) < most]


def _pages(rater: Rater) -> int:
    return rater.assignments.filter(purpose__in=SEQUENCE).count()


def _join(
    study: Study, drawn: Sequence[tuple[int, AnsweringPattern]], seed: int
) -> list[tuple[Rater, SimulatedRater]]:
    invitation, _ = Invitation.objects.get_or_create(study=study, rater=None, label=LABEL, cap=None)
    people = []
    for number, pattern in drawn:
        try:
            rater = consent(invitation=invitation)
        except NoSeatLeft:
            break
        Rater.objects.filter(pk=rater.pk).update(
            simulated=True, seed=random.Random(f"{seed}/rater/{number}").randrange(2**31)
        )
        Study.objects.filter(pk=study.pk, simulated=False).update(simulated=True)
        rater.refresh_from_db()
        asked = [question.key for question in unanswered_questions(rater)]
        if asked:
            answer_questions(rater=rater, answers=dict.fromkeys(asked))
        people.append((rater, SimulatedRater(pattern, f"{seed}/{number}")))
    return people


def _rate_one(rater: Rater, person: SimulatedRater, seed: int) -> bool:
    page = _next_page(rater)
    if page is None:
        return False
    criteria = list(page.version.criteria.prefetch_related("points"))
    answers = {one.key: _answer(page, one, person, seed) for one in criteria}
    text = " ".join(str(part) for part in page.item.fields.values())
    usual = (usual_seconds(text, rater.study.language) or 10.0) + SECONDS_A_CRITERION * len(criteria)
    seconds = person.seconds(usual)
    heard = dict.fromkeys((one["field"] for one in media_blocks(page.version.blocks)), PLAYED_THROUGH)
    submission = Submission(page_key=uuid.uuid4(), answers=answers, heard=heard)
    try:
        _submit_after(page, seconds, submission)
    except TooFast as early:
        # Simulated raters do not revise: the same answers are sent again once the time is up.
        _submit_after(page, max(seconds + early.left, early.least), submission)
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
                start_attempt(rater=rater)
            elif refusal.code in NO_FURTHER:
                return None
            else:
                raise


def _answer(page: Assignment, criterion: Criterion, person: SimulatedRater, seed: int) -> Raw:
    expected = _right_answer(page, criterion) if person.attends() else None
    if expected is not None:
        return expected if isinstance(expected, list) else str(expected)
    truth = true_position(seed, page.item.key, criterion.key)
    return criterion.question_kind.simulated_in(question_of(criterion), person, truth, page.item.fields)


def _right_answer(page: Assignment, criterion: Criterion) -> Any:
    """The answer of an attentive rater to an attention check; None if any answer passes."""
    calibration = calibration_of(page)
    if calibration is not None:
        return _nearest(criterion, calibration.reference.get(criterion.key))
    return None if page.check_planted is None else _right_for(page.check_planted, criterion)


def _right_for(check: Check, criterion: Criterion) -> Any:
    if check.kind == CheckKind.INSTRUCTED:
        return check.settings["told"].get(criterion.key)
    if check.kind == CheckKind.GOLD:
        wanted = check.settings["reference"].get(criterion.key)
        return _marked_at(criterion, wanted) if isinstance(wanted, list) else _nearest(criterion, wanted)
    if check.kind == CheckKind.TWIN:
        return criterion.minimum
    if check.kind == CheckKind.COMPREHENSION:
        return check.settings["accepted"][0]
    return check.settings["right"] if check.kind == CheckKind.KNOWLEDGE else None


def _marked_at(criterion: Criterion, spans: Sequence[Sequence[int]]) -> str:
    """Errors at these places, with the first category and severity."""
    settings, points = ErrorSettings.of(criterion.settings), [one.value for one in criterion.points.all()]
    category, severity = settings.categories(points)[0], settings.severities(points)[0]
    return marks_text(
        {"start": start, "end": end, "category": category, "severity": severity} for start, end in spans
    )


def _nearest(criterion: Criterion, wanted: Any) -> Any:
    """The possible answer closest to a number; any other value is unchanged."""
    if not isinstance(wanted, float | int):
        return wanted
    possible = criterion.question_kind.possible(question_of(criterion))
    return min(possible, key=lambda one: abs(float(one) - wanted))
