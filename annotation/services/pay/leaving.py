"""What a rater has earned stays owed when they withdraw or their data are erased."""

from __future__ import annotations

from annotation.models import EarnedBefore, PaymentEntry, Rater
from annotation.selectors.pay.costs import pay_of
from annotation.selectors.pay.earnings import earned_by_leaving


def store_earnings(*, rater: Rater) -> EarnedBefore | None:
    """Store what a rater has earned, before their state changes or their responses are erased.

    Parameters
    ----------
    rater : Rater
        Locked by the caller's transaction, with its study loaded.

    Returns
    -------
    EarnedBefore or None
        None where the study pays nothing, or nothing was earned.
    """
    pay = pay_of(rater.study)
    if pay is None or rater.simulated or rater.study.source:
        return None
    earned = earned_by_leaving(rater, pay)
    if not earned.total:
        return None
    return EarnedBefore.objects.create(
        rater=rater, base=earned.base, top_up=earned.top_up, currency=pay.currency
    )


def erase_payment_notes(*, rater: Rater) -> None:
    """Delete what members wrote about the payments of a rater; amounts, states and references stay.

    Parameters
    ----------
    rater : Rater
        Whose data are erased.
    """
    PaymentEntry.objects.filter(payment__rater=rater).erase_notes()
