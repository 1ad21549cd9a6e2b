"""Mechanical Turk as a service that pays: each top-up and bonus by one request with a reference of its own.

The reference is the token of the request, by which Mechanical Turk refuses a second payment for a day, and
it is in the reason of the bonus, by which the payment is found again. The batch is claimed before its first
request: a worker that takes over, and one that was suspended and goes on, cannot both pay it. A payment is
looked at again when its request is signed and before it is sent: from then on the request can be carried out
for some minutes only, and until they are over it is not known whether the payment failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from uuid import UUID

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import OFFERS
from annotation.domain.pay.mturk import reason_with, reference_in, reference_of
from annotation.io.pay.crowd import Unknown
from annotation.io.pay.mturk import MechanicalTurk
from annotation.models import PaymentBatch
from annotation.services.pay.crowd.batches import NO_SUBMISSION, NOT_PAID, all_of, claim, give_up
from annotation.services.pay.crowd.bonuses import KINDS
from annotation.services.pay.crowd.clients import mturk_with
from annotation.services.pay.crowd.connection import token_of
from annotation.services.pay.crowd.outside_studies import outside_study
from annotation.services.pay.payers import Batch, Line, Outcome, OutcomeUnknown, TakenOver

CURRENCY = "Not sent: Mechanical Turk pays in USD."
STOPPED = "Not sent: an earlier payment of the batch was not answered."

Outcomes = dict[UUID, Outcome]


class MturkPayer:
    """Pays top-ups and bonuses of workers; the reward is paid by approving an assignment."""

    platform = Platform.MTURK
    kinds = KINDS

    def send(self, batch: Batch) -> Outcomes:
        """Claim the batch, then send each bonus once, until one is not answered.

        Until the batch is claimed, nothing can have been paid: whatever goes wrong, the payments failed.
        """
        stored = PaymentBatch.objects.select_related("study").get(key=batch.key)
        try:
            client, row = _client(stored), outside_study(stored.study, self.platform)
            assignments = {one.person: one.number for one in client.submissions(row.number)}
        except GroundworkError as fault:
            give_up(stored)
            return all_of(batch.lines, Outcome(False, reason=fault.message))
        payable, outcomes = _payable(batch, assignments)
        if not payable:
            return outcomes
        if not claim(stored, str(batch.key), {}):
            return all_of(batch.lines, Outcome(False, reason=NOT_PAID))
        for number, line in enumerate(payable):
            try:
                outcomes |= _pay(client, batch, line, assignments[line.recipient])
            except Unknown:
                # This one is in doubt. Those after it were not sent.
                return outcomes | all_of(payable[number + 1 :], Outcome(False, reason=STOPPED))
        return outcomes

    def read_back(self, batch: Batch) -> Outcomes:
        """Look for the references of a batch in the bonuses that were paid; this pays nothing.

        A batch that was not claimed was not paid, and is given up here, so that it never will be. A bonus
        that the list does not show yet may still come: it has no outcome yet.

        Raises
        ------
        OutcomeUnknown
            The bonuses cannot be read.
        """
        stored = PaymentBatch.objects.select_related("study").get(key=batch.key)
        if not give_up(stored).number:
            return all_of(batch.lines, Outcome(False, reason=NOT_PAID))
        try:
            row = outside_study(stored.study, self.platform)
            paid = {reference_in(one.reason) for one in _client(stored).bonuses_of(row.number)}
        except GroundworkError as fault:
            raise OutcomeUnknown(fault.message) from fault
        references = {one.payment: reference_of(one.payment, one.attempt) for one in batch.lines}
        return {key: Outcome(True, reference=sent) for key, sent in references.items() if sent in paid}


def _client(stored: PaymentBatch) -> MechanicalTurk:
    return mturk_with(token_of(stored.study, Platform.MTURK))


def _payable(batch: Batch, assignments: Mapping[str, str]) -> tuple[list[Line], Outcomes]:
    """The lines that can be sent, and the outcomes of the others."""
    payable: list[Line] = []
    failed: Outcomes = {}
    for one in batch.lines:
        if one.currency not in OFFERS[Platform.MTURK].currencies:
            failed[one.payment] = Outcome(False, reason=CURRENCY)
        elif one.recipient not in assignments:
            failed[one.payment] = Outcome(False, reason=NO_SUBMISSION)
        else:
            payable.append(one)
    return payable, failed


def _pay(client: MechanicalTurk, batch: Batch, line: Line, assignment: str) -> Outcomes:
    """Send one bonus; an accepted one is only confirmed by reading it back."""
    reference = reference_of(line.payment, line.attempt)
    try:
        client.send_bonus(
            worker=line.recipient,
            assignment=assignment,
            amount=f"{line.amount:.2f}",
            reason=reason_with(reference),
            token=reference,
            check=partial(batch.check, [line]),
        )
    except TakenOver:
        return {}
    except Unknown:
        raise
    except GroundworkError as fault:
        return {line.payment: Outcome(False, reference=reference, reason=fault.message)}
    return {line.payment: Outcome(None, reference=reference)}
