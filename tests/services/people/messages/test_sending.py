"""A message goes to each rater once, whatever becomes of the worker, and only to raters who may get it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.jobs.queues import Queue
from annotation.domain.people.rater_messages import MessageDraft, MessageKind, Unreachable
from annotation.models import (
    Agreement,
    AuditEntry,
    Job,
    MessageDelivery,
    PlatformIdentity,
    Rater,
    RaterMessage,
    Study,
    User,
)
from annotation.selectors.people.rater_messages import listed_table, recipients_of
from annotation.services.people.messages.creating import create_message, send_again
from annotation.services.people.messages.stopping import set_messages_stopped
from annotation.services.rating.enrolment import consent
from annotation.services.rating.erasure import erase_rater
from annotation.services.rating.withdrawal import withdraw
from annotation.tasks import run_next
from tests.support.outside import dying_mail, mail_server
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
SITE = "https://groundwork.example/"
QUESTION = {"en": {"subject": "A question", "text": "Is item 3 clear to you?"}}


@pytest.fixture
def cast(settings: Any) -> Cast:
    settings.SENDS_MAIL = True
    return make_cast()


def known_rater(cast: Cast) -> Rater:
    """The rater with an account."""
    return cast.study.raters.select_related("study").get(user=cast.users["rater"])


def another(cast: Cast, name: str) -> Rater:
    user = User.objects.create_user(f"{name}@example.org", "simile-and-metaphor-42")
    return consent(invitation=cast.invitation, user=user)


def from_platform(cast: Cast, person: str) -> Rater:
    rater = consent(invitation=cast.invitation)
    PlatformIdentity.objects.create(
        rater=rater, study=cast.study, invitation=cast.invitation, platform="prolific", person=person
    )
    return rater


def write(cast: Cast, *raters: Rater, kind: MessageKind = MessageKind.QUESTION, **draft: Any) -> RaterMessage:
    texts = QUESTION if kind is MessageKind.QUESTION else {}
    wanted = MessageDraft(kind=kind, codes=[one.code for one in raters], **{"texts": texts, **draft})
    return create_message(study=cast.study, actor=cast.users["admin"], draft=wanted, site=SITE)


def refusals(cast: Cast, kind: MessageKind, *raters: Rater) -> list[Unreachable | None]:
    study = Study.objects.get(pk=cast.study.pk)
    return [one.refusal for one in recipients_of(study, kind, [one.code for one in raters], timezone.now())]


def states(sent: RaterMessage) -> dict[str, str]:
    return dict(sent.deliveries.values_list("rater__code", "state"))


def worker() -> None:
    run_next(Queue.MESSAGES)


def dead_worker(job: Job) -> None:
    """The lease of a worker that died has run out."""
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_an_email_has_the_text_the_rater_s_own_link_and_code_and_no_one_else(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    rater, other = known_rater(cast), another(cast, "other")
    Study.objects.filter(pk=cast.study.pk).update(contact="Ada, ada@example.org")
    sent = write(cast, rater, other)
    worker()
    assert states(sent) == {rater.code: "sent", other.code: "sent"}
    assert [mail.to for mail in mailoutbox] == [[cast.users["rater"].email], ["other@example.org"]]
    body = str(mailoutbox[0].body)
    assert body.startswith("Is item 3 clear to you?\n\nYour personal link: ")
    assert f"as {rater.code}." in body
    assert "Ada, ada@example.org" in body
    assert other.code not in body
    links = re.findall(r"https?://\S+", body)
    assert links[0] == f"https://groundwork.example/join/{rater.invitation.token}/"
    assert links[1].startswith("https://groundwork.example/messages/stop/")
    assert len(links) == 2


def test_each_rater_reads_the_proposed_text_in_the_language_in_which_they_agreed(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    rater = known_rater(cast)
    Agreement.objects.filter(rater=rater).update(interface_language="ja")
    Study.objects.filter(pk=cast.study.pk).update(contact="Ada")
    sent = write(cast, rater, another(cast, "other"), kind=MessageKind.REMINDER)
    assert sorted(sent.texts) == ["en", "ja"]
    worker()
    question = "Questions about this study? Contact: Ada"
    assert [question in str(mail.body) for mail in mailoutbox] == [False, True]
    assert "Ada" in str(mailoutbox[0].body)


def test_a_worker_that_dies_after_the_mail_left_sends_it_no_second_time(
    cast: Cast, settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    rater, other = known_rater(cast), another(cast, "other")
    sent = write(cast, rater, other)
    settings.EMAIL_BACKEND = dying_mail.BACKEND
    with pytest.raises(dying_mail.Killed):
        worker()
    assert states(sent) == {rater.code: "sending", other.code: "waiting"}
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    dead_worker(Job.objects.get(kind="rater_messages"))
    worker()
    assert states(sent) == {rater.code: "in_doubt", other.code: "sent"}
    with pytest.raises(NotAllowedNow) as refused:
        send_again(sent=sent, actor=cast.users["admin"])
    assert refused.value.code == "nothing_failed"
    assert [mail.to for mail in mailoutbox] == [[cast.users["rater"].email], ["other@example.org"]]


def test_a_page_that_is_sent_twice_creates_one_message(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    rater = known_rater(cast)
    draft = MessageDraft(MessageKind.QUESTION, [rater.code], QUESTION)
    given: dict[str, Any] = {
        "study": cast.study,
        "actor": cast.users["admin"],
        "draft": draft,
        "site": SITE,
    }
    assert create_message(**given) == create_message(**given)
    worker()
    worker()
    assert len(mailoutbox) == 1


def test_a_refused_address_fails_alone_and_can_be_tried_again(cast: Cast, settings: Any) -> None:
    settings.EMAIL_BACKEND = "config.mail_backend.Backend"
    rater, other = known_rater(cast), another(cast, "other")
    User.objects.filter(pk=cast.users["rater"].pk).update(email="nobody@example.org")
    sent = write(cast, rater, other)
    with mail_server.running() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        worker()
        assert states(sent) == {rater.code: "failed", other.code: "sent"}
        assert sent.deliveries.get(rater=rater).reason == "mail_refused"
        User.objects.filter(pk=cast.users["rater"].pk).update(email="pat@example.org")
        assert send_again(sent=sent, actor=cast.users["admin"]) == 1
        worker()
        assert states(sent) == {rater.code: "sent", other.code: "sent"}
        assert [mail["To"] for mail in server.received] == ["other@example.org", "pat@example.org"]


def test_emails_wait_while_the_mail_server_is_away(cast: Cast, settings: Any) -> None:
    settings.EMAIL_BACKEND = "config.mail_backend.Backend"
    rater = known_rater(cast)
    sent = write(cast, rater)
    with mail_server.running() as server:
        away = server.port
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", away
    worker()
    assert (states(sent), Job.objects.get().error_code) == ({rater.code: "waiting"}, "mail_server_away")
    with mail_server.running() as server:
        settings.EMAIL_PORT = server.port
        assert send_again(sent=sent, actor=cast.users["admin"]) == 1
        worker()
        assert len(server.received) == 1
    assert states(sent) == {rater.code: "sent"}


def test_a_server_that_takes_the_mail_and_does_not_answer_leaves_it_in_doubt(
    cast: Cast, settings: Any
) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "config.mail_backend.Backend", 1
    rater = known_rater(cast)
    User.objects.filter(pk=cast.users["rater"].pk).update(email="slow@example.org")
    sent = write(cast, rater)
    with mail_server.running() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        worker()
    assert states(sent) == {rater.code: "in_doubt"}


def test_a_rater_gets_one_reminder_a_day_unless_it_failed(cast: Cast) -> None:
    rater = known_rater(cast)
    sent = write(cast, rater, kind=MessageKind.REMINDER)
    assert refusals(cast, MessageKind.REMINDER, rater) == [Unreachable.REMINDED]
    with pytest.raises(NotAllowedNow) as refused:
        write(cast, rater, kind=MessageKind.REMINDER)
    assert refused.value.code == "nobody_reached"
    assert refusals(cast, MessageKind.QUESTION, rater) == [None]
    sent.deliveries.update(state="failed")
    assert refusals(cast, MessageKind.REMINDER, rater) == [None]
    sent.deliveries.update(state="sent")
    RaterMessage.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert refusals(cast, MessageKind.REMINDER, rater) == [None]


def test_reminders_go_to_raters_with_items_left_and_thanks_to_those_who_saved(cast: Cast) -> None:
    rater = known_rater(cast)
    assert refusals(cast, MessageKind.THANKS, rater) == [Unreachable.NOTHING_SAVED]
    Rater.objects.filter(pk=rater.pk).update(state="finished", finished_at=timezone.now())
    assert refusals(cast, MessageKind.REMINDER, rater) == [Unreachable.FINISHED]
    Study.objects.filter(pk=cast.study.pk).update(state="paused")
    other = another_in_paused(cast)
    assert refusals(cast, MessageKind.REMINDER, other) == [Unreachable.NOT_OPEN]


def another_in_paused(cast: Cast) -> Rater:
    Study.objects.filter(pk=cast.study.pk).update(state="open")
    other = another(cast, "other")
    Study.objects.filter(pk=cast.study.pk).update(state="paused")
    return other


def test_who_has_stopped_messages_or_withdrawn_between_writing_and_sending_gets_none(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    stopped, gone = known_rater(cast), another(cast, "gone")
    sent = write(cast, stopped, gone)
    set_messages_stopped(rater=stopped, stopped=True)
    withdraw(rater=gone)
    worker()
    assert mailoutbox == []
    reasons = dict(sent.deliveries.values_list("rater__code", "reason"))
    assert reasons == {stopped.code: "stopped", gone.code: "withdrawn"}
    assert refusals(cast, MessageKind.QUESTION, stopped, gone) == [
        Unreachable.STOPPED,
        Unreachable.WITHDRAWN,
    ]


def test_raters_of_a_platform_without_an_address_are_a_list_to_paste(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    listed, unreachable = from_platform(cast, "5f2c"), consent(invitation=cast.invitation)
    sent = write(cast, listed, unreachable)
    assert states(sent) == {listed.code: "listed"}
    assert not Job.objects.filter(kind="rater_messages").exists()
    _columns, rows = listed_table(sent)
    assert [(row["rater"], row["person"]) for row in rows] == [(listed.code, "5f2c")]
    assert refusals(cast, MessageKind.QUESTION, unreachable) == [Unreachable.NO_ADDRESS]
    assert mailoutbox == []


def test_without_a_mail_server_only_raters_of_a_platform_are_reached(cast: Cast, settings: Any) -> None:
    settings.SENDS_MAIL = False
    rater, listed = known_rater(cast), from_platform(cast, "5f2c")
    assert refusals(cast, MessageKind.QUESTION, rater, listed) == [Unreachable.NO_MAIL_SERVER, None]


def test_the_audit_log_names_the_rater_by_code_and_no_address(cast: Cast) -> None:
    rater = known_rater(cast)
    write(cast, rater)
    entry = AuditEntry.objects.get(act="send_message")
    assert entry.detail == {
        "number": 1,
        "kind": "question",
        "emails": 1,
        "listed": 0,
        "rater": rater.code,
    }
    assert cast.users["rater"].email not in str(list(MessageDelivery.objects.values()))


def test_erasing_a_rater_erases_messages_and_the_text_that_no_one_else_got(cast: Cast) -> None:
    rater, other = known_rater(cast), another(cast, "other")
    alone, both = write(cast, rater), write(cast, rater, other)
    erase_rater(rater=rater, actor=None)
    assert not RaterMessage.objects.filter(pk=alone.pk).exists()
    assert states(both) == {other.code: "waiting"}


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ({}, "no_message_text"),
        ({"en": {"subject": "x" * 151, "text": "y"}}, "bad_message_text"),
        ({"en": {"subject": "one\ntwo", "text": "y"}}, "bad_message_text"),
        ({"en": {"subject": "one", "text": "y" * 5001}}, "bad_message_text"),
        ({"en": {"subject": "one", "text": " "}}, "no_message_text"),
    ],
)
def test_a_message_without_a_proper_text_is_refused_and_stores_nothing(
    cast: Cast, texts: dict[str, dict[str, str]], code: str
) -> None:
    with pytest.raises(InvalidContent) as refused:
        write(cast, known_rater(cast), texts=texts)
    assert refused.value.code == code
    assert not RaterMessage.objects.exists()


@pytest.mark.parametrize(("codes", "code"), [([], "no_rater"), (["R-999", "R\x00"], "unknown_rater")])
def test_unknown_raters_are_refused(cast: Cast, codes: list[str], code: str) -> None:
    draft = MessageDraft(MessageKind.QUESTION, codes, QUESTION)
    with pytest.raises(InvalidContent) as refused:
        create_message(study=cast.study, actor=cast.users["admin"], draft=draft, site=SITE)
    assert refused.value.code == code


def test_a_key_that_another_study_has_used_creates_a_message_of_this_study(cast: Cast) -> None:
    key = uuid4()
    elsewhere = make_cast(slug="moons")
    first = write(elsewhere, known_rater(elsewhere), key=key)
    second = write(cast, known_rater(cast), key=key)
    assert (first.study, second.study) == (elsewhere.study, cast.study)
    assert write(cast, known_rater(cast), key=key) == second
