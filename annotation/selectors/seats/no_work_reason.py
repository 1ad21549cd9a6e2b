"""Why there is nothing to rate at the moment, in words."""

from __future__ import annotations

import math
from datetime import timedelta

from django.db.models import Count
from django.utils import timezone

from annotation.domain.base.messages import counted_message, message
from annotation.domain.base.states import DesignKind, Purpose, SeatState, StudyState
from annotation.models import Form, Rater, Seat, Study
from annotation.selectors.seats.last_slots import next_release
from annotation.selectors.seats.others_reservations import others_hold_items
from annotation.selectors.seats.rater_forms import forms_open_to
from annotation.selectors.seats.stage_waiting import more_for_new_rater, more_may_come

MORE_MAY_FOLLOW = message("No items are available right now. More may follow. Please check again later.")


def explain_no_work_for_new_rater(*, study: Study, panel: Form | None = None) -> str:
    """Why a new rater, of a panel where there are any, finds nothing to rate, in words for them."""
    if more_for_new_rater(study, study.forms.all() if panel is None else [panel]):
        return MORE_MAY_FOLLOW
    held = Seat.objects.filter(form__study=study, state=SeatState.RESERVED)
    if not held.exists():
        return message("Every item of this study has enough raters. Thank you for your interest.")
    return _all_reserved(study)


def explain_no_work(*, rater: Rater) -> str:
    """Why a rater without a free rating slot is given nothing now, in words for them."""
    if rater.study.state == StudyState.OPEN:
        if more_may_come(rater):
            return MORE_MAY_FOLLOW
        if others_hold_items(rater):
            return _all_reserved(rater.study)
        if own_reason := _had_enough(rater):
            return own_reason
    return message("There are no more items for you in this study. Other raters have rated the rest.")


def _all_reserved(study: Study) -> str:
    first = next_release(study) if study.last_seat_minutes else None
    left = math.ceil((first - timezone.now()) / timedelta(minutes=1)) if first else study.seat_minutes
    return counted_message(
        "All items are reserved for other raters right now. Some may become available within %(n)d minute. "
        "Please check again then.",
        "All items are reserved for other raters right now. Some may become available within %(n)d minutes. "
        "Please check again then.",
        n=min(max(left, 1), study.seat_minutes),
    )


def _had_enough(rater: Rater) -> str:
    """The reason if the rater's own limit or answers leave no items; empty if other raters do."""
    had = rater.assignments.filter(purpose=Purpose.MAIN)
    counts = dict(had.values_list("form").annotate(Count("pk")).order_by())
    forms = forms_open_to(rater)
    items = rater.study.items.filter(retired_at=None).count()
    if counts and all(counts.get(form.pk, 0) >= items for form in forms):
        return message("You have rated all items of this study.")
    if rater.study.design == DesignKind.BATCHES:
        most = rater.study.batches_per_rater
        batches = had.exclude(seat__batch=None).values("seat__batch").distinct().count()
        capped = most is not None and batches >= most + rater.extra
    else:
        caps = [(counts.get(form.pk, 0), form.per_rater) for form in forms]
        capped = any(most is not None and n >= most + rater.extra for n, most in caps)
    return message("You have rated the maximum number of items per person.") if capped else ""
