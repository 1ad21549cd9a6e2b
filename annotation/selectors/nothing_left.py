"""Why there is nothing to rate, in words that are true at the moment."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from annotation.domain.designs import DesignKind
from annotation.domain.states import Purpose, SeatState, StudyState
from annotation.models import Assignment, Form, Rater, Seat, Study
from annotation.selectors.stage_people import is_others_stage
from annotation.selectors.stage_waiting import more_for_somebody_new, more_may_come


def none_for_anybody(*, study: Study, panel: Form | None = None) -> str:
    """Why somebody new finds nothing to rate, in words for them.

    Parameters
    ----------
    study : Study
        Open, with no seat to be had.
    panel : Form or None
        The form of the panel that they would join.
    """
    if more_for_somebody_new(study, study.forms.all() if panel is None else [panel]):
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


def none_for(*, rater: Rater) -> str:
    """Why a rater is given nothing now, in words for them.

    Parameters
    ----------
    rater : Rater
        For whom there is no seat, with its study.
    """
    if rater.study.state == StudyState.OPEN and more_may_come(rater):
        return (
            "Nothing is free for you just now. More may come: items follow as others rate them in the stage "
            "before. Look again later."
        )
    held = Seat.objects.filter(form__in=_forms_for(rater), state=SeatState.RESERVED).exclude(rater=rater)
    seen = Assignment.objects.filter(rater=rater, form=OuterRef("form"), item=OuterRef("item"))
    if rater.study.state != StudyState.OPEN or not held.filter(~Exists(seen)).exists():
        return "Nothing is left for you to rate in this study: others have rated the rest."
    return (
        "No item is free for you just now. Other raters hold the last ones, and what they leave may become "
        f"free within {rater.study.seat_minutes} minutes: look again then."
    )


def _forms_for(rater: Rater) -> list[int]:
    """Keys of the forms by which a rater may be given items: of the panel, and not of a stage for others."""
    given = rater.assignments.filter(purpose=Purpose.MAIN).values_list("form", flat=True).distinct()
    forms = rater.study.forms.all()
    if rater.study.design == DesignKind.PANELS:
        forms = forms.filter(panel=rater)
    had = set(given)
    return [form.pk for form in forms if not is_others_stage(rater.study, form.pk, had)]
