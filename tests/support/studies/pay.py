"""Pay for a study, raters who have worked for it, and payment lists with the states of their payments."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from annotation.domain.base.platforms import Entry, Platform
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import PaymentState
from annotation.domain.pay.wages import PayFor
from annotation.domain.questions.answers import Submission
from annotation.models import (
    Assignment,
    CrowdConnection,
    CrowdStudy,
    CrowdSubmission,
    Pay,
    Payment,
    PaymentList,
    Rater,
    Response,
    Study,
)
from annotation.selectors.pay.payments import list_summaries, with_state
from annotation.services.pay.pay_settings import set_pay
from annotation.services.pay.payment_lists import FROM, approve_payments, make_payment_list, mark_list
from annotation.services.pay.single_payments import change_payment
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


def came(cast: Cast, person: str, platform: Platform = Platform.PROLIFIC) -> Rater:
    """A rater who came from a platform under an ID and agreed."""
    entry = Entry(platform, person, "abc", f"session-{person}")
    return consent(invitation=cast.invitation, entry=entry)


def on_platform(cast: Cast, platform: Platform = Platform.PROLIFIC) -> CrowdStudy:
    """The study has one on a platform, where a submission of each rater awaits review; nothing is called."""
    connection = CrowdConnection(study=cast.study, platform=platform.value, account="lab@example.org")
    connection.token = "key:secret-of-the-lab"
    connection.save()
    row = CrowdStudy.objects.create(
        study=cast.study,
        platform=platform.value,
        invitation=cast.invitation,
        number="ABC",
        internal_name=f"{cast.slug}-{platform.value}",
        places=3,
        reward=150,
        status="ACTIVE",
        read_at=timezone.now(),
    )
    CrowdSubmission.objects.bulk_create(
        CrowdSubmission(
            study=cast.study,
            platform=platform.value,
            rater=rater,
            number=f"S{rater.pk}",
            status="AWAITING REVIEW",
            read_at=timezone.now(),
        )
        for rater in cast.study.raters.filter(kind="person")
    )
    return row


def made(cast: Cast) -> PaymentList:
    return make_payment_list(study=Study.objects.get(pk=cast.study.pk), actor=cast.users["owner"])


def total(payment_list: PaymentList) -> Decimal:
    payments = payment_list.payments.all()
    return sum((from_minor(one.amount, one.currency) for one in payments), Decimal(0))


def approved(cast: Cast) -> PaymentList:
    payment_list = made(cast)
    approve_payments(payment_list=payment_list, actor=cast.users["owner"], total=total(payment_list))
    return payment_list


def sent(cast: Cast) -> PaymentList:
    payment_list = approved(cast)
    mark(cast, payment_list, PaymentState.SENT, reference="transfer 1")
    return payment_list


def mark(cast: Cast, payment_list: PaymentList, to: PaymentState, reference: str = "") -> int:
    """Bring what can go there to a state, as a member who has seen what the list has now."""
    return mark_list(
        payment_list=payment_list,
        to=to,
        actor=cast.users["owner"],
        reference=reference,
        **seen(payment_list, to),
    )


def change(cast: Cast, payment: Payment, to: PaymentState, **words: str) -> None:
    """Bring one payment to a state, as a member who has seen its present one."""
    now = with_state(Payment.objects.all()).get(pk=payment.pk)
    shown: dict[str, Any] = {"seen": PaymentState(now.state), "attempt": now.attempt, **words}
    change_payment(payment=payment, to=to, actor=cast.users["owner"], **shown)


def seen(payment_list: PaymentList, to: PaymentState) -> dict[str, Any]:
    """The number of payments of a list that can go to a state, and their sum."""
    (summary,) = list_summaries([payment_list])
    return {"count": summary.count(*FROM[to]), "total": summary.total(*FROM[to])}


def states(study: Study) -> dict[str, int]:
    return dict(Counter(with_state(Payment.objects.filter(study=study)).values_list("state", flat=True)))
