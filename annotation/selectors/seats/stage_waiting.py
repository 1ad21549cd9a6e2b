"""Whether a form may receive more items: from the stage before, or as adaptive pairs."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.domain.base.states import DesignKind, Purpose, SeatState
from annotation.domain.seats.stages import Decision, StagePeople
from annotation.models import Assignment, Form, Rater, Seat, StageFeed, Study
from annotation.selectors.seats.pairing.waiting import pairs_may_come, pairs_may_follow
from annotation.selectors.seats.stages import decisions, feeds_of, is_others_stage


def items_still_expected(study: Study) -> dict[int, set[int]]:
    """By form that is fed, the items that may still come to it; forms without any are left out."""
    found: dict[int, set[int]] = {}
    for feed in feeds_of(study):
        items = _undecided(study, feed) | found.get(feed.source_id, set())
        if items:
            found[feed.target_id] = items
    return found


def more_may_come(rater: Rater) -> bool:
    """Whether items may come that this rater would be given."""
    study = rater.study
    if pairs_may_come(rater):
        return True
    if not feeds_of(study):
        return False
    coming = items_still_expected(study)
    given = Assignment.objects.filter(rater=rater, purpose=Purpose.MAIN).values_list("form", "item")
    had: dict[int, set[int]] = {}
    for form, item in given if coming else ():
        had.setdefault(form, set()).add(item)
    return any(_may_take(rater, feed, coming[feed.target_id], had) for feed in _fed(study, coming))


def more_for_new_rater(study: Study, forms: Iterable[Form], given: Iterable[int] = ()) -> bool:
    """Whether items may come to one of the forms that a new rater would be given.

    `given` are the keys of the forms that they would begin with.
    """
    if pairs_may_follow(study, forms):
        return True
    if not feeds_of(study):
        return False
    begun = set(given)
    coming = items_still_expected(study)
    return any(form.pk in coming and not is_others_stage(study, form.pk, begun) for form in forms)


def _undecided(study: Study, feed: StageFeed) -> set[int]:
    """Items that wait for answers, and have a seat for them."""
    seats = Seat.objects.filter(form=feed.source_id).exclude(state=SeatState.FILLED)
    unfilled = set(seats.values_list("item_id", flat=True))
    if not unfilled:
        return set()
    decided = decisions(study, feed)
    return {item for item in unfilled if decided[item] is Decision.WAITING}


def _fed(study: Study, coming: dict[int, set[int]]) -> list[StageFeed]:
    return [feed for feed in feeds_of(study) if feed.target_id in coming]


def _may_take(rater: Rater, feed: StageFeed, items: set[int], had: dict[int, set[int]]) -> bool:
    form = feed.target
    if rater.study.design == DesignKind.PANELS and rater.panel_id != form.pk:
        return False
    if is_others_stage(rater.study, form.pk, had):
        return False
    own = had.get(form.pk, set())
    if form.per_rater is not None and len(own) >= form.per_rater + rater.extra:
        return False
    excluded = had.get(feed.source_id, set()) if feed.people == StagePeople.OTHERS_FOR_ITEM else set()
    return bool(items - own - excluded)
