"""Results of payments from a file: which were made, and which failed; all rows or none."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.limits import LONGEST_PAYMENT_NOTE, LONGEST_PAYMENT_REFERENCE
from annotation.domain.base.messages import message
from annotation.domain.pay.minor_units import from_minor
from annotation.domain.pay.payment_states import PAYMENT_STATES, PaymentState, may_move
from annotation.io.base.file_errors import Problems, refuse_missing_columns
from annotation.io.base.readers import read_rows
from annotation.models import Payment, PaymentList, Upload, User
from annotation.selectors.pay.late_requests import ARRIVES_WITHIN, may_still_be_made
from annotation.selectors.pay.payments import with_state
from annotation.services.base import audit
from annotation.services.base.uploads.senders import check_manager
from annotation.services.pay.payment_entries import add_entries, lock_ledger

RESULTS = (PaymentState.CONFIRMED, PaymentState.FAILED)
Cells = Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """The result of one payment, from a row of the file."""

    payment: Payment
    state: PaymentState
    reference: str
    note: str


def import_payment_results(
    *, payment_list: PaymentList, actor: User, path: Path, name: str = ""
) -> dict[str, int]:
    """Confirm or fail the payments that a file names; the same file again changes nothing.

    Parameters
    ----------
    payment_list, actor
        A list, and who imports.
    path, name
        The file, and what messages call it. Columns: `payment` and `state` (`confirmed` or `failed`), and
        `reference` and `note`, if any. `amount` and `attempt`, where they are there, must be those of the
        ledger, so that the exported table can be filled in. A payment that was tried again needs `attempt`:
        without it, an old file would report the earlier attempt as the present one.

    Returns
    -------
    dict of str to int
        `confirmed`, `failed` and `unchanged`: how many payments.

    Raises
    ------
    FileRefused
        Names every row and column that cannot be taken; nothing was stored.
    """
    name = name or path.name
    rows = read_rows(path, name=name)
    refuse_missing_columns(name, rows, ("payment", "state"))
    problems = Problems(name)
    with transaction.atomic():
        lock_ledger(payment_list.study)
        payments = {str(one.key): one for one in with_state(payment_list.payments.all())}
        seen: dict[str, int] = {}
        read = [_read(number, cells, payments, seen, problems) for number, cells in rows]
        problems.refuse_if_any()
        results = {number: one for (number, _), one in zip(rows, read, strict=True) if one is not None}
        _refuse_early(results, problems)
        counts = _store(list(results.values()), actor)
        audit.record(
            study=payment_list.study,
            actor=actor,
            act="import_payment_results",
            list=payment_list.number,
            **counts,
        )
    return counts


def take_payment_results(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Store the results of a sent file, as `import_payment_results`.

    Parameters
    ----------
    upload, path
        With the list among its options, and where the file is.

    Raises
    ------
    GroundworkError
        `sender_without_role`: who sent the file does not manage the study any more.
    """
    payment_list = PaymentList.objects.select_related("study").get(
        study=upload.study, pk=upload.options["list"]
    )
    check_manager(payment_list.study, upload.created_by)
    return dict(
        import_payment_results(
            payment_list=payment_list, actor=upload.created_by, path=path, name=upload.name
        )
    )


def _store(results: list[Result], actor: User) -> dict[str, int]:
    alike: dict[tuple[PaymentState, str, str], list[Payment]] = defaultdict(list)
    counts = {"confirmed": 0, "failed": 0, "unchanged": 0}
    for one in results:
        if one.payment.state == one.state:
            counts["unchanged"] += 1
            continue
        alike[one.state, one.reference, one.note].append(one.payment)
        counts[one.state.value] += 1
    for (state, reference, note), payments in alike.items():
        add_entries(payments, state, actor=actor, reference=reference, note=note)
    return counts


def _read(
    number: int, cells: Cells, payments: Mapping[str, Payment], seen: dict[str, int], problems: Problems
) -> Result | None:
    key = _text(cells, "payment")
    payment = payments.get(_as_key(key))
    if payment is None:
        problem = message("no payment of this list has the ID %(key)s", key=repr(key))
        problems.add(number, "payment", "unknown_payment", problem)
        return None
    first = seen.setdefault(str(payment.key), number)
    if first != number:
        problem = message("the payment is in row %(row)d already", row=first)
        problems.add(number, "payment", "doubled_payment", problem)
    state = _text(cells, "state")
    if state not in RESULTS:
        problem = message("%(state)s is no result; write confirmed or failed", state=repr(state))
        problems.add(number, "state", "unknown_state", problem)
        return None
    _check_agreement(number, cells, payment, problems)
    result = Result(payment, PaymentState(state), _text(cells, "reference"), _text(cells, "note"))
    _check_result(number, result, problems)
    return result


def _refuse_early(results: Mapping[int, Result], problems: Problems) -> None:
    """Refuse that payments failed which a service may still make."""
    late = may_still_be_made([one.payment for one in results.values()])
    for number, one in results.items():
        if one.state == PaymentState.FAILED != one.payment.state and one.payment.pk in late:
            problem = message(
                "the service may still make this payment; import the result %(n)d minutes after "
                "its job ended",
                n=ARRIVES_WITHIN.seconds // 60,
            )
            problems.add(number, "state", "may_still_be_made", problem)
    problems.refuse_if_any()


def _check_result(number: int, result: Result, problems: Problems) -> None:
    current = result.payment.state
    if current != result.state and not may_move(current, result.state):
        problem = message(
            "the payment is %(before)s and cannot become %(after)s",
            before=PAYMENT_STATES[current],
            after=PAYMENT_STATES[result.state],
        )
        problems.add(number, "state", "not_from_here", problem)
    for column, text, most in (
        ("reference", result.reference, LONGEST_PAYMENT_REFERENCE),
        ("note", result.note, LONGEST_PAYMENT_NOTE),
    ):
        if len(text) > most:
            problems.add(number, column, "too_long", message("more than %(n)d characters", n=most))


def _check_agreement(number: int, cells: Cells, payment: Payment, problems: Problems) -> None:
    """Refuse rows whose repeated values differ from the ledger."""
    amount = from_minor(payment.amount, payment.currency)
    if _text(cells, "amount") and _number(cells, "amount") != amount:
        problem = message("the amount of the payment is %(amount)s", amount=amount)
        problems.add(number, "amount", "other_amount", problem)
    attempt, given = payment.attempt, _text(cells, "attempt")
    if given and _number(cells, "attempt") != attempt:
        problem = message("the payment is at attempt %(attempt)d", attempt=attempt)
        problems.add(number, "attempt", "other_attempt", problem)
    elif not given and attempt > 1:
        problem = message(
            "the payment was tried again: enter the number of the attempt that the result is for"
        )
        problems.add(number, "attempt", "attempt_needed", problem)


def _text(cells: Cells, column: str) -> str:
    found = cells.get(column)
    return "" if found is None else str(found).strip()


def _number(cells: Cells, column: str) -> Decimal | None:
    try:
        number = Decimal(_text(cells, column))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _as_key(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return ""
