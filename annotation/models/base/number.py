"""A column for numbers that are mostly whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from annotation.domain.base.numbers import plain_number

if TYPE_CHECKING:
    # Type checkers see the plain field: with a subclass they would not know which columns may be null.
    NumberField = models.FloatField
else:

    class NumberField(models.FloatField):
        """A float that is read as `int` where it is whole, so that 4 is always written as `4`."""

        def from_db_value(self, value: float | None, *_: object) -> float | None:
            """Return what the database holds, a whole number as `int`."""
            return None if value is None else plain_number(value)
