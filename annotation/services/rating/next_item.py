"""The choice of the next item: the one module that decides which seat a rater takes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import BigIntegerField, Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from annotation.domain.base.errors import NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import SEQUENCE, DesignKind, Purpose, RaterState, StudyState
from annotation.models import Assignment, Exclusion, Form, FormVersion, Item, Rater, RaterKind, Seat, Study
from annotation.selectors.base.prepared_queries import Compiled, Placeholder
from annotation.selectors.quality.qualification import NOT_YET_QUALIFIED
from annotation.selectors.seats.no_work_reason import explain_no_work
from annotation.selectors.seats.remaining_capacity import items_for_new_rater
from annotation.selectors.seats.stage_waiting import more_may_come
from annotation.selectors.seats.stages import has_others_for_item, is_others_stage
from annotation.selectors.seats.study_features import features_of
from annotation.services.base.webhook_events import announce
from annotation.services.people.consent import check_agreed, check_consented
from annotation.services.quality.checks import due_check
from annotation.services.quality.qualification_progress import due_calibration
from annotation.services.quality.reading_time import start_clock
from annotation.services.seats import reservations
from annotation.services.seats.batches import pages_left, take_batch
from annotation.services.seats.locks import locked_rater
from annotation.services.seats.record_suggestions import suggest
from annotation.services.seats.seat_search import choose_seat, unseen

MOST_TRIES = 50
IN_BATCHES = {DesignKind.BATCHES, DesignKind.ALL}


def next_assignment(*, rater: Rater) -> Assignment:
    """Return what the rater is to rate now: what is already reserved first, else a new slot.

    Where the study has a qualification, its calibration items come before any slot is taken.

    Parameters
    ----------
    rater : Rater
        A rater of an open or paused study.

    Returns
    -------
    Assignment
        Not yet answered, its seat reserved until `seat.until`. A trial has no seat.

    Raises
    ------
    NotAllowedNow
        The study hands out nothing now, the rater has withdrawn, is excluded or not qualified, has not
        agreed to the consent text in force (`consent_changed`) or not answered the questions about
        themselves (`questions_open`), or has to read or to wait before (`background_unread`,
        `attempt_failed`, `waiting_for_approval`).
    NoSeatLeft
        Everything this rater could rate is rated or held by others.
    """
    if rater.kind == RaterKind.TRIAL:
        return _next_trial(rater)
    with transaction.atomic():
        assignment = _due(locked_rater(rater.pk))
    if assignment is None:
        raise NoSeatLeft(explain_no_work(rater=rater))
    return assignment


def assign_next(rater: Rater, *, shown: bool = False) -> Assignment | None:
    """The next assignment of a rater whose row the caller's transaction holds, just after an answer.

    None where there is nothing now. If the caller has it `shown` at once, its clock starts.

    Parameters
    ----------
    rater : Rater
        From `locked_rater`, just after an answer.
    shown : bool
        The caller shows the page at once: the clock of a new assignment starts with it.
    """
    # Where a page has a least time, the clocks of others stop when it is shown: `open_assignment` does it.
    at_once = shown and rater.study.least_seconds is None
    try:
        with transaction.atomic():
            if rater.kind == RaterKind.TRIAL:
                return _next_trial(rater)
            return _due(rater, shown_at=timezone.now() if at_once else None)
    except (NoSeatLeft, NotAllowedNow, DatabaseError):
        # The answer before is stored in any case: the next page asks again.
        return None


def _due(rater: Rater, *, shown_at: datetime | None = None) -> Assignment | None:
    """What is held first, else a new seat; None where nothing is left, which is noted."""
    _check_rater(rater)
    if rater.is_excluded:
        raise NotAllowedNow(
            "Whoever runs the study has ended your part in it. What you saved is kept.", code="rater_excluded"
        )
    parts = features_of(rater.study)
    if parts.questions and rater.described_at is None:
        raise NotAllowedNow("A few questions about you come first.", code="questions_open")
    if parts.qualification and rater.state in NOT_YET_QUALIFIED:
        return due_calibration(rater)
    held = (due_check(rater) if parts.checks else None) or _begun(rater)
    if held is not None:
        return held
    if rater.study.state != StudyState.OPEN:
        raise NotAllowedNow("The study is paused: no new items are given out now.", code="study_paused")
    assignment = _take(rater, shown_at)
    if assignment is None:
        _finish(rater)
    return assignment


def open_assignment(*, assignment: Assignment) -> Assignment:
    """Note that the page is shown: its clock starts, and a reservation that is about to end is renewed.

    What is not answered yet is shown in the newest version of its form. `rater__study` and `seat` of the
    assignment are loaded.

    Parameters
    ----------
    assignment : Assignment
        With `rater__study` and `seat` loaded.
    """
    now = timezone.now()
    if assignment.opened_at is None or _answered_since(assignment, assignment.opened_at):
        if assignment.submitted_at is None:
            assignment.version = _latest(assignment.form)
        # No transaction: it would hold the lock of the whole file while it reads.
        start_clock(assignment=assignment, now=now)
    reservations.renew(assignment, now)
    return assignment


def seats_left(*, study: Study, panel: Form | None = None) -> bool:
    """Whether a new rater of an open study, or of one panel, would find anything to rate.

    Parameters
    ----------
    study : Study
        Open.
    panel : Form or None
        The form of the panel that somebody would join.
    """
    now = timezone.now()
    if study.design in IN_BATCHES:
        return pages_left(study) > 0
    forms = study.forms.order_by("position") if panel is None else [panel]
    return any(
        reservations.free_seats(form).exists() or reservations.expired_seats(form, now).exists()
        for form in forms
    )


def target_for(*, study: Study, panel: Form | None = None) -> int:
    """How many assignments a new rater can expect: every item with a free slot, up to the limits.

    Parameters
    ----------
    study : Study
        Open.
    panel : Form or None
        The form of the panel that the rater belongs to.
    """
    if study.design in IN_BATCHES:
        return pages_left(study)
    return items_for_new_rater(study, panel)


def may_ask_for_more(*, rater: Rater) -> bool:
    """Whether a cap, and nothing else, keeps a rater from going on, and the study lets them ask."""
    study = rater.study
    if not study.more_allowed or study.state != StudyState.OPEN:
        return False
    excluded = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    if not Rater.objects.filter(~Exists(excluded), pk=rater.pk, state=RaterState.FINISHED).exists():
        return False
    if study.design in IN_BATCHES:
        return study.batches_per_rater is not None and _unseen_in_batches(rater).exists()
    return any(form.per_rater is not None and _has_unseen(rater, form) for form in _forms_of(rater))


def raise_rater_limit(*, rater: Rater) -> Rater:
    """Let a rater who has reached the cap take as much again.

    Raises
    ------
    NotAllowedNow
        The study does not let raters ask, or it is no cap that holds this one back (`no_more`); the consent
        text has changed (`consent_changed`).
    """
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        check_agreed(rater)
        if not may_ask_for_more(rater=rater):
            raise NotAllowedNow("There is nothing more for you in this study.", code="no_more")
        in_batches = rater.study.design in IN_BATCHES
        caps = [form.per_rater or 0 for form in _forms_of(rater)]
        rater.extra += 1 if in_batches else max(caps)
        rater.state, rater.finished_at = RaterState.ACTIVE, None
        rater.save(update_fields=["extra", "state", "finished_at"])
    return rater


def _check_rater(rater: Rater) -> None:
    if rater.study.state not in {StudyState.OPEN, StudyState.PAUSED}:
        raise NotAllowedNow(
            "The study is closed: there is nothing more to rate. What you saved is kept.",
            code=f"study_{rater.study.state}",
        )
    if rater.state == RaterState.FAILED:
        raise NotAllowedNow(
            "The calibration items were not passed, so there is nothing more for you in this study.",
            code="rater_failed",
        )
    if rater.state == RaterState.WITHDRAWN:
        raise NotAllowedNow("You no longer take part in this study.", code="rater_withdrawn")
    check_consented(rater)
    check_agreed(rater)


def _answered_since(assignment: Assignment, when: datetime) -> bool:
    if assignment.submitted_at is None:
        return False
    return assignment.responses.filter(current=True, submitted_at__gte=when).exists()


def _waiting(rater: Rater | Placeholder) -> QuerySet[Assignment]:
    waiting = Assignment.objects.filter(rater=rater, purpose=Purpose.MAIN, submitted_at__isnull=True)
    return waiting.order_by("position")


_first_waiting = Compiled(
    lambda rater: (
        _waiting(rater).annotate(lost=~Q(seat__rater=rater) | Q(seat=None)).order_by("lost", "position")[:1]
    ),
    rater=BigIntegerField(),
)


def _begun(rater: Rater) -> Assignment | None:
    """The first unanswered assignment whose seat is the rater's, or can be again."""
    found = _first_waiting.first(rater=rater.pk)
    if found is None:
        return None
    found.rater = rater
    if not found.lost:
        return found if rater.study.state == StudyState.OPEN or _in_hand(found) else None
    return _again_free(rater) if rater.study.state == StudyState.OPEN else None


def _in_hand(assignment: Assignment) -> bool:
    """Whether a pause lets it be finished: of a design that gives everything at once only what was shown."""
    return assignment.rater.study.design != DesignKind.ALL or assignment.opened_at is not None


def _again_free(rater: Rater) -> Assignment | None:
    """The first unanswered assignment whose seat was lost and can be the rater's again."""
    available = reservations.is_available(timezone.now())
    others = Seat.objects.filter(available, form=OuterRef("form"), item=OuterRef("item"))
    for assignment in _waiting(rater).select_related("form").filter(Exists(others))[:MOST_TRIES]:
        seat = reservations.lock_available_seat(assignment.form, assignment.item_id)
        if seat is not None:
            reservations.reserve([seat], rater)
            assignment.seat = seat
            assignment.save(update_fields=["seat"])
            return assignment
    return None


def _take(rater: Rater, shown_at: datetime | None) -> Assignment | None:
    if rater.study.design in IN_BATCHES:
        return take_batch(rater)
    numbers = {(form, purpose): number for form, purpose, number in _given(rater=rater.pk)}
    rated = {form for form, purpose in numbers if purpose == Purpose.MAIN}
    for form in _forms_with_version(rater):
        if is_others_stage(rater.study, form.pk, rated):
            continue
        count = numbers.get((form.pk, Purpose.MAIN), 0)
        if form.per_rater is not None and count >= form.per_rater + rater.extra:
            continue
        seat = choose_seat(rater, form, count)
        if seat is not None:
            reservations.reserve([seat], rater)
            taken = Assignment.objects.create(
                rater=rater,
                item=seat.item,
                form=form,
                version_id=form.newest_version,
                seat=seat,
                position=sum(numbers.values()) + 1,
                opened_at=shown_at,
            )
            suggest(assignment=taken)
            return taken
    return None


_given = Compiled(
    lambda rater: (
        Assignment.objects.filter(rater=rater, purpose__in=SEQUENCE)
        .values_list("form", "purpose")
        .annotate(Count("pk"))
        .order_by()
    ),
    rater=BigIntegerField(),
)


def _newest_first(forms: QuerySet[Form]) -> QuerySet[Form]:
    newest = FormVersion.objects.filter(form=OuterRef("pk")).order_by("-number").values("pk")[:1]
    return forms.annotate(newest_version=Subquery(newest)).order_by("position", "pk")


_forms_of_study = Compiled(
    lambda study: _newest_first(Form.objects.filter(study=study)), study=BigIntegerField()
)


def _forms_with_version(rater: Rater) -> Iterable[Any]:
    """The forms a rater is given, each with the number of its newest version."""
    if rater.study.design == DesignKind.PANELS:
        return _newest_first(_forms_of(rater))
    return _forms_of_study(study=rater.study_id)


def _forms_of(rater: Rater) -> QuerySet[Form]:
    forms = rater.study.forms.order_by("position", "pk")
    if rater.study.design != DesignKind.PANELS:
        return forms
    return forms.none() if rater.panel_id is None else forms.filter(pk=rater.panel_id)


def _unseen_in_batches(rater: Rater) -> QuerySet[Seat]:
    taken = Assignment.objects.filter(rater=rater, purpose=Purpose.MAIN, seat__batch=OuterRef("batch"))
    available = reservations.is_available(timezone.now())
    seats = Seat.objects.filter(available, form__study=rater.study, batch__isnull=False)
    return seats.filter(~Exists(taken))


def _has_unseen(rater: Rater, form: Form) -> bool:
    """Whether a seat of a form is to be had that the rater may take, were it not for the cap."""
    rated = rater.assignments.filter(purpose=Purpose.MAIN).values_list("form", flat=True).distinct()
    if is_others_stage(rater.study, form.pk, set(rated)):
        return False
    seats = Seat.objects.filter(reservations.is_available(timezone.now()), form=form)
    separate_people = has_others_for_item(rater.study, form.pk)
    return unseen(rater, form, seats, separate_people=separate_people).exists()


def _finish(rater: Rater) -> None:
    answered = rater.assignments.filter(purpose=Purpose.MAIN, submitted_at__isnull=False)
    if not answered.exists() or more_may_come(rater):
        return
    if rater.state != RaterState.FINISHED:
        announce(study=rater.study, event="rater_finished", detail={})
    rater.state, rater.finished_at = RaterState.FINISHED, rater.finished_at or timezone.now()
    rater.save(update_fields=["state", "finished_at"])


def _latest(form: Form) -> FormVersion:
    return form.versions.order_by("-number")[:1].get()


def _next_trial(rater: Rater) -> Assignment:
    """A member tries the task: the items in order, without seats, never counted."""
    waiting = rater.assignments.filter(purpose=Purpose.TRIAL, submitted_at__isnull=True)
    found = waiting.select_related("item", "form", "seat", "rater__study").first()
    if found is not None:
        return found
    form = rater.study.forms.annotate(
        given=Count("assignments", filter=Q(assignments__rater=rater))
    ).order_by("given", "position")
    chosen = form.first()
    if chosen is None:
        raise NoSeatLeft("This study has no form yet.", code="no_form")
    seen = rater.assignments.filter(form=chosen).values("item")
    item = Item.objects.filter(study=rater.study).exclude(pk__in=seen).order_by("position").first()
    if item is None:
        raise NoSeatLeft("You have tried every item of this study.")
    taken = Assignment.objects.create(
        rater=rater,
        item=item,
        form=chosen,
        version=_latest(chosen),
        purpose=Purpose.TRIAL,
        position=rater.assignments.count() + 1,
    )
    suggest(assignment=taken)
    return taken
