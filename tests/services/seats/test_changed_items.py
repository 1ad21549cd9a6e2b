"""Items of an open study: added, retired, restored, asked for more often; slots are exact, answers stay."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.base.errors import InvalidContent, NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, AuditEntry, Item, Rater, Response, Seat, Study
from annotation.selectors.questions.counting import PROGRESS, counted
from annotation.selectors.seats.item_changes import if_raised, if_restored, if_retired
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.quality.replacements import collect_replacement
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.seats.more_ratings import raise_overlap
from annotation.services.seats.retirement import restore_items, retire_items
from annotation.services.studies.added_items import give_slots
from annotation.services.studies.lifecycle import change_state
from scoring.services.reports.verification import verify
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


def new_items(n: int, first: int = 100) -> list[NewItem]:
    return [
        NewItem(f"N{number}", {"simile": f"The lamp hung like moon {number}."})
        for number in range(first, first + n)
    ]


def answer(page: Assignment) -> Response:
    given = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
    return submit(assignment=page, version=page.version, submission=given).response


def rate(rater: Rater, most: int = 1000) -> list[str]:
    keys = []
    for _ in range(most):
        try:
            page = next_assignment(rater=rater)
        except NoSeatLeft:
            break
        answer(page)
        keys.append(page.item.key)
    return keys


def opened(items: int = 4, overlap: int = 2, **fields: object) -> Cast:
    cast = make_cast(items=items, overlap=overlap, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(**fields)
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    cast.study.refresh_from_db()
    return cast


def slots(study: Study) -> Counter[str]:
    return Counter(Seat.objects.filter(form__study=study).values_list("item__key", flat=True))


def test_items_added_to_an_open_study_are_rated_first_and_exactly_as_often_as_the_others() -> None:
    cast = opened()
    rate(consent(invitation=cast.invitation))
    add_items(study=cast.study, rows=new_items(3), give_slots=give_slots)
    assert slots(cast.study) == dict.fromkeys(["L00", "L01", "L02", "L03", "N100", "N101", "N102"], 2)
    following = consent(invitation=cast.invitation)
    assert set(rate(following, most=3)) == {"N100", "N101", "N102"}
    rate(following)
    rate(consent(invitation=cast.invitation))
    assert set(Counter(Response.objects.values_list("assignment__item__key", flat=True)).values()) == {2}
    assert verify() == []


@pytest.mark.parametrize("design", ["batches", "all"])
def test_new_items_come_in_batches_of_their_own_and_existing_batches_stay_whole(design: str) -> None:
    cast = opened(design=design, batch_size=2 if design == "batches" else None)
    before = set(Seat.objects.values_list("pk", "batch"))
    add_items(study=cast.study, rows=new_items(4), give_slots=give_slots)
    assert before <= set(Seat.objects.values_list("pk", "batch"))
    fresh = Seat.objects.filter(item__key__startswith="N")
    assert not fresh.filter(batch=None).exists()
    assert not fresh.filter(batch__in=[batch for _, batch in before]).exists()
    assert len(set(fresh.values_list("batch", flat=True))) == (2 if design == "batches" else 1)
    assert verify() == []


def test_items_without_a_text_that_a_form_shows_and_items_for_a_closed_study_are_refused() -> None:
    cast = opened()
    bad = [NewItem("N1", {"other": "No simile."})]
    with pytest.raises(NotAllowedNow) as caught:
        add_items(study=cast.study, rows=bad, give_slots=give_slots)
    assert caught.value.code == "items_without_text"
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow):
        add_items(study=cast.study, rows=new_items(1), give_slots=give_slots)
    assert cast.study.items.count() == 4


def test_a_retired_item_keeps_its_answers_and_is_given_to_no_one_again() -> None:
    cast = opened()
    rate(consent(invitation=cast.invitation))
    chosen = cast.study.items.filter(key__in=["L00", "L01"])
    preview = if_retired(cast.study, chosen)
    change = retire_items(study=cast.study, items=chosen, reason="doubled", actor=cast.users["admin"])
    assert (change.items, change.slots) == (preview.items, preview.slots) == (2, 2)
    assert preview.responses == 2
    assert set(rate(consent(invitation=cast.invitation))) == {"L02", "L03"}
    assert Response.objects.filter(assignment__item__key="L00").count() == 1
    entry = AuditEntry.objects.get(act="retire_items")
    assert (entry.detail["items"], entry.detail["reason"]) == (["L00", "L01"], "doubled")
    for state in (StudyState.PAUSED, StudyState.OPEN):
        change_state(study=cast.study, to=state, actor=cast.users["owner"])
    assert slots(cast.study) == {"L00": 1, "L01": 1, "L02": 2, "L03": 2}
    raise_overlap(form=cast.study.forms.get(), items=cast.study.items.all(), to=3, actor=cast.users["admin"])
    assert slots(cast.study) == {"L00": 1, "L01": 1, "L02": 3, "L03": 3}
    assert verify() == []


def test_who_has_a_retired_item_on_screen_may_save_it_late_and_goes_on() -> None:
    cast = opened(items=2, overlap=1)
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    retire_items(study=cast.study, items=cast.study.items.filter(pk=page.item_id), reason="", actor=None)
    assert answer(page).late
    assert next_assignment(rater=rater).item_id != page.item_id
    assert verify() == []


@pytest.mark.parametrize("policy", ["exclude", "erase"])
def test_answers_that_no_longer_count_open_no_slot_of_a_retired_item(policy: str) -> None:
    cast = opened(on_withdrawal=policy)
    gone, excluded = consent(invitation=cast.invitation), consent(invitation=cast.invitation)
    rate(gone)
    rate(excluded)
    retire_items(study=cast.study, items=cast.study.items.filter(key="L00"), reason="", actor=None)
    withdraw(rater=gone)
    exclusion = exclude_rater(rater=excluded, reason="careless", actor=cast.users["owner"])
    assert collect_replacement(exclusion=exclusion, actor=cast.users["owner"]) == 3
    rater = consent(invitation=cast.invitation)
    assert set(rate(rater)) == {"L01", "L02", "L03"}
    assert verify() == []


@pytest.mark.parametrize("how", ["withdrawn", "excluded"])
def test_answers_that_no_longer_count_take_no_slot_of_a_restored_item_when_the_study_resumes(
    how: str,
) -> None:
    cast = opened(items=1, overlap=3, on_withdrawal="exclude")
    raters = [consent(invitation=cast.invitation) for _ in range(3)]
    for rater in raters:
        rate(rater)
    everything = cast.study.items.all()
    if how == "excluded":
        exclusion = exclude_rater(rater=raters[0], reason="careless", actor=cast.users["owner"])
        collect_replacement(exclusion=exclusion, actor=cast.users["owner"])
    retire_items(study=cast.study, items=everything, reason="", actor=None)
    if how == "withdrawn":
        withdraw(rater=raters[0])
    restore_items(study=cast.study, items=everything, actor=None)
    for state in (StudyState.PAUSED, StudyState.OPEN):
        change_state(study=cast.study, to=state, actor=cast.users["owner"])
    assert Seat.objects.filter(state="free").count() == 1
    assert rate(consent(invitation=cast.invitation)) == ["L00"]
    assert counted(cast.study, PROGRESS).count() == 3
    assert verify() == []


def test_a_restored_item_gets_the_slots_that_it_lacks() -> None:
    cast = opened(overlap=3)
    rate(consent(invitation=cast.invitation))
    raise_overlap(form=cast.study.forms.get(), items=cast.study.items.filter(key="L00"), to=5, actor=None)
    Seat.objects.filter(item__key="L00", state="filled").update(slot=6)
    chosen = cast.study.items.filter(key__in=["L00", "L01"])
    retire_items(study=cast.study, items=chosen, reason="", actor=None)
    preview = if_restored(cast.study, chosen)
    assert restore_items(study=cast.study, items=chosen, actor=None).slots == preview.slots == 5 + 2
    assert not cast.study.items.exclude(retired_at=None).exists()
    assert verify() == []
    with pytest.raises(InvalidContent) as caught:
        restore_items(study=cast.study, items=chosen, actor=None)
    assert caught.value.code == "no_items"


def test_more_ratings_of_all_items_hold_for_items_that_are_added_later() -> None:
    cast = opened()
    form, everything = cast.study.forms.get(), cast.study.items.all()
    assert if_raised(cast.study, everything, form, 3).slots == 4
    assert raise_overlap(form=form, items=everything, to=3, actor=None, for_new_items=True) == 4
    add_items(study=cast.study, rows=new_items(1), give_slots=give_slots)
    assert set(slots(cast.study).values()) == {3}
    assert verify() == []


def test_nothing_is_changed_in_a_draft_or_a_closed_study() -> None:
    cast = make_cast(opened=False)
    everything = cast.study.items.all()
    for _ in range(2):
        with pytest.raises(NotAllowedNow):
            retire_items(study=cast.study, items=everything, reason="", actor=None)
        with pytest.raises(NotAllowedNow):
            raise_overlap(form=cast.study.forms.get(), items=everything, to=9, actor=None)
        Study.objects.filter(pk=cast.study.pk).update(state="closed")
    assert not Item.objects.exclude(retired_at=None).exists()


def test_the_number_of_queries_does_not_grow_with_the_number_of_items() -> None:
    asked = []
    for n in (3, 60):
        cast = make_cast(slug=f"of-{n}", items=n)
        with CaptureQueriesContext(connection) as queries:
            add_items(study=cast.study, rows=new_items(n), give_slots=give_slots)
            raise_overlap(form=cast.study.forms.get(), items=cast.study.items.all(), to=5, actor=None)
            retire_items(study=cast.study, items=cast.study.items.all(), reason="", actor=None)
            restore_items(study=cast.study, items=cast.study.items.all(), actor=None)
        asked.append(len(queries))
    # SQLite takes a limited number of rows in one insert.
    assert asked[1] - asked[0] <= 10
