"""The times of a response are in order, whatever the rater does: shown, then submitted."""

from __future__ import annotations

import uuid
from datetime import datetime

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater, Response
from annotation.selectors.rating.personal_data import personal_data
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import open_assignment
from annotation.services.rating.submission import submit
from tests.services.rating.ahead_sitting import ago, answer_to, fetch_ahead, first_page, save
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db

PAGES = 3
SECONDS = st.floats(0, 500)
# What a rater does with one of three pages: saves it, as its browser tells the times, or opens it again.
ACTS = st.tuples(st.sampled_from(["save", "open"]), st.integers(0, PAGES - 1), SECONDS, SECONDS)


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=12, overlap=2)


def three_pages(cast: Cast, reserved: list[int]) -> tuple[Rater, list[Assignment]]:
    """A page that is shown and two that were fetched, reserved so many seconds ago."""
    rater = consent(invitation=cast.invitation)
    page, have = first_page(rater), list[Assignment]()
    fetch_ahead(page, have)
    pages = [page, *have]
    for one, seconds in zip(pages, reserved, strict=True):
        ago(one, reserved_at=seconds, opened_at=seconds if one is page else None)
        one.refresh_from_db()
    return rater, pages


def do(kind: str, page: Assignment, waited: float, shown: float, value: int) -> None:
    if kind == "open":
        open_assignment(assignment=page)
        return
    given = {"quality": str(value), "creativity": "4"}
    submitted = Submission(page_key=uuid.uuid4(), answers=given, waited_seconds=waited, shown_seconds=shown)
    submit(assignment=page, version=page.version, submission=submitted)


def moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def has_times_in_order(rater: Rater) -> bool:
    """As the rater's own data have them."""
    for one in personal_data(rater, with_review=False)["responses"]:
        times = [moment(one[name]) for name in ("given_at", "shown_at", "submitted_at")]
        known = [time for time in times if time is not None]
        if len(known) != len(times) or known != sorted(known):
            return False
    return True


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    reserved=st.lists(st.integers(0, 600), min_size=PAGES, max_size=PAGES),
    acts=st.lists(ACTS, min_size=2, max_size=8),
)
def test_every_revision_was_given_then_shown_then_submitted(
    cast: Cast, reserved: list[int], acts: list[tuple[str, int, float, float]]
) -> None:
    with transaction.atomic():
        rater, pages = three_pages(cast, sorted(reserved, reverse=True))
        for turn, (kind, place, waited, shown) in enumerate(acts):
            page = Assignment.objects.select_related("rater__study", "seat", "version", "form")
            do(kind, page.get(pk=pages[place].pk), waited, shown, 1 + turn % 5)
        assert has_times_in_order(rater)
        transaction.set_rollback(True)


def test_a_page_that_is_opened_again_keeps_when_each_of_its_answers_was_shown(cast: Cast) -> None:
    rater, (page, *have) = three_pages(cast, [300, 200, 100])
    first = save(page, have, waited_seconds=10.0).receipt.response
    before = first.shown_at
    again = open_assignment(assignment=Assignment.objects.select_related("rater__study").get(pk=page.pk))
    first.refresh_from_db()
    assert first.submitted_at is not None
    assert again.opened_at is not None
    assert again.opened_at > first.submitted_at
    assert (first.shown_at, has_times_in_order(rater)) == (before, True)
    second = submit(assignment=again, version=again.version, submission=answer_to(again, remark="x")).response
    assert (second.revision, second.shown_at) == (2, again.opened_at)
    assert has_times_in_order(rater)


def test_when_a_page_counted_is_known_after_it_was_opened_again(cast: Cast) -> None:
    """Three pages saved offline: the first one is opened again before the answers to the others come."""
    _, (page, second, third) = three_pages(cast, [300, 290, 280])
    save(page, [], waited_seconds=200.0)
    open_assignment(assignment=Assignment.objects.select_related("rater__study").get(pk=page.pk))
    for one, waited in ((second, 150.0), (third, 90.0)):
        save(one, [], waited_seconds=waited, shown_seconds=50.0)
    seconds = list(Response.objects.order_by("assignment__position").values_list("seconds", flat=True))
    assert seconds == [pytest.approx(wanted, abs=1) for wanted in (100, 50, 50)]
    assert all(one.shown_at < timezone.now() for one in Response.objects.all() if one.shown_at)
