"""Members get the emails that they chose: once, at most one an hour, and without what raters wrote."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import NoticeEvent, Role
from annotation.models import Job, NoticeChoice, ProblemReport, Rater, Study, User
from annotation.services.people.members import add_member, remove_member
from annotation.services.people.notices import choose_notices
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.problem_reports import report_problem
from tests.support.outside import mail_server
from tests.support.outside.member_mail import an_hour_passes, failed_job, listens, mail_goes_out
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(settings: Any) -> Cast:
    settings.SENDS_MAIL = True
    return make_cast()


def problem(cast: Cast, reason: str = "upsetting", text: str = "", minutes_ago: int = 5) -> Rater:
    """The rater with an account reports a problem."""
    rater = cast.study.raters.get(user=cast.users["rater"])
    page = next_assignment(rater=rater)
    stored = report_problem(assignment=page, reason=reason, text=text, report_key=uuid.uuid4())
    at = timezone.now() - timedelta(minutes=minutes_ago)
    ProblemReport.objects.filter(pk=stored.pk).update(reported_at=at)
    return rater


def test_an_email_says_what_happened_with_one_link_and_nothing_that_a_rater_wrote(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    listens(cast, "admin", NoticeEvent.PROBLEM_REPORTED)
    problem(cast, text="I am Pat of Porto.")
    assert mail_goes_out() == 1
    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == ([cast.users["admin"].email], "Problems reported: Lamps and moons")
    assert "Raters reported 1 problem with an item of “Lamps and moons”." in mail.body
    assert re.findall(r"https?://\S+", str(mail.body)) == [f"https://groundwork.example/studies/{cast.slug}/"]
    assert "Pat" not in mail.body
    assert cast.users["rater"].email not in mail.body
    assert mail_goes_out() == 0


def test_what_happened_before_the_choice_is_not_sent(cast: Cast) -> None:
    failed_job(cast, minutes_ago=11)
    listens(cast, "admin")
    assert mail_goes_out() == 0


def test_an_email_comes_once_an_hour_for_each_kind_of_event_and_has_all_since_the_last(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    listens(cast, "owner")
    failed_job(cast, minutes_ago=8)
    assert mail_goes_out() == 1
    NoticeChoice.objects.update(seen_until=timezone.now() - timedelta(minutes=7))
    for _ in range(2):
        failed_job(cast)
    assert mail_goes_out() == 0
    problem(cast)
    assert mail_goes_out() == 1
    an_hour_passes()
    assert mail_goes_out() == 1
    first_lines = [mail.body.partition("\n")[0] for mail in mailoutbox]
    title = "“Lamps and moons”"
    assert first_lines == [
        f"1 job of {title} failed.",
        f"Raters reported 1 problem with an item of {title}.",
        f"2 jobs of {title} failed.",
    ]


def test_each_member_reads_what_they_chose_in_their_own_language(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    listens(cast, "owner", NoticeEvent.JOB_FAILED, language="ja")
    listens(cast, "admin", NoticeEvent.PROBLEM_REPORTED)
    failed_job(cast)
    mail_goes_out()
    (mail,) = mailoutbox
    assert mail.to == [cast.users["owner"].email]
    assert "ジョブ" in mail.subject
    assert "You receive" not in mail.body


def test_comments_and_jobs_that_send_messages_are_not_reported(cast: Cast) -> None:
    listens(cast, "owner")
    problem(cast, reason="comment", text="A fine lamp.")
    failed_job(cast, kind="webhook")
    failed_job(cast, kind="notices")
    assert mail_goes_out() == 0


def test_who_may_no_longer_read_the_study_gets_no_email(cast: Cast) -> None:
    for who in ("owner", "admin", "researcher"):
        listens(cast, who)
    failed_job(cast)
    study, owner = cast.study, cast.users["owner"]
    add_member(study=study, user=cast.users["admin"], role=Role.VIEWER, actor=owner)
    remove_member(study=study, membership=study.memberships.get(user=cast.users["researcher"]), actor=owner)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert mail_goes_out() == 0


def test_clearing_an_event_ends_its_emails_and_leaves_the_others(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    listens(cast, "owner")
    listens(cast, "owner", NoticeEvent.PROBLEM_REPORTED)
    failed_job(cast)
    assert mail_goes_out() == 0
    problem(cast)
    assert mail_goes_out() == 1
    assert len(mailoutbox) == 1


def test_without_a_mail_server_nothing_is_queued(cast: Cast, settings: Any) -> None:
    settings.SENDS_MAIL = False
    listens(cast, "owner")
    failed_job(cast)
    assert mail_goes_out() == 0
    assert not Job.objects.filter(kind="notices").exists()


def test_a_refused_email_is_tried_again_after_an_hour_and_the_page_can_say_why(
    cast: Cast, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "config.mail_backend.Backend"
    User.objects.filter(pk=cast.users["owner"].pk).update(email="nobody@example.org")
    cast.users["owner"].refresh_from_db()
    listens(cast, "owner", NoticeEvent.JOB_FAILED)
    failed_job(cast)
    with mail_server.running() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        assert mail_goes_out() == 1
        assert (NoticeChoice.objects.get().error, server.received) == ("mail_refused", [])
        assert Job.objects.get(kind="notices").state == "done"
        assert mail_goes_out() == 0
        an_hour_passes()
        User.objects.filter(pk=cast.users["owner"].pk).update(email="owner@example.org")
        assert mail_goes_out() == 1
        assert "1 job of “Lamps and moons” failed." in server.last_text()
    assert NoticeChoice.objects.get().error == ""


def test_only_members_choose_and_only_known_events(cast: Cast) -> None:
    choice: dict[str, Any] = {"study": cast.study, "language": "en", "site": "https://groundwork.example/"}
    with pytest.raises(InvalidContent) as unknown:
        choose_notices(user=cast.users["owner"], events=["rating_stored"], **choice)
    assert unknown.value.code == "unknown_event"
    with pytest.raises(NotAllowedNow) as stranger:
        choose_notices(user=cast.users["stranger"], events=["job_failed"], **choice)
    assert stranger.value.code == "no_member"
    assert not NoticeChoice.objects.exists()


def test_the_title_of_a_study_cannot_add_lines_to_a_subject(
    cast: Cast, mailoutbox: list[EmailMessage]
) -> None:
    Study.objects.filter(pk=cast.study.pk).update(title="Lamps\nBcc: others@example.org")
    listens(cast, "owner", NoticeEvent.JOB_FAILED)
    failed_job(cast)
    mail_goes_out()
    assert mailoutbox[0].subject == "Jobs failed: Lamps Bcc: others@example.org"
