"""`verify` names rounds of adaptive pairs that do not fit their slots, their items or each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from annotation.domain.base.states import SeatState
from annotation.models import AdaptivePairing, Item, PairRound, Rater, Seat
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.quality.replacements import collect_replacement
from annotation.services.rating.erasure import erase_rater
from annotation.services.seats.retirement import restore_items, retire_items
from scoring.services.reports.verification import verify
from tests.support.people import Cast
from tests.support.studies.pairs.adaptive_study import adaptive_cast, form_of, prefer_until_nothing_is_left
from tests.support.studies.staged_study import rater_of

pytestmark = pytest.mark.django_db
NOT_COUNTED = {"agreement_miscounted"}


def found() -> set[str]:
    """What is wrong; the raters of these studies were created without a consent form."""
    return {f"{one.row} {one.code}" for one in verify() if one.code not in NOT_COUNTED}


@pytest.fixture
def rated() -> Cast:
    cast = adaptive_cast(candidates=4, budget=14, per_round=3)
    for code in "ABC":
        prefer_until_nothing_is_left(rater_of(cast.study, code))
    return cast


def second() -> PairRound:
    return PairRound.objects.get(number=2)


def without_a_round() -> str:
    PairRound.objects.filter(number=3).update(number=30)
    return f"annotation_adaptivepairing {AdaptivePairing.objects.get().pk} pair_rounds_out_of_order"


def with_a_slot_too_few() -> str:
    one = second()
    PairRound.objects.filter(pk=one.pk).update(items=[*one.items, one.items[0]])
    return f"annotation_pairround {one.pk} pair_round_uneven"


def with_items_after_the_end() -> str:
    PairRound.objects.update(stopped="budget")
    return f"annotation_pairround {PairRound.objects.get().pk} pair_round_uneven"


def with_a_slot_of_no_round() -> str:
    item = Item.objects.exclude(seats__slot=7).order_by("pk")[0]
    seat = Seat.objects.create(form=form_of(item.study), item=item, slot=7)
    return f"annotation_seat {seat.pk} seat_of_no_round"


def beyond_the_budget() -> str:
    AdaptivePairing.objects.update(budget=3)
    return f"annotation_adaptivepairing {AdaptivePairing.objects.get().pk} pairs_beyond_limits"


def retired_by_sql() -> str:
    seat = Seat.objects.exclude(state=SeatState.FILLED).order_by("pk")[0]
    Item.objects.filter(pk=seat.item_id).update(retired_at=timezone.now())
    return f"annotation_seat {seat.pk} seat_of_retired_item"


@pytest.mark.parametrize(
    "broken",
    [
        without_a_round,
        with_a_slot_too_few,
        beyond_the_budget,
    ],
)
def test_what_is_broken_by_hand_in_adaptive_pairs_is_named_and_nothing_else(
    rated: Cast, broken: Callable[[], str]
) -> None:
    assert found() == set()
    expected = broken()
    assert found() == {expected}


@pytest.mark.parametrize("broken", [retired_by_sql, with_a_slot_of_no_round, with_items_after_the_end])
def test_what_is_broken_in_a_first_round_is_named_and_nothing_else(broken: Callable[[], str]) -> None:
    adaptive_cast()
    assert found() == set()
    expected = broken()
    assert found() == {expected}


def test_a_slot_that_a_round_asked_for_and_that_is_gone_is_named() -> None:
    adaptive_cast()
    seat = Seat.objects.order_by("pk")[0]
    seat.delete()
    assert found() == {f"annotation_pairround {PairRound.objects.get().pk} pair_seat_missing"}


def test_items_that_are_retired_and_restored_and_raters_who_leave_break_no_rule(rated: Cast) -> None:
    study, owner = rated.study, rated.users["owner"]
    items = study.items.filter(key__in=["c0-c1", "c2-c3"])
    retire_items(study=study, items=items, reason="", actor=owner)
    assert found() == set()
    restore_items(study=study, items=items.all(), actor=owner)
    for code in "DE":
        prefer_until_nothing_is_left(rater_of(study, code))
    assert found() == set()
    exclusion = exclude_rater(rater=Rater.objects.get(code="A"), reason="careless", actor=owner)
    collect_replacement(exclusion=exclusion, actor=owner)
    erase_rater(rater=Rater.objects.get(code="B"), actor=owner)
    prefer_until_nothing_is_left(rater_of(study, "F"))
    assert found() == set()
