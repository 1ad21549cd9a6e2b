"""When a page was shown: a page fetched ahead tells it, and no second counts for two pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.base.errors import NotAllowedNow
from annotation.models import Assignment, ConsentText, Response, Study
from annotation.services.people.consent import change_text
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submit_and_advance import submit_and_advance
from tests.services.rating.ahead_sitting import ago, answer_to, fetch_ahead, first_page, save, waiting_offline
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


def test_seconds_count_from_showing_to_saving_not_the_wait_on_the_device():
    cast = make_cast(items=12, overlap=2)
    rater = consent(invitation=cast.invitation)
    page, have = first_page(rater), list[Assignment]()
    fetch_ahead(page, have)
    ago(page, reserved_at=300, opened_at=200)
    for one in have:
        ago(one, reserved_at=190)
    # Offline: 20 seconds for the first, 30 for the second, which is sent a moment after it.
    save(page, have, waited_seconds=180.0)
    have[0].refresh_from_db()
    save(have[0], have[1:], waited_seconds=150.0, shown_seconds=30.0)
    seconds = list(Response.objects.order_by("assignment__position").values_list("seconds", flat=True))
    assert seconds == [pytest.approx(20, abs=1), pytest.approx(30, abs=1)]


@pytest.mark.parametrize(
    ("page_times", "counted"), [((4.0, 0.0), 4), ((9999.0, 0.0), 60), ((0.0, 9999.0), 0), ((10.0, 30.0), 10)]
)
def test_no_page_tells_that_it_was_shown_before_it_was_reserved(page_times, counted):
    cast = make_cast(items=12, overlap=2)
    rater = consent(invitation=cast.invitation)
    page, have = first_page(rater), list[Assignment]()
    fetch_ahead(page, have)
    ago(have[0], reserved_at=60)
    have[0].refresh_from_db()
    save(have[0], [], shown_seconds=page_times[0], waited_seconds=page_times[1])
    assert Response.objects.get().seconds == pytest.approx(counted, abs=1)


def test_where_pages_have_a_least_time_no_page_tells_how_long_it_was_shown():
    cast = make_cast(items=12, overlap=2)
    Study.objects.filter(pk=cast.study.pk).update(least_seconds=5)
    rater = consent(invitation=cast.invitation)
    page = next_assignment(rater=rater)
    ago(page, reserved_at=60)
    page.refresh_from_db()
    with pytest.raises(Exception, match="seconds"):
        save(page, [], shown_seconds=50.0)
    assert not Response.objects.exists()


def seconds_stored() -> list[float | None]:
    return list(Response.objects.order_by("assignment__position").values_list("seconds", flat=True))


def change_consent(cast: Cast, *, seconds_ago: int) -> None:
    change_text(study=cast.study, actor=cast.users["owner"], text="You agree to more.")
    changed_at = timezone.now() - timedelta(seconds=seconds_ago)
    ConsentText.objects.filter(study=cast.study, number=2).update(created_at=changed_at)


def test_pages_shown_offline_before_the_consent_text_changed_are_stored_and_later_ones_refused():
    cast = make_cast(items=12, overlap=2)
    page, have = waiting_offline(cast)
    change_consent(cast, seconds_ago=100)
    save(page, [], waited_seconds=180.0, shown_seconds=20.0)
    save(have[0], [], waited_seconds=80.0, shown_seconds=90.0)
    with pytest.raises(NotAllowedNow) as refusal:
        save(have[1], [], waited_seconds=40.0, shown_seconds=40.0)
    assert refusal.value.code == "consent_changed"
    assert seconds_stored() == [pytest.approx(20, abs=1), pytest.approx(90, abs=1)]


def test_no_second_counts_for_two_pages_whatever_they_tell():
    cast = make_cast(items=12, overlap=2)
    page, have = waiting_offline(cast)
    for one in (page, *have):
        save(one, [], shown_seconds=9999.0)
    assert seconds_stored() == [pytest.approx(200, abs=1), pytest.approx(0, abs=1), pytest.approx(0, abs=1)]


@pytest.mark.parametrize("waited", [1.0, 150.0, 9999.0])
def test_no_page_tells_that_it_was_saved_while_another_was_shown(waited):
    cast = make_cast(items=12, overlap=2)
    page, have = waiting_offline(cast)
    save(page, [], shown_seconds=9999.0)
    onward = save(have[0], have[1:], shown_seconds=9999.0, waited_seconds=waited)
    assert onward.has_following
    save(have[1], [], shown_seconds=9999.0)
    assert sum(one or 0 for one in seconds_stored()) == pytest.approx(200, abs=2)


def test_an_answer_sent_again_does_not_tell_that_the_next_page_was_shown_earlier():
    cast = make_cast(items=12, overlap=2)
    page, have = waiting_offline(cast)
    answer = answer_to(page)
    for waited in (0.0, 9999.0):
        submit_and_advance(
            assignment=page, version=page.version, submission=replace(answer, waited_seconds=waited),
            shown=True, held=[one.pk for one in have] if waited else (),
        )  # fmt: skip
        Assignment.objects.filter(pk=have[0].pk).update(opened_at=None)
    onward = submit_and_advance(
        assignment=page, version=page.version, submission=replace(answer, waited_seconds=9999.0),
        shown=True, held=[one.pk for one in have],
    )  # fmt: skip
    assert onward.has_following
    have[0].refresh_from_db()
    assert have[0].opened_at is not None
    assert have[0].opened_at > timezone.now() - timedelta(seconds=5)


def test_a_page_ends_when_it_was_saved_not_when_its_answer_arrived():
    cast = make_cast(items=12, overlap=2)
    page, have = waiting_offline(cast)
    save(page, [], waited_seconds=20.0)
    save(have[0], [], waited_seconds=10.0, shown_seconds=10.0)
    save(have[1], [], waited_seconds=5.0, shown_seconds=5.0)
    assert seconds_stored() == [pytest.approx(wanted, abs=1) for wanted in (180, 10, 5)]


def test_answers_that_come_in_another_order_keep_their_times():
    cast = make_cast(items=12, overlap=2)
    page, have = waiting_offline(cast)
    save(page, [], waited_seconds=180.0, shown_seconds=20.0)
    Assignment.objects.filter(pk=have[0].pk).update(opened_at=None)
    save(have[1], [], waited_seconds=100.0, shown_seconds=50.0)
    have[0].refresh_from_db()
    save(have[0], [], waited_seconds=149.9, shown_seconds=30.1)
    assert seconds_stored() == [pytest.approx(wanted, abs=1) for wanted in (20, 30, 50)]


def test_a_page_that_is_opened_again_while_its_answer_waits_keeps_the_time_it_tells():
    cast = make_cast(items=12, overlap=2)
    page, have = waiting_offline(cast)
    save(page, [], waited_seconds=180.0)
    save(open_assignment(assignment=have[0]), [], waited_seconds=150.0, shown_seconds=30.0)
    assert seconds_stored() == [pytest.approx(20, abs=1), pytest.approx(30, abs=1)]
