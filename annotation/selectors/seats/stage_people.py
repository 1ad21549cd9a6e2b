"""Which raters a stage may be given: others than rated before, where the study wants that."""

from __future__ import annotations

from collections.abc import Collection

from annotation.domain.seats.stages import StagePeople
from annotation.models import Study
from annotation.selectors.seats.stages import feeds_of


def counterparts(study: Study, form_id: int, people: StagePeople) -> set[int]:
    """The forms before and after one whose raters must differ from its own, for each item or altogether."""
    pairs = [(feed.source_id, feed.target_id) for feed in feeds_of(study) if feed.people == people]
    return {one for pair in pairs if form_id in pair for one in pair} - {form_id}


def has_others_for_item(study: Study, form_id: int) -> bool:
    """Whether nobody rates the same item by this form and by one before or after it."""
    return bool(counterparts(study, form_id, StagePeople.OTHERS_FOR_ITEM))


def is_others_stage(study: Study, form_id: int, given: Collection[int]) -> bool:
    """Whether a form is for others than somebody who was given items by the forms `given`."""
    return not counterparts(study, form_id, StagePeople.OTHERS).isdisjoint(given)
