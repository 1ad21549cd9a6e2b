"""The budget of a study: what is spent, what is committed and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Budget:
    """Amounts in the currency of the study's pay.

    Parameters
    ----------
    total : Decimal or None
        The budget; None where the study has none.
    spent : Decimal
        Payments that were sent, are in doubt or confirmed.
    owed : Decimal
        What was earned and is not spent.
    reserved : Decimal
        What raters who have begun can still earn at the stated pay rate.
    to_finish, at_most : Decimal or None
        The expected and the highest cost of the rating slots that are not filled, including those of raters
        who have begun; None where this is not known.
    one_more : Decimal
        What another rater can earn at most.
    """

    total: Decimal | None
    spent: Decimal
    owed: Decimal
    reserved: Decimal
    to_finish: Decimal | None
    at_most: Decimal | None
    one_more: Decimal

    @property
    def committed(self) -> Decimal:
        """The amount that has to be paid in addition to what is spent."""
        return self.owed + self.reserved

    @property
    def earned(self) -> Decimal:
        """The amount that is spent or has to be paid for finished work."""
        return self.spent + self.owed

    @property
    def promised(self) -> Decimal:
        """The amount that is spent or has to be paid, including what raters who have begun can still earn."""
        return self.spent + self.committed

    @property
    def left(self) -> Decimal | None:
        """The part of the budget that is not promised; negative if more is promised than there is."""
        return None if self.total is None else self.total - self.promised

    @property
    def missing(self) -> Decimal | None:
        """How much more the study needs to fill all its rating slots; None where this is not known."""
        if self.total is None or self.to_finish is None:
            return None
        return max(Decimal(0), self.earned + self.to_finish - self.total)

    def pays_another(self, joined: int = 0) -> bool:
        """Whether the budget suffices for another rater, after so many have joined since it was computed.

        Raters who share the rating slots that are left cannot earn more than these cost.
        """
        if self.total is None:
            return True
        coming = self.reserved + self.one_more * (joined + 1)
        most = coming if self.at_most is None else min(coming, max(self.at_most, self.reserved))
        return self.earned + most <= self.total
