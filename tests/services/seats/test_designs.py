"""How items are handed out: orders, groups, panels, caps and asking for more; raising the overlap."""

from __future__ import annotations

import uuid
from itertools import pairwise

import pytest

from annotation.domain.base.errors import InvalidContent, NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import RaterState, SeatState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Exclusion, Rater, Rating, Response, Seat, Study
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.people.invitations import invite
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.rating.enrolment import consent
from annotation.services.rating.more_items import may_ask_for_more, raise_rater_limit
from annotation.services.rating.next_item import (
    next_assignment,
    open_assignment,
)
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.seats.more_ratings import raise_overlap
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, add_form, make_cast

pytestmark = pytest.mark.django_db


def opened(cast: Cast, **fields) -> Study:
    Study.objects.filter(pk=cast.study.pk).update(**fields)
    return change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])


def draft(items: int = 6, overlap: int = 2) -> Cast:
    return make_cast(items=items, overlap=overlap, opened=False)


def rate(rater: Rater, number: int = 1000) -> list[str]:
    """The keys of the items rated, in the order in which they came."""
    keys: list[str] = []
    while len(keys) < number:
        try:
            page = next_assignment(rater=Rater.objects.get(pk=rater.pk))
        except NoSeatLeft:
            return keys
        submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
        submit(assignment=page, version=page.version, submission=submission)
        keys.append(page.item.key)
    return keys


def test_raters_meet_the_items_in_orders_of_their_own():
    cast = draft(items=12, overlap=8)
    opened(cast)
    orders = [tuple(rate(consent(invitation=cast.invitation))) for _ in range(4)]
    assert len(set(orders)) == 4
    assert {frozenset(order) for order in orders} == {frozenset(f"L{n:02d}" for n in range(12))}


def grouped(keep: str) -> list[str]:
    cast = draft(items=9, overlap=1)
    for place, item in enumerate(cast.study.items.order_by("position")):
        cast.study.items.filter(pk=item.pk).update(group=f"G{place % 3}")
    opened(cast, keep_groups=keep)
    groups = dict(cast.study.items.values_list("key", "group"))
    return [groups[key] for key in rate(consent(invitation=cast.invitation))]


def test_a_group_stays_together():
    groups = grouped("together")
    assert sum(one != other for one, other in pairwise(groups)) == 2


def test_the_items_of_a_group_are_separated():
    groups = grouped("apart")
    assert all(one != other for one, other in pairwise(groups[:6]))


def test_a_batch_that_one_rater_left_half_done_is_finished_by_another():
    cast = draft(items=6, overlap=1)
    opened(cast, design="batches", batch_size=6)
    gone = consent(invitation=cast.invitation)
    first = rate(gone, 2)
    withdraw(rater=gone)
    rest = rate(consent(invitation=cast.invitation))
    assert sorted(first + rest) == sorted(f"L{n:02d}" for n in range(6))


def test_a_pause_stops_also_those_who_were_given_everything():
    cast = draft(items=4, overlap=2)
    study = opened(cast, design="all")
    rater = consent(invitation=cast.invitation)
    shown = open_assignment(assignment=next_assignment(rater=rater))
    change_state(study=study, to=StudyState.PAUSED, actor=cast.users["owner"])
    assert next_assignment(rater=Rater.objects.get(pk=rater.pk)).pk == shown.pk
    with pytest.raises(NotAllowedNow) as caught:
        rate(rater)
    assert caught.value.code == "study_paused"
    assert rater.assignments.filter(submitted_at__isnull=False).count() == 1
    change_state(study=study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert len(rate(rater)) == 3


def test_no_rater_takes_a_batch_twice():
    cast = draft(items=6, overlap=2)
    opened(cast, design="batches", batch_size=3)
    rater = consent(invitation=cast.invitation)
    keys = rate(rater)
    assert len(keys) == len(set(keys)) == 6
    taken = rater.assignments.order_by("position").values_list("seat__batch", flat=True)
    assert set(taken) == set(cast.study.batches.values_list("pk", flat=True))


def test_a_panel_rates_its_own_form_and_no_other():
    cast = draft(items=3, overlap=1)
    add_form(cast.study, overlap=1, key="novelty")
    opened(cast, design="panels")
    one, other = cast.study.forms.order_by("pk")
    raters = [
        consent(invitation=invite(study=cast.study, actor=cast.users["owner"], panel=form))
        for form in (one, other)
    ]
    for rater, form in zip(raters, (one, other), strict=True):
        assert len(rate(rater)) == 3
        assert set(rater.assignments.values_list("form", flat=True)) == {form.pk}
    with pytest.raises(NotAllowedNow) as caught:
        consent(invitation=cast.invitation)
    assert caught.value.code == "no_panel"


def test_a_rater_at_the_cap_may_ask_for_more_where_the_study_lets_them():
    cast = draft(items=6)
    cast.study.forms.update(per_rater=2)
    opened(cast, more_allowed=True)
    rater = consent(invitation=cast.invitation)
    assert (len(rate(rater)), may_ask_for_more(rater=rater)) == (2, True)
    raise_rater_limit(rater=rater)
    assert len(rate(rater)) == 2
    Study.objects.filter(pk=cast.study.pk).update(more_allowed=False)
    with pytest.raises(NotAllowedNow):
        raise_rater_limit(rater=rater)


def test_more_ratings_of_chosen_items_of_an_open_study():
    cast = draft(items=4, overlap=2)
    study = opened(cast)
    for _ in range(2):
        rate(consent(invitation=cast.invitation))
    chosen = study.items.filter(key__in=["L01", "L03"])
    added = raise_overlap(form=study.forms.get(), items=chosen, to=4, actor=cast.users["admin"])
    assert added == 4
    assert sorted(rate(consent(invitation=cast.invitation))) == ["L01", "L03"]
    assert raise_overlap(form=study.forms.get(), items=chosen, to=4, actor=cast.users["admin"]) == 0
    with pytest.raises(InvalidContent):
        raise_overlap(form=study.forms.get(), items=chosen, to=0, actor=cast.users["admin"])


@pytest.mark.parametrize(("policy", "rows", "excluded"), [("keep", 4, 0), ("exclude", 4, 4), ("erase", 0, 0)])
def test_answers_of_a_rater_who_withdraws_are_handled_as_the_consent_text_says(policy, rows, excluded):
    cast = draft(items=2, overlap=1)
    study = opened(cast, on_withdrawal=policy)
    rater = consent(invitation=cast.invitation)
    rate(rater)
    withdraw(rater=rater)
    found = list(long_ratings(study))
    assert (len(found), sum(row["excluded"] for row in found)) == (rows, excluded)
    assert Exclusion.objects.filter(rule="withdrawn").count() == (policy == "exclude")
    if policy == "erase":
        assert not Response.objects.exists()
        assert not Rating.objects.exists()
        assert Rater.objects.get(pk=rater.pk).code == rater.code
    assert Seat.objects.filter(state=SeatState.FILLED).count() == (2 if policy == "keep" else 0)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"design": "batches"}, "Enter the number of pages per batch"),
        ({"design": "batches", "batch_size": 0}, "must be at least 1"),
    ],
)
def test_a_design_that_cannot_be_handed_out_does_not_open(fields, problem):
    cast = draft()
    with pytest.raises(InvalidContent) as caught:
        opened(cast, **fields)
    assert caught.value.code == "design_impossible"
    assert problem in caught.value.message


def test_groups_that_do_not_fit_into_batches_are_reported_before_opening():
    cast = draft(items=6)
    cast.study.items.update(group="one")
    with pytest.raises(InvalidContent) as caught:
        opened(cast, design="batches", batch_size=4, keep_groups="together")
    assert caught.value.code == "group_too_large"
    assert Study.objects.get(pk=cast.study.pk).state == StudyState.DRAFT


def at_the_cap() -> tuple[Rater, Cast]:
    cast = draft(items=6)
    cast.study.forms.update(per_rater=2)
    opened(cast, more_allowed=True)
    rater = consent(invitation=cast.invitation)
    assert len(rate(rater)) == 2
    return Rater.objects.get(pk=rater.pk), cast


@pytest.mark.parametrize("state", sorted(set(RaterState) - {RaterState.FINISHED}))
def test_only_a_rater_who_is_done_may_ask_for_more(state):
    rater, _ = at_the_cap()
    Rater.objects.filter(pk=rater.pk).update(state=state)
    with pytest.raises(NotAllowedNow):
        raise_rater_limit(rater=rater)
    rater.refresh_from_db()
    assert (rater.state, rater.extra) == (state, 0)


def test_an_excluded_rater_may_not_ask_for_more():
    rater, cast = at_the_cap()
    exclude_rater(rater=rater, actor=cast.users["owner"], reason="did not read")
    assert not may_ask_for_more(rater=rater)
