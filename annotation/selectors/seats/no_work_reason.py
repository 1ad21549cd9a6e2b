"""Why there is nothing to rate, in words that are true at the moment."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef

from annotation.domain.base.messages import counted_message, message
from annotation.domain.base.states import DesignKind, Purpose, SeatState, StudyState
from annotation.models import Assignment, Form, Rater, Seat, Study
from annotation.selectors.seats.stage_waiting import more_for_new_rater, more_may_come
from annotation.selectors.seats.stages import is_others_stage

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
    if rater.study.state == StudyState.OPEN and more_may_come(rater):
        return MORE_MAY_FOLLOW
    if rater.study.state == StudyState.OPEN and (own_reason := _had_enough(rater)):
        return own_reason
    held = Seat.objects.filter(form__in=_forms_for(rater), state=SeatState.RESERVED).exclude(rater=rater)
    seen = Assignment.objects.filter(rater=rater, form=OuterRef("form"), item=OuterRef("item"))
    if rater.study.state != StudyState.OPEN or not held.filter(~Exists(seen)).exists():
        return message("There are no more items for you in this study. Other raters have rated the rest.")
    return _all_reserved(rater.study)


def _all_reserved(study: Study) -> str:
    return counted_message(
        "All items are reserved for other raters right now. Some may become available within %(n)d minute. "
        "Please check again then.",
        "All items are reserved for other raters right now. Some may become available within %(n)d minutes. "
        "Please check again then.",
        n=study.seat_minutes,
    )


def _had_enough(rater: Rater) -> str:
    """Why it is the rater, and not others, who leaves nothing to give; empty where it is others."""
    had = rater.assignments.filter(purpose=Purpose.MAIN)
    counts = dict(had.values_list("form").annotate(Count("pk")).order_by())
    forms = rater.study.forms.filter(pk__in=_forms_for(rater))
    items = rater.study.items.count()
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


def _forms_for(rater: Rater) -> list[int]:
    """Keys of the forms by which a rater may be given items: of the panel, and not of a stage for others."""
    given = rater.assignments.filter(purpose=Purpose.MAIN).values_list("form", flat=True).distinct()
    forms = rater.study.forms.all()
    if rater.study.design == DesignKind.PANELS:
        forms = forms.filter(panel=rater)
    had = set(given)
    return [form.pk for form in forms if not is_others_stage(rater.study, form.pk, had)]
