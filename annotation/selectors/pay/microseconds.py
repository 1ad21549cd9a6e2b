"""Times as numbers, for whole columns of them: a million datetimes take longer to make than to compare."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BigIntegerField, Func
from django.db.models.sql.compiler import SQLCompiler


class Microseconds(Func):
    """A time in microseconds since 1970, without rounding."""

    arity = 1
    template = "(EXTRACT(EPOCH FROM %(expressions)s) * 1000000)::bigint"
    output_field = BigIntegerField()

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any) -> Any:
        """From the text of the time, which has six digits after the seconds, or none."""
        seconds = "unixepoch(%(expressions)s)"
        rest = "CAST(substr(%(expressions)s, 21, 6) AS INTEGER)"
        template = f"({seconds} * 1000000 + {rest})"
        return self.as_sql(compiler, connection, template=template, **extra)
