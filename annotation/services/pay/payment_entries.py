"""Entries of the ledger: what every act about payments adds."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_PAYMENT_NOTE, LONGEST_PAYMENT_REFERENCE
from annotation.domain.base.messages import message
from annotation.domain.pay.payment_states import PAYMENT_STATES, PaymentState, attempt_after, may_move
from annotation.models import Payment, PaymentBatch, PaymentEntry, Study, User


def lock_ledger(study: Study) -> None:
    """Let one act at a time change the ledger of a study; locked until the caller's transaction ends.

    Parameters
    ----------
    study : Study
        Study of the ledger.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def first_entries(
    payments: Sequence[Payment],
    state: PaymentState,
    *,
    actor: User | None,
    reference: str = "",
    note: str = "",
) -> None:
    """Add the first entry of new payments: due, or confirmed where they were made outside.

    Parameters
    ----------
    payments, state, actor
        New payments, their first state, and the member who enters them.
    reference, note : str
        As in `PaymentEntry`.
    """
    PaymentEntry.objects.bulk_create(
        PaymentEntry(payment=one, number=1, state=state.value, actor=actor, reference=reference, note=note)
        for one in payments
    )


def add_entries(
    payments: Sequence[Payment],
    state: PaymentState,
    *,
    actor: User | None,
    reference: str = "",
    note: str = "",
    batch: PaymentBatch | None = None,
) -> None:
    """Bring payments to a state; the caller has locked the ledger and read them with their current states.

    Parameters
    ----------
    payments, state, actor
        Payments of `with_state`, the state, and the member who sets it; None for a job.
    reference, note : str
        As in `PaymentEntry`.
    batch : PaymentBatch or None
        The call by which they are sent.

    Raises
    ------
    NotAllowedNow
        `not_from_here`: a payment cannot go to this state.
    """
    latest = {
        entry.payment_id: entry
        for entry in PaymentEntry.objects.filter(payment__in=payments).order_by("number")
    }
    rows = []
    for one in payments:
        before = latest[one.pk]
        if not may_move(before.state, state):
            sentence = message(
                "A payment that is %(before)s cannot become %(after)s.",
                before=PAYMENT_STATES[before.state],
                after=PAYMENT_STATES[state],
            )
            raise NotAllowedNow(sentence, code="not_from_here")
        rows.append(
            PaymentEntry(
                payment=one,
                number=before.number + 1,
                previous=before.state,
                state=state.value,
                attempt=attempt_after(before.state, state, before.attempt),
                reference=reference,
                note=note,
                batch=batch,
                actor=actor,
            )
        )
    PaymentEntry.objects.bulk_create(rows)


def check_words(reference: str, note: str, *, needs_reference: bool) -> None:
    """Refuse a missing reference, and texts that are too long.

    Parameters
    ----------
    reference, note : str
        As in `PaymentEntry`.
    needs_reference : bool
        Whether a reference has to be given.

    Raises
    ------
    InvalidContent
        `bad_payment`: `fields` says what is wrong.
    """
    problems = {}
    if needs_reference and not reference.strip():
        problems["reference"] = message(
            "Enter the reference under which the bank or platform knows the payment."
        )
    if len(reference) > LONGEST_PAYMENT_REFERENCE:
        problems["reference"] = message(
            "Enter a reference of at most %(n)d characters.", n=LONGEST_PAYMENT_REFERENCE
        )
    if len(note) > LONGEST_PAYMENT_NOTE:
        problems["note"] = message("Enter a note of at most %(n)d characters.", n=LONGEST_PAYMENT_NOTE)
    if problems:
        raise InvalidContent(next(iter(problems.values())), code="bad_payment", fields=problems)
