"""Pages reserved ahead: the same sequence as without, three at most, and nothing where the answer decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import Purpose, SeatState, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.domain.seats.stages import StagePeople
from annotation.models import Assignment, Form, Rater, Seat, Study
from annotation.services.people.consent import change_text
from annotation.services.quality.checks import create_check
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.next_item import next_assignment, open_assignment, reserve_ahead
from annotation.services.studies.lifecycle import change_state
from tests.services.rating.ahead_sitting import (
    Place,
    fetch_ahead,
    first_page,
    next_page,
    purposes,
    reserved,
    save,
    sit,
    sit_ahead,
    waiting_offline,
)
from tests.support.people import Cast, make_cast
from tests.support.studies.staged_study import rater_of, staged_cast

pytestmark = pytest.mark.django_db

TEXTS = {"simile": "Please choose 4 for quality here."}
DESIGNS = st.fixed_dictionaries(
    {
        "check_every": st.sampled_from([None, 3, 4]),
        "check_jitter": st.sampled_from([0, 1]),
        "keep_groups": st.sampled_from(["free", "together", "apart"]),
        "break_after": st.sampled_from([None, 2, 5]),
        "batch": st.sampled_from([None, 4, 5]),
        "per_rater": st.sampled_from([None, 4, 7]),
        "overlap": st.integers(1, 3),
        "repeats": st.booleans(),
        "seed": st.integers(0, 2**16),
        "rater_seed": st.integers(0, 2**16),
    }
)


def opened(cast: Cast, **study: object) -> Study:
    Study.objects.filter(pk=cast.study.pk).update(**study)
    return change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])


def designed(design: dict[str, Any]) -> Cast:
    cast = make_cast(items=10, overlap=design["overlap"], opened=False)
    if design["batch"]:
        design = {**design, "per_rater": None, "keep_groups": "free"}
    Form.objects.filter(study=cast.study).update(per_rater=design["per_rater"])
    for position, item in enumerate(cast.study.items.all()):
        item.group = f"group {position % 3}"
        item.save(update_fields=["group"])
    with_checks = design["check_every"] or design["batch"]
    for kind in (CheckKind.INSTRUCTED, CheckKind.REPEAT) if with_checks else ():
        if kind is CheckKind.REPEAT and not design["repeats"]:
            continue
        instruction = {"told": {"quality": 4}}
        create_check(
            study=cast.study,
            actor=cast.users["owner"],
            key=kind.value,
            kind=kind,
            form=cast.study.forms.get(),
            settings=instruction
            if kind is CheckKind.INSTRUCTED
            else {"criteria": ["quality"], "tolerance": 1},
            texts=TEXTS if kind is CheckKind.INSTRUCTED else None,
        )
    batches = {"design": "batches", "batch_size": design["batch"]} if design["batch"] else {}
    same = ("check_every", "check_jitter", "keep_groups", "break_after", "seed")
    opened(cast, **{name: design[name] for name in same}, **batches)
    return cast


@given(DESIGNS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_items_and_checks_come_in_the_same_order_at_the_same_places_as_without(db, design):
    def of(way: Callable[[Rater], list[Place]]) -> list[Place]:
        with transaction.atomic():
            cast = designed(design)
            rater = consent(invitation=cast.invitation)
            Rater.objects.filter(pk=rater.pk).update(seed=design["rater_seed"])
            seen = way(rater)
            transaction.set_rollback(True)
        return seen

    batch = design["batch"]
    ahead, without = of(lambda rater: sit_ahead(rater, most=batch or 3)), of(sit)
    assert ahead == without
    assert [position for _, _, position in ahead] == list(range(1, len(ahead) + 1))


def test_two_pages_are_ahead_in_the_middle_of_a_sitting_and_their_clocks_have_not_started():
    cast = make_cast(items=12, overlap=2)
    rater = consent(invitation=cast.invitation)
    page, have = first_page(rater), list[Assignment]()
    fetch_ahead(page, have)
    assert (len(have), reserved(rater)) == (2, 3)
    assert reserve_ahead(assignment=have[-1]) is None
    assert {one.opened_at for one in have} == {None}
    onward = save(page, have)
    assert (onward.has_following, onward.following) == (True, have[0])
    assert onward.ahead is not None
    assert reserved(rater) == 3
    have[0].refresh_from_db()
    assert have[0].opened_at is not None
    assert onward.ahead.opened_at is None


def test_a_check_is_fetched_as_an_item_is_and_comes_after_the_items_before_it():
    cast = make_cast(items=12, overlap=2, opened=False)
    create_check(
        study=cast.study, actor=cast.users["owner"], key="told", kind=CheckKind.INSTRUCTED,
        form=cast.study.forms.get(), settings={"told": {"quality": 4}}, texts=TEXTS,
    )  # fmt: skip
    opened(cast, check_every=2)
    rater = consent(invitation=cast.invitation)
    page, have = first_page(rater), list[Assignment]()
    fetch_ahead(page, have)
    assert [one.purpose for one in have] == [Purpose.MAIN, Purpose.CHECK]
    assert next_assignment(rater=rater) == page
    save(page, [])
    assert next_assignment(rater=rater) == have[0]
    save(have[0], [])
    assert next_assignment(rater=rater) == have[1]


def test_a_check_is_had_ahead_only_where_an_item_could_be_too():
    cast = make_cast(items=6, overlap=1, opened=False)
    create_check(
        study=cast.study, actor=cast.users["owner"], key="told", kind=CheckKind.INSTRUCTED,
        form=cast.study.forms.get(), settings={"told": {"quality": 4}}, texts=TEXTS,
    )  # fmt: skip
    opened(cast, check_every=2)
    rater, *others = (consent(invitation=cast.invitation) for _ in range(3))
    for other in others:
        next_assignment(rater=other)
    seen: list[Place] = []
    while (page := next_page(rater)) is not None:
        # Three seats are left for three raters: too few for an item, and so for a check.
        assert reserve_ahead(assignment=page) is None
        save(page, [])
        seen.append((page.item.key, page.purpose, page.position))
    assert len(purposes(seen)) == 1


def test_a_rater_who_is_shown_a_check_counts_among_those_that_seats_are_reserved_for():
    cast = make_cast(items=4, overlap=1, opened=False)
    create_check(
        study=cast.study, actor=cast.users["owner"], key="told", kind=CheckKind.INSTRUCTED,
        form=cast.study.forms.get(), settings={"told": {"quality": 4}}, texts=TEXTS,
    )  # fmt: skip
    opened(cast, check_every=2)
    rater = consent(invitation=cast.invitation)
    for _ in range(2):
        save(first_page(rater), [])
    page = first_page(rater)
    assert page.purpose == Purpose.CHECK
    assert reserve_ahead(assignment=page) is None


def test_a_browser_without_the_next_page_is_given_it_whatever_it_has_of_others():
    cast = make_cast(items=12, overlap=2)
    rater = consent(invitation=cast.invitation)
    page, have = first_page(rater), list[Assignment]()
    fetch_ahead(page, have)
    onward = save(page, have[1:])
    assert (onward.has_following, onward.following, onward.ahead) == (False, have[0], None)


def minimum_time(cast: Cast, _: Rater | None = None) -> None:
    Study.objects.filter(pk=cast.study.pk).update(least_seconds=5)


def paused(cast: Cast, _: Rater) -> None:
    change_state(study=cast.study, to=StudyState.PAUSED, actor=cast.users["owner"])


def excluded(cast: Cast, rater: Rater) -> None:
    exclude_rater(rater=rater, actor=cast.users["owner"], reason="Answers at random.")


def break_next(cast: Cast, _: Rater) -> None:
    Study.objects.filter(pk=cast.study.pk).update(break_after=1)


def limit_reached(cast: Cast, _: Rater) -> None:
    Form.objects.filter(study=cast.study).update(per_rater=1)


def consent_changed(cast: Cast, _: Rater) -> None:
    change_text(study=cast.study, actor=cast.users["owner"], text="You agree to more.")


def few_seats(cast: Cast, _: Rater) -> None:
    free = Seat.objects.filter(form__study=cast.study, state=SeatState.FREE).order_by("pk")
    free.exclude(pk__in=list(free[:2].values_list("pk", flat=True))).delete()


def many_present(cast: Cast, _: Rater) -> None:
    for _number in range(7):
        next_assignment(rater=consent(invitation=cast.invitation))


REASONS = [
    minimum_time, paused, excluded, break_next, limit_reached, consent_changed, few_seats, many_present,
]  # fmt: skip


@pytest.mark.parametrize("reason", REASONS)
def test_nothing_is_reserved_ahead_where_it_could_turn_out_wrong(reason):
    cast = make_cast(items=12, overlap=2)
    rater = consent(invitation=cast.invitation)
    page = first_page(rater)
    reason(cast, rater)
    before = Assignment.objects.count()
    assert reserve_ahead(assignment=page) is None
    assert Assignment.objects.count() == before
    assert reserved(rater) <= 1


@pytest.mark.parametrize("people", StagePeople)
def test_only_an_answer_that_may_bring_the_same_rater_to_the_next_stage_is_waited_for(people):
    study = staged_cast(items=12, people=people).study
    page = first_page(rater_of(study, "A"))
    assert (reserve_ahead(assignment=page) is None) is (people != StagePeople.OTHERS)


def test_a_preview_has_no_pages_ahead():
    cast = make_cast(items=12)
    page = next_assignment(rater=trial_rater(study=cast.study, user=cast.users["owner"]))
    assert reserve_ahead(assignment=page) is None


def test_an_answered_page_is_followed_by_nothing_that_is_reserved_for_it():
    cast = make_cast(items=12)
    rater = consent(invitation=cast.invitation)
    page = first_page(rater)
    save(page, [])
    assert reserve_ahead(assignment=page) is None


def test_a_paused_study_hands_out_no_page_that_was_reserved_ahead_but_not_shown():
    cast = make_cast(items=12, overlap=2)
    rater = consent(invitation=cast.invitation)
    page, have = first_page(rater), list[Assignment]()
    fetch_ahead(page, have)
    paused(cast, rater)
    onward = save(page, have)
    assert (onward.receipt.stored, onward.following, onward.ahead) == (True, None, None)


def test_checks_of_a_batch_are_within_it():
    design = {
        "check_every": None, "check_jitter": 0, "keep_groups": "free", "break_after": None, "batch": 5,
        "per_rater": None, "overlap": 1, "repeats": False, "seed": 7, "rater_seed": 3,
    }  # fmt: skip
    rater = consent(invitation=designed(design).invitation)
    seen = sit_ahead(rater, most=5)
    assert len(seen) == 12
    assert len(purposes(seen)) == 2


def test_a_page_reserved_ahead_whose_seat_went_to_another_is_not_shown_next():
    cast = make_cast(items=12, overlap=1)
    rater, other = (consent(invitation=cast.invitation) for _ in range(2))
    page, have = first_page(rater), list[Assignment]()
    fetch_ahead(page, have)
    Seat.objects.filter(assignments=have[0]).update(rater=other)
    onward = save(page, have)
    assert (onward.has_following, onward.following) == (False, have[1])
    late = save(open_assignment(assignment=have[0]), [])
    assert late.receipt.response.late


def test_a_paused_study_shows_no_page_by_its_address_that_was_reserved_ahead_but_not_shown():
    cast = make_cast(items=12, overlap=2)
    page, have = waiting_offline(cast)
    paused(cast, page.rater)
    for one in (page, *have):
        one.rater.study.refresh_from_db()
    assert open_assignment(assignment=page).opened_at is not None
    with pytest.raises(NotAllowedNow, match="paused"):
        open_assignment(assignment=have[0])
    have[0].refresh_from_db()
    assert have[0].opened_at is None


def test_a_paused_study_shows_all_of_a_batch_that_was_begun():
    cast = make_cast(items=12, opened=False)
    opened(cast, design="batches", batch_size=4)
    page = first_page(consent(invitation=cast.invitation))
    paused(cast, page.rater)
    later = page.rater.assignments.select_related("form", "seat", "rater__study").get(position=3)
    assert open_assignment(assignment=later).opened_at is not None
