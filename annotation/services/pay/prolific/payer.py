"""Prolific as a service that pays: bonuses and top-ups, each batch at most once.

Prolific sets up a batch of bonuses by one call, which pays nothing, and pays it by another, which pays
again whenever it is repeated. So the number of a batch is stored and committed between the two, in a row
that can be written once: a worker that takes over, and one that was suspended and goes on, cannot both
have it. The payments are looked at again when the paying call is connected and before it is sent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from uuid import UUID

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import OFFERS
from annotation.io.pay.crowd import Unknown
from annotation.io.pay.prolific import Prolific
from annotation.models import CrowdStudy, OutsideBatch, PaymentBatch
from annotation.services.pay.crowd.batches import NO_SUBMISSION, NOT_PAID, all_of, claim, give_up
from annotation.services.pay.crowd.bonuses import KINDS
from annotation.services.pay.crowd.clients import prolific_with
from annotation.services.pay.crowd.connection import token_of
from annotation.services.pay.crowd.outside_studies import outside_study
from annotation.services.pay.payers import Batch, Line, Outcome, OutcomeUnknown, TakenOver

CURRENCY = "Not sent: Prolific pays in GBP or USD."
CHANGED = "Not paid: a payment of the batch was changed before Prolific was called."

Outcomes = dict[UUID, Outcome]


class ProlificPayer:
    """Pays top-ups and bonuses of raters from Prolific; the reward is paid by approving a submission."""

    platform = Platform.PROLIFIC
    kinds = KINDS

    def send(self, batch: Batch) -> Outcomes:
        """Set up the bonuses of a batch, store the number of the batch, and pay it.

        Until the number is stored, nothing can have been paid: whatever goes wrong, the payments failed.

        Raises
        ------
        OutcomeUnknown
            No answer shows whether the batch was paid.
        """
        stored = PaymentBatch.objects.select_related("study").get(key=batch.key)
        try:
            client, row = _client(stored), outside_study(stored.study, self.platform)
            failed, people = _by_person(batch, client, row)
            if not people:
                return failed
            before = _before(people, client)
            lines = [(one.submissions[-1], one.amount()) for one in people]
            number = client.prepare_bonuses(row.number, lines)
        except GroundworkError as fault:
            give_up(stored)
            return all_of(batch.lines, Outcome(False, reason=fault.message))
        if not claim(stored, number, before):
            return all_of(batch.lines, Outcome(False, reason=NOT_PAID))
        return {**failed, **_pay(client, number, batch, [line for one in people for line in one.lines])}

    def read_back(self, batch: Batch) -> Outcomes:
        """Look for the bonuses of a batch on the submissions; this pays nothing.

        A batch without a number was not paid, and is given up here, so that it never will be. A bonus that
        the submission does not show yet may still come: it has no outcome yet.

        Raises
        ------
        OutcomeUnknown
            The submissions cannot be read.
        """
        stored = PaymentBatch.objects.select_related("study").get(key=batch.key)
        outside = give_up(stored)
        if not outside.number:
            return all_of(batch.lines, Outcome(False, reason=NOT_PAID))
        try:
            client, row = _client(stored), outside_study(stored.study, self.platform)
            _, people = _by_person(batch, client, row)
            return _seen(people, outside, client)
        except GroundworkError as fault:
            raise OutcomeUnknown(fault.message) from fault


def _client(stored: PaymentBatch) -> Prolific:
    return prolific_with(token_of(stored.study, Platform.PROLIFIC))


@dataclass
class _Person:
    """A person with their submissions, the latest last, and what they are owed: one bonus on Prolific."""

    submissions: list[str]
    lines: list[Line]

    def payments(self) -> list[str]:
        return [str(one.payment) for one in self.lines]

    def total(self) -> Decimal:
        return sum((one.amount for one in self.lines), Decimal(0))

    def amount(self) -> str:
        return f"{self.total():.2f}"

    def bonuses(self, client: Prolific) -> list[int]:
        """The bonuses that were paid on all submissions of the person, in cents."""
        return [cents for number in self.submissions for cents in client.bonuses_of(number)]


def _by_person(batch: Batch, client: Prolific, row: CrowdStudy) -> tuple[Outcomes, list[_Person]]:
    """The lines by person, and the outcomes of those that cannot be sent."""
    wanted = {one.recipient for one in batch.lines if one.recipient}
    submissions: dict[str, list[str]] = defaultdict(list)
    for found in client.submissions(row.number):
        if found.person in wanted:
            submissions[found.person].append(found.number)
    failed: Outcomes = {}
    people: dict[str, _Person] = {}
    for one in batch.lines:
        if one.currency not in OFFERS[Platform.PROLIFIC].currencies:
            failed[one.payment] = Outcome(False, reason=CURRENCY)
        elif one.recipient not in submissions:
            failed[one.payment] = Outcome(False, reason=NO_SUBMISSION)
        else:
            person = people.setdefault(one.recipient, _Person(submissions[one.recipient], []))
            person.lines.append(one)
    return failed, list(people.values())


def _before(people: Sequence[_Person], client: Prolific) -> dict[str, list[int]]:
    """By payment, what its recipient was paid until now."""
    found: dict[str, list[int]] = {}
    for one in people:
        found |= dict.fromkeys(one.payments(), one.bonuses(client))
    return found


def _pay(client: Prolific, number: str, batch: Batch, lines: Sequence[Line]) -> Outcomes:
    """Call once. Prolific pays accepted bonuses later, so only reading back confirms them."""
    try:
        client.pay_bonuses(number, check=partial(batch.check, lines))
    except TakenOver:
        return all_of(lines, Outcome(False, reference=number, reason=CHANGED))
    except Unknown as fault:
        raise OutcomeUnknown(fault.message) from fault
    except GroundworkError as fault:
        return all_of(lines, Outcome(False, reference=number, reason=fault.message))
    return all_of(lines, Outcome(None, reference=number))


def _seen(people: Sequence[_Person], outside: OutsideBatch, client: Prolific) -> Outcomes:
    """Confirm what is owed to each person whose submissions show the sum beyond what they had before."""
    outcomes: Outcomes = {}
    for one in people:
        before = outside.before.get(one.payments()[0])
        if before is None:
            continue
        added = Counter(one.bonuses(client)) - Counter(before)
        if added[round(one.total() * 100)]:
            outcomes |= all_of(one.lines, Outcome(True, reference=outside.number))
    return outcomes
