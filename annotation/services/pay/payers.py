"""Services that make payments: what each of them has to do, and the registered ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from django.utils.module_loading import import_string

from annotation.domain.base.errors import GroundworkError, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.payment_states import PaymentKind


class OutcomeUnknown(GroundworkError):
    """A service did not report whether it made payments: no answer came, or none that can be read."""

    code = "outcome_unknown"


@dataclass(frozen=True)
class Line:
    """One payment of a batch; `payment` is its key, `recipient` the person’s ID of the platform."""

    payment: UUID
    attempt: int
    recipient: str
    amount: Decimal
    currency: str
    reason: str


class TakenOver(Exception):
    """Another worker has taken over, or a person has decided about a payment: it must not be made now."""


def pays_nothing(_: Collection[Line]) -> None:
    """The check of a batch that is only read back."""


@dataclass(frozen=True)
class Batch:
    """Payments for one call; `key` identifies it in the service, too.

    `check` is called with some of the lines when the request that pays them is about to be sent. It raises
    `TakenOver` where they must not be paid any more: the worker may have been suspended for long.
    """

    key: UUID
    lines: Sequence[Line]
    check: Callable[[Collection[Line]], None] = pays_nothing


@dataclass(frozen=True)
class Outcome:
    """The outcome of one payment: made, refused, or accepted and not made yet (None)."""

    made: bool | None
    reference: str = ""
    reason: str = ""


Outcomes = Mapping[UUID, Outcome]


class Payer(Protocol):
    """A service that pays raters of one platform.

    `send` is called at most once with a batch. Both methods return the outcomes by payment, without those
    that are not known, and raise `OutcomeUnknown` where no answer came that can be read. A payment that
    `send` returns as taken stays sent; one that it does not return is in doubt.
    """

    platform: Platform
    kinds: Collection[PaymentKind]

    def send(self, batch: Batch) -> Outcomes:
        """Make the payments of a batch."""
        ...

    def read_back(self, batch: Batch) -> Outcomes:
        """Ask what became of a batch; this pays nothing."""
        ...


_payers: dict[str, str] = {}


def register_payer(key: str, path: str) -> None:
    """Register a service under its key; the application that owns it does so when it starts.

    Parameters
    ----------
    key : str
        Stored with each batch.
    path : str
        Dotted path of a function without arguments that returns a `Payer`.

    Raises
    ------
    ValueError
        Another service has the same key.
    """
    if _payers.setdefault(key, path) != path:
        raise ValueError(f"The payment service {key!r} is registered twice.")


def payer_named(key: str) -> Payer:
    """Return the service with a key.

    Parameters
    ----------
    key : str
        As in `PaymentBatch.payer`.

    Raises
    ------
    NotAllowedNow
        No application has registered it (`unknown_payer`).
    """
    if key not in _payers:
        raise NotAllowedNow(
            message("No application of this installation pays by %(payer)s.", payer=repr(key)),
            code="unknown_payer",
        )
    payer: Payer = import_string(_payers[key])()
    return payer


def registered_payers() -> list[str]:
    """The keys of the registered services."""
    return sorted(_payers)
