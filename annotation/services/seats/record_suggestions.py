"""Suggestions: which earlier answers the rater of an assignment sees, fixed when it is handed out."""

from __future__ import annotations

from annotation.models import Assignment, Suggestion
from annotation.selectors.questions.counting import PROGRESS, counted
from annotation.selectors.seats.stages import feed_into

MOST_SHOWN = 20


def suggest(*, assignment: Assignment) -> None:
    """Store the earlier answers that count now about the item of a new assignment: its page shows these.

    Called inside the transaction that creates the assignment.

    Parameters
    ----------
    assignment : Assignment
        Just made, with the rater's study.
    """
    study = assignment.rater.study
    feed = feed_into(study, assignment.form_id)
    if feed is None or not feed.suggestions:
        return
    earlier = counted(study, PROGRESS).filter(
        assignment__form=feed.source_id, assignment__item=assignment.item_id
    )
    Suggestion.objects.bulk_create(
        Suggestion(assignment=assignment, response=response, place=place)
        for place, response in enumerate(earlier.order_by("submitted_at", "pk")[:MOST_SHOWN], start=1)
    )
