"""A plan counts what a design hands out, and its bound on raters is the least that works."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.states import DesignKind
from annotation.domain.seats.designs import (
    Bound,
    Design,
    FormLoad,
    Share,
    Work,
    asked_forms,
    plan,
    raters_needed,
)

STORIES = FormLoad("stories", overlap=3, seconds=60)
POOL = Design(DesignKind.POOL, 40, (STORIES,))

POOLS = st.builds(
    Design,
    kind=st.just(DesignKind.POOL),
    items=st.integers(1, 15),
    forms=st.lists(
        st.builds(
            FormLoad,
            key=st.uuids().map(str),
            overlap=st.integers(1, 5),
            per_rater=st.none() | st.integers(1, 20),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
)


def can_be_filled(design: Design, raters: int) -> bool:
    """Whether dealing in a circle fills every seat within the caps of the forms."""
    for form in design.forms:
        got = [0] * raters
        for seat in range(design.items * form.overlap):
            got[seat % raters] += 1
        cap = design.items if form.per_rater is None else min(form.per_rater, design.items)
        if form.overlap > raters or max(got) > cap:
            return False
    return True


@given(POOLS)
def test_the_fewest_raters_can_fill_a_pool_and_one_fewer_cannot(design):
    needed = raters_needed(design).raters
    assert can_be_filled(design, needed)
    assert needed == 1 or not can_be_filled(design, needed - 1)


@given(POOLS, st.integers(1, 60))
def test_enough_raters_share_all_seats_and_no_rater_gets_an_item_twice(design, raters):
    made = plan(design, raters=raters)
    most = sum(min(design.items, form.per_rater or design.items) for form in design.forms)
    assert made.pages_per_rater.most <= most
    assert made.enough == (raters >= made.raters_needed.raters)
    if made.enough:
        assert made.pages_per_rater.least * raters <= made.seats <= made.pages_per_rater.most * raters


def test_overlap_forces_as_many_raters_as_an_item_needs():
    assert raters_needed(POOL) == Bound(3, "overlap")


def test_a_cap_forces_more_raters():
    capped = replace(POOL, forms=(replace(STORIES, per_rater=10),))
    assert raters_needed(capped) == Bound(12, "form_cap", "stories")
    assert raters_needed(replace(POOL, per_rater=25)) == Bound(5, "rater_cap")


def test_time_and_cost_count_pages_checks_and_what_comes_before():
    work = Work(seconds_before=600, checks=2, check_every=5, check_seconds=30, pay_per_hour=Decimal(12))
    made = plan(POOL, work, raters=12)
    assert (made.seats, made.checks) == (120, 24)
    assert made.seconds == 120 * 60 + 24 * 30 + 12 * 600
    assert made.cost == (Decimal(str(made.hours)) * 12).quantize(Decimal("0.01"))
    assert made.pages_per_rater == Share(10, 10)
    with_fee = plan(POOL, replace(work, fee=Decimal("0.5")), raters=12)
    assert with_fee.cost == made.cost * Decimal("1.5")


def test_without_pay_there_is_no_cost():
    assert plan(POOL).cost is None


def test_crossed_criteria_are_asked_separately():
    criteria = ("metaphoricity", "comprehensibility", "novelty")
    design = Design(
        DesignKind.BATCHES,
        1360,
        (FormLoad("expressions", overlap=10, criteria=criteria, seconds=10),),
        crossed=True,
        batch_size=20,
        mixed=True,
    )
    assert [form.key for form in asked_forms(design)] == [f"expressions/{name}" for name in criteria]
    made = plan(design)
    assert made.pages == 4080
    assert made.seats == 40_800
    assert made.batching is not None
    assert made.batching.batches == 204
    assert made.raters_needed == Bound(10, "overlap", "expressions/metaphoricity")


def test_batches_a_rater_may_take_force_more_raters():
    design = Design(DesignKind.BATCHES, 100, (STORIES,), batch_size=20, batches_per_rater=2)
    made = plan(design)
    assert made.raters_needed == Bound(8, "batch_cap")
    assert made.batching is not None
    assert made.batching.batches == 5
    assert made.batching.per_rater == Share(1, 2)
    assert made.pages_per_rater == Share(20, 40)


def test_unequal_batches_bound_the_pages_of_a_rater():
    """17 items in batches of at most 6 are 6, 6 and 5: who takes all of them has 17 pages."""
    design = Design(DesignKind.BATCHES, 17, (STORIES,), batch_size=6)
    assert plan(design, raters=3).pages_per_rater == Share(17, 17)
    assert plan(design, raters=9).pages_per_rater == Share(5, 6)
    assert plan(design, raters=5).pages_per_rater == Share(5, 12)


@pytest.mark.parametrize(("items", "batches"), [(17, 3), (13, 3), (12, 2)])
def test_each_batch_has_a_check(items, batches):
    """However few different checks there are: batches take them in turn."""
    design = Design(DesignKind.BATCHES, items, (STORIES,), batch_size=6)
    made = plan(design, Work(checks=1, check_seconds=10), raters=3)
    assert (made.checks, made.seconds) == (3 * batches, 3 * items * 60 + 3 * batches * 10)


@pytest.mark.parametrize(("raters", "checks"), [(3, 6), (4, 8), (7, 7), (12, 12), (13, 3), (40, 0)])
def test_a_rater_meets_each_check_once(raters, checks):
    """120 slots, two checks, one after every ten pages: of 13 raters three have ten pages."""
    assert plan(POOL, Work(checks=2, check_every=10), raters=raters).checks == checks


def test_raters_of_panels_meet_the_checks_of_their_own_pages():
    """b is in both panels and has 20 pages, a and c have 10."""
    forms = (FormLoad("stories", overlap=2, panel=("a", "b")), FormLoad("jokes", overlap=2, panel=("b", "c")))
    design = Design(DesignKind.PANELS, 10, forms)
    assert plan(design, Work(checks=3, check_every=8)).checks == 1 + 2 + 1
    assert plan(design, Work(checks=1, check_every=8)).checks == 3


@given(
    items=st.integers(1, 60),
    overlap=st.integers(1, 6),
    raters=st.integers(6, 80),
    checks=st.integers(0, 9),
    every=st.integers(1, 30),
)
def test_checks_are_those_of_a_hand_out_that_is_even(items, overlap, raters, checks, every):
    """Recounted rater by rater; never more than one after every so many of all pages."""
    design = Design(DesignKind.POOL, items, (FormLoad("stories", overlap=overlap),))
    least, more = divmod(items * overlap, raters)
    pages = [least + (place < more) for place in range(raters)]
    recounted = sum(min(each // every, checks) for each in pages)
    assert plan(design, Work(checks=checks, check_every=every), raters=raters).checks == recounted
    assert recounted <= items * overlap // every


def test_every_rater_rates_everything():
    forms = (STORIES, FormLoad("jokes", overlap=3, seconds=30))
    made = plan(Design(DesignKind.ALL, 10, forms), raters=4)
    assert made.seats == 4 * 10 * 2
    assert made.pages_per_rater == Share(20, 20)
    assert made.raters_needed == Bound(4, "everyone")
    assert made.seconds == 4 * 10 * 90


def test_panels_are_the_raters_they_name():
    panels = (
        FormLoad("quality", overlap=3, panel=("ann", "bo", "cy")),
        FormLoad("creativity", overlap=1, panel=("ann", "dee")),
    )
    made = plan(Design(DesignKind.PANELS, 10, panels), raters=99)
    assert made.raters_needed == Bound(4, "named")
    assert made.raters == 4
    assert made.seats == 40
    assert made.pages_per_rater == Share(5, 15)


def test_an_empty_study_needs_no_raters():
    made = plan(replace(POOL, items=0))
    assert (made.seats, made.raters) == (0, 0)
    assert made.raters_needed.reason == "nothing_to_rate"


@pytest.mark.parametrize(
    ("design", "field"),
    [
        (replace(POOL, forms=(replace(STORIES, overlap=0),)), "numbers"),
        (replace(POOL, items=-1), "numbers"),
        (replace(POOL, per_rater=0), "numbers"),
        (Design(DesignKind.BATCHES, 5, (STORIES,)), "batch_size"),
        (Design(DesignKind.BATCHES, 5, (STORIES,), batch_size=2, per_rater=3), "per_rater"),
        (
            Design(DesignKind.BATCHES, 5, (STORIES, FormLoad("x", overlap=1)), batch_size=2, mixed=True),
            "overlap",
        ),
        (Design(DesignKind.ALL, 5, (STORIES,), per_rater=3), "per_rater"),
        (Design(DesignKind.PANELS, 5, (replace(STORIES, panel=("a", "b")),)), "stories"),
        (Design(DesignKind.PANELS, 5, (replace(STORIES, panel=("a", "a", "b", "c")),)), "stories"),
        (Design(DesignKind.PANELS, 5, (replace(STORIES, panel=("a", "b", "c"), per_rater=4),)), "stories"),
    ],
)
def test_a_design_that_no_raters_can_fill_is_refused(design, field):
    with pytest.raises(InvalidContent) as refusal:
        plan(design)
    assert refusal.value.code == "design_impossible"
    assert set(refusal.value.fields) == {field}


@given(st.integers(1, 200), st.integers(1, 30), st.integers(1, 6), st.integers(1, 5))
def test_whole_batches_are_shared_out_within_the_cap(items, size, overlap, cap):
    form = replace(STORIES, overlap=overlap)
    made = plan(Design(DesignKind.BATCHES, items, (form,), batch_size=size, batches_per_rater=cap))
    assert made.batching is not None
    assert made.batching.batches == math.ceil(items / size)
    assert made.batching.per_rater.most <= cap
    assert made.raters * made.batching.per_rater.most >= made.batching.batches * overlap
