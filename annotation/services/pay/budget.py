"""The budget of a study."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import MOST_BUDGET
from annotation.domain.base.messages import message
from annotation.models import Pay, Study, User
from annotation.selectors.pay.costs import pay_of
from annotation.services.base import audit


def set_budget(*, study: Study, actor: User, budget: Decimal | None) -> Pay:
    """Set the budget of a study, in the currency of its pay; None removes it.

    Parameters
    ----------
    study, actor
        A study in any state, and who decides.
    budget : Decimal or None
        At least 0. If it does not cover another rater, no new rater is admitted; raters who have begun go on.

    Raises
    ------
    NotAllowedNow
        `no_pay`: the study's currency is not set yet.
    InvalidContent
        `bad_budget`: the budget is negative or too large.
    """
    if budget is not None and not 0 <= budget <= MOST_BUDGET:
        sentence = message("Enter a budget between 0 and %(most)s.", most=MOST_BUDGET)
        raise InvalidContent(sentence, code="bad_budget", fields={"budget": sentence})
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        pay = pay_of(study)
        if pay is None:
            raise NotAllowedNow(message("Set the pay rate first. A budget needs a currency."), code="no_pay")
        pay.budget = budget
        pay.save(update_fields=["budget"])
        audit.record(
            study=study, actor=actor, act="set_budget", budget=None if budget is None else str(budget)
        )
    return pay
