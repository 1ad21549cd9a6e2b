"""What an installation was doing when it was backed up: continued after a restore, or given up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.apps.registry import Apps
from django.db.models import Q
from django.utils import timezone

from annotation.domain.base.messages import as_stored, message
from annotation.domain.base.states import JobState

# Stored states of emails to raters and of decisions on crowd platforms, whose sections are above this one.
WAITING, SENDING_NOW, IN_DOUBT = "waiting", "sending", "in_doubt"
# Jobs that send something to people or to other services.
SENDING = (
    "webhook",
    "notices",
    "rater_messages",
    "crowd_submissions",
    "crowd_study",
    "send_payments",
)
# Names of these kinds in earlier versions.
FORMER = ("prolific_submissions",)
NOT_SENT = "Not sent: the installation was restored from a backup before it could be."
UNKNOWN = message(
    "It is not known whether this was sent: the installation was restored from a backup that was made before."
)


@dataclass(frozen=True)
class Settled:
    """What became of unfinished work, as numbers of rows.

    `jobs` begin again and `cancelled` ones do not; `messages` to webhooks are given up; `emails` to raters,
    `decisions` about submissions on crowd platforms and `drafts` of studies there are in doubt.
    """

    jobs: int
    cancelled: int
    messages: int
    emails: int
    decisions: int
    drafts: int


def settle(models: Apps) -> Settled:
    """Let computations begin again, and give up what would be sent.

    It may have been sent since the backup was made, and a rehearsal must send nothing.

    Parameters
    ----------
    models : Apps
        Those of the version of the archive; what it did not have yet counts as 0.
    """
    now = timezone.now()
    jobs = _rows(models, "Job")
    unfinished = jobs.filter(state__in=[JobState.QUEUED, JobState.RUNNING])
    cancelled = unfinished.filter(kind__in=[*SENDING, *FORMER]).update(
        state=JobState.CANCELLED, lease=None, lease_until=None, finished_at=now
    )
    again = jobs.filter(state=JobState.RUNNING).update(
        state=JobState.QUEUED, lease=None, lease_until=None, heartbeat=None, published_at=None
    )
    if (choices := _rows(models, "NoticeChoice")) is not None:
        choices.update(seen_until=now)
    return Settled(
        jobs=again,
        cancelled=cancelled,
        messages=_give_up(models),
        emails=_doubt_emails(models),
        decisions=_doubt_decisions(models),
        drafts=_doubt_drafts(models, now),
    )


def _give_up(models: Apps) -> int:
    deliveries = _rows(models, "WebhookDelivery")
    if deliveries is None:
        return 0
    waiting = Q(next_at__isnull=False) | Q(delivered_at__isnull=True, error="")
    return int(deliveries.filter(waiting).update(next_at=None, error=NOT_SENT))


def _doubt_emails(models: Apps) -> int:
    deliveries = _rows(models, "MessageDelivery")
    if deliveries is None:
        return 0
    unsent = deliveries.filter(state__in=[WAITING, SENDING_NOW])
    return int(unsent.update(state=IN_DOUBT))


def _doubt_decisions(models: Apps) -> int:
    submissions = _rows(models, "CrowdSubmission")
    if submissions is None:
        submissions = _rows(models, "ProlificSubmission")
    if submissions is None:
        return 0
    waiting = submissions.filter(decision_state__in=[WAITING, SENDING_NOW])
    return int(waiting.update(decision_state=IN_DOUBT, problem=as_stored(UNKNOWN)))


def _doubt_drafts(models: Apps, now: datetime) -> int:
    """Put studies in doubt that a platform was to create: the request may have been sent meanwhile."""
    drafts = _rows(models, "CrowdStudy")
    return 0 if drafts is None else int(drafts.filter(number="", asked_at=None).update(asked_at=now))


def _rows(models: Apps, name: str) -> Any:
    """The rows of a table; None where the version of the archive has no such table."""
    try:
        return models.get_model("annotation", name)._base_manager.all()
    except LookupError:
        return None
