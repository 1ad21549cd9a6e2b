"""Answers that decide about an item at the same moment: it comes to the next stage once, and comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.models import Assignment, Response
from annotation.services.rating.next_item import next_assignment
from tests.concurrency.simultaneous import at_once, rate_both_stages
from tests.support.studies.staged_study import (
    FIRST,
    SECOND,
    answer,
    keys,
    next_stage_seats,
    rater_of,
    staged_cast,
)

pytestmark = pytest.mark.django_db(transaction=True)

ITEMS = 8


@pytest.mark.parametrize("rule", list(StageRule))
def test_two_deciding_answers_at_once_make_the_seats_once(rule: StageRule) -> None:
    study = staged_cast(items=ITEMS, rule=rule).study
    pages = [next_assignment(rater=rater_of(study, f"P{number:02d}")) for number in range(2 * ITEMS)]
    assert set(Counter(page.item_id for page in pages).values()) == {2}
    at_once([partial(answer, page, {"metaphor": "yes"}) for page in pages])
    assert next_stage_seats(study) == dict.fromkeys(keys(study), 3)


def test_an_answer_and_its_correction_race_to_what_the_last_ones_say() -> None:
    study = staged_cast(items=ITEMS).study
    pages = [next_assignment(rater=rater_of(study, f"P{number:02d}")) for number in range(2 * ITEMS)]
    by_item: dict[str, list[Assignment]] = {}
    for page in pages:
        by_item.setdefault(page.item.key, []).append(page)
    for first, _ in by_item.values():
        answer(first, {"metaphor": "yes"})
    acts: list[Callable[[], Response]] = []
    for first, second in by_item.values():
        acts += [partial(answer, first, {"metaphor": "no"}), partial(answer, second, {"metaphor": "yes"})]
    at_once(acts)
    assert next_stage_seats(study) == {}
    for first, _ in by_item.values():
        answer(first, {"metaphor": "yes"})
    assert next_stage_seats(study) == dict.fromkeys(keys(study), 3)


def test_raters_of_both_stages_at_once_give_each_stage_exactly_its_ratings_by_other_people() -> None:
    study = staged_cast(items=12, people=StagePeople.OTHERS_FOR_ITEM).study
    raters = [rater_of(study, f"P{number}") for number in range(8)]
    at_once([partial(rate_both_stages, rater) for rater in raters])
    # Raters who left before the last item was decided come back for it.
    for rater in raters:
        rate_both_stages(rater)
    given = list(
        Response.objects.filter(late=False).values_list(
            "assignment__form__key", "assignment__item__key", "assignment__rater"
        )
    )
    odd = {key for key in keys(study) if int(key[1:]) % 2}
    per_item = Counter((form, item) for form, item, _ in given)
    assert {item: n for (form, item), n in per_item.items() if form == FIRST} == dict.fromkeys(keys(study), 2)
    assert {item: n for (form, item), n in per_item.items() if form == SECOND} == dict.fromkeys(odd, 3)
    assert len({(item, rater) for _, item, rater in given}) == len(given)
