"""A restore sends, pays and decides nothing that the installation may have done since the backup."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.apps import apps
from django.utils import timezone

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import JobState, NoticeEvent
from annotation.domain.pay.crowd import DecisionState
from annotation.domain.people.rater_messages import DeliveryState
from annotation.models import (
    CrowdStudy,
    CrowdSubmission,
    Job,
    MessageDelivery,
    NoticeChoice,
    RaterMessage,
    Webhook,
    WebhookDelivery,
)
from annotation.services.base.backup.settling import (
    IN_DOUBT,
    SENDING,
    SENDING_NOW,
    WAITING,
    Settled,
    settle,
)
from annotation.services.base.job_kinds import registered_kinds
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def test_jobs_that_send_are_cancelled_and_others_begin_again(cast: Cast) -> None:
    for kind in SENDING:
        Job.objects.create(study=cast.study, kind=kind)
        Job.objects.create(
            study=cast.study,
            kind=kind,
            params={"n": 2},
            state=JobState.RUNNING,
            lease=uuid4(),
            lease_until=timezone.now(),
        )
    Job.objects.create(study=cast.study, kind="metrics", state=JobState.RUNNING, lease=uuid4())
    settled = settle(apps)
    assert (settled.jobs, settled.cancelled) == (1, 2 * len(SENDING))
    assert set(Job.objects.filter(kind__in=SENDING).values_list("state", "lease")) == {("cancelled", None)}
    assert not Job.objects.filter(kind__in=SENDING, finished_at=None).exists()
    assert list(Job.objects.filter(kind="metrics").values_list("state", "lease")) == [("queued", None)]


def test_every_kind_of_job_that_sends_is_known() -> None:
    queued = {kind.key for kind in registered_kinds() if kind.queue is Queue.MESSAGES}
    assert queued == set(SENDING)


def test_waiting_emails_to_raters_are_in_doubt(cast: Cast) -> None:
    sent = RaterMessage.objects.create(study=cast.study, number=1, kind="question", site="https://x.example/")
    rater = cast.study.raters.get(user=cast.users["rater"])
    for number, state in enumerate(("waiting", "sending", "sent", "failed"), 2):
        another = RaterMessage.objects.create(
            study=cast.study, number=number, kind="question", site=sent.site
        )
        MessageDelivery.objects.create(message=another, rater=rater, state=state, language="en")
    assert settle(apps).emails == 2
    states = MessageDelivery.objects.order_by("message__number").values_list("state", flat=True)
    assert list(states) == ["in_doubt", "in_doubt", "sent", "failed"]


def test_waiting_decisions_on_prolific_are_in_doubt_and_say_why(cast: Cast) -> None:
    for number, state in (("a", "waiting"), ("b", "done")):
        CrowdSubmission.objects.create(
            study=cast.study,
            platform="prolific",
            number=number,
            status="AWAITING REVIEW",
            read_at=timezone.now(),
            decision="approve",
            decision_state=state,
        )
    assert settle(apps).decisions == 1
    first, second = CrowdSubmission.objects.order_by("number")
    assert (first.decision_state, second.decision_state) == ("in_doubt", "done")
    assert "restored from a backup" in first.problem_words


def test_a_study_that_was_to_be_created_is_in_doubt(cast: Cast) -> None:
    """A platform may have been asked since: it is looked for, and never created by itself."""
    CrowdStudy.objects.create(
        study=cast.study,
        platform="mturk",
        invitation=cast.invitation,
        internal_name="ours",
        places=1,
        reward=1,
    )
    assert settle(apps).drafts == 1
    assert CrowdStudy.objects.get().asked_at is not None


def test_webhooks_and_notices_of_what_happened_before_are_given_up(cast: Cast) -> None:
    hook = Webhook.objects.create(study=cast.study, address="https://hooks.example.org/")
    for waits in (timezone.now(), None):
        WebhookDelivery.objects.create(webhook=hook, event="study_opened", body="{}", next_at=waits)
    WebhookDelivery.objects.create(webhook=hook, event="study_opened", body="{}", delivered_at=timezone.now())
    member = cast.study.memberships.get(user=cast.users["owner"])
    begin = timezone.now()
    choice = NoticeChoice.objects.create(
        membership=member,
        event=NoticeEvent.JOB_FAILED,
        language="en",
        site="https://x.example/",
        seen_until=begin,
    )
    assert settle(apps) == Settled(jobs=0, cancelled=0, messages=2, emails=0, decisions=0, drafts=0)
    assert WebhookDelivery.objects.filter(error="", delivered_at=None).count() == 0
    choice.refresh_from_db()
    assert choice.seen_until > begin


@pytest.mark.parametrize("states", [DecisionState, DeliveryState])
def test_the_states_that_are_settled_are_those_that_are_stored(
    states: type[DecisionState] | type[DeliveryState],
) -> None:
    assert (states.WAITING, states.SENDING, states.IN_DOUBT) == (WAITING, SENDING_NOW, IN_DOUBT)
