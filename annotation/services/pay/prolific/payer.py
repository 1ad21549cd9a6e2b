"""Prolific as a service that pays: bonuses and top-ups, each batch at most once.

Prolific sets up a batch of bonuses by one call, which pays nothing, and pays it by another, which pays
again whenever it is repeated. So the number of a batch is stored and committed between the two, in a row
that can be written once: a worker that takes over, and one that was suspended and goes on, cannot both
have it.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.payment_states import PaymentKind
from annotation.domain.pay.prolific import CURRENCIES
from annotation.io.pay.prolific import Prolific, Unknown
from annotation.models import OutsideBatch, PaymentBatch, ProlificStudy
from annotation.services.pay.payers import Batch, Line, Outcome, OutcomeUnknown
from annotation.services.pay.prolific.connection import client_of
from annotation.services.pay.prolific.drafts import study_on_prolific

logger = logging.getLogger(__name__)

NO_SUBMISSION = "Not sent: this person has no submission in the study on Prolific."
NOT_PAID = "Not paid: the batch was given up before it was paid."
CURRENCY = "Not sent: Prolific pays in GBP or USD."

Outcomes = dict[UUID, Outcome]


class ProlificPayer:
    """Pays top-ups and bonuses of raters from Prolific; the reward is paid by approving a submission."""

    platform = Platform.PROLIFIC
    kinds = (PaymentKind.TOP_UP, PaymentKind.BONUS)

    def send(self, batch: Batch) -> Outcomes:
        """Set up the bonuses of a batch, store the number of the batch, and pay it.

        Until the number is stored, nothing can have been paid: whatever goes wrong, the payments failed.

        Raises
        ------
        OutcomeUnknown
            No answer says whether the batch is paid.
        """
        stored = PaymentBatch.objects.select_related("study").get(key=batch.key)
        try:
            client, row = client_of(stored.study), study_on_prolific(stored.study)
            failed, lines = _by_submission(batch, client, row)
            if not lines:
                return failed
            before = {number: client.bonuses_of(number) for number in lines}
            number = client.prepare_bonuses(row.number, _sums(lines))
        except GroundworkError as fault:
            _give_up(stored)
            return _all(batch.lines, Outcome(False, reason=fault.message))
        if not _claim(stored, number, before):
            return _all(batch.lines, Outcome(False, reason=NOT_PAID))
        return {**failed, **_pay(client, number, [one for group in lines.values() for one in group])}

    def read_back(self, batch: Batch) -> Outcomes:
        """Look for the bonuses of a batch on the submissions; this pays nothing.

        A batch without a number was not paid, and is given up here, so that it never will be. A bonus that
        the submission does not show yet may still come: nothing is said of it.

        Raises
        ------
        OutcomeUnknown
            The submissions cannot be read.
        """
        stored = PaymentBatch.objects.select_related("study").get(key=batch.key)
        outside = _give_up(stored)
        if not outside.number:
            return _all(batch.lines, Outcome(False, reason=NOT_PAID))
        try:
            client = client_of(stored.study)
            row = study_on_prolific(stored.study)
            _, lines = _by_submission(batch, client, row, among=outside.before)
            return _seen(lines, outside, client)
        except GroundworkError as fault:
            raise OutcomeUnknown(fault.message) from fault


def _by_submission(
    batch: Batch, client: Prolific, row: ProlificStudy, among: Container[str] | None = None
) -> tuple[Outcomes, dict[str, list[Line]]]:
    """The lines by submission, and the outcomes of those that cannot be sent.

    A person with several submissions is paid on the latest; `among` are those that a batch was made for.
    """
    people = {one.recipient for one in batch.lines if one.recipient}
    found = {
        one.person: one.number
        for one in client.submissions(row.number)
        if one.person in people and (among is None or one.number in among)
    }
    failed: Outcomes = {}
    lines: dict[str, list[Line]] = defaultdict(list)
    for one in batch.lines:
        if one.currency not in CURRENCIES:
            failed[one.payment] = Outcome(False, reason=CURRENCY)
        elif one.recipient not in found:
            failed[one.payment] = Outcome(False, reason=NO_SUBMISSION)
        else:
            lines[found[one.recipient]].append(one)
    return failed, dict(lines)


def _sums(lines: Mapping[str, Sequence[Line]]) -> list[tuple[str, str]]:
    """One amount for each submission: what a person is owed for several reasons is one bonus there."""
    return [(number, f"{_total(group):.2f}") for number, group in sorted(lines.items())]


def _total(group: Sequence[Line]) -> Decimal:
    return sum((one.amount for one in group), Decimal(0))


def _claim(stored: PaymentBatch, number: str, before: Mapping[str, list[int]]) -> bool:
    """Store the number of the batch; False if another worker has given the batch up meanwhile."""
    with transaction.atomic():
        fields = {"number": number, "before": dict(before)}
        _, is_new = OutsideBatch.objects.get_or_create(batch=stored, defaults=fields)
    return is_new


def _give_up(stored: PaymentBatch) -> OutsideBatch:
    """The number of a batch; where none is stored, no worker can store one after this."""
    with transaction.atomic():
        return OutsideBatch.objects.get_or_create(batch=stored)[0]


def _pay(client: Prolific, number: str, lines: Sequence[Line]) -> Outcomes:
    """Call once. What Prolific has taken it pays later, so that only reading back confirms it."""
    try:
        client.pay_bonuses(number)
    except Unknown as fault:
        raise OutcomeUnknown(fault.message) from fault
    except GroundworkError as fault:
        return _all(lines, Outcome(False, reference=number, reason=fault.message))
    return _all(lines, Outcome(None, reference=number))


def _seen(lines: Mapping[str, Sequence[Line]], outside: OutsideBatch, client: Prolific) -> Outcomes:
    """Confirm the lines of each submission that shows their sum beyond what it had before."""
    outcomes: Outcomes = {}
    for number, group in lines.items():
        added = Counter(client.bonuses_of(number)) - Counter(outside.before[number])
        if added[round(_total(group) * 100)]:
            outcomes |= _all(group, Outcome(True, reference=outside.number))
    return outcomes


def _all(lines: Sequence[Line], outcome: Outcome) -> Outcomes:
    return {one.payment: outcome for one in lines}
