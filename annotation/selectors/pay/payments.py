"""Payments of the ledger with their current states, one by one and by list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Count, Min, OuterRef, Prefetch, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from annotation.domain.base.states import RaterState
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import SPENT, PaymentState
from annotation.models import AuditEntry, Payment, PaymentEntry, PaymentList, PlatformIdentity, Rater, Study

# The act by which a payment list is downloaded.
DOWNLOAD = "export_payments"


def with_state(payments: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate payments with their current `state` and `attempt`, and the latest `reference` of the attempt.

    The reference stays with the payment when it is confirmed without another one.
    """
    latest = PaymentEntry.objects.filter(payment=OuterRef("pk")).order_by("-number")
    current = payments.annotate(
        state=Subquery(latest.values("state")[:1]),
        attempt=Subquery(latest.values("attempt")[:1]),
    )
    referred = latest.filter(attempt=OuterRef("attempt")).exclude(reference="")
    found: QuerySet[Any] = current.annotate(
        reference=Coalesce(Subquery(referred.values("reference")[:1]), Value(""))
    )
    return found


@dataclass
class ListSummary:
    """A payment list with its sums; by state, `states` has the number and `sums` the sum of the payments."""

    payment_list: PaymentList
    currency: str = ""
    amount: int = 0
    raters: int = 0
    approved_by: str = ""
    states: dict[str, int] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=dict)

    @property
    def payments(self) -> int:
        return sum(self.states.values())

    def has(self, *states: PaymentState) -> bool:
        """Whether payments are in one of these states."""
        return self.count(*states) > 0

    def count(self, *states: PaymentState) -> int:
        """The number of payments in these states."""
        return sum(self.states.get(state, 0) for state in states)

    def total(self, *states: PaymentState) -> Decimal:
        """The sum of the payments in these states."""
        return from_minor(sum(self.sums.get(state, 0) for state in states), self.currency)


def list_summaries(lists: QuerySet[PaymentList] | list[PaymentList]) -> list[ListSummary]:
    """Payment lists with their sums, in a fixed number of queries."""
    found = {one.pk: ListSummary(one) for one in lists}
    of_lists = Payment.objects.filter(payment_list__in=list(found)).order_by()
    sums = of_lists.values_list("payment_list", "currency")
    for pk, currency, amount, raters in sums.annotate(Sum("amount"), Count("rater", distinct=True)):
        one = found[pk]
        one.currency, one.amount, one.raters = currency, amount, raters
    states = with_state(of_lists).values_list("payment_list", "state").annotate(Count("pk"), Sum("amount"))
    for pk, state, count, amount in states:
        found[pk].states[state], found[pk].sums[state] = count, amount
    approvals = PaymentEntry.objects.filter(
        payment__payment_list__in=list(found), state=PaymentState.APPROVED, actor__isnull=False
    )
    named = approvals.order_by("pk").values_list("payment__payment_list", "actor__name", "actor__email")
    for pk, name, email in named.distinct():
        found[pk].approved_by = name or email
    return [found[one.pk] for one in lists]


def payments_of(payment_list: PaymentList) -> QuerySet[Payment]:
    """The payments of a list by rater, each with its state and its history in `history`."""
    history = PaymentEntry.objects.select_related("actor").order_by("number")
    found = with_state(payment_list.payments.select_related("rater"))
    return found.prefetch_related(Prefetch("entries", history, to_attr="history"))


def last_download(payment_list: PaymentList) -> AuditEntry | None:
    """The last download of a list since payments were approved that are not marked as sent yet, if any."""
    latest = PaymentEntry.objects.filter(payment=OuterRef("pk")).order_by("-number")
    approved = with_state(payment_list.payments.all()).filter(state=PaymentState.APPROVED)
    since = approved.annotate(since=Subquery(latest.values("at")[:1]))
    first = since.aggregate(first=Min("since"))["first"]
    if first is None:
        return None
    downloads = AuditEntry.objects.filter(
        study=payment_list.study_id, act=DOWNLOAD, detail__list=payment_list.number, created_at__gte=first
    )
    return downloads.select_related("actor").order_by("-created_at", "-pk").first()


def raters_to_note(raters: Sequence[int]) -> dict[int, str]:
    """Those of the raters who have withdrawn or are excluded: `withdrawn` or `excluded`, by primary key."""
    found = Rater.objects.filter(pk__in=raters)
    excluded = found.filter(exclusions__lift__isnull=True, exclusions__isnull=False)
    withdrawn = found.filter(state=RaterState.WITHDRAWN)
    return {
        **dict.fromkeys(excluded.values_list("pk", flat=True), "excluded"),
        **dict.fromkeys(withdrawn.values_list("pk", flat=True), "withdrawn"),
    }


@dataclass(frozen=True)
class ByService:
    """Payments of a list that a service can make, their sum, those that wait, and those without a result."""

    payments: int
    total: Decimal
    waiting: int
    unknown: int


def payable_by(
    payment_list: PaymentList, *, payer: str, platform: str, kinds: Collection[str]
) -> QuerySet[Payment]:
    """The approved payments of a list that a service can make now.

    Parameters
    ----------
    payment_list, payer, platform
        The list, the key of the service, and the platform of its raters.
    kinds : collection of str
        What the service pays.
    """
    approved = _approved_for(payment_list, platform, kinds)
    # Two payments to one person could not be distinguished while the first has no outcome.
    waits = _without_outcome(payer).filter(study=payment_list.study_id).values_list("rater", flat=True)
    return approved.exclude(rater__in=list(waits))


def by_service(payment_list: PaymentList, *, payer: str, platform: str, kinds: Collection[str]) -> ByService:
    """What a service can pay of a list; parameters as of `payable_by`."""
    found = list(payable_by(payment_list, payer=payer, platform=platform, kinds=kinds))
    return ByService(
        payments=len(found),
        total=total_of(found),
        waiting=_approved_for(payment_list, platform, kinds).count() - len(found),
        unknown=_without_outcome(payer).filter(payment_list=payment_list).count(),
    )


def total_of(payments: Sequence[Payment]) -> Decimal:
    """The sum of payments in one currency."""
    return sum((from_minor(one.amount, one.currency) for one in payments), Decimal(0))


def _approved_for(payment_list: PaymentList, platform: str, kinds: Collection[str]) -> QuerySet[Payment]:
    known = PlatformIdentity.objects.filter(
        study=payment_list.study_id, platform=platform, erased_at=None
    ).values("rater")
    payments = with_state(payment_list.payments.filter(kind__in=list(kinds), rater__in=known))
    return payments.filter(state=PaymentState.APPROVED)


def _without_outcome(payer: str) -> QuerySet[Payment]:
    """Payments that a service was sent and whose result is not known."""
    sent = Payment.objects.filter(entries__batch__payer=payer).distinct()
    return with_state(sent).filter(state__in=(PaymentState.SENT, PaymentState.IN_DOUBT))


def outside_payments(study: Study) -> QuerySet[Payment]:
    """Payments that were made outside, the latest first."""
    found = with_state(Payment.objects.filter(study=study, payment_list=None).select_related("rater"))
    history = PaymentEntry.objects.select_related("actor").order_by("number")
    return found.prefetch_related(Prefetch("entries", history, to_attr="history")).order_by("-pk")


def sums_by_state(study: Study, currency: str) -> Mapping[str, int]:
    """By state, the sum of the payments in a currency."""
    payments = with_state(Payment.objects.filter(study=study, currency=currency)).order_by()
    return dict(payments.values_list("state").annotate(total=Sum("amount")))


def spent(sums: Mapping[str, int]) -> int:
    """The amount that was paid, or may have been paid."""
    return sum(sums.get(state, 0) for state in SPENT)


def totals_for_log(study: Study) -> dict[str, str]:
    """By currency, what the ledger has as confirmed, for the log of the installation: no person is in it."""
    payments = with_state(Payment.objects.filter(study=study)).filter(state=PaymentState.CONFIRMED).order_by()
    sums = payments.values_list("currency").annotate(total=Sum("amount"))
    return {currency: str(from_minor(total, currency)) for currency, total in sums}
