"""Items come to the next stage when the answers of the one before say so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.states import RaterState
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.models import Item, Rater, Response, Seat, Study
from annotation.selectors.seats.stages import flows
from annotation.services.quality.exclusions import (
    exclude_items,
    exclude_rater,
    exclude_response,
    lift_exclusion,
)
from annotation.services.quality.replacements import collect_replacement
from annotation.services.rating.next_item import next_assignment, target_for
from annotation.services.rating.simulation import simulate
from annotation.services.rating.withdrawal import withdraw
from annotation.services.seats.more_ratings import raise_overlap
from tests.support.studies.staged_study import (
    FIRST,
    SECOND,
    answer,
    first_stage,
    keys,
    next_stage_seats,
    rater_of,
    staged_cast,
)

pytestmark = pytest.mark.django_db


def test_the_next_stage_has_no_seats_when_the_study_opens() -> None:
    study = staged_cast().study
    assert Seat.objects.filter(form__study=study).exclude(form__key=SECOND).count() == 4 * 2
    assert next_stage_seats(study) == {}


def test_an_item_gets_its_seats_in_the_act_of_the_answer_that_decides() -> None:
    study = staged_cast(items=3).study
    decisions = [
        {"L00": "yes", "L01": "yes", "L02": "no"},
        {"L00": "yes", "L01": "no", "L02": "no"},
    ]
    first_stage(rater_of(study, "A"), decisions[0])
    assert next_stage_seats(study) == {}
    first_stage(rater_of(study, "B"), decisions[1])
    assert next_stage_seats(study) == {"L00": 3}


def test_with_any_the_first_yes_lets_the_item_through() -> None:
    study = staged_cast(items=2, rule=StageRule.ANY).study
    first_stage(rater_of(study, "A"), dict.fromkeys(keys(study), "yes"))
    assert next_stage_seats(study) == {"L00": 3, "L01": 3}


def passes_both(study: Study, decisions: Mapping[str, str]) -> list[Rater]:
    """Two raters of the first stage say the same."""
    raters = [rater_of(study, code) for code in ("A", "B")]
    for rater in raters:
        first_stage(rater, decisions)
    return raters


def test_a_rater_of_the_first_stage_is_given_nothing_of_the_next() -> None:
    study = staged_cast(items=2).study
    first, _ = passes_both(study, dict.fromkeys(keys(study), "yes"))
    with pytest.raises(NoSeatLeft):
        next_assignment(rater=first)
    assert next_assignment(rater=rater_of(study, "C")).form.key == SECOND


def test_a_rater_of_the_next_stage_is_given_nothing_of_the_first_even_if_it_has_seats_again() -> None:
    cast = staged_cast(items=2)
    _, second = passes_both(cast.study, dict.fromkeys(keys(cast.study), "yes"))
    later = rater_of(cast.study, "C")
    for _ in range(2):
        answer(next_assignment(rater=later), {"quality": "3", "creativity": "3"})
    owner = cast.users["owner"]
    excluded = exclude_response(
        response=Response.objects.filter(assignment__rater=second).earliest("pk"), reason="slip", actor=owner
    )
    assert collect_replacement(exclusion=excluded, actor=owner) == 1
    with pytest.raises(NoSeatLeft):
        next_assignment(rater=later)
    assert next_assignment(rater=rater_of(cast.study, "D")).form.key == FIRST


def test_others_for_the_item_may_rate_the_items_of_others_in_either_stage() -> None:
    study = staged_cast(items=4, people=StagePeople.OTHERS_FOR_ITEM, rule=StageRule.ANY, first=1).study
    first, other = rater_of(study, "A"), rater_of(study, "B")
    own = set()
    for rater, n in ((first, 2), (other, 2)):
        for _ in range(n):
            page = next_assignment(rater=rater)
            answer(page, {"metaphor": "yes"})
            own |= {page.item_id} if rater == first else set()
    given = set()
    for _ in range(2):
        page = next_assignment(rater=first)
        assert page.form.key == SECOND
        answer(page, {"quality": "3", "creativity": "3"})
        given.add(page.item_id)
    assert not given & own
    with pytest.raises(NoSeatLeft):
        next_assignment(rater=first)


def test_anybody_may_rate_an_item_in_both_stages() -> None:
    study = staged_cast(items=1, people=StagePeople.ANYBODY, first=1).study
    rater = rater_of(study, "A")
    first_stage(rater, {"L00": "yes"})
    assert next_assignment(rater=rater).form.key == SECOND


def test_an_item_that_stops_passing_keeps_what_is_filled_and_loses_the_rest() -> None:
    study = staged_cast(items=1).study
    first, _ = passes_both(study, {"L00": "yes"})
    done, at_work = rater_of(study, "C"), rater_of(study, "D")
    answer(next_assignment(rater=done), {"quality": "3", "creativity": "3"})
    held = next_assignment(rater=at_work)
    correction = first.assignments.get()
    answer(correction, {"metaphor": "no"})
    assert next_stage_seats(study) == {"L00": 1}
    assert answer(held, {"quality": "3", "creativity": "3"}).late
    with pytest.raises(NoSeatLeft):
        next_assignment(rater=rater_of(study, "E"))
    answer(correction, {"metaphor": "yes"})
    assert next_stage_seats(study) == {"L00": 3}
    assert Seat.objects.filter(form__key=SECOND, state="filled", rater=done).count() == 1


def test_an_item_that_comes_to_pass_by_a_correction_is_admitted_then() -> None:
    study = staged_cast(items=1).study
    first, _ = passes_both(study, {"L00": "no"})
    assert next_stage_seats(study) == {}
    second = rater_of(study, "B2")
    answer(first.assignments.get(), {"metaphor": "yes"})
    assert next_stage_seats(study) == {}
    answer(Rater.objects.get(code="B").assignments.get(), {"metaphor": "yes"})
    assert next_stage_seats(study) == {"L00": 3}
    assert next_assignment(rater=second).form.key == SECOND


def test_excluding_and_lifting_decide_again() -> None:
    cast = staged_cast(items=2)
    study, owner = cast.study, cast.users["owner"]
    first, _ = passes_both(study, dict.fromkeys(keys(study), "yes"))
    out = exclude_rater(rater=first, reason="careless", actor=owner)
    assert next_stage_seats(study) == {}
    lift_exclusion(exclusion=out, reason="A slip.", actor=owner)
    assert next_stage_seats(study) == {"L00": 3, "L01": 3}
    exclude_items(study=study, keys=["L01"], reason="broken", actor=owner)
    assert next_stage_seats(study) == {"L00": 3}
    exclude_response(response=first.assignments.get(item__key="L00").responses.get(), reason="x", actor=owner)
    assert next_stage_seats(study) == {}


def test_an_excluded_answer_that_is_collected_again_decides_by_the_new_one() -> None:
    cast = staged_cast(items=1)
    study, owner = cast.study, cast.users["owner"]
    first, _ = passes_both(study, {"L00": "yes"})
    out = exclude_rater(rater=first, reason="careless", actor=owner)
    collect_replacement(exclusion=out, actor=owner)
    first_stage(rater_of(study, "C"), {"L00": "yes"})
    assert next_stage_seats(study) == {"L00": 3}


@pytest.mark.parametrize("policy", ["exclude", "erase"])
def test_withdrawing_decides_again(policy: str) -> None:
    study = staged_cast(items=1).study
    Study.objects.filter(pk=study.pk).update(on_withdrawal=policy)
    first, _ = passes_both(study, {"L00": "yes"})
    withdraw(rater=first)
    assert next_stage_seats(study) == {}
    first_stage(rater_of(study, "C"), {"L00": "yes"})
    assert next_stage_seats(study) == {"L00": 3}


def test_a_late_answer_decides_nothing() -> None:
    study = staged_cast(items=1, first=1).study
    slow = rater_of(study, "A")
    page = next_assignment(rater=slow)
    Seat.objects.filter(rater=slow).update(until=timezone.now() - timedelta(minutes=1))
    first_stage(rater_of(study, "B"), {"L00": "no"})
    assert answer(page, {"metaphor": "yes"}).late
    assert next_stage_seats(study) == {}


def test_more_is_collected_only_of_items_that_are_in_the_stage() -> None:
    cast = staged_cast(items=2)
    study = cast.study
    passes_both(study, {"L00": "yes", "L01": "no"})
    form = study.forms.get(key=SECOND)
    assert (
        raise_overlap(form=form, items=Item.objects.filter(study=study), to=5, actor=cast.users["owner"]) == 2
    )
    assert next_stage_seats(study) == {"L00": 5}


def test_a_rater_who_waits_for_the_next_stage_sees_that_more_may_come() -> None:
    study = staged_cast(items=1, second=1).study
    first_stage(rater_of(study, "A"), {"L00": "yes"})
    at_work = rater_of(study, "B")
    next_assignment(rater=at_work)
    with pytest.raises(NoSeatLeft, match="More may follow"):
        next_assignment(rater=rater_of(study, "C"))
    first_stage(at_work, {"L00": "no"})
    with pytest.raises(NoSeatLeft, match="There are no more items"):
        next_assignment(rater=rater_of(study, "D"))


def test_a_rater_who_may_get_more_items_is_not_finished() -> None:
    study = staged_cast(items=2, people=StagePeople.ANYBODY, first=1).study
    first, other = rater_of(study, "A"), rater_of(study, "B")
    answer(next_assignment(rater=first), {"metaphor": "no"})
    held = next_assignment(rater=other)
    with pytest.raises(NoSeatLeft, match="More may follow"):
        next_assignment(rater=first)
    first.refresh_from_db()
    assert first.state == RaterState.ACTIVE
    answer(held, {"metaphor": "no"})
    with pytest.raises(NoSeatLeft, match="There are no more items"):
        next_assignment(rater=first)
    first.refresh_from_db()
    assert first.state == RaterState.FINISHED


def test_the_target_of_a_new_rater_is_what_one_stage_has_for_them() -> None:
    study = staged_cast(items=3).study
    first_stage(rater_of(study, "A"), dict.fromkeys(keys(study), "yes"))
    assert target_for(study=study) == 3
    Seat.objects.filter(form__key=FIRST, state="free").delete()
    study.forms.filter(key=FIRST).update(overlap=1)
    assert target_for(study=study) == 0


@pytest.mark.parametrize("people", list(StagePeople))
def test_simulated_raters_go_through_both_stages(people: StagePeople) -> None:
    study = staged_cast(items=6, people=people).study
    simulate(study=study, raters=10, mix={AnsweringPattern.RANDOM: 1}, seed=3)
    (flow,) = flows(study)
    assert flow.waiting == 0
    assert flow.admitted > 0
    assert set(next_stage_seats(study).values()) == {3}
    assert len(next_stage_seats(study)) == flow.admitted
    assert not Seat.objects.filter(form__study=study).exclude(state="filled").exists()
