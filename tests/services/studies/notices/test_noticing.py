"""Events that no act reports are noticed once: a reached target, a failed job, a rater with flags."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import NoticeEvent, SeatState
from annotation.domain.questions.answers import Submission
from annotation.models import (
    Assignment,
    Form,
    Item,
    Job,
    Rater,
    RaterFlag,
    Seat,
    Study,
    Webhook,
    WebhookDelivery,
)
from annotation.services.rating.enrolment import consent
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.notices.flag_search import request_flag_searches
from annotation.services.studies.notices.noticing import note_events
from annotation.tasks import run_next
from tests.support.outside.member_mail import failed_job, listens, mail_goes_out
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


def heard(cast: Cast) -> list[tuple[str, dict[str, Any]]]:
    """The events and details sent to the webhook of a study."""
    bodies = WebhookDelivery.objects.filter(webhook__study=cast.study).order_by("pk")
    found = [json.loads(body) for body in bodies.values_list("body", flat=True)]
    return [(one["event"], one["detail"]) for one in found]


def with_webhook(cast: Cast) -> Cast:
    events = [event.value for event in NoticeEvent]
    Webhook.objects.create(study=cast.study, address="https://example.org/told", events=events)
    return cast


def rate_all(rater: Rater, items: int) -> None:
    """The same value on every page, each in a second."""
    for _ in range(items):
        page = next_assignment(rater=rater)
        Assignment.objects.filter(pk=page.pk).update(opened_at=timezone.now() - timedelta(seconds=1))
        page.refresh_from_db()
        answers = {"quality": "3", "creativity": "3"}
        sent = Submission(page_key=uuid.uuid4(), answers=answers)
        submit(assignment=page, version=page.version, submission=sent)


def target(cast: Cast) -> Any:
    return Study.objects.get(pk=cast.study.pk).target_reached_at


def test_the_target_is_reached_when_the_last_slot_is_filled_and_announced_once() -> None:
    cast = with_webhook(make_cast(items=2, overlap=1))
    rater = consent(invitation=cast.invitation)
    rate_all(rater, 1)
    note_events()
    assert target(cast) is None
    rate_all(rater, 1)
    for _ in range(2):
        note_events()
    assert target(cast) is not None
    assert heard(cast) == [("target_reached", {})]


def test_twenty_studies_that_reach_their_target_take_as_many_queries_as_two() -> None:
    cast = with_webhook(make_cast(items=1, overlap=1))
    rate_all(consent(invitation=cast.invitation), 1)

    def queries(more: int) -> int:
        """Of a look at which more studies than before have all slots filled."""
        for _ in range(more):
            study = Study.objects.create(slug=f"s-{uuid.uuid4().hex[:8]}", title="One", state="open")
            form = Form.objects.create(study=study, key="similes", title="Similes")
            item = Item.objects.create(study=study, key="L00")
            rater = Rater.objects.create(study=study, code="R-01", state="active")
            Seat.objects.create(form=form, item=item, slot=1, state=SeatState.FILLED, rater=rater)
        with CaptureQueriesContext(connection) as found:
            note_events()
        return len(found)

    note_events()
    assert queries(2) == queries(20)
    assert not Study.objects.filter(target_reached_at=None).exists()
    assert heard(cast) == [("target_reached", {})]


def test_a_slot_that_is_opened_again_has_to_be_filled_again() -> None:
    cast = with_webhook(make_cast(items=1, overlap=1))
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal="exclude")
    first, second = (consent(invitation=cast.invitation) for _ in range(2))
    rate_all(first, 1)
    note_events()
    withdraw(rater=Rater.objects.select_related("study").get(pk=first.pk))
    note_events()
    assert target(cast) is None
    rate_all(second, 1)
    note_events()
    assert [event for event, _ in heard(cast)] == ["target_reached", "target_reached"]


def test_a_draft_without_slots_has_no_target() -> None:
    cast = with_webhook(make_cast(opened=False))
    note_events()
    assert (target(cast), heard(cast)) == (None, [])


def test_a_failed_job_is_announced_once_unless_it_sends_messages_itself() -> None:
    cast = with_webhook(make_cast())
    job = failed_job(cast)
    failed_job(cast, kind="webhook")
    failed_job(cast, minutes_ago=25 * 60)
    for _ in range(2):
        note_events()
    assert heard(cast) == [("job_failed", {"job": job.pk, "kind": "reliability", "code": "time_limit"})]


def search() -> int:
    n = request_flag_searches()
    for _ in range(n):
        run_next(Queue.SHORT)
    return n


def an_hour_after_the_last_search() -> None:
    Job.objects.filter(kind="flag_search").update(created_at=timezone.now() - timedelta(minutes=61))


@pytest.fixture
def conspicuous(settings: Any) -> Cast:
    """One rater who gave the same value twelve times, each in a second."""
    settings.SENDS_MAIL = True
    cast = make_cast(items=12, overlap=3)
    rate_all(consent(invitation=cast.invitation), 12)
    return cast


def test_an_email_names_raters_with_flags_by_code(conspicuous: Cast, mailoutbox: list[EmailMessage]) -> None:
    listens(conspicuous, "admin", NoticeEvent.RATER_FLAGGED)
    assert search() == 1
    RaterFlag.objects.update(flagged_at=timezone.now() - timedelta(minutes=5))
    mail_goes_out()
    (mail,) = mailoutbox
    assert "1 rater of “Lamps and moons” has new flags: R-002." in mail.body


def test_a_rater_with_flags_is_announced_once_and_not_by_name(conspicuous: Cast) -> None:
    with_webhook(conspicuous)
    assert search() == 1
    assert heard(conspicuous) == [("rater_flagged", {"n": 1})]
    an_hour_after_the_last_search()
    Rater.objects.filter(code="R-002").update(last_seen_at=timezone.now())
    assert search() == 1
    assert (RaterFlag.objects.count(), len(heard(conspicuous))) == (1, 1)


def test_no_rater_is_examined_where_no_one_is_to_be_notified(conspicuous: Cast) -> None:
    listens(conspicuous, "admin", NoticeEvent.JOB_FAILED)
    assert search() == 0


def test_a_study_is_searched_once_an_hour_and_only_after_raters_were_active(conspicuous: Cast) -> None:
    listens(conspicuous, "admin", NoticeEvent.RATER_FLAGGED)
    assert search() == 1
    assert search() == 0
    an_hour_after_the_last_search()
    Rater.objects.update(last_seen_at=timezone.now() - timedelta(hours=2))
    assert search() == 0
    Rater.objects.filter(code="R-002").update(last_seen_at=timezone.now())
    assert search() == 1


def test_the_flags_of_an_erased_rater_are_gone_and_do_not_come_back(conspicuous: Cast) -> None:
    listens(conspicuous, "admin", NoticeEvent.RATER_FLAGGED)
    search()
    flag = RaterFlag.objects.select_related("rater").get()
    erase_rater(rater=flag.rater, actor=None)
    assert not RaterFlag.objects.exists()
    an_hour_after_the_last_search()
    Rater.objects.update(last_seen_at=timezone.now())
    search()
    assert not RaterFlag.objects.exists()
