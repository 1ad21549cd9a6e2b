"""Answers to adaptive pairs at the same moment: each round is added once, and each slot is filled once."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from annotation.domain.seats.pairing import Stop
from annotation.models import Response, Seat
from annotation.services.rating.next_item import next_assignment
from tests.concurrency.simultaneous import at_once
from tests.support.studies.pairs.adaptive_study import (
    adaptive_cast,
    prefer,
    prefer_until_nothing_is_left,
    rounds,
    slots_by_item,
)
from tests.support.studies.staged_study import rater_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_last_answers_of_a_round_at_once_add_one_round() -> None:
    study = adaptive_cast(candidates=5, per_round=4, budget=50).study
    pages = [next_assignment(rater=rater_of(study, f"P{number}")) for number in range(5)]
    at_once([partial(prefer, page) for page in pages])
    assert [one.number for one in rounds(study)] == [1, 2]
    assert [len(one.items) for one in rounds(study)] == [5, 4]


def test_raters_at_once_spend_the_budget_exactly() -> None:
    study = adaptive_cast(candidates=5, per_round=3, budget=37, per_item=6).study
    raters = [rater_of(study, f"P{number}") for number in range(6)]
    at_once([partial(prefer_until_nothing_is_left, rater) for rater in raters])
    # Raters who found nothing while others were at work come back.
    while sum(prefer_until_nothing_is_left(rater) for rater in raters):
        continue
    found = rounds(study)
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    assert [one.stopped for one in found if one.stopped] == [Stop.BUDGET]
    assert sum(len(one.items) for one in found) == Seat.objects.filter(form__study=study).count() == 37
    assert all(slots == list(range(1, len(slots) + 1)) for slots in slots_by_item(study).values())
    given = Counter(Response.objects.filter(late=False).values_list("assignment__item", "assignment__rater"))
    assert set(given.values()) == {1}
    assert sum(given.values()) == 37
