"""Payment lists as files, for a bank or a crowd platform."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import PaymentKind, PaymentState
from annotation.domain.pay.wages import BonusLayout
from annotation.models import AuditEntry, Bonus, Payment, PaymentList, PlatformIdentity, User
from annotation.selectors.base.table_types import Table
from annotation.selectors.pay.payments import DOWNLOAD, last_download, with_state
from annotation.selectors.people.platform_ids import identities_of
from annotation.services.base import audit
from annotation.services.pay.payment_entries import lock_ledger

PLATFORMS = {BonusLayout.PROLIFIC: Platform.PROLIFIC, BonusLayout.MTURK: Platform.MTURK}
COLUMNS = {
    BonusLayout.TABLE: (
        *("payment", "list", "rater", "kind", "amount", "currency", "attempt", "state", "reference"),
    ),
    BonusLayout.PROLIFIC: ("person", "amount"),
    BonusLayout.MTURK: ("WorkerId", "AssignmentId", "BonusAmount", "Reason"),
}
ID_COLUMNS = ("platform", "person", "session")
TOP_UP_REASON = "Top-up to the minimum hourly rate of this study."
BONUS_REASON = "Bonus for your work."


def export_payments(
    *,
    payment_list: PaymentList,
    actor: User,
    layout: BonusLayout,
    with_ids: bool,
    seen_download: int | None = None,
) -> Table:
    """Write a payment list as a table; its export is written to the audit log.

    If approved payments of the list were downloaded before and are not marked as sent, the log says when and
    by which member: two who download the same payments may both pay them.

    Parameters
    ----------
    payment_list, actor
        A list, and who exports.
    layout : BonusLayout
        The table has all payments with their states. A platform's list has the approved top-ups and bonuses
        of the raters who came from it, one row a rater; the platform itself pays what it announced.
    with_ids : bool
        Include the platform's IDs.
    seen_download : int or None
        The entry of the audit log with the last download that the member has seen.

    Raises
    ------
    NotAllowedNow
        `nobody_from_platform`: no approved top-up or bonus of the list is for a rater from the platform;
        `downloaded_before`: another member has downloaded the list, and this member has not seen it.
    InvalidContent
        `ids_needed`: a platform's list needs its IDs.
    """
    if layout is not BonusLayout.TABLE and not with_ids:
        raise InvalidContent(
            message("Crowd platforms need their own IDs. Include platform IDs or choose the table format."),
            code="ids_needed",
        )
    with transaction.atomic():
        lock_ledger(payment_list.study)
        before = last_download(payment_list)
        if before is not None and before.actor_id != actor.pk and before.pk != seen_download:
            raise NotAllowedNow(
                message(
                    "Another study member has downloaded payments of list %(number)d that are not marked as "
                    "sent. Check that they are not paid twice, then download the list again.",
                    number=payment_list.number,
                ),
                code="downloaded_before",
            )
        rows = _rows(payment_list, layout, with_ids=with_ids)
        audit.record(
            study=payment_list.study,
            actor=actor,
            act=DOWNLOAD,
            list=payment_list.number,
            layout=layout.value,
            platform_ids=with_ids,
            rows=len(rows),
            **_earlier(before),
        )
    columns = COLUMNS[layout] + (ID_COLUMNS if with_ids and layout is BonusLayout.TABLE else ())
    return columns, rows


def _rows(payment_list: PaymentList, layout: BonusLayout, *, with_ids: bool) -> list[dict[str, Any]]:
    payments = list(with_state(payment_list.payments.select_related("rater")))
    known = {one.rater.code: one for one in identities_of(payment_list.study)} if with_ids else {}
    if layout is BonusLayout.TABLE:
        return [_row(payment_list, one, known.get(one.rater.code)) for one in payments]
    rows = _for_platform(layout, payments, known)
    if not rows:
        raise NotAllowedNow(
            message("No approved top-up or bonus of this list is for a rater from this platform."),
            code="nobody_from_platform",
        )
    return rows


def _earlier(before: AuditEntry | None) -> dict[str, str]:
    """For the log: when approved payments were downloaded before, and the account that did so."""
    if before is None:
        return {}
    moment = before.created_at.isoformat(timespec="seconds")
    return {"downloaded_before": moment, "member": before.actor.email if before.actor else ""}


def _row(payment_list: PaymentList, payment: Payment, identity: PlatformIdentity | None) -> dict[str, Any]:
    return {
        "payment": str(payment.key),
        "list": payment_list.number,
        "rater": payment.rater.code,
        "kind": payment.kind,
        "amount": str(from_minor(payment.amount, payment.currency)),
        "currency": payment.currency,
        "attempt": payment.attempt,
        "state": payment.state,
        "reference": payment.reference,
        "platform": identity.platform if identity else "",
        "person": identity.person if identity else "",
        "session": identity.session if identity else "",
    }


def _for_platform(
    layout: BonusLayout, payments: Sequence[Payment], known: Mapping[str, PlatformIdentity]
) -> list[dict[str, Any]]:
    """The approved payments only, so that none that was sent or is in doubt is paid again."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    kinds: dict[str, set[str]] = defaultdict(set)
    for one in payments:
        identity = known.get(one.rater.code)
        if identity is None or identity.platform != PLATFORMS[layout] or one.kind == PaymentKind.BASE:
            continue
        if one.state == PaymentState.APPROVED:
            sums[one.rater.code] += from_minor(one.amount, one.currency)
            kinds[one.rater.code].add(one.kind)
    if layout is BonusLayout.PROLIFIC:
        return [{"person": known[code].person, "amount": str(amount)} for code, amount in sums.items()]
    identities = [known[code].rater_id for code in sums]
    notes = dict(Bonus.objects.filter(rater__in=identities).values_list("rater__code", "note"))
    return [
        {
            "WorkerId": known[code].person,
            "AssignmentId": known[code].session,
            "BonusAmount": str(amount),
            "Reason": notes.get(code) or _reason(kinds[code]),
        }
        for code, amount in sums.items()
    ]


def _reason(kinds: set[str]) -> str:
    if len(kinds) > 1:
        return f"{TOP_UP_REASON} {BONUS_REASON}"
    return BONUS_REASON if PaymentKind.BONUS in kinds else TOP_UP_REASON
