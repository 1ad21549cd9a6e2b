"""Top-ups and bonuses of a payment list, paid as bonuses on a platform for what a member has seen."""

from __future__ import annotations

from decimal import Decimal

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.payment_states import PaymentKind
from annotation.models import Job, PaymentList, User
from annotation.selectors.pay.crowd import connection_of
from annotation.selectors.pay.payments import ByService, by_service
from annotation.services.pay.crowd.connection import token_of
from annotation.services.pay.sending import request_sending

# What is paid as a bonus; the reward is paid by approving a submission.
KINDS = (PaymentKind.TOP_UP, PaymentKind.BONUS)


def payable_on(payment_list: PaymentList, platform: Platform) -> ByService | None:
    """What a platform can pay of a list; None where the study is not connected.

    Parameters
    ----------
    payment_list, platform
        The list, and where its bonuses would be paid.
    """
    if connection_of(payment_list.study, platform) is None:
        return None
    kinds = [kind.value for kind in KINDS]
    return by_service(payment_list, payer=platform.value, platform=platform.value, kinds=kinds)


def request_bonuses(
    *, payment_list: PaymentList, platform: Platform, actor: User, seen: tuple[int | None, Decimal | None]
) -> Job:
    """Enqueue the payment of what is approved of a list, if it is what the member has seen.

    Parameters
    ----------
    payment_list, platform, actor
        The list, where it is paid, and who asks.
    seen : tuple of int and Decimal
        The number and the sum of the payments. If others can be paid when the job runs, it pays nothing.

    Raises
    ------
    NotAllowedNow
        `changed_elsewhere`: other payments can be paid; `not_connected`.
    """
    token_of(payment_list.study, platform)
    payable = payable_on(payment_list, platform)
    if payable is None or not payable.payments or (payable.payments, payable.total) != seen:
        raise NotAllowedNow(
            message("Enter the amount that the page shows. Reload the page if it has changed."),
            code="changed_elsewhere",
        )
    seen_now = (payable.payments, payable.total)
    return request_sending(payment_list=payment_list, payer=platform.value, actor=actor, seen=seen_now)


def request_reading_back(*, payment_list: PaymentList, platform: Platform, actor: User) -> Job:
    """Enqueue the reading back of payments without a result, which pays nothing.

    Parameters
    ----------
    payment_list, platform, actor
        The list, where it was paid, and who asks.

    Raises
    ------
    NotAllowedNow
        `not_connected`.
    """
    token_of(payment_list.study, platform)
    return request_sending(payment_list=payment_list, payer=platform.value, actor=actor, only_read=True)
