"""In place of excluded answers others' are collected: when a member asks, once, and on record."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent, NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import SeatState, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import AuditEntry, Exclusion, ExclusionRule, Pay, Rater, Response, Seat
from annotation.selectors.studies.progress import coverage, totals
from annotation.services.quality.exclusion_rules import apply_rule, declare_rule, lift_rule
from annotation.services.quality.exclusions import exclude_items, exclude_rater, lift_exclusion
from annotation.services.quality.replacements import (
    collect_all_replacements,
    collect_replacement,
    count_replaceable_seats,
)
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.layout import folded
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=1)


def rated(cast: Cast, number: int = 3) -> Rater:
    rater = consent(invitation=cast.invitation)
    for _ in range(number):
        answer(rater)
    return rater


def answer(rater: Rater) -> Response:
    page = next_assignment(rater=rater)
    submission = Submission(page_key=uuid.uuid4(), answers={"quality": "4", "creativity": "3"})
    return submit(assignment=page, version=page.version, submission=submission).response


def excluded(cast: Cast, rater: Rater) -> Exclusion:
    return exclude_rater(rater=rater, reason="a bot", actor=cast.users["owner"])


def replace(cast: Cast, exclusion: Exclusion) -> int:
    return collect_replacement(exclusion=exclusion, actor=cast.users["admin"])


def filled() -> int:
    return Seat.objects.filter(state=SeatState.FILLED).count()


def test_excluding_opens_nothing_by_itself(cast):
    excluded(cast, rated(cast))
    assert filled() == 3


def test_progress_counts_what_coverage_counts_while_excluded_responses_fill_seats(cast):
    rater = rated(cast)
    excluded(cast, rater)
    found = totals(cast.study)
    assert [(cover.responses, cover.items) for cover in coverage(cast.study)[0].covers] == [(0, 3)]
    assert (found.placed, found.needed, found.left, found.closed) == (0, 3, 3, 3)
    client = Client()
    client.force_login(cast.users["owner"])
    page = folded(client.get(reverse("study", args=[cast.slug])).content.decode())
    assert "3 rating slots are filled by excluded responses." in page
    replace(cast, Exclusion.objects.get())
    assert (totals(cast.study).left, totals(cast.study).closed) == (3, 0)


def test_an_excluded_item_needs_no_more_responses(cast):
    rated(cast)
    Exclusion.objects.create(study=cast.study, item=cast.study.items.all()[0], reason="garbled")
    found = totals(cast.study)
    assert (found.saved, found.placed, found.needed, found.left, found.closed) == (2, 2, 2, 0, 0)


def test_another_rater_fills_the_seats_and_the_overlap_is_met_exactly(cast):
    rater = rated(cast)
    waiting = consent_later(cast)
    assert replace(cast, excluded(cast, rater)) == 3
    assert totals(cast.study).left == 3
    for _ in range(3):
        assert not answer(waiting).late
    with pytest.raises(NoSeatLeft):
        next_assignment(rater=waiting)
    assert [(cover.responses, cover.items) for cover in coverage(cast.study)[0].covers] == [(1, 3)]
    assert Response.objects.count() == 6


def consent_later(cast: Cast) -> Rater:
    """A rater who agreed while there was room, before all seats were filled."""
    return cast.study.raters.get(user=cast.users["rater"])


def test_each_answer_is_replaced_once(cast):
    exclusion = excluded(cast, rated(cast))
    replace(cast, exclusion)
    with pytest.raises(NotAllowedNow) as refused:
        replace(cast, exclusion)
    assert refused.value.code == "nothing_to_replace"
    rater = consent_later(cast)
    answer(rater)
    with pytest.raises(NotAllowedNow):
        replace(cast, exclusion)
    assert filled() == 1


def test_one_excluded_answer_is_replaced_alone(cast):
    rater = rated(cast)
    response = Response.objects.filter(assignment__rater=rater)[1]
    exclusion = Exclusion.objects.create(study=cast.study, response=response, reason="a slip")
    assert replace(cast, exclusion) == 1
    assert Seat.objects.get(state=SeatState.FREE) == response.assignment.seat
    assert AuditEntry.objects.get(act="collect_replacement").detail == {
        "rater": rater.code,
        "seats": 1,
        "items": [response.assignment.item.key],
    }


def test_when_the_exclusion_is_lifted_the_answer_counts_along_with_the_replacement(cast):
    rater = rated(cast)
    exclusion = excluded(cast, rater)
    replace(cast, exclusion)
    answer(consent_later(cast))
    lift_exclusion(exclusion=exclusion, reason="A slip.", actor=cast.users["owner"])
    assert sorted((cover.responses, cover.items) for cover in coverage(cast.study)[0].covers) == [
        (1, 2),
        (2, 1),
    ]
    with pytest.raises(NotAllowedNow) as refused:
        replace(cast, exclusion)
    assert refused.value.code == "lifted_already"


def test_what_no_one_has_replaced_when_the_exclusion_is_lifted_is_not_collected_any_more(cast):
    exclusion = excluded(cast, rated(cast))
    replace(cast, exclusion)
    other = consent(invitation=cast.invitation)
    answer(other)
    lift_exclusion(exclusion=exclusion, reason="a person", actor=cast.users["owner"])
    assert filled() == 3
    with pytest.raises(NoSeatLeft):
        next_assignment(rater=other)
    assert (totals(cast.study).left, totals(cast.study).beyond) == (0, 1)


def test_answers_that_another_exclusion_names_fill_no_seat_until_that_one_is_lifted_too(cast):
    rater = rated(cast)
    by_hand = excluded(cast, rater)
    rule = caught_and_replaced(cast, [rater], [])
    assert filled() == 0
    lift_exclusion(exclusion=by_hand, reason="A slip.", actor=cast.users["owner"])
    assert filled() == 0
    lift_rule(rule=rule, reason="A slip.", actor=cast.users["owner"])
    assert filled() == 3


def test_an_excluded_item_is_not_collected_again(cast):
    rated(cast)
    item = cast.study.items.all()[0]
    exclusion = Exclusion.objects.create(study=cast.study, item=item, reason="garbled")
    with pytest.raises(InvalidContent):
        replace(cast, exclusion)


def test_a_closed_study_collects_nothing(cast):
    exclusion = excluded(cast, rated(cast))
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow) as refused:
        replace(cast, exclusion)
    assert (refused.value.code, filled()) == ("not_running", 3)


def test_the_raters_page_offers_it_until_it_is_done(cast):
    rater = rated(cast)
    exclusion = excluded(cast, rater)
    client = Client()
    client.force_login(cast.users["admin"])
    address = reverse("study-rater", args=[cast.slug, rater.code])
    assert "3 excluded responses still fill rating slots." in client.get(address).content.decode()
    done = client.post(reverse("study-replace", args=[cast.slug, exclusion.pk]), follow=True)
    assert "3 replacements requested." in done.content.decode()
    assert "Collect replacements" not in done.content.decode()


def test_one_answer_is_replaced_from_the_raters_page(cast):
    rater = rated(cast)
    response = Response.objects.filter(assignment__rater=rater)[0]
    exclusion = Exclusion.objects.create(study=cast.study, response=response, reason="a slip")
    client = Client()
    client.force_login(cast.users["admin"])
    address = reverse("study-rater", args=[cast.slug, rater.code])
    assert "Collect replacement" in client.get(address).content.decode()
    done = client.post(reverse("study-replace", args=[cast.slug, exclusion.pk]), follow=True)
    assert "1 replacement requested." in done.content.decode()
    assert "Collect replacement" not in done.content.decode()


def caught_and_replaced(cast: Cast, raters: list[Rater], responses: list[Response]) -> ExclusionRule:
    """A rule that has caught raters and answers, and the seats they filled are opened."""
    actor = cast.users["owner"]
    rule = declare_rule(
        study=cast.study,
        name="Bots",
        conditions=[{"kind": "failed_checks", "failed": 1}],
        reason="As published.",
        criteria=["quality"],
        actor=actor,
    )
    caught = {"raters": [one.pk for one in raters], "responses": [one.pk for one in responses]}
    apply_rule(rule=rule, items=[], actor=actor, **caught)
    for exclusion in Exclusion.objects.filter(by_rule=rule):
        replace(cast, exclusion)
    return rule


def lifted(cast: Cast, number: int) -> int:
    """How many statements it takes to lift a rule that caught so many raters and so many answers."""
    raters = [rated(cast, 1) for _ in range(number)]
    responses = [Response.objects.get(assignment__rater=rated(cast, 1)) for _ in range(number)]
    rule = caught_and_replaced(cast, raters, responses)
    with CaptureQueriesContext(connection) as statements:
        lift_rule(rule=rule, reason="A slip.", actor=cast.users["owner"])
    seats = Seat.objects.filter(form__study=cast.study, state=SeatState.FILLED)
    assert seats.count() == 2 * number
    return len(statements)


def test_lifting_a_rule_takes_as_many_statements_for_two_exclusions_as_for_eight():
    few, many = (lifted(make_cast(slug=f"of-{number}", items=8, overlap=1), number) for number in (1, 4))
    assert few == many


def test_of_several_answers_that_count_again_as_many_fill_seats_as_are_free():
    """The rule catches the three raters of an item, and another answers before it is lifted."""
    cast = make_cast(slug="one", items=1, overlap=3)
    waiting, raters = consent_later(cast), [rated(cast, 1) for _ in range(3)]
    rule = caught_and_replaced(cast, raters, [])
    answer(waiting)
    lift_rule(rule=rule, reason="A slip.", actor=cast.users["owner"])
    seats = Seat.objects.filter(form__study=cast.study).select_related("rater")
    assert {seat.state for seat in seats} == {SeatState.FILLED}
    assert len({seat.rater for seat in seats} & set(raters)) == 2
    for seat in seats:
        assert seat.assignments.filter(rater=seat.rater).exists()


def test_an_exclusion_of_another_study_is_not_found(cast):
    other = make_cast(slug="other", items=2, overlap=1)
    exclusion = excluded(other, rated(other, 2))
    client = Client()
    client.force_login(cast.users["owner"])
    assert client.post(reverse("study-replace", args=[cast.slug, exclusion.pk])).status_code == 404
    assert filled() == 2


def test_all_that_is_excluded_is_replaced_at_once_from_the_list_of_raters():
    cast = make_cast(items=3, overlap=3)
    first, second, third = (rated(cast, number) for number in (3, 2, 3))
    excluded(cast, first)
    excluded(cast, second)
    single = Response.objects.filter(assignment__rater=third).latest("pk")
    Exclusion.objects.create(study=cast.study, response=single, reason="too fast")
    Pay.objects.create(study=cast.study, amount="0.50", currency="EUR", paid_for="page")
    client = Client()
    client.force_login(cast.users["admin"])
    there = reverse("study-raters", args=[cast.slug]) + "?state=excluded"
    assert f'href="{there}"' in client.get(reverse("study", args=[cast.slug])).content.decode()
    page = folded(client.get(there).content.decode())
    assert "Collect 6 replacements" in page
    assert "3.00 EUR" in page
    sent = {"act": "replace", "next": there}
    done = client.post(reverse("study-raters-decide", args=[cast.slug]), sent, follow=True)
    assert "6 replacements requested." in done.content.decode()
    assert "Collect 6 replacements" not in done.content.decode()
    assert filled() == 2
    assert set(Seat.objects.filter(state=SeatState.FILLED).values_list("rater", flat=True)) == {third.pk}
    entries = AuditEntry.objects.filter(act="collect_replacement").order_by("pk")
    assert {one.detail["rater"]: one.detail["seats"] for one in entries} == {
        first.code: 3,
        second.code: 2,
        third.code: 1,
    }
    assert count_replaceable_seats(cast.study) == 0
    with pytest.raises(NotAllowedNow) as refused:
        collect_all_replacements(study=cast.study, actor=cast.users["admin"])
    assert refused.value.code == "nothing_to_replace"


def test_slots_of_excluded_items_are_not_replaced(cast):
    excluded(cast, rated(cast))
    assert count_replaceable_seats(cast.study) == 3
    item = cast.study.items.order_by("position")[0]
    exclude_items(study=cast.study, keys=[item.key], reason="Not a simile.", actor=cast.users["admin"])
    assert count_replaceable_seats(cast.study) == 2
    assert collect_all_replacements(study=cast.study, actor=cast.users["admin"]) == 2
    assert Seat.objects.get(item=item).state == SeatState.FILLED


def test_a_closed_study_replaces_nothing(cast):
    excluded(cast, rated(cast))
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    cast.study.refresh_from_db()
    assert count_replaceable_seats(cast.study) == 0
    with pytest.raises(NotAllowedNow) as refused:
        collect_all_replacements(study=cast.study, actor=cast.users["admin"])
    assert refused.value.code == "not_running"
