"""Pay for a study, and raters who have worked for it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from annotation.domain.pay.wages import PayFor
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Pay, Rater, Response
from annotation.services.pay.pay_settings import set_pay
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from tests.support.people import Cast


def pay(cast: Cast, amount: str = "0.10", **fields: Any) -> Pay:
    wanted = {"currency": "EUR", "paid_for": PayFor.PAGE, "amount": Decimal(amount), **fields}
    return set_pay(study=cast.study, actor=cast.users["owner"], **wanted)


def worked(cast: Cast, *seconds: float, ended: int = 120, rater: Rater | None = None) -> Rater:
    """A rater whose pages took so many seconds in front, one after another, up to minutes ago."""
    rater = rater or consent(invitation=cast.invitation)
    at = timezone.now() - timedelta(minutes=ended, seconds=sum(seconds))
    for took in seconds:
        at += timedelta(seconds=took)
        page = next_assignment(rater=rater)
        answers = {"quality": "4", "creativity": "3"}
        stored = submit(
            assignment=page,
            version=page.version,
            submission=Submission(page_key=uuid.uuid4(), answers=answers),
        ).response
        Assignment.objects.filter(pk=page.pk).update(submitted_at=at)
        Response.objects.filter(pk=stored.pk).update(
            shown_at=None, submitted_at=at, seconds=took * 3, active_seconds=took
        )
    return rater
