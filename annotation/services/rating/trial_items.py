"""Pages of a preview by a member: the items in order, without rating slots, never counted."""

from __future__ import annotations

from django.db.models import Count, Q

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.messages import message
from annotation.domain.base.states import Purpose
from annotation.models import Assignment, Item, Rater
from annotation.services.seats.record_suggestions import suggest


def next_trial(rater: Rater) -> Assignment:
    """The next page of a member's preview.

    Parameters
    ----------
    rater : Rater
        Of kind `trial`.

    Raises
    ------
    NoSeatLeft
        The study has no form yet (`no_form`), no item yet (`no_items`), or every item was previewed.
    """
    waiting = rater.assignments.filter(purpose=Purpose.TRIAL, submitted_at__isnull=True)
    found = waiting.select_related("item", "form", "seat", "rater__study").first()
    if found is not None:
        return found
    form = rater.study.forms.annotate(
        given=Count("assignments", filter=Q(assignments__rater=rater))
    ).order_by("given", "position")
    chosen = form.first()
    if chosen is None:
        raise NoSeatLeft(message("This study has no form yet."), code="no_form")
    seen = rater.assignments.filter(form=chosen).values("item")
    item = Item.objects.filter(study=rater.study).exclude(pk__in=seen).order_by("position").first()
    if item is None and not rater.study.items.exists():
        raise NoSeatLeft(
            message("This study has no items yet. Import items to try the task."), code="no_items"
        )
    if item is None:
        raise NoSeatLeft(message("You have previewed every item of this study."))
    taken = Assignment.objects.create(
        rater=rater,
        item=item,
        form=chosen,
        version=chosen.versions.latest("number", "correction"),
        purpose=Purpose.TRIAL,
        position=rater.assignments.count() + 1,
    )
    suggest(assignment=taken)
    return taken
