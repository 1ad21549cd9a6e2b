"""Items that are retired while an answer adds a round of adaptive pairs have no open slot."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection, connections, transaction

from annotation.domain.base.states import SeatState
from annotation.models import Item, Seat, Study
from annotation.services.rating.next_item import next_assignment
from annotation.services.seats.retirement import retire_items
from tests.concurrency.simultaneous import at_once
from tests.support.studies.pairs.adaptive_study import (
    adaptive_cast,
    prefer,
    prefer_until_nothing_is_left,
    rounds,
)
from tests.support.studies.staged_study import rater_of

pytestmark = pytest.mark.django_db(transaction=True)

WAITING_FOR_US = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
)


def open_slots_of_retired_items(study: Study) -> int:
    slots = Seat.objects.filter(form__study=study, item__retired_at__isnull=False)
    return slots.exclude(state=SeatState.FILLED).count()


def retire(items: list[Item]) -> None:
    study = items[0].study
    chosen = study.items.filter(pk__in=[item.pk for item in items])
    try:
        retire_items(study=study, items=chosen, reason="", actor=None)
    finally:
        connections.close_all()


def waits_for_a_lock(act: Future[None]) -> bool:
    """Whether an act in another thread waits for a row that this transaction holds, and has not ended."""
    while not act.done():
        with connection.cursor() as cursor:
            cursor.execute(WAITING_FOR_US)
            if cursor.fetchone() != (0,):
                return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(connection.vendor != "postgresql", reason="on SQLite there is one writer at a time")
def test_items_of_a_round_that_is_being_added_are_retired_after_it_with_their_new_slots() -> None:
    study = adaptive_cast(candidates=5, per_round=9, budget=50).study
    pages = [next_assignment(rater=rater_of(study, f"P{number}")) for number in range(5)]
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            prefer(pages[0])
            chosen = Item.objects.filter(study=study, key__in=rounds(study)[1].items)
            retired = pool.submit(retire, list(chosen)[:3])
            assert waits_for_a_lock(retired)
        retired.result(timeout=30)
    assert study.items.filter(retired_at__isnull=False).count() == 3
    assert open_slots_of_retired_items(study) == 0


@pytest.mark.parametrize("turn", range(3))
def test_items_retired_while_raters_answer_have_no_open_slot(turn: int) -> None:
    study = adaptive_cast(candidates=5, per_round=4, budget=60, per_item=6).study
    raters = [rater_of(study, f"P{number}") for number in range(5)]
    items = list(study.items.order_by("key"))
    acts: list[Callable[[], object]] = [partial(prefer_until_nothing_is_left, rater) for rater in raters]
    acts += [partial(retire, items[start : start + 2]) for start in (turn, turn + 2, turn + 4)]
    at_once(acts)
    assert open_slots_of_retired_items(study) == 0
    found = rounds(study)
    assert [one.number for one in found] == list(range(1, len(found) + 1))
