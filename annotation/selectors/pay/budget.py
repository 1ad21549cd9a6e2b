"""The budget of a study: spent, committed, left, and whether it pays another rater."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Greatest

from annotation.domain.base.states import Purpose, RaterState, StudyState
from annotation.domain.pay.budget import Budget
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import OPEN
from annotation.domain.pay.wages import PayFor
from annotation.models import Pay, Study
from annotation.selectors.pay.earnings import Earning, covered_by_payments, earnings, unpaid
from annotation.selectors.pay.pages_to_come import pages_to_come
from annotation.selectors.pay.payments import spent, sums_by_state
from annotation.selectors.people.of_study import begun_raters

ENDED = (RaterState.FINISHED, RaterState.WITHDRAWN, RaterState.FAILED)


def budget_of(
    study: Study, pay: Pay, *, newcomer_pages: int, earned: Mapping[str, Earning] | None = None
) -> Budget:
    """The budget, in a fixed number of queries.

    Parameters
    ----------
    study, pay
        A study and its pay.
    newcomer_pages : int
        How many pages a new rater can expect, checks included.
    earned : mapping of str to Earning, optional
        The result of `earnings`, if known.
    """
    sums = sums_by_state(study, pay.currency)
    found = earnings(study, pay) if earned is None else earned
    rest = unpaid(found, covered_by_payments(study, pay.currency))
    owed = sum(one.total for one in rest.values()) + sum(sums.get(state, 0) for state in OPEN)
    by_page = pay.paid_for == PayFor.PAGE
    to_come = pages_to_come(study) if by_page and not study.source else None
    at_most = None if to_come is None else pay.amount * to_come.most
    reserved = Decimal(0) if study.state == StudyState.CLOSED else pay.amount * _units_reserved(study, pay)
    return Budget(
        total=pay.budget,
        spent=from_minor(spent(sums), pay.currency),
        owed=from_minor(owed, pay.currency),
        reserved=reserved if at_most is None else min(reserved, at_most),
        to_finish=None if to_come is None else pay.amount * to_come.expected,
        at_most=at_most,
        one_more=pay.amount * (newcomer_pages if by_page else 1),
    )


def _units_reserved(study: Study, pay: Pay) -> int:
    """Pages that raters who have begun can still save; or these raters, where a page is not what is paid."""
    working = begun_raters(study).exclude(state__in=ENDED)
    if pay.paid_for != PayFor.PAGE:
        return working.count()
    paid_pages = Q(
        assignments__purpose__in=[Purpose.MAIN, Purpose.CHECK], assignments__submitted_at__isnull=False
    )
    each = working.order_by().annotate(saved=Count("assignments", filter=paid_pages))
    left = each.annotate(left=Greatest(F("target") - F("saved"), 0)).aggregate(sum=Sum("left"))
    return left["sum"] or 0
