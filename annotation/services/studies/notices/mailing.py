"""Emails to members about the events that they chose: at most one per kind of event, study and hour."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from annotation.models import NoticeChoice, Study
from annotation.selectors.studies.news import SETTLED, choices_with_news
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.people.mail import MailNotSent, send_mail
from annotation.services.studies.notices.letters import letter_about

KIND = "notices"


def request_notices() -> int:
    """Queue the emails that are due, one job per study.

    Returns
    -------
    int
        Number of studies; 0 where no mail server is configured.
    """
    if not settings.SENDS_MAIL:
        return 0
    due = choices_with_news(timezone.now()).values("membership__study")
    studies = list(Study.objects.filter(pk__in=due).order_by("pk"))
    for study in studies:
        enqueue(kind=KIND, study=study, params={}, created_by=None)
    return len(studies)


def send_notices(*, lease: Lease) -> None:
    """Send the emails about a study that are due.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `request_notices`. An email that is not sent is tried again after an hour, with
        later events included.
    """
    now = timezone.now()
    due = list(choices_with_news(now).filter(membership__study=lease.job.study_id))
    for number, choice in enumerate(due):
        lease.beat(number, len(due))
        _send(choice, now)
    lease.complete(lambda: None)


def _send(choice: NoticeChoice, now: datetime) -> None:
    row = NoticeChoice.objects.filter(pk=choice.pk)
    # Before it is sent: whatever becomes of this worker, no second email comes within the hour.
    if not row.filter(mailed_at=choice.mailed_at).update(mailed_at=now):
        return
    until = now - SETTLED
    letter = letter_about(choice, until)
    if letter is None:
        return
    subject, text = letter
    try:
        send_mail(to=choice.membership.user.email, subject=subject, text=text)
    except MailNotSent as refusal:
        row.update(error=refusal.code)
    else:
        row.update(seen_until=until, error="")
