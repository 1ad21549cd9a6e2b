"""Cost of calls from a price per million tokens, and a budget that no call may exceed."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

MILLION = Decimal(1_000_000)


@dataclass(frozen=True)
class Price:
    """Price of a model per million tokens read and written; both 0 for a model that costs nothing."""

    read: Decimal
    written: Decimal

    def of(self, tokens_read: int, tokens_written: int) -> Decimal:
        """The price of so many tokens.

        Parameters
        ----------
        tokens_read, tokens_written
            At least 0.
        """
        return (self.read * tokens_read + self.written * tokens_written) / MILLION


@dataclass
class Budget:
    """What a run may spend.

    A call is made only if its highest possible price still fits. A call of unknown cost,
    because its answer was lost or did not state it, counts at its highest possible price.

    Parameters
    ----------
    most
        The limit; None for none.
    spent
        What earlier calls of the judge cost at most.
    """

    most: Decimal | None
    spent: Decimal = Decimal(0)

    def allows(self, highest: Decimal) -> bool:
        """Whether a call with this highest possible price still fits."""
        return self.most is None or self.spent + highest <= self.most

    def add(self, cost: Decimal) -> None:
        """Count what a call has cost."""
        self.spent += cost
