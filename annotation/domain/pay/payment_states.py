"""The states of a payment, and the moves between them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from annotation.domain.base.messages import message


class PaymentKind(StrEnum):
    """What a payment is for: the pay rate, the top-up to the minimum hourly rate, or a bonus."""

    BASE = "base"
    TOP_UP = "top_up"
    BONUS = "bonus"


class PaymentState(StrEnum):
    DUE = "due"
    APPROVED = "approved"
    SENT = "sent"
    IN_DOUBT = "in_doubt"
    CONFIRMED = "confirmed"
    FAILED = "failed"
    CANCELLED = "cancelled"


PAYMENT_STATES: Mapping[str, str] = {
    PaymentState.DUE: message("due"),
    PaymentState.APPROVED: message("approved"),
    PaymentState.SENT: message("sent"),
    PaymentState.IN_DOUBT: message("in doubt"),
    PaymentState.CONFIRMED: message("confirmed"),
    PaymentState.FAILED: message("failed"),
    PaymentState.CANCELLED: message("cancelled"),
}

# From each state, those that may follow. A payment that was made outside begins as confirmed. A payment in
# doubt can only be confirmed or fail: it is never sent again.
MOVES: Mapping[str, frozenset[PaymentState]] = {
    "": frozenset({PaymentState.DUE, PaymentState.CONFIRMED}),
    PaymentState.DUE: frozenset({PaymentState.APPROVED, PaymentState.CANCELLED}),
    PaymentState.APPROVED: frozenset({PaymentState.SENT, PaymentState.CANCELLED}),
    PaymentState.SENT: frozenset({PaymentState.CONFIRMED, PaymentState.FAILED, PaymentState.IN_DOUBT}),
    PaymentState.IN_DOUBT: frozenset({PaymentState.CONFIRMED, PaymentState.FAILED}),
    PaymentState.FAILED: frozenset({PaymentState.APPROVED, PaymentState.CANCELLED}),
    PaymentState.CONFIRMED: frozenset(),
    PaymentState.CANCELLED: frozenset(),
}
USUAL_FIRST = (
    PaymentState.DUE,
    PaymentState.APPROVED,
    PaymentState.SENT,
    PaymentState.CONFIRMED,
    PaymentState.FAILED,
    PaymentState.IN_DOUBT,
    PaymentState.CANCELLED,
)
# The money has left, or may have left.
SPENT = (PaymentState.SENT, PaymentState.IN_DOUBT, PaymentState.CONFIRMED)
# A study member has to act before the payment is made.
OPEN = (PaymentState.DUE, PaymentState.APPROVED, PaymentState.FAILED)
# The payment may still be made, or its result is not known yet.
UNFINISHED = (*OPEN, PaymentState.SENT, PaymentState.IN_DOUBT)


def following(state: str) -> list[PaymentState]:
    """The states that may follow, the usual next one first and cancelling last."""
    return sorted(MOVES[state], key=USUAL_FIRST.index)


def may_move(before: str, after: PaymentState) -> bool:
    """Whether a payment in one state can go to another."""
    return after in MOVES[before]


def attempt_after(before: str, after: PaymentState, attempt: int) -> int:
    """The number of the attempt: approving a failed payment again begins the next one."""
    return attempt + 1 if (before, after) == (PaymentState.FAILED, PaymentState.APPROVED) else attempt
