"""Choice of the next item: a reserved item, a check, or else a new rating slot or batch."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import DatabaseError, transaction
from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.domain.base.errors import ItemsReserved, NoSeatLeft, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import IN_BATCHES, Purpose, RaterState, StudyState
from annotation.models import Assignment, Form, FormVersion, Rater, RaterKind, Seat, Study
from annotation.selectors.base.prepared_queries import Compiled, Placeholder
from annotation.selectors.quality.qualification import NOT_YET_QUALIFIED
from annotation.selectors.rating.ahead import MOST_RESERVED, is_in_hand, may_go_ahead, unanswered_pages
from annotation.selectors.seats.no_work_reason import explain_no_work
from annotation.selectors.seats.others_reservations import others_hold_items
from annotation.selectors.seats.pairing.waiting import pairs_may_follow
from annotation.selectors.seats.remaining_capacity import items_for_new_rater, items_for_present_rater
from annotation.selectors.seats.stage_waiting import more_may_come
from annotation.selectors.seats.study_features import features_of
from annotation.services.base.webhook_events import announce
from annotation.services.people.consent import check_agreed, check_consented
from annotation.services.quality.checks import due_check, insert_checks
from annotation.services.quality.qualification_progress import due_calibration
from annotation.services.quality.reading_time import start_clock
from annotation.services.rating.one_seat import assign, choose
from annotation.services.rating.trial_items import next_trial
from annotation.services.seats import reservations
from annotation.services.seats.batches import pages_left, take_batch
from annotation.services.seats.locks import locked_rater
from annotation.services.seats.pair_rounds import add_unattended_rounds

PAUSED = message("This study is paused. Please come back later.")
MOST_TRIES = 50
# For each active rater: the number of slots that one rater can have reserved at the same time.
SPARE_SEATS = MOST_RESERVED


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
        Everything this rater could rate is rated, or (`ItemsReserved`) some of it is held by others.
    """
    if rater.kind == RaterKind.TRIAL:
        return next_trial(rater)
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
                return next_trial(rater)
            return _due(rater, shown_at=timezone.now() if at_once else None)
    except (NoSeatLeft, NotAllowedNow, DatabaseError):
        # The answer before is stored in any case: the next page asks again.
        return None


def _due(rater: Rater, *, shown_at: datetime | None = None) -> Assignment | None:
    """Return a reserved item, else a new slot; None if nothing is left, which is recorded."""
    _check_rater(rater)
    if rater.is_excluded:
        raise NotAllowedNow(
            message("The research team has ended your participation. Your saved answers are kept."),
            code="rater_excluded",
        )
    parts = features_of(rater.study)
    if parts.questions and rater.described_at is None:
        raise NotAllowedNow(message("Answer the questions about you first."), code="questions_open")
    if parts.qualification and rater.state in NOT_YET_QUALIFIED:
        return due_calibration(rater)
    assignment = _held(rater)
    if assignment is None and rater.study.state != StudyState.OPEN:
        raise NotAllowedNow(PAUSED, code="study_paused")
    assignment = assignment or _take(rater, shown_at)
    if assignment is None and parts.pairings and add_unattended_rounds(study=rater.study):
        assignment = _take(rater, shown_at)
    if assignment is None:
        _finish(rater)
        return None
    if rater.state == RaterState.FINISHED:
        _note_end(rater, RaterState.ACTIVE, None)
    if rater.target and assignment.position > rater.target:
        rater.target = assignment.position + items_for_present_rater(rater)
        rater.save(update_fields=["target"])
    return assignment


def reserve_ahead(*, assignment: Assignment) -> Assignment | None:
    """As `assign_ahead`, for a page that is shown: what its rater is to rate after it.

    Parameters
    ----------
    assignment : Assignment
        The last page that the rater's browser has.
    """
    with transaction.atomic():
        return assign_ahead(locked_rater(assignment.rater_id), after=assignment.pk)


def assign_ahead(rater: Rater, *, after: int) -> Assignment | None:
    """What follows an unanswered page, reserved before that page is answered; its clock does not start.

    None where what follows depends on the answer, and where reserving could take work from others.

    Parameters
    ----------
    rater : Rater
        From `locked_rater`.
    after : int
        Key of the assignment that it follows, of the rater's own.
    """
    pages = unanswered_pages(rater)
    until = next((place for place, page in enumerate(pages, 1) if page.pk == after), 0)
    before, later = pages[:until], pages[until:]
    if not before or not may_go_ahead(rater, before):
        return None
    try:
        with transaction.atomic():
            _check_rater(rater)
            return _ahead(rater, before, later)
    except (NotAllowedNow, DatabaseError):
        # The page is asked for again when the one before it is answered.
        return None


def _ahead(rater: Rater, before: Sequence[Assignment], later: Sequence[Assignment]) -> Assignment | None:
    """Return a reserved page, a check at its position in the sequence, or else a new slot."""
    taken = None if later or rater.study.design in IN_BATCHES else choose(rater, spare=SPARE_SEATS)
    if not later and taken is None:
        # Nor a check: it would be recognisable as the only page that is available ahead.
        return None
    checks = features_of(rater.study).checks and all(page.purpose == Purpose.MAIN for page in later)
    check = due_check(rater, before) if checks else None
    if check is not None or taken is None:
        return check or later[0]
    return assign(rater, taken, None)


def open_assignment(*, assignment: Assignment) -> Assignment:
    """Note that the page is shown: its clock starts, and a reservation that is about to end is renewed.

    What is not answered yet is shown in the newest version of its form.

    Parameters
    ----------
    assignment : Assignment
        With `rater__study` and `seat` loaded.

    Raises
    ------
    NotAllowedNow
        The study is paused, and the item was reserved but not shown before (`study_paused`).
    """
    if assignment.rater.study.state == StudyState.PAUSED and not is_in_hand(assignment):
        raise NotAllowedNow(PAUSED, code="study_paused")
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
        The form of the panel that a new rater would join.
    """
    now = timezone.now()
    if study.design in IN_BATCHES:
        return pages_left(study) > 0
    forms = list(study.forms.order_by("position")) if panel is None else [panel]
    return pairs_may_follow(study, forms) or any(
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


def _check_rater(rater: Rater) -> None:
    if rater.study.state not in {StudyState.OPEN, StudyState.PAUSED}:
        raise NotAllowedNow(
            message("This study is closed. Your saved answers are kept."),
            code=f"study_{rater.study.state}",
        )
    if rater.state == RaterState.FAILED:
        raise NotAllowedNow(
            message(
                "You did not pass the calibration items, so there are no more items for you in this study."
            ),
            code="rater_failed",
        )
    if rater.state == RaterState.WITHDRAWN:
        raise NotAllowedNow(message("You have withdrawn from this study."), code="rater_withdrawn")
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


def _held(rater: Rater) -> Assignment | None:
    """A check that is due, unless an item comes before it that was reserved ahead; else the item begun."""
    check = due_check(rater) if features_of(rater.study).checks else None
    if check is not None:
        earlier = _first_waiting.first(rater=rater.pk)
        if earlier is None or earlier.lost or earlier.position > check.position:
            return check
    return _begun(rater)


def _begun(rater: Rater) -> Assignment | None:
    """The first unanswered assignment whose seat is the rater's, or can be again."""
    found = _first_waiting.first(rater=rater.pk)
    if found is None:
        return None
    found.rater = rater
    if not found.lost:
        return found if rater.study.state == StudyState.OPEN or is_in_hand(found) else None
    return _regained(rater) if rater.study.state == StudyState.OPEN else None


def _regained(rater: Rater) -> Assignment | None:
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
    """A new seat, or a new batch."""
    if rater.study.design in IN_BATCHES:
        return take_batch(rater, insert_checks)
    choice = choose(rater)
    return None if choice is None else assign(rater, choice, shown_at)


def _finish(rater: Rater) -> None:
    """Mark the rater as finished, unless slots that others have reserved may still become free."""
    if rater.state == RaterState.FINISHED:
        return
    if others_hold_items(rater):
        raise ItemsReserved(explain_no_work(rater=rater))
    answered = rater.assignments.filter(purpose=Purpose.MAIN, submitted_at__isnull=False)
    if answered.exists() and not more_may_come(rater):
        announce(study=rater.study, event="rater_finished", detail={})
        _note_end(rater, RaterState.FINISHED, timezone.now())


def _note_end(rater: Rater, state: RaterState, when: datetime | None) -> None:
    rater.state, rater.finished_at = state, when
    rater.save(update_fields=["state", "finished_at"])


def _latest(form: Form) -> FormVersion:
    return form.versions.latest("number", "correction")
