"""The choice of the next item: the one module that hands out seats.

PostgreSQL locks the chosen rows and skips those that others hold; SQLite ignores row locks, but
its transactions begin with the write lock, so the same code is serial there.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.domain.errors import NoSeatLeft, NotAllowedNow
from annotation.domain.states import Purpose, RaterState, SeatState, StudyState
from annotation.models import Assignment, Form, FormVersion, Item, Rater, RaterKind, Seat, Study

MOST_TRIES = 50
GONE = {RaterState.WITHDRAWN, RaterState.FAILED}


def next_assignment(*, rater: Rater) -> Assignment:
    """Return what the rater is to rate now: what is already held first, else a new seat.

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
        The study hands out nothing now, or the rater has withdrawn.
    NoSeatLeft
        Everything this rater could rate is rated or held by others.
    """
    if rater.kind == RaterKind.TRIAL:
        return _next_trial(rater)
    with transaction.atomic():
        rater = Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=rater.pk)
        _check_rater(rater)
        held = _held(rater)
        if held is not None:
            return held
        if rater.study.state != StudyState.OPEN:
            raise NotAllowedNow("The study is paused: no new items are given out now.", code="study_paused")
        assignment = _take(rater)
        if assignment is None:
            _finish(rater)
    if assignment is None:
        raise NoSeatLeft("Nothing is left for you to rate in this study.")
    return assignment


def open_assignment(*, assignment: Assignment) -> Assignment:
    """Note that the page is shown: its clock starts, a seat that runs short is renewed.

    What is not answered yet is shown in the newest version of its form.

    Parameters
    ----------
    assignment : Assignment
        With `rater__study` and `seat` loaded.
    """
    now = timezone.now()
    with transaction.atomic():
        if assignment.opened_at is None or _answered_since(assignment, assignment.opened_at):
            assignment.opened_at = now
            if assignment.submitted_at is None:
                assignment.version = _latest(assignment.form)
            assignment.save(update_fields=["opened_at", "version"])
        _renew(assignment, now)
    return assignment


def seats_left(*, study: Study) -> bool:
    """Whether somebody new would find anything to rate."""
    now = timezone.now()
    return any(
        _free(form).exists() or _expired(form, now).exists() for form in study.forms.order_by("position")
    )


def target_for(*, study: Study) -> int:
    """How many assignments a new rater can expect: every item that has room, up to each form's cap."""
    total = 0
    for form in study.forms.all():
        items = _free(form).values("item").distinct()
        total += items.count() if form.per_rater is None else items[: form.per_rater].count()
    return total


def release_seats(*, rater: Rater) -> int:
    """Give back the seats a rater holds without having answered; returns how many."""
    return Seat.objects.filter(rater=rater, state=SeatState.RESERVED).update(
        state=SeatState.FREE, rater=None, until=None
    )


def fill_seat(*, assignment: Assignment) -> bool:
    """Mark the seat of an answered assignment filled; False where the overlap is full without it.

    Parameters
    ----------
    assignment : Assignment
        Of purpose `main`, locked by the caller's transaction.

    Returns
    -------
    bool
        False: the seat had run out and was given away, and the item has no other: the answer is late.
    """
    seat = None if assignment.seat is None else _lock(Seat.objects.filter(pk=assignment.seat.pk)).first()
    if seat is None or seat.rater_id != assignment.rater_id:
        seat = _seat_of(assignment.form, assignment.item_id)
    if seat is None:
        return False
    seat.state, seat.rater_id, seat.until = SeatState.FILLED, assignment.rater_id, None
    seat.save(update_fields=["state", "rater", "until"])
    if assignment.seat_id != seat.pk:
        assignment.seat = seat
        assignment.save(update_fields=["seat"])
    return True


def _check_rater(rater: Rater) -> None:
    if rater.study.state not in {StudyState.OPEN, StudyState.PAUSED}:
        raise NotAllowedNow(
            "The study is closed: there is nothing more to rate. What you saved is kept.",
            code=f"study_{rater.study.state}",
        )
    if rater.state in GONE:
        raise NotAllowedNow("You no longer take part in this study.", code=f"rater_{rater.state}")
    if rater.consented_at is None:
        raise NotAllowedNow("Read the consent text and agree before rating.", code="no_consent")


def _answered_since(assignment: Assignment, when: datetime) -> bool:
    if assignment.submitted_at is None:
        return False
    return assignment.responses.filter(current=True, submitted_at__gte=when).exists()


def _held(rater: Rater) -> Assignment | None:
    """The first unanswered assignment whose seat is, or can again be, the rater's."""
    waiting = rater.assignments.filter(purpose=Purpose.MAIN, submitted_at__isnull=True)
    for assignment in waiting.select_related("item", "form", "seat", "rater__study").order_by("position"):
        seat = assignment.seat
        if seat is not None and seat.rater_id == rater.pk:
            return assignment
        other = _seat_of(assignment.form, assignment.item_id)
        if other is not None:
            _reserve(other, rater)
            assignment.seat = other
            assignment.save(update_fields=["seat"])
            return assignment
    return None


def _take(rater: Rater) -> Assignment | None:
    for form in rater.study.forms.order_by("position", "pk"):
        given = rater.assignments.filter(form=form, purpose=Purpose.MAIN)
        if form.per_rater is not None and given.count() >= form.per_rater:
            continue
        seat = _choose_seat(rater, form)
        if seat is not None:
            _reserve(seat, rater)
            return Assignment.objects.create(
                rater=rater,
                item=seat.item,
                form=form,
                version=_latest(form),
                seat=seat,
                position=rater.assignments.filter(purpose=Purpose.MAIN).count() + 1,
            )
    return None


def _choose_seat(rater: Rater, form: Form) -> Seat | None:
    """Least-served items first, ties by the study's seed; seats that ran out come after free ones."""
    now = timezone.now()
    seen = Assignment.objects.filter(rater=rater, form=form, purpose=Purpose.MAIN, item=OuterRef("item"))
    for candidates in (_free(form), _expired(form, now)):
        unseen = candidates.filter(~Exists(seen)).order_by("slot", "shuffle", "pk")
        seat = _first_locked(unseen)
        if seat is not None:
            return seat
    return None


def _first_locked(candidates: QuerySet[Seat]) -> Seat | None:
    """Lock one candidate: first one that nobody else holds locked, else wait for those that are."""
    seat = _lock(candidates, skip_locked=True).select_related("item").first()
    tries = 0
    while seat is None and candidates.exists():
        if tries == MOST_TRIES:
            raise NotAllowedNow("Too many raters ask at once: try again in a moment.", code="busy")
        seat = _lock(candidates).select_related("item").first()
        tries += 1
    return seat


def _seat_of(form: Form, item_id: int) -> Seat | None:
    """Any seat of one item that is free or has run out, locked."""
    for candidates in (_free(form), _expired(form, timezone.now())):
        seat = _lock(candidates.filter(item_id=item_id).order_by("slot")).first()
        if seat is not None:
            return seat
    return None


def _lock(seats: QuerySet[Seat], *, skip_locked: bool = False) -> QuerySet[Seat]:
    return seats.select_for_update(skip_locked=skip_locked, of=("self",))


def _free(form: Form) -> QuerySet[Seat]:
    return Seat.objects.filter(form=form, state=SeatState.FREE)


def _expired(form: Form, now: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(form=form, state=SeatState.RESERVED, until__lt=now)


def _reserve(seat: Seat, rater: Rater) -> None:
    seat.state, seat.rater, seat.until = SeatState.RESERVED, rater, _until(rater.study)
    seat.save(update_fields=["state", "rater", "until"])


def _renew(assignment: Assignment, now: datetime) -> None:
    seat, study = assignment.seat, assignment.rater.study
    if seat is None or seat.rater_id != assignment.rater_id or seat.until is None:
        return
    if seat.until - now < timedelta(minutes=study.seat_minutes) / 2:
        seat.until = _until(study)
        Seat.objects.filter(pk=seat.pk, rater=assignment.rater, state=SeatState.RESERVED).update(
            until=seat.until
        )


def _until(study: Study) -> datetime:
    return timezone.now() + timedelta(minutes=study.seat_minutes)


def _finish(rater: Rater) -> None:
    rater.state = RaterState.FINISHED
    rater.finished_at = rater.finished_at or timezone.now()
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
    return Assignment.objects.create(
        rater=rater,
        item=item,
        form=chosen,
        version=_latest(chosen),
        purpose=Purpose.TRIAL,
        position=rater.assignments.count() + 1,
    )
