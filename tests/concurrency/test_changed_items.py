"""Items that come, go and are asked for more often while raters work: every item gets exactly its ratings."""

from __future__ import annotations

import contextlib
import uuid
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.states import SeatState, StudyState
from annotation.domain.seats.stages import StagePeople
from annotation.models import Item, Rater, Response, Seat, Study
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.rating.enrolment import consent
from annotation.services.rating.withdrawal import withdraw
from annotation.services.seats.more_ratings import raise_overlap
from annotation.services.seats.retirement import restore_items, retire_items
from annotation.services.studies.added_items import give_slots
from annotation.services.studies.lifecycle import change_state
from scoring.services.reports.verification import verify
from tests.concurrency.simultaneous import at_once, rate_both_stages, rate_everything
from tests.support.people import make_cast
from tests.support.studies.staged_study import FIRST, SECOND, rater_of, staged_cast

pytestmark = pytest.mark.django_db(transaction=True)


def add(study: Study, n: int) -> None:
    rows = [NewItem(f"N{uuid.uuid4().hex[:8]}", {"simile": f"Like moon {number}."}) for number in range(n)]
    add_items(study=study, rows=rows, give_slots=give_slots)


def retire(study: Study, keys: list[str]) -> None:
    with contextlib.suppress(InvalidContent):
        retire_items(study=study, items=study.items.filter(key__in=keys), reason="", actor=None)


def given(study: Study) -> Counter[str]:
    pairs = list(
        Response.objects.filter(late=False, assignment__item__study=study).values_list(
            "assignment__item__key", "assignment__rater"
        )
    )
    assert len(set(pairs)) == len(pairs)
    return Counter(item for item, _ in pairs)


@pytest.mark.parametrize("design", ["pool", "batches"])
def test_items_added_retired_and_raised_while_ten_raters_work_end_with_exact_ratings(design: str) -> None:
    cast = make_cast(items=20, overlap=2, opened=False)
    fields: dict[str, Any] = {"design": design, "batch_size": 5 if design == "batches" else None}
    Study.objects.filter(pk=cast.study.pk).update(**fields)
    study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    raters = [consent(invitation=cast.invitation) for _ in range(10)]
    form, everything = study.forms.get(), Item.objects.filter(study=study)
    gone = ["L00", "L05", "L10", "L15"]
    acts: list[Callable[[], object]] = [partial(rate_everything, rater) for rater in raters]
    acts += [partial(add, study, 5), partial(add, study, 5), partial(retire, study, gone)]
    acts += [partial(raise_overlap, form=form, items=everything, to=3, actor=None, for_new_items=True)]
    at_once(acts)
    for rater in raters:
        rate_everything(rater)
    found = given(study)
    asked = study.items.filter(retired_at=None)
    assert asked.count() == 26
    assert {item.key: found[item.key] for item in asked} == {item.key: 3 for item in asked}
    left = Seat.objects.filter(item__retired_at__isnull=False)
    assert set(left.values_list("state", flat=True)) <= {SeatState.FILLED.value}
    assert verify() == []


def test_items_retired_while_raters_work_in_two_stages_stop_no_rater_and_others_get_exact_ratings() -> None:
    study = staged_cast(items=12, people=StagePeople.OTHERS_FOR_ITEM).study
    raters = [rater_of(study, f"P{number}") for number in range(8)]
    acts: list[Callable[[], object]] = [partial(rate_both_stages, rater) for rater in raters]
    acts += [partial(retire, study, [f"L{n:02d}", f"L{n + 1:02d}"]) for n in (0, 2, 4)]
    at_once(acts)
    for rater in raters:
        rate_both_stages(rater)
    asked = study.items.filter(retired_at=None)
    assert asked.count() == 6
    given = Response.objects.filter(late=False, assignment__item__in=asked)
    found = Counter(given.values_list("assignment__form__key", "assignment__item__key"))
    wanted = {(FIRST, item.key): 2 for item in asked}
    wanted |= {(SECOND, item.key): 3 for item in asked if int(item.key[1:]) % 2}
    assert found == wanted
    left = Seat.objects.filter(item__retired_at__isnull=False)
    assert set(left.values_list("state", flat=True)) <= {SeatState.FILLED.value}
    # These raters were created without a consent form.
    assert {one.code for one in verify()} <= {"agreement_miscounted"}


def test_withdrawals_and_retirement_at_once_leave_no_open_slot_of_a_retired_item() -> None:
    cast = make_cast(items=6, overlap=4, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal="erase")
    study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    raters = [consent(invitation=cast.invitation) for _ in range(4)]
    for rater in raters:
        rate_everything(rater)
    retirements: list[Callable[[], object]] = [partial(retire, study, [f"L0{number}"]) for number in range(6)]
    leaving: list[Callable[[], object]] = [partial(_leave, rater) for rater in raters[:3]]
    at_once(retirements + leaving)
    assert Seat.objects.filter(form__study=study).exclude(state=SeatState.FILLED).count() == 0
    assert given(study) == {f"L0{number}": 1 for number in range(6)}
    restore_items(study=study, items=study.items.all(), actor=None)
    assert Seat.objects.filter(form__study=study).count() == 24
    assert verify() == []


def _leave(rater: Rater) -> Rater:
    return withdraw(rater=rater)
