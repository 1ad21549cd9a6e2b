"""Why there is nothing to rate, in words that are true at the moment."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef

from annotation.domain.base.states import DesignKind, Purpose, SeatState, StudyState
from annotation.models import Assignment, Form, Rater, Seat, Study
from annotation.selectors.seats.stage_waiting import more_for_new_rater, more_may_come
from annotation.selectors.seats.stages import is_others_stage


def explain_no_work_for_new_rater(*, study: Study, panel: Form | None = None) -> str:
    """Why a new rater, of a panel where there are any, finds nothing to rate, in words for them."""
    if more_for_new_rater(study, study.forms.all() if panel is None else [panel]):
        return (
            "Nothing is to be rated just now. More may come: items follow as others rate them in the stage "
            "before. Look again later. Thank you for coming."
        )
    held = Seat.objects.filter(form__study=study, state=SeatState.RESERVED)
    if not held.exists():
        return "Every item of this study has enough raters. Thank you for coming."
    return (
        "All items are in the hands of raters at the moment. Some may become free within "
        f"{study.seat_minutes} minutes: look again then. Thank you for coming."
    )


def explain_no_work(*, rater: Rater) -> str:
    """Why a rater without a free rating slot is given nothing now, in words for them."""
    if rater.study.state == StudyState.OPEN and more_may_come(rater):
        return (
            "Nothing is free for you just now. More may come: items follow as others rate them in the stage "
            "before. Look again later."
        )
    if rater.study.state == StudyState.OPEN and (own_reason := _had_enough(rater)):
        return own_reason
    held = Seat.objects.filter(form__in=_forms_for(rater), state=SeatState.RESERVED).exclude(rater=rater)
    seen = Assignment.objects.filter(rater=rater, form=OuterRef("form"), item=OuterRef("item"))
    if rater.study.state != StudyState.OPEN or not held.filter(~Exists(seen)).exists():
        return "Nothing is left for you to rate in this study: others have rated the rest."
    return (
        "No item is free for you just now. Other raters hold the last ones, and what they leave may become "
        f"free within {rater.study.seat_minutes} minutes: look again then."
    )


def _had_enough(rater: Rater) -> str:
    """Why it is the rater, and not others, who leaves nothing to give; empty where it is others."""
    had = rater.assignments.filter(purpose=Purpose.MAIN)
    counts = dict(had.values_list("form").annotate(Count("pk")).order_by())
    forms = rater.study.forms.filter(pk__in=_forms_for(rater))
    items = rater.study.items.count()
    if counts and all(counts.get(form.pk, 0) >= items for form in forms):
        return "You have rated every item that this study has for you."
    if rater.study.design == DesignKind.BATCHES:
        most = rater.study.batches_per_rater
        batches = had.exclude(seat__batch=None).values("seat__batch").distinct().count()
        capped = most is not None and batches >= most + rater.extra
    else:
        caps = [(counts.get(form.pk, 0), form.per_rater) for form in forms]
        capped = any(most is not None and n >= most + rater.extra for n, most in caps)
    return "You have rated as many items as one person is asked to." if capped else ""


def _forms_for(rater: Rater) -> list[int]:
    """Keys of the forms by which a rater may be given items: of the panel, and not of a stage for others."""
    given = rater.assignments.filter(purpose=Purpose.MAIN).values_list("form", flat=True).distinct()
    forms = rater.study.forms.all()
    if rater.study.design == DesignKind.PANELS:
        forms = forms.filter(panel=rater)
    had = set(given)
    return [form.pk for form in forms if not is_others_stage(rater.study, form.pk, had)]
