"""The annotations of an item by one form: what adjudicators see side by side and may choose from."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.domain.states import Purpose
from annotation.models import Item, RaterKind, Response, Study
from annotation.selectors.progress import not_excluded


def annotations_in(study: Study) -> QuerySet[Response]:
    """Current answers to the main task that no exclusion takes out, late ones among them.

    Parameters
    ----------
    study : Study
        Theirs; trials, checks and qualification are never among them.
    """
    found = Response.objects.filter(
        assignment__item__study=study, assignment__purpose=Purpose.MAIN, current=True
    ).exclude(assignment__rater__kind=RaterKind.TRIAL)
    return not_excluded(found, study)


def annotations_of(study: Study, item: Item, form_id: int) -> list[Response]:
    """Those of one item by one form, with their ratings, in the order in which they were first asked for.

    Parameters
    ----------
    study : Study
        The item's.
    item : Item
        The item; an excluded one still shows what was said of it.
    form_id : int
        Of a form of the study.
    """
    found = annotations_in(study).filter(assignment__item=item, assignment__form=form_id)
    found = found.select_related("assignment__rater", "version").prefetch_related("ratings__criterion")
    return list(found.order_by("assignment_id"))
