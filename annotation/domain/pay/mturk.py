"""Mechanical Turk: what a HIT may be, and how our payments are recognised there (docs/mturk.md)."""

from __future__ import annotations

import re
from uuid import UUID

# A HIT of at most so many assignments costs less, and cannot be extended beyond them.
MOST_CHEAP_PLACES = 9
# IDs of HITs and assignments, and of workers.
ENTITY = re.compile(r"[A-Z0-9]{1,64}")
WORKER = re.compile(r"A[A-Z0-9]{1,63}")
# Statuses of assignments, and what they are called for all platforms.
STATUSES = {"Submitted": "AWAITING REVIEW", "Approved": "APPROVED", "Rejected": "REJECTED"}


def reference_of(payment: UUID, attempt: int) -> str:
    """The reference of one attempt of a payment on Mechanical Turk: in its request, and in its reason.

    Parameters
    ----------
    payment, attempt
        The key of the payment, and the number of the attempt.
    """
    return f"{payment.hex}-{attempt}"


def reason_with(reference: str) -> str:
    """The reason of a bonus, as the worker reads it.

    Parameters
    ----------
    reference : str
        As of `reference_of`.
    """
    return f"Thank you for your work. Reference {reference}"


def reference_in(reason: str) -> str:
    """The reference in the reason of a bonus; empty for bonuses that were not sent from here.

    Parameters
    ----------
    reason : str
        As Mechanical Turk has it.
    """
    found = re.search(r"\bReference ([0-9a-f]{32}-\d{1,9})\b", reason)
    return found[1] if found else ""
