"""Pages of messages: choose raters, read the message as they will, send it; raters stop it by a link."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import RaterState
from annotation.models import Agreement, AuditEntry, Job, PlatformIdentity, Rater, RaterMessage
from annotation.services.people.messages.letters import links_of
from annotation.services.rating.enrolment import consent
from annotation.tasks import run_next
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db

KEY = "11111111-1111-4111-8111-111111111111"
WORDS = {"subject-en": "Item 3", "text-en": "Is it clear?", "key": KEY}


@pytest.fixture
def cast(settings: Any) -> Cast:
    settings.SENDS_MAIL = True
    return make_cast()


def client(cast: Cast, who: str = "admin") -> Client:
    found = Client()
    found.force_login(cast.users[who])
    return found


def address(cast: Cast, name: str = "study-message-new", *further: Any) -> str:
    return reverse(name, args=[cast.slug, *further])


def known_rater(cast: Cast) -> Rater:
    return cast.study.raters.get(user=cast.users["rater"])


def stopped(rater: Rater) -> bool:
    return Rater.objects.filter(pk=rater.pk, messages_stopped_at__isnull=False).exists()


def rater_token(rater: Rater) -> str:
    """The end of the link in the rater's emails."""
    return links_of(rater, "https://groundwork.example/").stop.rstrip("/").rpartition("/")[2]


def fields(page: str) -> dict[str, str]:
    """The hidden fields of the form."""
    return dict(re.findall(r'<input type="hidden" name="(raters|key)" value="([^"]*)"', page))


def test_selected_raters_get_the_message_that_was_previewed(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    admin, rater = client(cast), known_rater(cast)
    first = admin.post(address(cast), {"rater": [rater.code]}).content.decode()
    words = {"kind": "question", "subject-en": "Item 3", "text-en": "Is it clear?", **fields(first)}
    shown = admin.post(address(cast), {**words, "act": "preview"}).content.decode()
    assert "Is it clear?" in shown
    assert "[the rater’s personal link]" in shown
    assert rater.invitation.token not in shown
    assert not RaterMessage.objects.exists()
    sent = admin.post(address(cast), {**words, "act": "send"})
    assert sent.headers["Location"] == address(cast, "study-message", 1)
    run_next(Queue.MESSAGES)
    page = admin.get(sent.headers["Location"]).content.decode()
    assert "Is it clear?" in page
    assert [mail.subject for mail in mailoutbox] == ["Item 3"]
    assert cast.users["rater"].email not in page


def test_a_preview_is_in_the_language_of_each_rater(cast: Cast) -> None:
    rater = known_rater(cast)
    Agreement.objects.filter(rater=rater).update(interface_language="zh-hans")
    page = client(cast).get(address(cast), {"rater": rater.code, "kind": "reminder"}).content.decode()
    assert 'name="subject-zh-hans"' in page
    assert 'name="subject-en"' not in page


@pytest.mark.parametrize("act", ["write", "preview", "send"])
def test_an_address_sends_nothing_and_takes_no_text(cast: Cast, act: str) -> None:
    """Any page elsewhere could have a member's browser open it."""
    rater = known_rater(cast)
    given = {"rater": rater.code, "raters": rater.code, "kind": "question", "act": act, **WORDS}
    before = AuditEntry.objects.count()
    for open_address in (client(cast).get, client(cast).head):
        answer = open_address(address(cast), given)
        assert answer.status_code == 200
        assert WORDS["text-en"] not in answer.content.decode()
    assert not RaterMessage.objects.exists()
    assert not Job.objects.exists()
    assert AuditEntry.objects.count() == before
    assert client(cast).post(address(cast), {**given, "act": "send"}).status_code == 302


def test_an_empty_question_is_not_sent_and_the_page_says_which_field(cast: Cast) -> None:
    given = {"raters": known_rater(cast).code, "kind": "question", "act": "send", "subject-en": "Item 3"}
    answer = client(cast).post(address(cast), given)
    assert answer.status_code == 422
    assert not RaterMessage.objects.exists()


def test_raters_of_a_platform_are_downloaded_with_their_ids_and_the_log_says_so(cast: Cast) -> None:
    rater = consent(invitation=cast.invitation)
    PlatformIdentity.objects.create(
        rater=rater, study=cast.study, invitation=cast.invitation, platform="prolific", person="5f2c"
    )
    admin = client(cast)
    page = admin.get(address(cast), {"rater": rater.code, "kind": "reminder"}).content.decode()
    assert "on the platform" in page
    title = {"subject-en": "Come back", "text-en": "Items are left.", **fields(page)}
    admin.post(address(cast), {"kind": "reminder", "act": "send", **title})
    assert "paste the IDs" in admin.get(address(cast, "study-message", 1)).content.decode()
    table = admin.post(address(cast, "study-message-listed", 1))
    assert "5f2c" in b"".join(table.streaming_content).decode()  # type: ignore[attr-defined]
    assert AuditEntry.objects.filter(act="export_platform_ids", detail__message=1).exists()


def test_raters_who_get_no_message_are_listed_with_the_reason(cast: Cast) -> None:
    rater = consent(invitation=cast.invitation)
    page = client(cast).get(address(cast), {"rater": rater.code}).content.decode()
    assert "no email address and no platform ID" in page
    assert 'value="preview"' not in page


def test_a_rater_stops_emails_by_the_link_without_signing_in_and_opening_it_is_not_enough(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    rater, admin = known_rater(cast), client(cast)
    words = {"raters": rater.code, "kind": "question", "subject-en": "Item 3", "text-en": "Is it clear?"}
    key = "11111111-1111-4111-8111-111111111111"
    admin.post(address(cast), {**words, "key": key, "act": "send"})
    run_next(Queue.MESSAGES)
    found = re.search(r"/messages/stop/\S+", str(mailoutbox[0].body))
    assert found
    anybody = Client()
    assert rater.code in anybody.get(found[0]).content.decode()
    assert not stopped(rater)
    assert anybody.post(found[0], {"act": "stop"}).status_code == 302
    assert stopped(rater)
    assert "wants no messages" in admin.get(address(cast), {"rater": rater.code}).content.decode()
    anybody.post(found[0], {"act": "allow"})
    assert not stopped(rater)
    acts = AuditEntry.objects.filter(act__endswith="_messages").order_by("pk")
    assert [(one.act, one.actor) for one in acts] == [("stop_messages", None), ("allow_messages", None)]


def test_the_link_changes_little_however_often_it_is_sent_and_always_stops_emails(cast: Cast) -> None:
    rater = known_rater(cast)
    link = reverse("stop-messages", args=[rater_token(rater)])
    before = AuditEntry.objects.count()
    for _ in range(20):
        assert Client().post(link, {"act": "stop"}).status_code == 302
        answer = Client().post(link, {"act": "allow"})
    assert AuditEntry.objects.count() <= before + 11
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 24 * 60 * 60
    assert "The emails stay stopped" in answer.content.decode()
    assert stopped(rater)


def test_a_link_that_changes_nothing_is_not_logged(cast: Cast) -> None:
    link = reverse("stop-messages", args=[rater_token(known_rater(cast))])
    for act in ("allow", "stop", "stop"):
        assert Client().post(link, {"act": act}).status_code == 302
    assert [one.act for one in AuditEntry.objects.filter(act__endswith="_messages")] == ["stop_messages"]


@pytest.mark.parametrize("token", ["1", "1:forged", "x"])
def test_an_invented_link_stops_nothing(cast: Cast, token: str) -> None:
    assert Client().post(reverse("stop-messages", args=[token])).status_code == 404


def test_researchers_do_not_write_to_raters(cast: Cast) -> None:
    assert client(cast, "researcher").get(address(cast, "study-messages")).status_code == 403


def test_a_page_without_recipients_says_so_and_offers_only_what_can_help(cast: Cast) -> None:
    rater = known_rater(cast)
    Rater.objects.filter(pk=rater.pk).update(messages_stopped_at=timezone.now())
    page = client(cast).get(address(cast), {"rater": rater.code, "kind": "question"}).content.decode()
    assert "No one gets this message." in page
    assert 'name="kind"' not in page
    Rater.objects.filter(pk=rater.pk).update(messages_stopped_at=None, state=RaterState.FINISHED)
    page = client(cast).get(address(cast), {"rater": rater.code, "kind": "reminder"}).content.decode()
    assert "Choose what the message is for, or other raters." in page
    assert 'name="kind"' in page
    assert "Use proposed text" not in page
