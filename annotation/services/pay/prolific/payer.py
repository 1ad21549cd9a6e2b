"""Prolific as a service that pays: bonuses and top-ups, each batch at most once.

Prolific sets up a batch of bonuses by one call, which pays nothing, and pays it by another, which pays
again whenever it is repeated. So the number of a batch is stored and committed between the two, in a row
that can be written once: a worker that takes over, and one that was suspended and goes on, cannot both
have it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
            failed, people = _by_person(batch, client, row)
            if not people:
                return failed
            before = _before(people, client)
            lines = [(one.submissions[-1], one.amount()) for one in people]
            number = client.prepare_bonuses(row.number, lines)
        except GroundworkError as fault:
            _give_up(stored)
            return _all(batch.lines, Outcome(False, reason=fault.message))
        if not _claim(stored, number, before):
            return _all(batch.lines, Outcome(False, reason=NOT_PAID))
        return {**failed, **_pay(client, number, [line for one in people for line in one.lines])}

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
            _, people = _by_person(batch, client, row)
            return _seen(people, outside, client)
        except GroundworkError as fault:
            raise OutcomeUnknown(fault.message) from fault


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


def _by_person(batch: Batch, client: Prolific, row: ProlificStudy) -> tuple[Outcomes, list[_Person]]:
    """The lines by person, and the outcomes of those that cannot be sent."""
    wanted = {one.recipient for one in batch.lines if one.recipient}
    submissions: dict[str, list[str]] = defaultdict(list)
    for found in client.submissions(row.number):
        if found.person in wanted:
            submissions[found.person].append(found.number)
    failed: Outcomes = {}
    people: dict[str, _Person] = {}
    for one in batch.lines:
        if one.currency not in CURRENCIES:
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


def _seen(people: Sequence[_Person], outside: OutsideBatch, client: Prolific) -> Outcomes:
    """Confirm what is owed to each person whose submissions show the sum beyond what they had before."""
    outcomes: Outcomes = {}
    for one in people:
        before = outside.before.get(one.payments()[0])
        if before is None:
            continue
        added = Counter(one.bonuses(client)) - Counter(before)
        if added[round(one.total() * 100)]:
            outcomes |= _all(one.lines, Outcome(True, reference=outside.number))
    return outcomes


def _all(lines: Sequence[Line], outcome: Outcome) -> Outcomes:
    return {one.payment: outcome for one in lines}
