"""Slots whose item a rater was not given yet."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.domain.base.states import Purpose
from annotation.domain.seats.stages import StagePeople
from annotation.models import Assignment, Form, Rater, Seat
from annotation.selectors.base.prepared_queries import Placeholder


def unseen(
    rater: Rater | Placeholder, form: Form | Placeholder, candidates: QuerySet[Seat], *, separate_people: bool
) -> QuerySet[Seat]:
    """Select the slots of a form whose item the rater was not given by this form.

    With `separate_people`, nor by a form before or after it: each stage of an item has raters of its own.

    Parameters
    ----------
    rater, form
        The rater, and the form that assigns the slots.
    candidates : queryset of Seat
        Slots of that form.
    separate_people : bool
        Whether each stage of an item has different raters: excludes items given by a form before or after it.
    """
    seen = Assignment.objects.filter(rater=rater, purpose=Purpose.MAIN, item=OuterRef("item"))
    by = Q(form=form)
    if separate_people:
        others = StagePeople.OTHERS_FOR_ITEM
        by |= Q(form__feeds__target=form, form__feeds__people=others)
        by |= Q(form__fed_by__source=form, form__fed_by__people=others)
    return candidates.filter(~Exists(seen.filter(by)))
