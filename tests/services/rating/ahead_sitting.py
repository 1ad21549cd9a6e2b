"""A rater whose browser has the next two pages already, as the rating page's scripts do it."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.utils import timezone

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.states import Purpose, SeatState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Rater, Seat
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment, reserve_ahead
from annotation.services.rating.submit_and_advance import SubmissionAndNext, submit_and_advance
from tests.support.people import Cast

Place = tuple[str, str, int]
AHEAD = 2


def answer_to(page: Assignment, **more: object) -> Submission:
    given = {"quality": "3", "creativity": "4"}
    return Submission(page_key=uuid.uuid4(), answers=given, **more)  # type: ignore[arg-type]


def fetch_ahead(page: Assignment, have: list[Assignment]) -> None:
    """Fetch pages until the browser has two, or is given none."""
    while len(have) < AHEAD:
        following = reserve_ahead(assignment=[page, *have][-1])
        if following is None:
            return
        have.append(following)


def save(page: Assignment, have: list[Assignment], **more: object) -> SubmissionAndNext:
    return submit_and_advance(
        assignment=page,
        version=page.version,
        submission=answer_to(page, **more),
        shown=True,
        held=[one.pk for one in have],
    )


def reserved(rater: Rater) -> int:
    return Seat.objects.filter(rater=rater, state=SeatState.RESERVED).count()


def sit_ahead(rater: Rater, *, most: int = 3) -> list[Place]:
    """Rate to the end with pages fetched ahead; which items came, for which purpose, at which place."""
    seen: list[Place] = []
    page, have = next_page(rater), list[Assignment]()
    while page is not None:
        fetch_ahead(page, have)
        assert reserved(rater) <= most
        onward = save(page, have)
        page.refresh_from_db()
        seen.append((page.item.key, page.purpose, page.position))
        if onward.has_following:
            page = have.pop(0)
            have += [onward.ahead] if onward.ahead else []
        else:
            page, have = onward.following or next_page(rater), []
    return seen


def sit(rater: Rater) -> list[Place]:
    """Rate to the end, each page asked for after the answer before it."""
    seen: list[Place] = []
    while (page := next_page(rater)) is not None:
        save(page, [])
        page.refresh_from_db()
        seen.append((page.item.key, page.purpose, page.position))
    return seen


def first_page(rater: Rater) -> Assignment:
    """The page that the rater is shown now."""
    return open_assignment(assignment=next_assignment(rater=rater))


def next_page(rater: Rater) -> Assignment | None:
    """The page that the rater is shown now; None at the end."""
    try:
        return first_page(rater)
    except NoSeatLeft:
        return None


def purposes(places: list[Place]) -> list[int]:
    """Where the checks were."""
    return [position for _, purpose, position in places if purpose == Purpose.CHECK]


def ago(assignment: Assignment, *, reserved_at: int, opened_at: int | None = None) -> None:
    now = timezone.now()
    Assignment.objects.filter(pk=assignment.pk).update(
        created_at=now - timedelta(seconds=reserved_at),
        opened_at=None if opened_at is None else now - timedelta(seconds=opened_at),
    )


def waiting_offline(cast: Cast) -> tuple[Assignment, list[Assignment]]:
    """A page opened 200 seconds ago and two fetched then, all reserved before; the rater is offline since."""
    page, have = first_page(consent(invitation=cast.invitation)), list[Assignment]()
    fetch_ahead(page, have)
    ago(page, reserved_at=300, opened_at=200)
    page.refresh_from_db()
    for one in have:
        ago(one, reserved_at=190)
        one.refresh_from_db()
    return page, have
