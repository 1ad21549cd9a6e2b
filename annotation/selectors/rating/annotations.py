"""The annotations of an item by one form: what adjudicators see side by side and may choose from."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet

from annotation.models import Item, Rating, Response, Study
from annotation.selectors.questions.counting import ADJUDICATION, counted


def annotations_in(study: Study) -> QuerySet[Response]:
    """Current responses to the main task without excluded ones, including late ones.

    Parameters
    ----------
    study : Study
        The study; previews, checks and qualification are never included.
    """
    return counted(study, ADJUDICATION)


def annotations_of(study: Study, item: Item, form_id: int) -> list[Response]:
    """The annotations of one item by one form, with their ratings, in the order of assignment.

    Parameters
    ----------
    study : Study
        The item's.
    item : Item
        The item; an excluded one still has its annotations.
    form_id : int
        Primary key of a form of the study.
    """
    found = annotations_in(study).filter(assignment__item=item, assignment__form=form_id)
    # In the order of the form: PostgreSQL returns rows that were rewritten in another one.
    in_order = Prefetch("ratings", Rating.objects.order_by("criterion__position", "pk"))
    found = found.select_related("assignment__rater", "version")
    found = found.prefetch_related(in_order, "ratings__criterion")
    return list(found.order_by("assignment_id"))
